//! What curves ask of a field and its elements: GF(2^m), or a quadratic extension of it.
#[cfg(feature = "alloc")]
use super::matrices::WithMatrices;
use crate::field::tower::{Quadratic, QuadraticElement, QuadraticField};
use crate::field::{BinaryField, Element, Field, KernelField};
use carryless_lanes::ClmulCpu;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, MulAssign};
use ctutils::{Choice, CtEq, CtOption, CtSelect};
use zeroize::Zeroize;

/// A field over which curves are defined. Implementations are those of this crate.
pub trait CurveField: KernelField + Copy + Debug + Default + Eq + Send + Sync + 'static {
    /// It is this field, or the extension GF(2^m)\[u\]/(u^2 + u + 1) of it.
    type Base: BinaryField;
    /// Its elements.
    type Element: FieldElement;
    /// Its arithmetic on one machine.
    #[cfg(feature = "alloc")]
    type Arithmetic: FieldArithmetic<Self::Element> + WithMatrices<Self::Element>;
    /// Its arithmetic on one machine.
    #[cfg(not(feature = "alloc"))]
    type Arithmetic: FieldArithmetic<Self::Element>;
    /// The field has 2^`BITS` elements.
    const BITS: usize;
    /// It is F2\[z\]/f, or an extension of that: the degree of f.
    const DEGREE: usize;
    /// The exponents of f below its degree: they descend to 0.
    const TAIL: &'static [usize];
}

/// The arithmetic of a field on one machine. All functions run in constant time.
pub trait FieldArithmetic<E>: Copy + Debug {
    /// On this machine.
    fn on(cpu: ClmulCpu) -> Self;
    /// a b.
    fn mul(&self, a: &E, b: &E) -> E;
    /// a^2.
    fn square(&self, a: &E) -> E;
    /// The square root of a.
    fn sqrt(&self, a: &E) -> E;
    /// 1 / a, and 0 for a = 0.
    fn invert_or_zero(&self, a: &E) -> E;
}

/// Elements of a field, whatever its kind. All functions run in constant time.
pub trait FieldElement:
    WordsMut
    + Copy
    + Debug
    + Default
    + Eq
    + CtEq
    + CtSelect
    + Zeroize
    + Add<Output = Self>
    + AddAssign
    + Mul<Output = Self>
    + MulAssign
    + Send
    + Sync
    + 'static
{
    /// How many bytes an element has.
    const BYTES: usize;

    /// 1.
    #[must_use]
    fn one() -> Self;
    /// The element with these [`BYTES`](FieldElement::BYTES) bytes, least significant first; none if there are more or fewer of them, or a bit that no
    /// element has is not zero. Whether there is is public.
    #[must_use]
    fn from_le_bytes(bytes: &[u8]) -> Option<Self>;
    /// Writes what [`from_le_bytes`](FieldElement::from_le_bytes) reads.
    ///
    /// # Panics
    /// If `out` has not [`BYTES`](FieldElement::BYTES) bytes.
    fn write_le_bytes(&self, out: &mut [u8]);
    /// The words, least significant first.
    #[must_use]
    fn as_words(&self) -> &[u64];
    /// The square.
    #[must_use]
    fn square(&self) -> Self;
    /// The square root.
    #[must_use]
    fn sqrt(&self) -> Self;
    /// 1 / a; none if a is zero.
    #[must_use]
    fn invert(&self) -> CtOption<Self>;
    /// The trace to F2.
    #[must_use]
    fn trace(&self) -> Choice;
    /// x with x^2 + x = a; none if the trace is 1. The other solution is x + 1.
    #[must_use]
    fn solve_quadratic(&self) -> CtOption<Self>;
    /// Whether it is zero.
    #[must_use]
    fn is_zero(&self) -> Choice;

    /// The lowest bit.
    #[must_use]
    fn lowest_bit(&self) -> Choice {
        Choice::from_u64_lsb(self.as_words()[0])
    }
}

/// The words of results of kernels.
pub trait WordsMut {
    /// The words, to be written.
    fn words_mut(&mut self) -> &mut [u64];
}

macro_rules! element {
    ($element:ident of $field:ty, $arithmetic:ident, $bits:expr, $bytes:expr) => {
        impl<F: BinaryField> CurveField for $field {
            type Base = F;
            type Element = $element<F>;
            type Arithmetic = $arithmetic<F>;
            const BITS: usize = $bits;
            const DEGREE: usize = F::DEGREE;
            const TAIL: &'static [usize] = F::TAIL;
        }

        impl<F: BinaryField> FieldArithmetic<$element<F>> for $arithmetic<F> {
            fn on(cpu: ClmulCpu) -> Self {
                $arithmetic::on(cpu)
            }
            fn mul(&self, a: &$element<F>, b: &$element<F>) -> $element<F> {
                $arithmetic::mul(self, a, b)
            }
            fn square(&self, a: &$element<F>) -> $element<F> {
                $arithmetic::square(self, a)
            }
            fn sqrt(&self, a: &$element<F>) -> $element<F> {
                $arithmetic::sqrt(self, a)
            }
            fn invert_or_zero(&self, a: &$element<F>) -> $element<F> {
                $arithmetic::invert_or_zero(self, a)
            }
        }

        impl<F: BinaryField> WordsMut for $element<F> {
            fn words_mut(&mut self) -> &mut [u64] {
                $element::words_mut(self)
            }
        }

        impl<F: BinaryField> FieldElement for $element<F> {
            const BYTES: usize = $bytes;

            fn one() -> Self {
                $element::one()
            }
            fn from_le_bytes(bytes: &[u8]) -> Option<Self> {
                $element::from_bytes(bytes).ok()
            }
            fn write_le_bytes(&self, out: &mut [u8]) {
                self.write_bytes(out);
            }
            fn as_words(&self) -> &[u64] {
                $element::as_words(self)
            }
            fn square(&self) -> Self {
                $element::square(self)
            }
            fn sqrt(&self) -> Self {
                $element::sqrt(self)
            }
            fn invert(&self) -> CtOption<Self> {
                $element::invert(self)
            }
            fn trace(&self) -> Choice {
                $element::trace(self)
            }
            fn solve_quadratic(&self) -> CtOption<Self> {
                $element::solve_quadratic(self)
            }
            fn is_zero(&self) -> Choice {
                $element::is_zero(self)
            }
        }
    };
}

element! { Element of F, Field, F::DEGREE, F::BYTES }
element! { QuadraticElement of Quadratic<F>, QuadraticField, 2 * F::DEGREE, 2 * F::BYTES }

/// The words of X, L and Z of a point.
pub(super) fn words_of_point<E: FieldElement>(point: &[E; 3]) -> [&[u64]; 3] {
    point.each_ref().map(FieldElement::as_words)
}
