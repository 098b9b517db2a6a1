//! Binary fields GF(2^m): one formulation in vector instructions for all of them, in constant time.
//!
//! A field is F2\[z\]/f for a public irreducible f with few terms, and a type: [`Gf233`] has f = z^233 + z^74 + 1. An [`Element`] is a polynomial of degree
//! below m, secret to every operation; m and f are public.
//!
//! ```
//! use carryless_gf2::field::{Element, Gf233};
//!
//! let z = Element::<Gf233>::z();
//! let a = z.pow(233) + z;
//! assert_eq!(a, z.pow(74) + Element::one() + z);
//! let inverse = a.invert().expect("a is not zero");
//! assert_eq!(a * inverse, Element::one());
//! assert_eq!(a.square().sqrt(), a);
//! ```
//!
//! The 16 fields from 113 to 1223 bits are those of RELIC's presets: the slides of paper 004 speak of 16 fields and do not name
//! them. Where the usual f makes square roots slow, a second type has one with a sparse sqrt(z) ("Sqrt"): all its exponents but 0 are odd.
//!
//! [`Field`] is the arithmetic of a field on one machine: it looks for the machine once. It also works on slices, with as many elements at a
//! time as the machine has lanes. [`Array`] (feature `alloc`) owns many elements.
//!
//! [`tower`] has quadratic extensions, GF(2^254) above all.
//!
//! `DynField` (feature `alloc`) is a field whose f is given at run time.
//!
//! With the feature `ff` elements have the traits of the crates `ff` (its `Field`) and `subtle`.
mod affine;
mod arithmetic;
#[cfg(feature = "alloc")]
mod array;
mod batch;
mod blocks;
mod constants;
#[cfg(feature = "alloc")]
mod dynamic;
mod element;
mod euclid;
#[cfg(feature = "ff")]
mod ff_traits;
#[cfg(carryless_asm)]
mod inspected;
mod inverse;
#[cfg(feature = "curves")]
mod kernel_field;
mod lanes;
mod list;
mod map;
mod operations;
mod operators;
mod prepared;
mod products;
mod reduce;
mod shape;
mod shared;
pub mod slides;
mod solve;
#[cfg(test)]
mod tests;
pub mod tower;
mod unroll;

#[cfg(feature = "alloc")]
pub use array::{Array, ArrayError};
#[cfg(feature = "alloc")]
pub use dynamic::{DynField, DynFieldError};
pub use element::{Element, ElementError};
#[cfg(carryless_asm)]
pub use inspected::inspected;
#[cfg(feature = "curves")]
pub(crate) use kernel_field::{KernelField, MOST_WORDS};
#[cfg(test)]
pub(crate) use list::small;
pub use list::*;
pub use map::{LinearMap, SliceMap};
#[cfg(feature = "curves")]
pub(crate) use operations::Operand;
pub use operations::{Field, FieldWords};
pub use prepared::PreparedInverse;
pub use shape::{Shape, Words};

/// A field GF(2^m) = F2\[z\]/f. The constants follow from the degree and the exponents of f; implementations are those of this module.
pub trait BinaryField:
    Copy + Clone + core::fmt::Debug + Default + Eq + Send + Sync + sealed::Sealed + 'static
{
    /// The name of the type.
    const NAME: &'static str;
    /// m.
    const DEGREE: usize;
    /// The exponents of f below m: they descend to 0.
    const TAIL: &'static [usize];
    /// How many words elements have, and what multiplies them.
    type Shape: Shape;
    /// Whether sqrt(z) is a sum of powers that f gives at once: m is odd, and so are all exponents of f but 0.
    const SQRT_FRIENDLY: bool;
    /// sqrt(z).
    const SQRT_Z: <Self::Shape as Shape>::Words;
    /// The trace of a is the parity of its bits here.
    const TRACE_MASK: <Self::Shape as Shape>::Words;
    /// A power of z whose trace is 1.
    const TRACE_ONE: <Self::Shape as Shape>::Words;
    /// For W words and n = 64 W: X^(2n) div f X^(n - m), without its term X^n.
    const BARRETT: <Self::Shape as Shape>::Words;
    /// f X^(n - m) without its term X^n.
    const TAIL_SHIFTED: <Self::Shape as Shape>::Words;
    /// Bytes of an element: ceil(m / 8).
    const BYTES: usize = Self::DEGREE.div_ceil(8);
}

/// Clears the stack where kernels spilled elements. Tests look for what is left.
#[inline(always)]
fn clear_frames() {
    carryless_lanes::clear_stack::<512>();
}

mod sealed {
    /// Fields of this crate: their constants are proved to belong to f by its tests.
    pub trait Sealed {}
}
