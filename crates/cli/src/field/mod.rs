//! `carryless field`: arithmetic in binary fields chosen at run time.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
pub mod names;

use std::io::{self, Write as _};

use anyhow::{Context as _, Result, ensure};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;
use clap::{Args, Subcommand};
use serde::Serialize;

use crate::exit::{Exit, print_json, stdout_error};
use crate::poly::Form;
use crate::poly::operand::{Exponent, One, Operand, Two, read};

/// Computes in a binary field GF(2^m), the polynomials over F2 modulo an irreducible f of degree m.
///
/// FIELD is a degree, such as 233, or a name, such as 233-sqrt or 128-polyval, and stands for one f, which --json prints; an unknown name lists all. --poly
/// gives any other irreducible f of degree 1 to 1279. Elements are polynomials of degree below m, written as for `carryless poly`: X^5+X+1, 0x23 (bit i is the
/// coefficient of X^i), 5,1,0, @FILE, or - for standard input.
///
/// Not for secrets: other users can see arguments.
#[derive(Args)]
#[command(subcommand_required = true)]
pub(crate) struct FieldArgs {
    /// The field: its degree or its name. Required unless --poly is given
    #[arg(value_name = "FIELD", required_unless_present = "poly")]
    name: Option<String>,
    /// The polynomial f of the field; if FIELD is given too, its degree must agree [default: that of FIELD]
    #[arg(long, value_name = "POLY", global = true)]
    poly: Option<Operand>,
    /// How elements are printed: as a sum, in hexadecimal, or as exponents
    #[arg(long, value_enum, value_name = "FORM", default_value = "hex", global = true)]
    format: Form,
    /// Print one JSON object with the exponents of f and the result
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    operation: Operation,
}

/// The operations of a field, one subcommand each, on elements of fewer bits than its degree.
#[derive(Subcommand)]
enum Operation {
    /// The sum A + B
    Add(Two),
    /// The product A B modulo f
    Mul(Two),
    /// The quotient A / B
    Div(Two),
    /// The square of A modulo f
    Square(One),
    /// The square root of A
    Sqrt(One),
    /// The inverse of A; an error for 0
    #[command(alias = "inv")]
    Inverse(One),
    /// The trace of A, 0 or 1
    Trace(One),
    /// A solution X of X^2 + X = A; the other one is X + 1
    Solve(One),
    /// The power A^(2^K), by K modulo m squarings
    Frobenius {
        #[command(flatten)]
        one: One,
        /// The number of squarings, decimal
        k: u64,
    },
    /// The power A^E
    Pow {
        #[command(flatten)]
        one: One,
        /// The exponent: a decimal number below 2^64, a hexadecimal one after 0x, or 2^K
        e: Exponent,
    },
}

/// The JSON object of a result.
#[derive(Serialize)]
struct Answer<'a> {
    /// Exponents of f, from its degree down.
    f: &'a [usize],
    result: String,
}

/// Computes the result and prints it.
pub(crate) fn run(args: &FieldArgs) -> Result<Exit> {
    let f = args.poly.as_ref().map(|f| read([f])).transpose()?.map(|[f]| f);
    let field = names::field(ClmulCpu::detect(), args.name.as_deref(), f.as_ref())?;
    let result = compute(&field, &args.operation)?;
    let mut line = Vec::new();
    args.format.write(&mut line, &result)?;
    if args.json {
        let result = String::from_utf8(line)?.trim_end().to_owned();
        print_json(&Answer { f: field.exponents(), result })?;
    } else {
        io::stdout().write_all(&line).map_err(stdout_error)?;
    }
    Ok(Exit::Good)
}

/// Computes one operation. Fails on operands outside the field, division by zero and unsolvable equations.
fn compute(field: &DynField, operation: &Operation) -> Result<Poly> {
    let mut out = vec![0; field.words()];
    match operation {
        Operation::Add(Two { a, b }) => {
            let [a, b] = elements(field, [a, b])?;
            field.add(&a, &b, &mut out);
        }
        Operation::Mul(Two { a, b }) => {
            let [a, b] = elements(field, [a, b])?;
            field.mul(&a, &b, &mut out);
        }
        Operation::Div(Two { a, b }) => {
            let [a, b] = elements(field, [a, b])?;
            let inverse = inverse(field, &b).context("division by 0")?;
            field.mul(&a, &inverse, &mut out);
        }
        Operation::Square(One { a }) => field.square(&element(field, a)?, &mut out),
        Operation::Sqrt(One { a }) => field.sqrt(&element(field, a)?, &mut out),
        Operation::Inverse(One { a }) => {
            out = inverse(field, &element(field, a)?).context("0 has no inverse")?
        }
        Operation::Trace(One { a }) => out[0] = u64::from(field.trace(&element(field, a)?).to_u8()),
        Operation::Solve(One { a }) => {
            let a = element(field, a)?;
            // X^2 + X has trace 0 for every X, so there is no solution for trace 1.
            ensure!(!field.trace(&a).to_bool(), "X^2 + X = A has no solution: the trace of A is 1");
            field.solve_unchecked(&a, &mut out);
        }
        Operation::Frobenius { one: One { a }, k } => {
            // Squaring m times is the identity, so that only k modulo m counts.
            field.frobenius(&element(field, a)?, (k % field.degree() as u64) as usize, &mut out);
        }
        Operation::Pow { one: One { a }, e } => match e {
            Exponent::Words(e) => field.pow(&element(field, a)?, e, &mut out),
            Exponent::PowerOfTwo(k) => field.frobenius(&element(field, a)?, k % field.degree(), &mut out),
        },
    }
    Ok(Poly::from(out))
}

/// Returns the inverse of `a`, or `None` for 0.
fn inverse(field: &DynField, a: &[u64]) -> Option<Vec<u64>> {
    let mut out = vec![0; field.words()];
    // The library inverts in constant time and maps 0 to 0, so 0 is told apart here.
    field.invert_or_zero(a, &mut out);
    a.iter().any(|word| *word != 0).then_some(out)
}

fn element(field: &DynField, a: &Operand) -> Result<Vec<u64>> {
    elements(field, [a]).map(|[a]| a)
}

/// Reads the operands. Fails if one of them has the degree of the field or more.
fn elements<const N: usize>(field: &DynField, operands: [&Operand; N]) -> Result<[Vec<u64>; N]> {
    let polys = read(operands)?;
    for poly in &polys {
        let m = field.degree();
        ensure!(
            poly.degree().is_none_or(|degree| degree < m),
            "an operand has degree {}, and elements of this field have one below {m}",
            poly.degree().unwrap_or(0)
        );
    }
    Ok(polys.map(|poly| {
        let mut words = poly.into_words();
        // A polynomial has no zero words on top; an element has all words of the field.
        words.resize(field.words(), 0);
        words
    }))
}
