//! Quadratic extensions GF(2^2m) = GF(2^m)\[u\]/(u^2 + u + 1) of the binary fields with odd m. The most
//! important one is GF(2^254), over which the curve GLS254 is defined.
//!
//! u^2 + u + 1 is irreducible over GF(2^m) if and only if m is odd; for even m, using the extension is a
//! compile-time error. An element is a0 + a1 u with a0 and a1 in the base field.
//!
//! ```
//! use carryless_gf2::field::{Element, tower::Gf254};
//!
//! let (z, u) = (Gf254::from(Element::z()), Gf254::u());
//! assert_eq!(u * u, u + Gf254::one());
//! let a = z + u;
//! assert_eq!(a.invert().expect("a is not zero") * a, Gf254::one());
//! assert_eq!(a * a.conjugate(), a.norm().into());
//! // x^2 + x = a
//! let c = a.square() + a;
//! let x = c.solve_quadratic().expect("its trace is 0");
//! assert!(x == a || x == a + Gf254::one());
//! ```
//!
//! ```compile_fail
//! use carryless_gf2::field::{Gf128, tower::QuadraticElement};
//!
//! let _ = QuadraticElement::<Gf128>::one();
//! ```
//!
//! All functions run in constant time. The k of x^(2^k) and exponents are public.
mod arithmetic;
mod batch;
mod element;
#[cfg(feature = "ff")]
mod ff_traits;
#[cfg(feature = "curves")]
mod kernel_field;
mod operations;
mod operators;
mod prepared;

use super::{BinaryField, FieldWords, Gf127};
pub use element::QuadraticElement;
#[cfg(feature = "curves")]
pub(crate) use operations::Quadratic;
pub use operations::QuadraticField;
pub use prepared::PreparedSolution;

/// An element of GF(2^254) = GF(2^127)\[u\]/(u^2 + u + 1), GF(2^127) being F2\[z\]/(z^127 + z^63 + 1).
pub type Gf254 = QuadraticElement<Gf127>;

/// The arithmetic of GF(2^254) on one backend.
pub type Gf254Field = QuadraticField<Gf127>;

/// The words of an element: W words of a0, then W words of a1, each least significant first.
pub type QuadraticWords<F> = [FieldWords<F>; 2];

/// The words of elements that lie side by side, as one slice.
fn flat<F: BinaryField>(elements: &[QuadraticWords<F>]) -> &[u64] {
    <F::Shape as super::Shape>::flat(elements.as_flattened())
}

/// The words of elements, as [`flat`], for writing.
fn flat_mut<F: BinaryField>(elements: &mut [QuadraticWords<F>]) -> &mut [u64] {
    <F::Shape as super::Shape>::flat_mut(elements.as_flattened_mut())
}

/// Rejects even m at compile time. Evaluated wherever an element or a field is made.
const fn assert_irreducible<F: BinaryField>() {
    assert!(F::DEGREE % 2 == 1, "u^2 + u + 1 is irreducible over GF(2^m) for odd m only");
}
