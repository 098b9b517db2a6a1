//! Sizes of operands and scratch: checks of them, and the error.

/// The reason why nothing was computed: a slice has the wrong length, or operands are too long. All lengths are
/// in words of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// An operand has more than [`Plan::MAX_WORDS`](super::Plan::MAX_WORDS), or more than the longest
    /// chain of a [table](super::Costs) reaches.
    TooLong {
        /// The words of the longer operand.
        words: usize,
    },
    /// An operand, a prepared operand or the output has the wrong length.
    Length {
        /// The number of words that the slice should have.
        expected: usize,
        /// The number of words that the slice has.
        found: usize,
    },
    /// There is too little scratch. More than needed is no error.
    Scratch {
        /// The smallest number of words that is enough.
        needed: usize,
        /// The number of words that the scratch has.
        found: usize,
    },
    /// The operands or the output hold no whole number of polynomials, or not the
    /// same number of them ([`Plan::try_mul_batch`](super::Plan::try_mul_batch)).
    Batch,
    /// X^0 - 1 is no modulus ([`Plan::try_mul_mod_xn_1`](super::Plan::try_mul_mod_xn_1)).
    Modulus,
}

impl core::fmt::Display for SizeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            SizeError::TooLong { words } => write!(f, "operands of {words} words are too long"),
            SizeError::Length { expected, found } => {
                write!(f, "a slice of {found} words where the plan has {expected}")
            }
            SizeError::Scratch { needed, found } => {
                write!(f, "scratch of {found} words where {needed} are needed")
            }
            SizeError::Batch => f.write_str("the slices do not hold equal numbers of operands and products"),
            SizeError::Modulus => f.write_str("the degree of a modulus is not zero"),
        }
    }
}

impl core::error::Error for SizeError {}

/// The error of a forced plan that does not exist, or that does not reach the size of the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanMismatch;

impl core::fmt::Display for PlanMismatch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("these steps make no product of that size")
    }
}

impl core::error::Error for PlanMismatch {}

/// The value of a result, or a panic with the error's text: for the functions without `try_`.
#[track_caller]
pub(crate) fn unwrap<T>(result: Result<T, SizeError>) -> T {
    match result {
        Ok(value) => value,
        // Not `expect`, which would print the error as `Debug` writes it.
        Err(error) => panic!("{error}"),
    }
}

/// An error for the first slice that has not its length.
pub(crate) fn lengths(slices: &[(&[u64], usize)]) -> Result<(), SizeError> {
    match slices.iter().find(|(slice, expected)| slice.len() != *expected) {
        None => Ok(()),
        Some(&(slice, expected)) => Err(SizeError::Length { expected, found: slice.len() }),
    }
}

/// An error if there are fewer than `needed` words of scratch.
pub(crate) fn enough(scratch: &[u64], needed: usize) -> Result<(), SizeError> {
    match scratch.len() {
        found if found < needed => Err(SizeError::Scratch { needed, found }),
        _ => Ok(()),
    }
}
