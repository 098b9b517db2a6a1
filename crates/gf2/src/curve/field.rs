//! The interface between curves and their fields: GF(2^m), or a quadratic extension of it.
use super::kernels::CurveKernels;
#[cfg(feature = "alloc")]
use super::matrices::WithMatrices;
use crate::field::tower::{Quadratic, QuadraticElement, QuadraticField};
use crate::field::{BinaryField, Element, Field};
use carryless_lanes::ClmulCpu;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, MulAssign};
use ctutils::{Choice, CtEq, CtOption, CtSelect};
use zeroize::Zeroize;

/// A field over which curves are defined. Only fields of this crate implement it.
pub trait CurveField: CurveKernels + Copy + Debug + Default + Eq + Send + Sync + 'static {
    /// The binary field F2\[z\]/f: this field itself, or the field of which it is the quadratic extension.
    type Base: BinaryField + CurveKernels;
    /// The type of the field's elements.
    type Element: FieldElement;
    /// The field's arithmetic on one backend.
    #[cfg(feature = "alloc")]
    type Arithmetic: FieldArithmetic<Self::Element> + WithMatrices<Self::Element>;
    /// The field's arithmetic on one backend.
    #[cfg(not(feature = "alloc"))]
    type Arithmetic: FieldArithmetic<Self::Element>;
    /// The number of bits of an element: the field has 2^`BITS` elements.
    const BITS: usize;
    /// The degree m of f, where this field is F2\[z\]/f or an extension of it.
    const DEGREE: usize;
    /// The exponents of f below m, in descending order. The last one is 0.
    const TAIL: &'static [usize];
}

/// The arithmetic of a field on one backend. All functions run in constant time, and all results are canonical.
pub trait FieldArithmetic<E>: Copy + Debug {
    /// The arithmetic on the given backend.
    fn on(cpu: ClmulCpu) -> Self;
    /// The product a b, reduced modulo f.
    fn mul(&self, a: &E, b: &E) -> E;
    /// The square a^2, which costs less than a product.
    fn square(&self, a: &E) -> E;
    /// The square root of a, which is unique.
    fn sqrt(&self, a: &E) -> E;
    /// The inverse 1 / a, and 0 for a = 0.
    fn invert_or_zero(&self, a: &E) -> E;
}

/// An element of a field of either kind. It is always canonical. All functions run in constant time.
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
    /// The number of bytes of an element.
    const BYTES: usize;

    /// The element 1, the identity of multiplication.
    #[must_use]
    fn one() -> Self;
    /// The element with these [`BYTES`](FieldElement::BYTES) bytes, least significant first (little endian).
    ///
    /// `None` if the number of bytes is wrong, or if a bit beyond those of an element is set. Which
    /// of these holds is public.
    #[must_use]
    fn from_le_bytes(bytes: &[u8]) -> Option<Self>;
    /// Writes the bytes of the element in the order of [`from_le_bytes`](FieldElement::from_le_bytes).
    ///
    /// # Panics
    /// If the length of `out` is not [`BYTES`](FieldElement::BYTES).
    fn write_le_bytes(&self, out: &mut [u8]);
    /// The 64-bit words of the element, least significant first.
    #[must_use]
    fn as_words(&self) -> &[u64];
    /// The square of the element.
    #[must_use]
    fn square(&self) -> Self;
    /// The square root of the element, which is unique.
    #[must_use]
    fn sqrt(&self) -> Self;
    /// The inverse 1 / a, or none if a is zero.
    #[must_use]
    fn invert(&self) -> CtOption<Self>;
    /// The trace to F2, which is 0 or 1.
    #[must_use]
    fn trace(&self) -> Choice;
    /// A solution x of x^2 + x = a, or none if the trace of a is 1. The other solution is x + 1.
    #[must_use]
    fn solve_quadratic(&self) -> CtOption<Self>;
    /// Whether the element is zero.
    #[must_use]
    fn is_zero(&self) -> Choice;

    /// The coefficient of 1, the lowest bit of the first word. SEC 1 compresses points by it.
    #[must_use]
    fn lowest_bit(&self) -> Choice {
        Choice::from_u64_lsb(self.as_words()[0])
    }
}

/// Access to the words of an element, for kernels that write results.
pub trait WordsMut {
    /// The words of the element, for writing. The caller keeps it canonical.
    fn words_mut(&mut self) -> &mut [u64];
}

macro_rules! element {
    ($element:ident of $field:ty, $arithmetic:ident, $bits:expr, $bytes:expr) => {
        impl<F> CurveField for $field
        where
            F: BinaryField + CurveKernels,
            $field: CurveKernels,
        {
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

/// The words of the coordinates X, L and Z of a point.
pub(super) fn words_of_point<E: FieldElement>(point: &[E; 3]) -> [&[u64]; 3] {
    point.each_ref().map(FieldElement::as_words)
}
