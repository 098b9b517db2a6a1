//! `carryless poly`: arithmetic with polynomials over F2.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
pub(crate) mod operand;

use std::io::{self, Write as _};
use std::iter;

use anyhow::{Context as _, Result, ensure};
use carryless_gf2::algebra::{Bezout, Poly};
use clap::{Args, Subcommand, ValueEnum};

use crate::exit::{Exit, stdout_error};
use operand::{BY_ZERO, Exponent, MOST_EXPONENT, One, Operand, Two, read};

/// Computes with polynomials over F2, the field of two elements.
///
/// A polynomial is a sum X^5+X+1, a hexadecimal number 0x23 whose bit i is the coefficient of X^i (most significant digit first), or a list of exponents
/// 5,1,0 with at least one comma: 5, is X^5. Equal terms cancel, and 0 is zero. @FILE reads such text from a file and - from standard input, at most 64 MiB.
/// Exponents go up to 2^28 - 1. Each result is printed on a line of its own.
///
/// Not for secrets: other users can see arguments, and the time depends on the operands.
///
/// Exit status: 0 done, 1 the polynomial is reducible (`irreducible`), 2 an error, such as a division by zero.
#[derive(Args)]
pub(crate) struct PolyArgs {
    /// How results are printed: as a sum, in hexadecimal, or as exponents
    #[arg(long, value_enum, value_name = "FORM", default_value = "text", global = true)]
    format: Form,
    #[command(subcommand)]
    operation: Operation,
}

/// Forms in which polynomials are printed. All of them are read back.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Form {
    /// A sum of powers, such as X^5 + X + 1
    Text,
    /// A hexadecimal number, such as 0x23
    Hex,
    /// The exponents in descending order, such as 5,1,0
    Exponents,
}

/// The operations on polynomials, one subcommand each.
#[derive(Subcommand)]
enum Operation {
    /// The sum A + B
    Add(Two),
    /// The product of A and B
    Mul(Two),
    /// The square of A, in linear time
    Square(One),
    /// The quotient and the remainder of A by D
    Divrem {
        #[command(flatten)]
        one: One,
        /// The divisor
        d: Operand,
    },
    /// The greatest common divisor of A and B
    Gcd(Two),
    /// The greatest common divisor G of A and B, then U and V with G = U A + V B
    Xgcd(Two),
    /// The inverse of A modulo F
    Inverse {
        #[command(flatten)]
        one: One,
        /// The modulus
        f: Operand,
    },
    /// The product A B modulo F
    Mulmod {
        #[command(flatten)]
        two: Two,
        /// The modulus
        f: Operand,
    },
    /// The power A^E modulo F
    Powmod {
        #[command(flatten)]
        one: One,
        /// The exponent: a decimal number below 2^64, a hexadecimal one after 0x, or 2^K for K squarings
        e: Exponent,
        /// The modulus
        f: Operand,
    },
    /// Whether A is irreducible: prints `irreducible` (exit status 0) or `reducible` (exit status 1)
    Irreducible(One),
    /// The irreducible factors of A in ascending order, each as often as it divides A: their product is A
    Factor(One),
    /// An irreducible polynomial of degree N with few terms: the least trinomial, or else the least pentanomial
    FindIrreducible {
        /// The degree, from 1 to 2^28 - 1
        n: usize,
    },
}

/// Computes the results and prints each on its own line.
pub(crate) fn run(args: &PolyArgs) -> Result<Exit> {
    if let Operation::Irreducible(One { a }) = &args.operation {
        let [a] = read([a])?;
        let (word, exit) = match a.is_irreducible_vartime() {
            true => ("irreducible", Exit::Good),
            false => ("reducible", Exit::Mismatch),
        };
        writeln!(io::stdout(), "{word}").map_err(stdout_error)?;
        return Ok(exit);
    }
    for result in results(&args.operation)? {
        args.format.print(&result).map_err(stdout_error)?;
    }
    Ok(Exit::Good)
}

