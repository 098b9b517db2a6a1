//! Binary curves y^2 + x y = x^3 + a x^2 + b over GF(2^m): those of NIST, SECG and X9.62, and the fast ones of research.
//!
//! A curve is a type: [`Sect233r1`], which NIST calls B-233 ([`NistB233`]). A point is an [`AffinePoint`], an integer modulo the order n of its generator a
//! [`Scalar`]. [`Curve`] is the arithmetic on one machine. For many additions there is [`LambdaPoint`], for protocols that use the coordinate x only [`XOnlyPoint`].
//!
//! ```
//! use carryless_gf2::curve::{AffinePoint, NistB163, Scalar};
//!
//! let g = AffinePoint::<NistB163>::generator();
//! let (two, three) = (Scalar::from_u64(2), Scalar::from_u64(3));
//! assert_eq!(g * two + g, g * three);
//! // Both sides of a key agreement find the same point.
//! assert_eq!((g * two) * three, (g * three) * two);
//! ```
//!
//! NIST SP 800-186 deprecates its binary curves for new designs. They are here for what uses them already, and for research.
#[cfg(feature = "alloc")]
mod base_sum;
#[cfg(feature = "alloc")]
mod comb;
#[cfg(feature = "alloc")]
mod counts;
mod field;
mod gls;
mod group;
mod inversion;
mod join;
mod koblitz;
mod ladder;
mod lambda;
mod lambda_point;
mod list;
#[cfg(feature = "alloc")]
mod matrices;
mod operations;
mod paired;
mod point;
#[cfg(feature = "alloc")]
mod prepared;
mod scalar;
mod sec1;
mod table;
#[cfg(test)]
mod tests;
#[cfg(feature = "alloc")]
mod vartime;
mod words;
mod x_only;

#[cfg(feature = "alloc")]
pub use counts::Counts;
pub use field::{CurveField, FieldArithmetic, FieldElement};
pub use lambda_point::LambdaPoint;
pub use list::*;
pub use operations::Curve;
pub use point::{AffinePoint, PointError};
#[cfg(feature = "alloc")]
pub use prepared::PreparedPoint;
pub use scalar::{Scalar, ScalarError, ScalarUint};
pub use sec1::EncodedPoint;
pub use x_only::XOnlyPoint;

use core::fmt::Debug;

/// A curve y^2 + x y = x^3 + a x^2 + b. Implementations are those of this module.
pub trait BinaryCurve: Copy + Debug + Default + Eq + Send + Sync + sealed::Base + 'static {
    /// The name in lower case, that of SECG where it has one: `sect233r1`.
    const NAME: &'static str;
    /// Other names: `B-233`.
    const ALIASES: &'static [&'static str];
    /// The object identifier in SECG's or X9.62's tree, in decimals and dots. Curves of research have none.
    const OID: Option<&'static str>;
    /// The field of coordinates.
    type Field: CurveField;
    /// Integers that hold n.
    type Uint: ScalarUint;
    /// a.
    const A: ElementOf<Self>;
    /// b, which is not 0.
    const B: ElementOf<Self>;
    /// Whether a is 0 or 1 and b is 1: (x^2, y^2) is a point of the curve if (x, y) is.
    const KOBLITZ: bool;
    /// x and y of the generator G.
    const GENERATOR: [ElementOf<Self>; 2];
    /// n, the order of G: a prime.
    const ORDER: Self::Uint;
    /// The bits of n.
    const ORDER_BITS: u32;
    /// Constants of Montgomery's product modulo n.
    const MONTGOMERY: crypto_bigint::modular::MontyParams<Self::Uint>;
    /// h: the curve has h n points.
    const COFACTOR: u32;
}

/// The elements of a curve's field.
pub type ElementOf<C> = <<C as BinaryCurve>::Field as CurveField>::Element;

/// The arithmetic of a curve's field on a machine.
type ArithmeticOf<C> = <<C as BinaryCurve>::Field as CurveField>::Arithmetic;

/// The bit matrices of a curve on a machine.
#[cfg(feature = "alloc")]
type MatricesOf<C> = <ArithmeticOf<C> as matrices::WithMatrices<ElementOf<C>>>::Matrices;

mod sealed {
    /// Curves of this crate: tests prove the constants.
    pub trait Base: Sized {
        /// Whether a is 0.
        const A_IS_ZERO: bool;
        /// What splits scalars, if a is u and b is in the field below: on curves with an endomorphism whose square is -1.
        const LATTICE: Option<super::gls::Lattice>;
        /// The ones of n before the first zero.
        const LEADING_ONES: u32;
        /// The tables of G, once they are made.
        #[cfg(feature = "alloc")]
        fn base() -> &'static once_cell::race::OnceBox<super::PreparedPoint<Self>>;
        /// The matrices for the best machine, once they are made.
        #[cfg(feature = "alloc")]
        fn matrices() -> &'static once_cell::race::OnceBox<super::MatricesOf<Self>>
        where
            Self: super::BinaryCurve;
    }
}
