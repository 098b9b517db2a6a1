//! `carryless poly`: arithmetic with polynomials over F2.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
pub(crate) mod operand;
mod steps;

use std::io::{self, Write as _};
use std::iter;

use anyhow::{Context as _, Result, ensure};
use carryless_gf2::algebra::{Bezout, Poly};
use clap::{Args, Subcommand, ValueEnum};

use crate::exit::{Exit, stdout_error};
use operand::{BY_ZERO, Exponent, MAX_EXPONENT, One, OneModulo, Operand, Two, TwoModulo, read};
use steps::Steps;

/// Computes with polynomials over F2, the field of two elements.
///
/// A polynomial is a sum X^5+X+1, a hexadecimal number 0x23 whose bit i is the coefficient of X^i (most significant digit first), or a list of exponents
/// 5,1,0 with at least one comma: 5, is X^5. Equal terms cancel, and 0 is zero. @FILE reads such text from a file and - from standard input, at most 64 MiB.
/// Exponents go up to 2^28 - 1. Each result is printed on a line of its own.
///
/// Not for secrets: other users can see arguments, and the time depends on the operands.
///
/// If standard error is a terminal, `factor`, `irreducible` and `find-irreducible` show how many steps they have done. Ctrl-C ends every operation at once.
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
    /// The resultant of A and B, 0 or 1
    Resultant(Two),
    /// The inverse of A modulo F
    Inverse(OneModulo),
    /// The product A B modulo F
    Mulmod(TwoModulo),
    /// The power A^E modulo F
    Powmod {
        #[command(flatten)]
        one: One,
        /// The exponent: a decimal number below 2^64, a hexadecimal one after 0x, or 2^K for K squarings
        e: Exponent,
        /// The modulus
        f: Operand,
    },
    /// The composition A(B)
    Compose(Two),
    /// The composition A(B) modulo F
    Composemod(TwoModulo),
    /// The minimal polynomial of A modulo F
    Minpoly(OneModulo),
    /// The trace of A modulo F, 0 or 1
    Trace(OneModulo),
    /// Whether A is irreducible: prints `irreducible` (exit status 0) or `reducible` (exit status 1)
    Irreducible(One),
    /// The irreducible factors of A in ascending order, each as often as it divides A: their product is A
    Factor(One),
    /// The roots of A in F2, 0 and 1, each as often as X or X + 1 divides A
    Roots(One),
    /// An irreducible polynomial of degree N with few terms: the least trinomial, or else the least pentanomial
    FindIrreducible {
        /// The degree, from 1 to 2^28 - 1
        n: usize,
    },
    /// Whether A is primitive: prints `primitive` (exit status 0) or `not primitive` (exit status 1)
    Primitive(One),
    /// A primitive polynomial of degree N: the least trinomial, or else the least pentanomial
    FindPrimitive {
        /// The degree, from 1 to 64
        n: usize,
    },
}

/// Computes the results and prints each on its own line.
pub(crate) fn run(args: &PolyArgs) -> Result<Exit> {
    if let Some((word, exit)) = verdict(&args.operation)? {
        writeln!(io::stdout(), "{word}").map_err(stdout_error)?;
        return Ok(exit);
    }
    for result in results(&args.operation)? {
        args.format.print(&result).map_err(stdout_error)?;
    }
    Ok(Exit::Good)
}

/// The answer in words, and the exit status, of an operation that is a question.
fn verdict(operation: &Operation) -> Result<Option<(&'static str, Exit)>> {
    let (answer, words) = match operation {
        Operation::Irreducible(One { a }) => {
            let [a] = read([a])?;
            let mut steps = Steps::new();
            let Ok(answer) = a.try_is_irreducible_vartime(|| steps.step());
            (answer, ["reducible", "irreducible"])
        }
        Operation::Primitive(One { a }) => {
            let [a] = read([a])?;
            (a.is_primitive_vartime().with_context(no_order)?, ["not primitive", "primitive"])
        }
        _ => return Ok(None),
    };
    Ok(Some((words[usize::from(answer)], if answer { Exit::Good } else { Exit::Mismatch })))
}

/// Message for a degree n for which 2^n - 1 is not factored.
fn no_order() -> String {
    format!("primitive polynomials are known for degrees from 1 to {}", Poly::MAX_PRIMITIVE_DEGREE)
}

/// Reads operands and computes with them; nothing comes of a zero divisor or modulus, which is an error.
fn on<const N: usize>(
    operands: [&Operand; N],
    compute: impl FnOnce([Poly; N]) -> Option<Vec<Poly>>,
) -> Result<Vec<Poly>> {
    compute(read(operands)?).context(BY_ZERO)
}

/// The bit as a polynomial.
fn bit(value: bool) -> Poly {
    Poly::from(u64::from(value))
}

