//! Polynomials and exponents of the command line.
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, Result, ensure};
use carryless_gf2::algebra::{ParsePolyError, Poly};
use clap::Args;

use crate::input;
use crate::name::escape_path;

/// Largest exponent in sums and lists, so that a term takes at most 32 MiB of memory.
pub(super) const MAX_EXPONENT: usize = (1 << 28) - 1;

/// Longest text of a file or of standard input, in bytes. In hexadecimal it holds
/// a polynomial of degree [`MAX_EXPONENT`].
const MAX_BYTES: u64 = (64 << 20) + 64;

/// Limit for powers: squarings, times words of the modulus. A squaring takes 50 to 250 ns for each word, so
/// this is about an hour.
const MAX_WORK: u64 = 1 << 34;

/// Message for a modulus or divisor that is zero.
pub(super) const BY_ZERO: &str = "division by the polynomial 0";

/// A polynomial, or the place from which it is read.
#[derive(Clone, Debug)]
pub enum Operand {
    /// The argument itself is the polynomial.
    Here(Poly),
    /// `@FILE`: the file contains the polynomial.
    File(PathBuf),
    /// `-`: standard input contains the polynomial.
    Stdin,
}

impl FromStr for Operand {
    type Err = ParsePolyError;

    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        match text.strip_prefix('@') {
            Some(path) => Ok(Self::File(path.into())),
            None if text == "-" => Ok(Self::Stdin),
            None => parse(text).map(Self::Here),
        }
    }
}

// Plain comments, as a doc comment would become the description of each command with these operands.

// The operand of a command.
#[derive(Args)]
pub(crate) struct One {
    /// The operand, such as X^5+X+1, 0x23, 5,1,0, @FILE or - (standard input)
    pub(crate) a: Operand,
}

// The operands of a command.
#[derive(Args)]
pub(crate) struct Two {
    /// An operand, such as X^5+X+1, 0x23, 5,1,0, @FILE or - (standard input)
    pub(crate) a: Operand,
    /// The other operand; only one can be -
    pub(crate) b: Operand,
}

// An operand and the modulus.
#[derive(Args)]
pub(crate) struct OneModulo {
    #[command(flatten)]
    pub(super) one: One,
    /// The modulus
    pub(super) f: Operand,
}

// Two operands and the modulus.
#[derive(Args)]
pub(crate) struct TwoModulo {
    #[command(flatten)]
    pub(super) two: Two,
    /// The modulus
    pub(super) f: Operand,
}

/// Reads the operands as polynomials. At most one of them may be standard input.
pub fn read<const N: usize>(operands: [&Operand; N]) -> Result<[Poly; N]> {
    let from_stdin = operands.iter().filter(|operand| matches!(operand, Operand::Stdin)).count();
    // A stream can be read once only.
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
        Operand::File(path) => (input::read_file(path, MAX_BYTES), format!("@{}", escape_path(path))),
        Operand::Stdin => (input::read_text(io::stdin().lock(), MAX_BYTES), "standard input".into()),
    };
    parse(&text.with_context(|| name.clone())?).with_context(|| name)
}

/// Parses a polynomial in any of its forms, with exponents up to [`MAX_EXPONENT`].
pub(super) fn parse(text: &str) -> Result<Poly, ParsePolyError> {
    Poly::from_str_bounded(text, MAX_EXPONENT)
}

/// The exponent of a power, a nonnegative integer.
#[derive(Clone, Debug)]
pub(crate) enum Exponent {
    /// A number in words of 64 bits, least significant first.
    Words(Vec<u64>),
    /// The number 2^K, for which K squarings suffice.
    PowerOfTwo(usize),
}

impl FromStr for Exponent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const NONE: &str = "not a decimal number below 2^64, a hexadecimal one after 0x, or 2^K";
        if text.starts_with("0x") {
            // The bits of the number are the coefficients of a polynomial, so its parser serves for both.
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
    /// Computes a to this power modulo f. Fails if f is zero, or if it would take too long.
    pub(super) fn power(&self, a: &Poly, f: &Poly) -> Result<Poly> {
        // Checked before computing: 2^K in a few characters could otherwise run for years.
        let (squarings, words) = (self.squarings(), f.words().len() as u64);
        ensure!(
            squarings.checked_mul(words).is_some_and(|work| work <= MAX_WORK),
            "the exponent is too large: it takes {squarings} squarings, and at most {} are allowed modulo this F",
            MAX_WORK / words.max(1)
        );
        let power = match self {
            Self::Words(words) => a.pow_mod_vartime(words, f),
            Self::PowerOfTwo(k) => a.frobenius_mod(*k, f),
        };
        power.context(BY_ZERO)
    }

    /// Returns the number of squarings that a power with this exponent takes.
    fn squarings(&self) -> u64 {
        match self {
            Self::Words(words) => 64 * words.len() as u64,
            Self::PowerOfTwo(k) => *k as u64,
        }
    }
}
