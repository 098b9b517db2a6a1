//! Binary curves y^2 + x y = x^3 + a x^2 + b over GF(2^m): those of NIST, SECG, X9.62 and DSTU 4145, and fast
//! ones from research.
//!
//! A curve is a type, such as [`Sect233r1`], which NIST calls B-233 ([`NistB233`]). A point is an
//! [`AffinePoint`], an integer modulo the order n of the generator a [`Scalar`]. [`Curve`] is the arithmetic on
//! one backend. [`LambdaPoint`] is for many additions, [`XOnlyPoint`] for protocols that use the coordinate x
//! only.
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
//! NIST SP 800-186 deprecates its binary curves for new designs. They are here for existing uses, and for
//! research.
//!
//! # Methods
//! M is a product and S a square in the field.
//!
//! | product | method | cost |
//! |---|---|---|
//! | k P | ladder of López and Dahab on x alone, then y | 6 M and 4 S a bit, 5 M if b = 1 |
//! | k P, Koblitz curves | digits to the base tau, tau(x, y) = (x^2, y^2) up to sign: m / 4 odd digits to the base tau^4, a table of eight points | 8 M and 14 S a digit; the table 117 M |
//! | k P, GLS254 | k = k1 + k2 psi with psi^2 = -1, 32 odd digits of four bits each, a table of eight points | four doublings and two additions for each pair of digits |
//! | many k P | a ladder in each lane, one inversion for 16 | as one ladder for all lanes |
//! | k G, prepared P | signed comb with 5 teeth, 6 above 256 bits; tables are read whole | bits / 20 (24) doublings, bits / 10 (12) additions in each half |
//! | k G + l P | comb and ladder or digits, summed in lambda coordinates | those of both, 27 M, one inversion |
//! | P + Q in lambda coordinates | lambda = x + y / x | 16 M and 6 S |
//! | a public sum of many k P | Straus, digits of width 5 | 5 M and 5 S a bit for all; 9 M and 5 S a digit |
//!
//! *Exceptions.* The ladder's formulas hold for infinity, for equal and opposite points and for the point of order
//! two, so k P is right for every point and every k. Additions of comb and digits are not complete; the modules have
//! the arguments why none meets an exception, and the compiler chooses complete ones where a bound does not hold.
//! Pornin's formulas, for GLS254, have no exceptions.
//!
//! Everything is constant time but functions that end in `_vartime`. `from_coordinates`, `decompress` and bytes of
//! points are for public points.
#[cfg(feature = "alloc")]
mod base_sum;
#[cfg(feature = "alloc")]
mod comb;
#[cfg(feature = "alloc")]
mod counts;
mod digits;
mod field;
mod gls;
mod group;
mod inversion;
mod join;
mod kernels;
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

/// A curve y^2 + x y = x^3 + a x^2 + b, as a type. The trait is sealed: only the curves of this module implement it.
pub trait BinaryCurve: Copy + Debug + Default + Eq + Send + Sync + sealed::SealedCurve + 'static {
    /// The name in lower case, such as `sect233r1`; the one of SECG where there is one.
    const NAME: &'static str;
    /// Other names of the curve, such as `B-233`. May be empty.
    const ALIASES: &'static [&'static str];
    /// The object identifier in SECG's or X9.62's tree, in dotted decimals. Other curves have none.
    const OID: Option<&'static str>;
    /// The field of the coordinates, GF(2^m) or a quadratic extension of it.
    type Field: CurveField;
    /// The type of integers that hold the order n.
    type Uint: ScalarUint;
    /// The coefficient a of x^2.
    const A: ElementOf<Self>;
    /// The constant term b. It is not 0, so the curve is not singular.
    const B: ElementOf<Self>;
    /// Whether the curve is a Koblitz curve: a is 0 or 1, and b is 1. Then (x, y) -> (x^2, y^2)
    /// maps the curve to itself.
    const KOBLITZ: bool;
    /// The coordinates x and y of the generator G.
    const GENERATOR: [ElementOf<Self>; 2];
    /// The order n of G, which is an odd prime.
    const ORDER: Self::Uint;
    /// The number of bits of n.
    const ORDER_BITS: u32;
    /// Constants for Montgomery multiplication modulo n.
    const MONTGOMERY: crypto_bigint::modular::MontyParams<Self::Uint>;
    /// The cofactor h: the curve has h n points, including infinity.
    const COFACTOR: u32;
}

/// The elements of a curve's field.
pub type ElementOf<C> = <<C as BinaryCurve>::Field as CurveField>::Element;

/// The arithmetic of a curve's field on one backend.
type ArithmeticOf<C> = <<C as BinaryCurve>::Field as CurveField>::Arithmetic;

/// The bit matrices of a curve's field on one backend.
#[cfg(feature = "alloc")]
type MatricesOf<C> = <ArithmeticOf<C> as matrices::WithMatrices<ElementOf<C>>>::Matrices;

mod sealed {
    /// Keeps other crates from implementing `BinaryCurve`, because tests prove the constants of each curve.
    pub trait SealedCurve: Sized {
        /// Whether the coefficient a is 0; on Koblitz curves this gives the sign of the endomorphism tau.
        const A_IS_ZERO: bool;
        /// The constants that split scalars in two halves, on curves with an endomorphism whose square is -1: a
        /// is u, and b is in the base field.
        const LATTICE: Option<super::gls::Lattice>;
        /// The number of leading one bits of n, counted from its highest bit.
        const LEADING_ONES: u32;
        /// The tables of G. The first use fills them.
        #[cfg(feature = "alloc")]
        fn base() -> &'static once_cell::race::OnceBox<super::PreparedPoint<Self>>;
        /// The bit matrices for the best backend. The first use fills them.
        #[cfg(feature = "alloc")]
        fn matrices() -> &'static once_cell::race::OnceBox<super::MatricesOf<Self>>
        where
            Self: super::BinaryCurve;
    }
}
