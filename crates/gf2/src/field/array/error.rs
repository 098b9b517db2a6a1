//! Errors of operations on arrays.
use crate::field::ElementError;
use core::fmt;

/// The reason why an operation on arrays failed. Its operands are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// An operand has a different number of elements than the operation needs.
    Length {
        /// The number of elements needed.
        expected: usize,
        /// The number of elements found.
        found: usize,
    },
    /// The number of bytes is not a whole number of elements.
    Bytes {
        /// The number of bytes of one element, ceil(m / 8).
        element: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// One of the encoded elements is invalid.
    Element {
        /// The index of the first invalid element.
        index: usize,
        /// The reason why it is invalid.
        error: ElementError,
    },
    /// One of the elements to be inverted is zero.
    Zero {
        /// The index of the first zero.
        index: usize,
    },
    /// x^2 + x = c has no solution for one of the elements c: its trace is 1.
    NoSolution {
        /// The index of the first element of trace 1.
        index: usize,
    },
    /// Two of the points of an interpolation are equal.
    EqualPoints {
        /// The index of a point that occurs more than once: the first one.
        index: usize,
    },
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayError::Length { expected, found } => {
                write!(f, "{expected} elements are needed, not {found}")
            }
            ArrayError::Bytes { element, found } => {
                write!(f, "{found} bytes are no whole number of elements of {element} bytes")
            }
            ArrayError::Element { index, error } => write!(f, "element {index}: {error}"),
            ArrayError::Zero { index } => write!(f, "element {index} is zero and has no inverse"),
            ArrayError::NoSolution { index } => {
                write!(f, "x^2 + x = element {index} has no solution: its trace is 1")
            }
            ArrayError::EqualPoints { index } => write!(f, "point {index} occurs more than once"),
        }
    }
}

impl core::error::Error for ArrayError {}
