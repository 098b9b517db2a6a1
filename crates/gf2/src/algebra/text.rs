//! Polynomials as text: `X^5 + X + 1`, `0x23`, `5,1,0`.
use super::Poly;
use alloc::vec;
use core::fmt;
use core::str::FromStr;

/// The error of reading a polynomial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePolyError {
    /// There is nothing but spaces.
    Empty,
    /// Something else than a hexadecimal digit after `0x`, or nothing.
    Hex,
    /// Something else than `0`, `1`, `X` or `X^n` between plus signs.
    Term,
    /// Something else than a number between commas.
    Exponent,
    /// An exponent is above the limit: that of the caller, or [`Poly::MAX_TEXT_EXPONENT`].
    TooLarge {
        /// The largest exponent that is accepted.
        limit: usize,
    },
}

impl fmt::Display for ParsePolyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParsePolyError::Empty => "an empty polynomial",
            ParsePolyError::Hex => "not a hexadecimal number after 0x",
            ParsePolyError::Term => {
                "not a sum of 0, 1, X and X^n (nor 0x and digits, nor exponents with commas)"
            }
            ParsePolyError::Exponent => "not a list of exponents",
            ParsePolyError::TooLarge { limit } => return write!(f, "an exponent above the limit of {limit}"),
        })
    }
}

impl core::error::Error for ParsePolyError {}

impl Poly {
    /// The largest exponent that `FromStr` and `Deserialize` accept in sums and lists: 65,535.
    ///
    /// It bounds the memory that a short text can ask for, 8 KiB. [`from_str_bounded`](Poly::from_str_bounded) takes
    /// another limit. A hexadecimal number has no such limit: it takes half a byte of memory for each digit.
    pub const MAX_TEXT_EXPONENT: usize = (1 << 16) - 1;

    /// Reads a polynomial in any form that `FromStr` reads, with `max_exponent` in place of
    /// [`MAX_TEXT_EXPONENT`](Poly::MAX_TEXT_EXPONENT).
    ///
    /// A sum or a list takes at most `max_exponent / 7 + 16` bytes of memory, a hexadecimal number half a byte for
    /// each digit, whatever the limit. Do not let untrusted input choose the limit.
    ///
    /// # Errors
    /// If the text is no polynomial, or an exponent is above the limit.
    ///
    /// ```
    /// # use carryless_gf2::algebra::{ParsePolyError, Poly};
    /// let text = "X^132049 + X^54747 + 1";
    /// assert_eq!(Poly::from_str_bounded(text, 1 << 20)?.degree(), Some(132_049));
    /// assert_eq!(text.parse::<Poly>(), Err(ParsePolyError::TooLarge { limit: Poly::MAX_TEXT_EXPONENT }));
    /// # Ok::<(), ParsePolyError>(())
    /// ```
    pub fn from_str_bounded(text: &str, max_exponent: usize) -> Result<Poly, ParsePolyError> {
        let text = text.trim();
        if text.is_empty() {
            Err(ParsePolyError::Empty)
        } else if let Some(digits) = text.strip_prefix("0x") {
            from_hex(digits.as_bytes())
        } else if text.contains(',') {
            let list = text.strip_suffix(',').unwrap_or(text);
            sum(list.split(',').map(|text| exponent(text.trim(), max_exponent)))
        } else {
            sum(text.split('+').filter_map(|text| term(text.trim(), max_exponent).transpose()))
        }
    }
}

/// Reads what `Display` and `LowerHex` (with `0x`) write, and lists of exponents.
///
/// - `X^5 + X + 1`: a sum of `0`, `1`, `X` and `X^n`, spaces or none around them, `x` for `X`.
/// - `0x23`: a hexadecimal number, the most significant digit first, whose bit i is the coefficient of X^i.
/// - `5,1,0`: exponents in any order. A list has a comma: `5,` is X^5, while `0` and `1` are polynomials.
///
/// A term that comes twice cancels. Exponents in sums and lists go up to [`Poly::MAX_TEXT_EXPONENT`]; use
/// [`Poly::from_str_bounded`] for larger ones, or hexadecimal.
impl FromStr for Poly {
    type Err = ParsePolyError;

    fn from_str(text: &str) -> Result<Poly, ParsePolyError> {
        Poly::from_str_bounded(text, Poly::MAX_TEXT_EXPONENT)
    }
}

/// The sum of X^i over the exponents i, or the first error.
fn sum(mut exponents: impl Iterator<Item = Result<usize, ParsePolyError>>) -> Result<Poly, ParsePolyError> {
    let mut error = None;
    // Reading stops at the first error, which is kept.
    let read = core::iter::from_fn(|| exponents.next()?.map_err(|why| error = Some(why)).ok());
    let poly = Poly::from_exponents(read);
    error.map_or(Ok(poly), Err)
}

/// Reads hexadecimal digits, the most significant first.
fn from_hex(digits: &[u8]) -> Result<Poly, ParsePolyError> {
    if digits.is_empty() {
        return Err(ParsePolyError::Hex);
    }
    let mut words = vec![0; digits.len().div_ceil(16)];
    for (i, &digit) in digits.iter().rev().enumerate() {
        let digit = char::from(digit).to_digit(16).ok_or(ParsePolyError::Hex)?;
        words[i / 16] |= u64::from(digit) << (4 * (i % 16));
    }
    Ok(Poly::from(words))
}

/// The exponent of a term `1`, `X` or `X^n`; `None` for the term `0`.
fn term(text: &str, limit: usize) -> Result<Option<usize>, ParsePolyError> {
    match text {
        "0" => Ok(None),
        "1" => Ok(Some(0)),
        // X is X^1, so a limit of 0 refuses it.
        "X" | "x" if limit > 0 => Ok(Some(1)),
        "X" | "x" => Err(ParsePolyError::TooLarge { limit }),
        _ => {
            let digits = text.strip_prefix(['X', 'x']).and_then(|text| text.trim_start().strip_prefix('^'));
            let digits = digits.ok_or(ParsePolyError::Term)?.trim_start();
            exponent(digits, limit).map(Some).map_err(|error| match error {
                ParsePolyError::Exponent => ParsePolyError::Term,
                error => error,
            })
        }
    }
}

/// Reads a decimal number up to the limit.
fn exponent(text: &str, limit: usize) -> Result<usize, ParsePolyError> {
    if text.is_empty() || !text.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(ParsePolyError::Exponent);
    }
    let number = text.parse().ok().filter(|&number| number <= limit);
    number.ok_or(ParsePolyError::TooLarge { limit })
}

/// Writes terms of descending degree, `X^5 + X + 1`; `0` for 0.
impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (nr, exponent) in self.exponents().enumerate() {
            if nr > 0 {
                f.write_str(" + ")?;
            }
            match exponent {
                0 => f.write_str("1")?,
                1 => f.write_str("X")?,
                n => write!(f, "X^{n}")?,
            }
        }
        Ok(())
    }
}

/// Writes the hexadecimal number whose bit i is the coefficient of X^i; `{:#x}` puts `0x` in front.
impl fmt::LowerHex for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.write_str("0x")?;
        }
        let (top, rest) = self.words.split_last().unwrap_or((&0, &[]));
        write!(f, "{top:x}")?;
        rest.iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
    }
}