/// Computes one operation. Fails on a zero divisor or modulus, and if an inverse does not exist.
fn results(operation: &Operation) -> Result<Vec<Poly>> {
    Ok(match operation {
        Operation::Add(Two { a, b }) => {
            let [a, b] = read([a, b])?;
            vec![a + b]
        }
        Operation::Mul(Two { a, b }) => {
            let [a, b] = read([a, b])?;
            vec![a * b]
        }
        Operation::Square(One { a }) => {
            let [a] = read([a])?;
            vec![a.square()]
        }
        Operation::Divrem { one: One { a }, d } => {
            let [a, d] = read([a, d])?;
            let (quotient, remainder) = a.div_rem(&d).context(BY_ZERO)?;
            vec![quotient, remainder]
        }
        Operation::Gcd(Two { a, b }) => {
            let [a, b] = read([a, b])?;
            vec![a.gcd_vartime(&b)]
        }
        Operation::Xgcd(Two { a, b }) => {
            let [a, b] = read([a, b])?;
            let Bezout { g, u, v, .. } = a.xgcd_vartime(&b);
            vec![g, u, v]
        }
        Operation::Inverse { one: One { a }, f } => {
            let [a, f] = read([a, f])?;
            // The inverse alone does not tell a zero modulus from a common divisor.
            a.rem(&f).context(BY_ZERO)?;
            vec![a.inverse_mod_vartime(&f).context("no inverse: A and F have a common divisor")?]
        }
        Operation::Mulmod { two: Two { a, b }, f } => {
            let [a, b, f] = read([a, b, f])?;
            vec![a.mul_mod(&b, &f).context(BY_ZERO)?]
        }
        Operation::Powmod { one: One { a }, e, f } => {
            let [a, f] = read([a, f])?;
            vec![e.power(&a, &f)?]
        }
        Operation::Factor(One { a }) => {
            let [a] = read([a])?;
            let factors =
                a.factor_vartime().context("0 has no factorisation: every polynomial divides it")?;
            factors
                .into_iter()
                .flat_map(|(factor, multiplicity)| iter::repeat_n(factor, multiplicity))
                .collect()
        }
        Operation::FindIrreducible { n } => {
            ensure!((1..=MOST_EXPONENT).contains(n), "the degree {n} is not from 1 to {MOST_EXPONENT}");
            let found = Poly::find_irreducible_vartime(*n);
            vec![
                found.with_context(|| {
                    format!("no irreducible polynomial of degree {n} has at most five terms")
                })?,
            ]
        }
        // Its result is a word, which `run` has printed.
        Operation::Irreducible(_) => Vec::new(),
    })
}

impl Form {
    /// Prints a polynomial on standard output, as one line.
    fn print(self, a: &Poly) -> io::Result<()> {
        // Buffered, as a sum has many short terms. Flushed below, as `drop` would lose an error.
        let mut out = io::BufWriter::new(io::stdout().lock());
        self.write(&mut out, a)?;
        out.flush()
    }

    /// Writes a polynomial to `out`, as one line.
    pub(crate) fn write(self, out: &mut impl io::Write, a: &Poly) -> io::Result<()> {
        match self {
            Form::Text => writeln!(out, "{a}")?,
            Form::Hex => writeln!(out, "{a:#x}")?,
            Form::Exponents => {
                let mut exponents = a.exponents();
                match (exponents.next(), exponents.next()) {
                    (None, _) => write!(out, "0")?,
                    // The comma tells the list of one exponent from a number.
                    (Some(only), None) => write!(out, "{only},")?,
                    (Some(first), Some(second)) => {
                        write!(out, "{first},{second}")?;
                        exponents.try_for_each(|exponent| write!(out, ",{exponent}"))?;
                    }
                }
                writeln!(out)?;
            }
        }
        Ok(())
    }
}
