//! Titles and plots for fields, and the figures that the slides state in words.
use super::operation::{
    Operation::{
        self, BatchInvert, Frobenius, FrobeniusByTable, FrobeniusSlice, Invert, InvertByMaps, InvertSlice,
        InvertVartime, Product, ProductByComb, ProductByShuffles, ProductSlice, Solve, SolveByMap,
        SolveByTable, SolveSlice, Sqrt, SqrtSlice, Square, SquareByAffine, SquareByShuffles, SquareSlice,
    },
    Parameters,
};
use crate::algebra::{
    OURS, Paper,
    Statement::{self, Ratio, Saved},
};

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

    /// Of two polynomials of a degree the plots show the standard one. Square roots have both,
    /// because there they matter most.
    fn line(&self, library: &str, operation: Operation) -> Option<&'static str> {
        match (self.is_second(), operation) {
            (false, _) if self.is_extension => Some(", extension"),
            (false, _) => Some(""),
            // A peer's curve has one point for each degree. A second one would make its line go up and down
            // there.
            (true, Sqrt) if library == OURS => Some(", second f"),
            (true, _) => None,
        }
    }
}

/// What the slides say that the operations save.
const RELATED: &str = "8 to 84 of related work, all operations";

/// The slides' statements that can be measured here. Those without a figure of the slides are
/// for comparison with the others.
pub(super) const STATEMENTS: &[Statement<Parameters>] = &[
    Ratio("M / S: product over square, latency", "", Product, Square),
    Ratio(
        "product by comb over square: M / S without carry-less multiplication",
        "up to 34",
        ProductByComb,
        Square,
    ),
    Ratio("product over product by comb (López and Dahab)", "0.5", Product, ProductByComb),
    Ratio("product by shuffles over product by comb", "1.5 to 1.9", ProductByShuffles, ProductByComb),
    Ratio("M / S in slices", "", ProductSlice, SquareSlice),
    Ratio("square by shuffles over square by carry-less products", "", SquareByShuffles, Square),
    Ratio("square by bit matrices over square by carry-less products", "", SquareByAffine, Square),
    Ratio("square root over square", "depends on f", Sqrt, Square),
    Ratio(
        "H / M: x^2 + x = c by a bit matrix, over product",
        "1 with a carry-less multiplier",
        SolveByMap,
        Product,
    ),
    Ratio("x^(2^k) by a table over one by a bit matrix", "", FrobeniusByTable, Frobenius),
    Ratio(
        "I / M: inverse by bit matrices, over product",
        "25 with a carry-less multiplier",
        InvertByMaps,
        Product,
    ),
    Saved("product", RELATED, Product),
    Saved("square", RELATED, Square),
    Saved("square root", RELATED, Sqrt),
    Saved("inverse", RELATED, Invert),
];
