//! The plots: cycles against degree, one plot for each kind of operation.
use super::{Figures, Measured, OURS, Paper, name};
use crate::clock::Clock;
use crate::report::{Curve, plot_of, sheet};

/// All plots in one document, one below the other.
pub(super) fn svg<S: Paper>(measured: &Measured<S>) -> String {
    let axes = [S::AXIS, &format!("{} per operation", Clock::UNIT)];
    let plots = S::PLOTS.iter().filter_map(|(title, operations)| {
        let curves = curves(measured, operations);
        let title = format!("{}, {title}: {}", S::SOURCE, measured.environment.cpu);
        (!curves.is_empty()).then(|| plot_of(&title, axes, &curves))
    });
    sheet(&plots.collect::<Vec<_>>())
}

/// Ours and other libraries'.
fn curves<S: Paper>(measured: &Measured<S>, operations: &[S::Operation]) -> Vec<Curve> {
    let libraries = measured.libraries();
    let pairs = libraries.iter().flat_map(|&library| operations.iter().map(move |&op| (library, op)));
    pairs.flat_map(|(library, operation)| lines(measured, library, operation)).collect()
}

/// A line for each kind of structures.
fn lines<S: Paper>(measured: &Measured<S>, library: &str, operation: S::Operation) -> Vec<Curve> {
    let name = name(library, operation).replace(&format!("{OURS}/"), "");
    let mut lines: Vec<Curve> = vec![];
    let point = |of: &Figures<S>| {
        let kind = of.structure.line(library, operation)?;
        Some((format!("{name}{kind}"), (of.structure.degree(), of.cycles(library, operation)?)))
    };
    for (name, point) in measured.all.iter().filter_map(point) {
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => lines.push(Curve { name, points: vec![point] }),
        }
    }
    lines
}
