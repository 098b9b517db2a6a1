//! The papers' figures: cycles per byte and speed-ups against length.
use super::Measured;
use super::candidates::Way;
use super::figures::{Line, Paper, number, speed_up};
use crate::report::{Curve, plot, plot_linear, sheet};

/// Cycles per byte on each machine; then speed-ups, ours at all lengths and the paper's where it prints them.
pub(super) fn svg(paper: &Paper, measured: &Measured) -> String {
    let mut all = vec![];
    for &cpu in &measured.machines {
        let curve =
            |way: Way| Curve { name: way.name().into(), points: measured.curve(measured.place(cpu, way)) };
        let title = format!("Paper {}, {}: Poly1305", paper.number, cpu.name());
        all.push(plot(&title, &Way::ALL.map(curve)));
    }
    all.push(plot_linear(
        &format!("Paper {}: speed-up of the balanced algorithm", paper.number),
        ["message bytes", "per cent"],
        &speed_ups(paper, measured),
    ));
    sheet(&all)
}

fn speed_ups(paper: &Paper, measured: &Measured) -> Vec<Curve> {
    let mut curves: Vec<Curve> = vec![];
    for &cpu in &measured.machines {
        let pairs = measured.pairs(cpu, [Way::GollGueron, Way::Balanced]);
        let points = pairs.iter().map(|pair| (pair.length, pair.speed_up())).collect();
        curves.push(Curve { name: format!("{}, here", cpu.name()), points });
    }
    for table in &paper.tables {
        let point = |line: &Line| (line.length, speed_up(number(line.original), number(line.modified)));
        let points = table.lines.iter().map(point).collect();
        curves.push(Curve { name: table.setting.into(), points });
    }
    curves
}