/// Computes one operation. Fails on a zero divisor or modulus, and if an inverse does not exist.
fn results(operation: &Operation) -> Result<Vec<Poly>> {
    match operation {
        Operation::Add(Two { a, b }) => on([a, b], |[a, b]| Some(vec![a + b])),
        Operation::Mul(Two { a, b }) => on([a, b], |[a, b]| Some(vec![a * b])),
        Operation::Square(One { a }) => on([a], |[a]| Some(vec![a.square()])),
        Operation::Divrem { one: One { a }, d } => {
            on([a, d], |[a, d]| a.div_rem(&d).map(|(quotient, remainder)| vec![quotient, remainder]))
        }
        Operation::Gcd(Two { a, b }) => on([a, b], |[a, b]| Some(vec![a.gcd_vartime(&b)])),
        Operation::Xgcd(Two { a, b }) => on([a, b], |[a, b]| {
            let Bezout { g, u, v, .. } = a.xgcd_vartime(&b);
            Some(vec![g, u, v])
        }),
        Operation::Resultant(Two { a, b }) => on([a, b], |[a, b]| Some(vec![bit(a.resultant_vartime(&b))])),
        Operation::Inverse(OneModulo { one: One { a }, f }) => {
            let [a, f] = read([a, f])?;
            // The inverse alone does not tell a zero modulus from a common divisor.
            a.rem(&f).context(BY_ZERO)?;
            Ok(vec![a.inverse_mod_vartime(&f).context("no inverse: A and F have a common divisor")?])
        }
        Operation::Mulmod(TwoModulo { two: Two { a, b }, f }) => {
            on([a, b, f], |[a, b, f]| Some(vec![a.mul_mod(&b, &f)?]))
        }
        Operation::Powmod { one: One { a }, e, f } => {
            let [a, f] = read([a, f])?;
            Ok(vec![e.power(&a, &f)?])
        }
        Operation::Compose(Two { a, b }) => compose(read([a, b])?),
        Operation::Composemod(TwoModulo { two: Two { a, b }, f }) => {
            on([a, b, f], |[a, b, f]| Some(vec![a.compose_mod_vartime(&b, &f)?]))
        }
        Operation::Minpoly(OneModulo { one: One { a }, f }) => {
            on([a, f], |[a, f]| Some(vec![a.min_poly_mod_vartime(&f)?]))
        }
        Operation::Trace(OneModulo { one: One { a }, f }) => {
            on([a, f], |[a, f]| Some(vec![bit(a.trace_mod(&f)?)]))
        }
        Operation::Factor(One { a }) => {
            let [a] = read([a])?;
            let mut steps = Steps::new();
            let Ok(factors) = a.try_factor_vartime(|| steps.step());
            Ok(repeated(factors.context("0 has no factorisation: every polynomial divides it")?))
        }
        Operation::Roots(One { a }) => {
            let [a] = read([a])?;
            let roots = a.roots_vartime().context("everything is a root of 0")?;
            Ok(repeated(roots.into_iter().map(|(root, multiplicity)| (bit(root), multiplicity))))
        }
        Operation::FindIrreducible { n } => find_irreducible(*n),
        Operation::FindPrimitive { n } => Ok(vec![Poly::find_primitive_vartime(*n).with_context(no_order)?]),
        // Their result is a word, which `verdict` gives.
        Operation::Irreducible(_) | Operation::Primitive(_) => Ok(Vec::new()),
    }
}

/// Each polynomial as often as its multiplicity says.
fn repeated(polys: impl IntoIterator<Item = (Poly, usize)>) -> Vec<Poly> {
    polys.into_iter().flat_map(|(poly, multiplicity)| iter::repeat_n(poly, multiplicity)).collect()
}

/// The composition a(b), if its degree is not too large.
fn compose([a, b]: [Poly; 2]) -> Result<Vec<Poly>> {
    let degrees = [&a, &b].map(|poly| poly.degree().unwrap_or(0));
    let degree = degrees[0].saturating_mul(degrees[1]);
    ensure!(
        degree <= MAX_EXPONENT,
        "the composition has the degree {degree}, above the limit of {MAX_EXPONENT}"
    );
    Ok(vec![a.compose_vartime(&b)])
}

/// An irreducible polynomial of degree n.
fn find_irreducible(n: usize) -> Result<Vec<Poly>> {
    ensure!((1..=MAX_EXPONENT).contains(&n), "the degree {n} is not from 1 to {MAX_EXPONENT}");
    let mut steps = Steps::new();
    let Ok(found) = Poly::try_find_irreducible_vartime(n, || steps.step());
    let why = || format!("no irreducible polynomial of degree {n} has at most five terms");
    Ok(vec![found.with_context(why)?])
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
