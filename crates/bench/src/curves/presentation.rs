//! Titles and plots for curves, and the figures that the slides state.
use super::{
    Operation::{self, Batch, Double, Fixed, Sign, Variable, Verify},
    Parameters,
};
use crate::algebra::{
    Figures, OURS, Paper,
    Statement::{self, Ratio, Saved},
};

impl Paper for Parameters {
    const TITLE: &'static str = "Paper 004, second half";
    const NOTES: &'static str = "Points are affine. A batch has 16 products, and its figure is for one.";
    const STATEMENTS: &'static [Statement<Parameters>] = STATEMENTS;
    const PLOTS: &'static [(&'static str, &'static [Operation])] = &[
        ("k P", &[Variable, Batch]),
        ("k G", &[Fixed]),
        ("k G + l P", &[Double]),
        ("ECDSA", &[Verify, Sign]),
    ];

    /// Koblitz curves have a separate line, and so have curves over an extension: both have methods of their own.
    fn line(&self, _: &str, _: Operation) -> Option<&'static str> {
        Some(match (self.is_koblitz(), self.is_over_extension()) {
            (true, _) => ", Koblitz",
            (false, true) => ", over an extension",
            (false, false) => "",
        })
    }
}

/// The slides' figures. Their cycles are those of other processors, so that only the order
/// of magnitude can be compared.
const STATEMENTS: &[Statement<Parameters>] = &[
    Statement::Figure(
        "cycles of k P on CURVE2251",
        "594k on a Core 2 of 65 nm, 282k with CLMUL, 225k with CLMUL and AVX",
        |of| on_curve2251(of, Variable),
    ),
    Statement::Figure(
        "the same of related work over the same field, one by one",
        "855k (mpFq of eBACS)",
        |of| on_curve2251(of, Variable),
    ),
    Statement::Figure("the same in a batch", "314k (BBE)", |of| on_curve2251(of, Batch)),
    Saved("k P", "at least 27 to 30 of eBACS, CURVE2251", Variable),
    // The slides state none of the following. They show how our own figures relate to each other.
    Ratio("k G over k P", "", Fixed, Variable),
    Ratio("k G + l P over k P", "", Double, Variable),
    Ratio("in a batch over one by one", "", Batch, Variable),
    Ratio("ECDSA verification over k P", "", Verify, Variable),
    Ratio("ECDSA signature over k G", "", Sign, Fixed),
];

fn on_curve2251(of: &Figures<Parameters>, operation: Operation) -> Option<f64> {
    // The slides' cycles are of this curve alone.
    of.cycles(OURS, operation).filter(|_| of.structure.name == "curve2251")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::parameters;
    use carryless_gf2::curve::{Curve2251, Gls254, Sect163k1, Sect163r2};

    #[test]
    fn kinds_of_curves_have_lines_of_their_own() {
        let lines = [
            parameters::<Sect163k1>(),
            parameters::<Sect163r2>(),
            parameters::<Curve2251>(),
            parameters::<Gls254>(),
        ]
        .map(|curve| curve.line(OURS, Variable));
        assert_eq!(lines, [Some(", Koblitz"), Some(""), Some(""), Some(", over an extension")]);
    }
}
