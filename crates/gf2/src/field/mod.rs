//! Binary fields GF(2^m): one formulation in vector instructions for all of them, in constant time.
//!
//! A field is F2\[z\]/f for a public irreducible f with few terms, and a type: [`Gf233`] has
//! f = z^233 + z^74 + 1. An [`Element`] is a polynomial of degree below m. Elements are secret in every
//! operation; m and f are public.
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
//! The 16 fields from 113 to 1223 bits are RELIC's presets. The slides of paper 004 mention 16 fields but do
//! not name them. Where the usual f makes square roots slow, a second type has an f with a sparse sqrt(z). All
//! exponents of this f but 0 are odd. Its name ends in "Sqrt".
//!
//! [`Field`] is the arithmetic of a field on one backend. It detects the CPU once, and works on slices with as
//! many elements at a time as the backend has lanes. [`Array`] (feature `alloc`) owns many elements.
//!
//! [`tower`] has quadratic extensions, above all GF(2^254).
//!
//! `DynField` (feature `alloc`) is a field whose f is given at run time.
//!
//! With the feature `ff`, elements implement `ff::Field` and the traits of the crate `subtle`.
//!
//! # Methods
//! An element has W = ceil(m / 64) words. Inside of a kernel it has up to 64 W bits, and every operation accepts such
//! an element, so that the part of a product to be folded is whole words. Results are canonical, below z^m.
//!
//! | operation | method | carry-less products |
//! |---|---|---|
//! | a b | Karatsuba's formula on blocks of 128 bits, then reduction in registers | 3, 6, 9, 14, 18, 23, 27, 38 for 2 to 9 words; 126 for 20 |
//! | reduction | shifts; for some pentanomials products by z^(64 W) mod f; for f with terms near z^m Barrett's method | 0; W + 1; two products |
//! | a^2 | squares of words, then reduction | W |
//! | sqrt(a) | even(a) + sqrt(z) odd(a): no product where all exponents of f but 0 are odd | those of a product, or 0 |
//! | 1 / a | Itoh and Tsujii: m - 1 squarings and up to 2 log2 m products; bit matrices replace long runs of squarings | |
//! | 1 / a of many | Montgomery's trick in all lanes | three products for each |
//! | sum of a_i b_i | unreduced products are added, then one reduction | those of a product for each |
//! | x^(2^k), x^2 + x = c | squarings, half-traces (odd m), a telescoping sum (even m); or a bit matrix | |
//!
//! One element takes one lane, K elements the K lanes of the same kernel.
mod affine;
pub(crate) mod arithmetic;
#[cfg(feature = "alloc")]
mod array;
#[cfg(carryless_asm)]
mod asm_probes;
mod batch;
pub(crate) mod blocks;
mod constants;
#[cfg(feature = "alloc")]
mod dynamic;
mod element;
mod euclid;
#[cfg(feature = "ff")]
mod ff_traits;
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
pub(crate) mod reduce;
mod sealed;
pub(crate) mod shape;
mod shared;
mod solve;
#[cfg(test)]
mod tests;
pub mod tower;
pub(crate) mod unroll;

#[cfg(feature = "alloc")]
pub use array::{Array, ArrayError};
#[cfg(carryless_asm)]
pub use asm_probes::asm_probes;
#[cfg(feature = "alloc")]
pub use dynamic::{DynField, DynFieldError, DynInverse, Group, Logarithms};
pub use element::{Element, ElementError};
#[cfg(test)]
pub(crate) use list::small;
pub use list::*;
pub use map::{LinearMap, SliceMap};
pub use operations::Field;
#[cfg(feature = "curves")]
pub(crate) use operations::Operand;
pub use prepared::PreparedInverse;
pub use shape::{Shape, Words};
#[cfg(feature = "curves")]
pub(crate) use {constants::MAX_WORDS, kernel_field::KernelField, lanes::MAX_LANES};

/// A field GF(2^m) = F2\[z\]/f, as a type. All constants follow from the degree and the exponents of f.
///
/// The trait is sealed: only the fields of this module implement it. W is the number of 64-bit words of
/// an element, ceil(m / 64).
pub trait BinaryField:
    Copy + Clone + core::fmt::Debug + Default + Eq + Send + Sync + sealed::Sealed + 'static
{
    /// The name of the type, for `Debug` output.
    const NAME: &'static str;
    /// The degree m of f, which is the number of bits of a canonical element.
    const DEGREE: usize;
    /// The exponents of f below m, in descending order. The last one is 0.
    const TAIL: &'static [usize];
    /// The number of words of an element, and with it the kernel that multiplies elements.
    type Shape: Shape;
    /// Whether sqrt(z) is a sparse sum of powers known from f: m and all exponents of f but 0 are odd.
    const SQRT_FRIENDLY: bool;
    /// The square root of z, z^(2^(m - 1)): a canonical element, least significant word first.
    const SQRT_Z: <Self::Shape as Shape>::Words;
    /// Bit i is Tr(z^i). The trace of a canonical element a is the parity of the bits that a has
    /// in common with this mask.
    const TRACE_MASK: <Self::Shape as Shape>::Words;
    /// A power of z whose trace is 1.
    const TRACE_ONE: <Self::Shape as Shape>::Words;
    /// The Barrett constant: z^(2n) div f z^(n - m) without its leading term z^n, for n = 64 W.
    const BARRETT: <Self::Shape as Shape>::Words;
    /// The shifted modulus f z^(n - m) without its leading term z^n, for n = 64 W.
    const TAIL_SHIFTED: <Self::Shape as Shape>::Words;
    /// Bytes of an element: ceil(m / 8).
    const BYTES: usize = Self::DEGREE.div_ceil(8);
}

/// Overwrites the part of the stack where kernels may have spilled secret elements. Tests check
/// that none is left there.
#[inline(always)]
fn clear_frames() {
    carryless_lanes::clear_stack::<512>();
}

/// The words of an element, least significant first: bit i of word j is the coefficient of z^(64 j + i).
pub type FieldWords<F> = <<F as BinaryField>::Shape as Shape>::Words;
