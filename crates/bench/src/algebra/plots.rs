//! The plots: cycles against degree, one plot for each kind of operation.
use super::{Figures, Measured, OURS, Paper, name};
use crate::clock::Clock;
use crate::report::{Curve, Drawing, Point, plot_of};

/// A plot for each kind of operation that was measured.
pub(super) fn plots<S: Paper>(measured: &Measured<S>) -> Vec<Drawing> {
    let axes = [S::AXIS, &format!("{} per operation", Clock::UNIT)];
    let plots = S::PLOTS.iter().filter_map(|(title, operations)| {
        let curves = curves(measured, operations);
        let title = format!("{}, {title}: {}", S::SOURCE, measured.environment.cpu);
        // A build may have no subject of this kind of operation.
        (!curves.is_empty()).then(|| plot_of(&title, axes, &curves))
    });
    plots.collect()
}

/// The curves of one plot: a library's operations next to each other, our library first.
fn curves<S: Paper>(measured: &Measured<S>, operations: &[S::Operation]) -> Vec<Curve> {
    let libraries = measured.libraries();
    let pairs = libraries.iter().flat_map(|&library| operations.iter().map(move |&op| (library, op)));
    pairs.flat_map(|(library, operation)| lines(measured, library, operation)).collect()
}

/// The curves of one operation of one library: one for each suffix that `Paper::line` gives.
fn lines<S: Paper>(measured: &Measured<S>, library: &str, operation: S::Operation) -> Vec<Curve> {
    // Legends are narrow. Without a library's name a curve is ours.
    let name = name(library, operation).replace(&format!("{OURS}/"), "");
    // A list instead of a map: curves keep the order in which their first points appear.
    let mut lines: Vec<(String, Vec<Point>)> = vec![];
    let point = |of: &Figures<S>| {
        let kind = of.structure.line(library, operation)?;
        let (row, scale) = (of.row(library, operation)?, of.scale(operation));
        Some((format!("{name}{kind}"), Point::measured(of.structure.degree(), row, scale)))
    };
    for (name, point) in measured.all.iter().filter_map(point) {
        match lines.iter_mut().find(|line| line.0 == name) {
            Some((_, points)) => points.push(point),
            None => lines.push((name, vec![point])),
        }
    }
    lines.into_iter().map(|(name, points)| Curve::new(name, points)).collect()
}
