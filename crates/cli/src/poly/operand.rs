//! Polynomials and exponents on the command line.
use std::fs;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, Result, ensure};
use carryless_gf2::algebra::{ParsePolyError, Poly};

use crate::key::escape_path;

/// A polynomial, or where it is to be read.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Here(Poly),
    File(PathBuf),
    Stdin,
}

impl FromStr for Operand {
    type Err = ParsePolyError;

    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        match text.strip_prefix('@') {
            Some(path) => Ok(Self::File(path.into())),
            None if text == "-" => Ok(Self::Stdin),
            None => text.parse().map(Self::Here),
        }
    }
}

/// The operands as polynomials. Standard input serves for one.
pub(super) fn read<const N: usize>(operands: [&Operand; N]) -> Result<[Poly; N]> {
    let from_stdin = operands.iter().filter(|operand| matches!(operand, Operand::Stdin)).count();
    ensure!(from_stdin <= 1, "only one operand can come from standard input");
    let mut polys = [const { Poly::zero() }; N];
    for (poly, operand) in polys.iter_mut().zip(operands) {
        *poly = read_one(operand)?;
    }
    Ok(polys)
}

fn read_one(operand: &Operand) -> Result<Poly> {
    let (text, name) = match operand {
        Operand::Here(poly) => return Ok(poly.clone()),
        Operand::File(path) => (fs::read_to_string(path), escape_path(path)),
        Operand::Stdin => (io::read_to_string(io::stdin()), "standard input".into()),
    };
    text.with_context(|| name.clone())?.parse().with_context(|| name)
}

/// The exponent of a power.
#[derive(Clone, Debug)]
pub(super) enum Exponent {
    /// Words, least significant first.
    Words(Vec<u64>),
    /// 2^K, by K squares.
    PowerOfTwo(usize),
}

impl FromStr for Exponent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const NONE: &str = "not a decimal number below 2^64, a hexadecimal one after 0x, or 2^K";
        if text.starts_with("0x") {
            // The digits of a polynomial are those of a number.
            let digits: Poly = text.parse().map_err(|_| NONE)?;
            return Ok(Self::Words(digits.into_words()));
        }
        match text.strip_prefix("2^") {
            Some(k) => k.parse().map(Self::PowerOfTwo).map_err(|_| NONE),
            None => text.parse().map(|word| Self::Words(vec![word])).map_err(|_| NONE),
        }
    }
}

impl Exponent {
    /// The power of a modulo f; `None` if f is 0.
    pub(super) fn power(&self, a: &Poly, f: &Poly) -> Option<Poly> {
        match self {
            Self::Words(words) => a.pow_mod_vartime(words, f),
            Self::PowerOfTwo(k) => a.frobenius_mod(*k, f),
        }
    }
}
