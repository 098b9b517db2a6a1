//! What can be wrong with arrays.
use crate::field::ElementError;
use core::fmt;

/// Why an operation on arrays has no result. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// An operand has another number of elements than the operation needs.
    Length {
        /// The number that is needed.
        expected: usize,
        /// The number that it has.
        found: usize,
    },
    /// The bytes are not a whole number of elements.
    Bytes {
        /// Bytes of an element.
        element: usize,
        /// How many bytes there are.
        found: usize,
    },
    /// What was given for an element is none.
    Element {
        /// Which one.
        index: usize,
        /// Why.
        error: ElementError,
    },
    /// Zero has no inverse.
    Zero {
        /// The first zero.
        index: usize,
    },
    /// x^2 + x is none of the elements whose trace is 1.
    NoSolution {
        /// The first one.
        index: usize,
    },
    /// Two of the points for an interpolation are equal.
    EqualPoints {
        /// The first point that occurs again.
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
