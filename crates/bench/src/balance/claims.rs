//! What the papers claim of all lengths: average speed-ups of ranges, and the shares of lengths that gain.
use super::Measured;
use super::candidates::Way;
use super::figures::{Paper, number};
use super::statistics::{most_and_average, shares};
use crate::claim::Claim;
use carryless_hash::Cpu;
use std::ops::RangeInclusive;

/// The claims, for each machine.
pub(super) fn claims(paper: &Paper, measured: &Measured) -> Vec<Claim> {
    let mut spans: Vec<&RangeInclusive<usize>> = paper.ranges.iter().map(|range| &range.lengths).collect();
    spans.sort_by_key(|span| *span.start());
    spans.dedup();
    let of = |&cpu: &Cpu| {
        let averages = spans.iter().map(move |span| average(paper, measured, cpu, span));
        averages.chain([gaining(paper, measured, cpu)]).collect::<Vec<_>>()
    };
    measured.machines.iter().flat_map(of).collect()
}

/// That the balanced algorithm is faster on average.
fn average(paper: &Paper, measured: &Measured, cpu: Cpu, span: &RangeInclusive<usize>) -> Claim {
    let printed = paper.ranges.iter().filter(|range| range.lengths == *span).map(|range| range.figures[1]);
    let pairs = measured.pairs(cpu, [Way::GollGueron, Way::Balanced]);
    let here = most_and_average(&pairs, span).map(|[_, average]| average);
    Claim {
        what: format!(
            "balancing gains on average over Goll and Gueron's algorithm: {} to {} bytes, {}",
            span.start(),
            span.end(),
            cpu.name()
        ),
        paper: bounds(printed),
        here: here.map(|average| format!("{average:.2} %")),
        holds: here.map(|average| average > 0.0),
    }
}

/// That it is faster at nearly all lengths.
fn gaining(paper: &Paper, measured: &Measured, cpu: Cpu) -> Claim {
    let [faster, ..] = shares(&measured.pairs(cpu, [Way::GollGueron, Way::Balanced]));
    Claim {
        what: format!(
            "it is faster at most lengths from 49 to 4000 bytes that 64 does not divide, {}",
            cpu.name()
        ),
        paper: bounds(paper.shares.iter().map(|shares| shares.figures[0])),
        here: Some(format!("{faster:.2} %")),
        holds: Some(faster > 50.0),
    }
}

/// The least and the greatest of printed per cent, over the paper's settings.
fn bounds(printed: impl Iterator<Item = &'static str>) -> String {
    let mut all: Vec<&str> = printed.collect();
    all.sort_by(|a, b| number::<f64>(a).total_cmp(&number(b)));
    match all[..] {
        [one] => format!("{one} %"),
        [least, .., most] => format!("{least} to {most} %"),
        [] => String::new(),
    }
}
