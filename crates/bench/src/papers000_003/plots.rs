//! The papers' figures: cycles per byte and speed-ups against length.
use super::Measured;
use super::candidates::Way;
use super::figures::{Line, Paper, speed_up};
use crate::data::number;
use crate::report::{Curve, Drawing, Point, plot, plot_linear};
use carryless_hash::Cpu;

/// Two plots for each backend: cycles per byte, and speed-ups. Ours have all lengths, the paper's those that it prints.
pub(super) fn plots(paper: &Paper, measured: &Measured) -> Vec<Drawing> {
    let cycles = |&cpu: &Cpu| {
        let curve = |way: Way| {
            let place = measured.place(cpu, way);
            let rows = measured.all.iter().map(move |(length, rows)| (*length, &rows[place]));
            Curve::new(way.name(), rows.map(|(length, row)| Point::measured(length, row, 1.0)))
        };
        plot(&format!("Paper {}, {}: Poly1305", paper.number, cpu.name()), &Way::ALL.map(curve))
    };
    let speed_ups = |&cpu: &Cpu| {
        let title = format!("Paper {}, {}: speed-up of the balanced algorithm", paper.number, cpu.name());
        plot_linear(&title, ["message bytes", "per cent"], &speed_ups(paper, measured, cpu))
    };
    measured.backends.iter().flat_map(|cpu| [cycles(cpu), speed_ups(cpu)]).collect()
}

/// The curves of speed-ups, ours and one for each setting of the paper. The few lengths that a paper prints
/// are marks without a line: between them the speed-up goes up and down with the blocks modulo 4.
fn speed_ups(paper: &Paper, measured: &Measured, cpu: Cpu) -> Vec<Curve> {
    let pairs = measured.pairs(cpu, [Way::GollGueron, Way::Balanced]);
    let here = pairs
        .iter()
        // A speed-up is made of two figures and has no quartiles of its own.
        .map(|pair| Point { disturbed: pair.disturbed, ..Point::printed(pair.length, pair.speed_up()) });
    let printed = paper.tables.iter().map(|table| {
        let point =
            // The speed-up is computed from the cycles, because some printed ones contradict theirs.
            |line: &Line| Point::printed(line.length, speed_up(number(line.original), number(line.modified)));
        Curve { joined: false, ..Curve::new(table.setting, table.lines.iter().map(point)) }
    });
    [Curve::new("here", here)].into_iter().chain(printed).collect()
}
