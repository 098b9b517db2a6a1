//! The papers' claims on all lengths: average speed-ups over ranges, and the shares of lengths that gain.
//!
//! One disturbed length among thousands says nothing about a sum over all of them. Such lengths are left out.
//! A claim is undecided if they are more than one in [`LEFT_OUT`].
use super::Measured;
use super::candidates::Way;
use super::figures::Paper;
use super::statistics::{Pair, most_and_average, shares};
use super::tables::per_cent;
use crate::claim::{Claim, Verdict, bounds, span};
use crate::data::number;
use carryless_hash::Cpu;
use std::ops::RangeInclusive;

/// A claim is undecided if more than one length in this many is disturbed.
const LEFT_OUT: usize = 10;

/// The claims for each backend: an average speed-up for each range of the paper, then the share of lengths that gain.
pub(super) fn claims(paper: &Paper, measured: &Measured) -> Vec<Claim> {
    let spans = paper.spans();
    let of = |&cpu: &Cpu| {
        let averages = spans.iter().map(move |span| average(paper, measured, cpu, span));
        averages.chain([gaining(paper, measured, cpu)]).collect::<Vec<_>>()
    };
    measured.backends.iter().flat_map(of).collect()
}

/// The claim that the balanced algorithm is faster on average over a range of lengths.
fn average(paper: &Paper, measured: &Measured, cpu: Cpu, span: &RangeInclusive<usize>) -> Claim {
    // The average only: the greatest speed-up depends on a single length, which one interrupt can change.
    let printed = paper.ranges.iter().filter(|range| range.lengths == *span).map(|range| range.figures[1]);
    let all = measured.pairs(cpu, [Way::GollGueron, Way::Balanced]);
    let all: Vec<Pair> = all.into_iter().filter(|pair| span.contains(&pair.length)).collect();
    let calm = undisturbed(&all);
    let here = most_and_average(&calm, span).map(|[_, average]| average);
    Claim {
        what: format!(
            "balancing gains on average over Goll and Gueron's algorithm: {} to {} bytes, {}",
            span.start(),
            span.end(),
            cpu.name()
        ),
        paper: printed_bounds(printed),
        here: here.map(|average| format!("{average:.2} %")),
        test: "the average over the lengths measured is above 0 %",
        // Only the sign is tested, because the size of a speed-up depends on the CPU.
        verdict: verdict(here.map(|average| average > 0.0), &all, &calm),
    }
}

/// The claim that the balanced algorithm is faster at nearly all lengths.
fn gaining(paper: &Paper, measured: &Measured, cpu: Cpu) -> Claim {
    let all = measured.pairs(cpu, [Way::GollGueron, Way::Balanced]);
    let calm = undisturbed(&all);
    // The shares of no lengths would be NaN.
    let faster = (!calm.is_empty()).then(|| shares(&calm)[0]);
    Claim {
        what: format!(
            "it is faster at most lengths from 49 to 4000 bytes that 64 does not divide, {}",
            cpu.name()
        ),
        paper: printed_bounds(paper.shares.iter().map(|shares| shares.figures[0])),
        here: faster.map(|faster| format!("{faster:.2} %")),
        test: "it is faster at more than half of the lengths measured",
        // A majority is tested, because the paper's shares are those of its CPUs.
        verdict: verdict(faster.map(|faster| faster > 50.0), &all, &calm),
    }
}

/// The pairs of figures that were not disturbed.
fn undisturbed(all: &[Pair]) -> Vec<Pair> {
    all.iter().copied().filter(|pair| !pair.disturbed).collect()
}

/// The verdict on a claim. `holds` is the test's answer from the undisturbed pairs `calm` among `all`.
fn verdict(holds: Option<bool>, all: &[Pair], calm: &[Pair]) -> Verdict {
    let (left_out, of) = (all.len() - calm.len(), all.len());
    // A product instead of a quotient, so that a list without lengths raises no doubt.
    Verdict::of(holds, (LEFT_OUT * left_out > of).then(|| format!("{left_out} of {of} lengths disturbed")))
}

/// The least and the greatest of printed percentages, over the paper's settings.
fn printed_bounds(printed: impl Iterator<Item = &'static str>) -> String {
    bounds(printed.map(number)).map_or(String::new(), |ends| span(ends.map(per_cent)) + " %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_disturbed_lengths_decide_nothing() {
        let pairs = |disturbed: usize| -> Vec<Pair> {
            (0..20).map(|i| Pair { length: 50 + i, old: 2.0, new: 1.0, disturbed: i < disturbed }).collect()
        };
        let of = |disturbed| verdict(Some(true), &pairs(disturbed), &undisturbed(&pairs(disturbed)));
        assert_eq!((of(0), of(2)), (Verdict::Holds, Verdict::Holds));
        assert_eq!(of(3), Verdict::Undecided("3 of 20 lengths disturbed".into()));
        assert_eq!(verdict(None, &[], &[]), Verdict::NotMeasured);
    }
}
