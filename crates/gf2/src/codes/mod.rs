//! Reed-Solomon and BCH codes over GF(2^m), shift registers, for public data.
//!
//! | task | item |
//! |---|---|
//! | symbols of GF(2^m), n - k of them for parity | [`ReedSolomon`] |
//! | bits | [`Bch`] |
//! | the shortest recurrence of a sequence | [`berlekamp_massey_vartime`] |
//! | sequences of a recurrence | [`FibonacciLfsr`], [`GaloisLfsr`] |
//!
//! A word is a slice of symbols, one in a `u64`: the first is the coefficient of x^(n - 1). Codewords are the multiples of
//! a generator polynomial, whose roots are consecutive powers of an element alpha: alpha^first, alpha^(first + 1) and so on. Codes
//! with `first` = 1 are called narrow-sense. libfec's `fcr` is `first`, and its `prim` the exponent of alpha as a power of z.
//!
//! Any n up to the order of alpha makes a code: one that is less than this order is the longer code shortened, where the
//! first symbols are 0 and not sent.
//!
//! Decoders find errors and fill erasures, places that are known to be wrong, by the algorithms of Berlekamp and
//! Massey, Chien, and Forney (Blahut, Algebraic Codes for Data Transmission, 2003, chapter 7). With e errors and s erasures they
//! succeed if 2 e + s is below the distance. Beyond that, they fail or return a wrong codeword.
//!
//! ```
//! use carryless_gf2::codes::ReedSolomon;
//! use carryless_gf2::field::DynField;
//!
//! let field = DynField::from_exponents(&[8, 4, 3, 2, 0])?;
//! let code = ReedSolomon::new(&field, 255, 223, 2, 1)?;
//! let mut word = code.encode(&[7; 223]);
//! word[3] ^= 1;
//! word[200] = 0;
//! assert_eq!(code.decode_vartime(&mut word, &[]), Ok(2));
//! assert_eq!(word, code.encode(&[7; 223]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod bch;
mod correct;
mod divider;
mod lfsr;
mod locator;
mod reed_solomon;
mod roots;
mod symbols;

pub use bch::Bch;
pub use lfsr::{FibonacciLfsr, GaloisLfsr};
pub use locator::{berlekamp_massey_vartime, try_berlekamp_massey_vartime};
pub use reed_solomon::ReedSolomon;

use core::fmt;

/// The reason why there is no such code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeError {
    /// The field has elements of more than 64 bits.
    Field {
        /// The degree of the field.
        degree: usize,
    },
    /// alpha is 0 or not reduced, or two of its first n powers are equal.
    Root {
        /// The length n.
        n: usize,
    },
    /// k is not from 1 to n - 1, or no BCH code has this k.
    Dimension {
        /// The length n.
        n: usize,
        /// The dimension k.
        k: usize,
    },
    /// The distance is not from 2 to n, or leaves no symbol for a message.
    Distance {
        /// The length n.
        n: usize,
        /// The distance d.
        d: usize,
    },
}

impl fmt::Display for CodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodeError::Field { degree } => {
                write!(f, "symbols of {degree} bits, where codes have fields of degree 64 at most")
            }
            CodeError::Root { n } => write!(f, "alpha is no element whose first {n} powers differ"),
            CodeError::Dimension { n, k } => write!(f, "no code of length {n} has dimension {k}"),
            CodeError::Distance { n, d } => write!(f, "no code of length {n} has distance {d}"),
        }
    }
}

impl core::error::Error for CodeError {}

/// No codeword is near enough: none has 2 e + s below the distance, for e errors and s erasures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyErrors;

impl fmt::Display for TooManyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more errors and erasures than the code corrects")
    }
}

impl core::error::Error for TooManyErrors {}
