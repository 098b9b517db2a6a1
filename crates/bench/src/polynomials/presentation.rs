//! Titles and plots for polynomials.
use super::case::{
    Modulus,
    Operation::{self, Factor, Invert, Irreducible, MulMod, PowMod, Product, Square, SquareMod, Unequal},
};
use crate::algebra::{Paper, Statement};
use std::rc::Rc;

impl Paper for Rc<Modulus> {
    const TITLE: &'static str = "Polynomials over F2 as values";
    const NOTES: &'static str = "Calls are on the same operands, with what depends on the modulus alone ready. Powers have exponents of 64 \
        bits.";
    const STATEMENTS: &'static [Statement<Rc<Modulus>>] = &[];
    const SOURCE: &'static str = "Polynomials";
    const AXIS: &'static str = "degree of the modulus";
    const PLOTS: &'static [(&'static str, &'static [Operation])] = &[
        ("products and squares", &[Product, Unequal, Square]),
        ("modulo f", &[MulMod, SquareMod, PowMod, Invert]),
        ("tests and factors", &[Irreducible, Factor]),
    ];

    fn line(&self, _: &str, _: Operation) -> Option<&'static str> {
        // Moduli of few terms are reduced in another way than all others.
        Some(if self.f.weight() <= 5 { "" } else { ", dense" })
    }
}
