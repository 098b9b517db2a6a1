//! How curves are shown, and what the slides say of one of them.
use super::{
    Operation::{self, Batch, Double, Fixed, Sign, Variable, Verify},
    Parameters,
};
use crate::algebra::{Paper, Statement};

impl Paper for Parameters {
    const TITLE: &'static str = "Paper 004, second half";
    const NOTES: &'static str = "Points are affine. A batch has 16 products, and its figure is for one.";
    const STATEMENTS: &'static [Statement<Parameters>] = &[Statement {
        what: "ECDSA verification over k P",
        paper: "",
        figure: |of| of.ratio(Verify, Variable),
    }];
    const PLOTS: &'static [(&'static str, &'static [Operation])] = &[
        ("k P", &[Variable, Batch]),
        ("k G", &[Fixed]),
        ("k G + l P", &[Double]),
        ("ECDSA", &[Verify, Sign]),
    ];

    fn line(&self, _: &str, _: Operation) -> Option<&'static str> {
        Some("")
    }
}
