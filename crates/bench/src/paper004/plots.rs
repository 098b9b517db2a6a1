//! The plots: cycles against degree, one plot for each kind of operation.
use super::operation::Operation::{
    self, BatchInvert, Invert, InvertByMaps, InvertSlice, InvertVartime, Product, ProductByComb,
    ProductByShuffles, ProductSlice, Solve, SolveByMap, Sqrt, SqrtSlice, Square, SquareByShuffles,
    SquareSlice,
};
use super::{Measured, OURS, OfField};
use crate::clock::Clock;
use crate::report::{Curve, plot_of, sheet};

/// Titles, and what each plot shows of every library that has it.
const PLOTS: [(&str, &[Operation]); 5] = [
    ("products", &[Product, ProductSlice, ProductByComb, ProductByShuffles]),
    ("squares", &[Square, SquareByShuffles, SquareSlice]),
    ("square roots", &[Sqrt, SqrtSlice]),
    ("solutions of x^2 + x = c", &[Solve, SolveByMap]),
    ("inverses", &[Invert, InvertByMaps, InvertVartime, InvertSlice, BatchInvert]),
];

/// All plots in one document, one below the other.
pub(super) fn svg(measured: &Measured) -> String {
    let axes = ["degree of the field", &format!("{} per operation", Clock::UNIT)];
    let plots = PLOTS.iter().filter_map(|(title, operations)| {
        let curves = curves(measured, operations);
        let title = format!("Paper 004, {title}: {}", measured.environment.cpu);
        (!curves.is_empty()).then(|| plot_of(&title, axes, &curves))
    });
    sheet(&plots.collect::<Vec<_>>())
}

/// Ours and other libraries'. Of two polynomials of a degree the standard one is shown, and both where they matter most, in square roots.
fn curves(measured: &Measured, operations: &[Operation]) -> Vec<Curve> {
    let libraries = measured.libraries();
    let pairs = || libraries.iter().flat_map(|&library| operations.iter().map(move |&op| (library, op)));
    let standard = pairs().map(|(library, op)| curve(measured, library, op, false));
    let friendly = pairs().filter(|&(library, op)| library == OURS && op == Sqrt);
    let friendly = friendly.map(|(library, op)| curve(measured, library, op, true));
    standard.chain(friendly).filter(|curve| !curve.points.is_empty()).collect()
}

fn curve(measured: &Measured, library: &str, operation: Operation, friendly: bool) -> Curve {
    let point = |of: &OfField| Some((of.field.degree, of.cycles(library, operation)?));
    let fields = measured.fields.iter().filter(|of| of.field.is_second() == friendly);
    let name = super::name(library, operation).replace(&format!("{OURS}/"), "");
    let name = if friendly { format!("{name}, second f") } else { name };
    Curve { name, points: fields.filter_map(point).collect() }
}
