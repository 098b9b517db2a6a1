//! Titles and plots for fields, and the figures that the slides state in words.
use super::operation::{
    Operation::{
        self, BatchInvert, Frobenius, FrobeniusByTable, FrobeniusSlice, Invert, InvertByMaps, InvertSlice,
        InvertVartime, Product, ProductByComb, ProductByShuffles, ProductSlice, Solve, SolveByMap,
        SolveByTable, SolveSlice, Sqrt, SqrtSlice, Square, SquareByAffine, SquareByShuffles, SquareSlice,
    },
    Parameters,
};
use crate::algebra::{OURS, Paper, Statement};

impl Paper for Parameters {
    const TITLE: &'static str = "Paper 004, first half";
    const NOTES: &'static str = "Product, square, root and inverse wait for the one before (latency); slices have 64 elements, and their \
        figures are for one.";
    const STATEMENTS: &'static [Statement<Parameters>] = STATEMENTS;
    const PLOTS: &'static [(&'static str, &'static [Operation])] = &[
        ("products", &[Product, ProductSlice, ProductByComb, ProductByShuffles]),
        ("squares", &[Square, SquareByShuffles, SquareByAffine, SquareSlice]),
        ("square roots", &[Sqrt, SqrtSlice]),
        ("solutions of x^2 + x = c", &[Solve, SolveByMap, SolveByTable, SolveSlice]),
        ("x^(2^k)", &[Frobenius, FrobeniusByTable, FrobeniusSlice]),
        ("inverses", &[Invert, InvertByMaps, InvertVartime, InvertSlice, BatchInvert]),
    ];

    /// Of two polynomials of a degree the plots show the standard one. Square roots have both, because there
    /// they matter most.
    fn line(&self, library: &str, operation: Operation) -> Option<&'static str> {
        match (self.is_second(), operation) {
            (false, _) if self.is_extension => Some(", extension"),
            (false, _) => Some(""),
            (true, Sqrt) if library == OURS => Some(", second f"),
            (true, _) => None,
        }
    }
}

/// The slides' statements that can be measured here. Those without a figure of the slides are for comparison
/// with the others.
pub(super) const STATEMENTS: &[Statement<Parameters>] = &[
    Statement {
        what: "M / S: product over square, latency",
        paper: "",
        figure: |of| of.ratio(Operation::Product, Operation::Square),
    },
    Statement {
        what: "product by comb over square: M / S without carry-less multiplication",
        paper: "up to 34",
        figure: |of| of.ratio(Operation::ProductByComb, Operation::Square),
    },
    Statement {
        what: "product over product by comb (López and Dahab)",
        paper: "0.5",
        figure: |of| of.ratio(Operation::Product, Operation::ProductByComb),
    },
    Statement {
        what: "product by shuffles over product by comb",
        paper: "1.5 to 1.9",
        figure: |of| of.ratio(Operation::ProductByShuffles, Operation::ProductByComb),
    },
    Statement {
        what: "M / S in slices",
        paper: "",
        figure: |of| of.ratio(Operation::ProductSlice, Operation::SquareSlice),
    },
    Statement {
        what: "square by shuffles over square by carry-less products",
        paper: "",
        figure: |of| of.ratio(Operation::SquareByShuffles, Operation::Square),
    },
    Statement {
        what: "square by bit matrices over square by carry-less products",
        paper: "",
        figure: |of| of.ratio(Operation::SquareByAffine, Operation::Square),
    },
    Statement {
        what: "square root over square",
        paper: "depends on f",
        figure: |of| of.ratio(Operation::Sqrt, Operation::Square),
    },
    Statement {
        what: "H / M: x^2 + x = c by a bit matrix, over product",
        paper: "1 with a carry-less multiplier",
        figure: |of| of.ratio(Operation::SolveByMap, Operation::Product),
    },
    Statement {
        what: "x^(2^k) by a table over one by a bit matrix",
        paper: "",
        figure: |of| of.ratio(Operation::FrobeniusByTable, Operation::Frobenius),
    },
    Statement {
        what: "I / M: inverse by bit matrices, over product",
        paper: "25 with a carry-less multiplier",
        figure: |of| of.ratio(Operation::InvertByMaps, Operation::Product),
    },
    Statement {
        what: "per cent saved of the fastest other library's product",
        paper: "8 to 84 of related work, all operations",
        figure: |of| of.saved(Operation::Product),
    },
    Statement {
        what: "per cent saved of the fastest other library's square",
        paper: "8 to 84 of related work, all operations",
        figure: |of| of.saved(Operation::Square),
    },
    Statement {
        what: "per cent saved of the fastest other library's square root",
        paper: "8 to 84 of related work, all operations",
        figure: |of| of.saved(Operation::Sqrt),
    },
    Statement {
        what: "per cent saved of the fastest other library's inverse",
        paper: "8 to 84 of related work, all operations",
        figure: |of| of.saved(Operation::Invert),
    },
];
