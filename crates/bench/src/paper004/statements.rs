//! What the slides say in words, and the same ratio here.
use super::operation::Operation;
use super::{Measured, OURS, OfField};

/// A ratio of which the slides speak.
pub struct Statement {
    /// The ratio.
    pub what: &'static str,
    /// The slides' words for it.
    pub slides: &'static str,
    ratio: fn(&OfField) -> Option<f64>,
}

/// All of them that can be measured here.
pub static STATEMENTS: &[Statement] = &[
    Statement {
        what: "M / S: product over square, latency",
        slides: "",
        ratio: |of| of_two(of, Operation::Product, Operation::Square),
    },
    Statement {
        what: "product by comb over square: M / S without carry-less multiplication",
        slides: "up to 34",
        ratio: |of| of_two(of, Operation::ProductByComb, Operation::Square),
    },
    Statement {
        what: "product over product by comb (López and Dahab)",
        slides: "0.5",
        ratio: |of| of_two(of, Operation::Product, Operation::ProductByComb),
    },
    Statement {
        what: "product by shuffles over product by comb",
        slides: "1.5 to 1.9",
        ratio: |of| of_two(of, Operation::ProductByShuffles, Operation::ProductByComb),
    },
    Statement {
        what: "M / S in slices",
        slides: "",
        ratio: |of| of_two(of, Operation::ProductSlice, Operation::SquareSlice),
    },
    Statement {
        what: "square by shuffles over square by carry-less products",
        slides: "",
        ratio: |of| of_two(of, Operation::SquareByShuffles, Operation::Square),
    },
    Statement {
        what: "square root over square",
        slides: "depends on f",
        ratio: |of| of_two(of, Operation::Sqrt, Operation::Square),
    },
    Statement {
        what: "H / M: x^2 + x = c by a bit matrix, over product",
        slides: "1 with a carry-less multiplier",
        ratio: |of| of_two(of, Operation::SolveByMap, Operation::Product),
    },
    Statement {
        what: "I / M: inverse by bit matrices, over product",
        slides: "25 with a carry-less multiplier",
        ratio: |of| of_two(of, Operation::InvertByMaps, Operation::Product),
    },
];

fn of_two(of: &OfField, above: Operation, below: Operation) -> Option<f64> {
    Some(of.cycles(OURS, above)? / of.cycles(OURS, below)?)
}

impl Statement {
    /// The least and the greatest ratio, with the field that has it.
    pub fn range(&self, measured: &Measured) -> Option<[(f64, &'static str); 2]> {
        let ratios = measured.fields.iter().filter_map(|of| Some(((self.ratio)(of)?, of.field.name)));
        let mut ratios: Vec<(f64, &str)> = ratios.collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some([*ratios.first()?, *ratios.last()?])
    }
}
