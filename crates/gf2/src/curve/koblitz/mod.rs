//! k P on Koblitz curves: by digits to the base tau, the endomorphism (x, y) -> (x^2, y^2), which costs three squares where a doubling costs five products.
//!
//! [`digits`] gives k as r with some m / 4 digits of eight values and a sign. They are cut into segments, `r = r0 + tau^h r1`, whose points run in lanes,
//! or one after the other, with one table for all.
//!
//! Where the formulas for P + Q hold: let P be P1 + T with P1 of order n and T of an order that divides h. A sum of some digits is c P for c in Z\[tau\], and c P1 is infinity
//! for P1 != 0 only if n divides the norm of c. Before an addition of the digit u, c is a multiple of tau^4 and not 0, u is not a multiple of tau, so that c + u and c - u are
//! not 0; and their norms are below n in a segment, as [`serves`] demands. Then c P, u P and their sum differ, and none of them is infinity or the point of order
//! two, because their parts of order n do and are not. The same holds for the table. The sum of the segments is complete. For P1 = 0, P is one of four points, whose multiples
//! are selected.
mod digits;
mod segments;
mod small_order;
mod table;
#[cfg(test)]
mod tests;

use super::field::{FieldArithmetic, WordsMut};
use super::paired::ROW;
use super::scalar::MOST_WORDS;
use super::{AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldElement, Scalar};
use core::marker::PhantomData;
use ctutils::CtSelect;
pub(super) use digits::STEP;
use digits::{DIGITS, Digits, Reduction};
use segments::Segments;
use table::Multiples;
use zeroize::Zeroize;

/// Parts of r that are independent.
const SEGMENTS: u32 = 2;

/// Digits of a segment.
const fn digits_of_segment(m: u32) -> u32 {
    digits::count(m).div_ceil(SEGMENTS)
}

/// Whether this is how k P is found: on Koblitz curves whose n is above the norm of any sum of digits within a segment, which is all but small ones. Absolute values
/// of such sums are below 4/3 4^count.
pub(super) const fn serves<C: BinaryCurve>() -> bool {
    C::KOBLITZ && STEP * digits_of_segment(C::Field::DEGREE as u32) + 1 < C::ORDER_BITS
}

/// Whether many k P are found one by one, and not by ladders in the lanes of a machine. Measured on Zen 3, two lanes: 0.9 of the time of ladders at 571 bits, 1.03 at 409.
pub(super) const fn is_fastest_in_batches<C: BinaryCurve>(lanes: usize) -> bool {
    serves::<C>() && (lanes == 1 || C::Field::DEGREE > 500)
}

/// Additions of all segments.
#[cfg(feature = "alloc")]
pub(super) const fn additions(m: u32) -> u32 {
    SEGMENTS * (digits_of_segment(m) - 1)
}

/// h, where the second segment is the part of tau^h.
const fn join_power(m: u32) -> u32 {
    STEP * digits_of_segment(m)
}

/// The same, on Koblitz curves.
#[cfg(feature = "alloc")]
pub(super) fn join_exponent<C: BinaryCurve>() -> Option<usize> {
    C::KOBLITZ.then_some(join_power(C::Field::DEGREE as u32) as usize)
}

impl<C: BinaryCurve> Curve<C> {
    /// k P on a Koblitz curve.
    pub(super) fn mul_koblitz(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        let mut words = k.to_words();
        let mut table = self.odd_multiples(p);
        let mut segments = [[0; ROW]; 3];
        self.run_segments(&table, &words, &mut segments);
        self.raise_second(&mut segments);
        let mut product = self.join(&segments);
        let affine = self.affine(&product, &self.invert_or_zero(&product[2]));
        let affine = affine.ct_select(&small_order::mul(words[0], p), small_order::is_small(p));
        words.zeroize();
        table.zeroize();
        segments.zeroize();
        product.zeroize();
        affine
    }

    /// tau^h times the second segment. tau^h is phi^h, as h is even.
    fn raise_second(&self, segments: &mut [[u64; ROW]; 3]) {
        for row in segments {
            let mut second = ElementOf::<C>::default();
            let words = second.words_mut();
            let row = &mut row[words.len()..][..words.len()];
            words.copy_from_slice(row);
            let mut raised = self.frobenius(&second, join_power(C::Field::DEGREE as u32));
            row.copy_from_slice(raised.as_words());
            second.zeroize();
            raised.zeroize();
        }
    }

    /// x and lambda of P times the digits, by one inversion.
    fn odd_multiples(&self, p: &AffinePoint<C>) -> [[ElementOf<C>; 2]; DIGITS] {
        let mut points = [[ElementOf::<C>::default(); 3]; DIGITS];
        let out = points.each_mut().map(|point| point.each_mut().map(WordsMut::words_mut));
        let (x, y) = (p.x().as_words(), p.y().as_words());
        let kernel = Multiples::<C::Field> { x, y, mu_negative: C::A_IS_ZERO, out, of: PhantomData };
        self.cpu().call_on_one_lane(kernel);
        let mut inverses = points.map(|[_, _, z]| z);
        self.invert_all(&mut inverses);
        let mut table = [[ElementOf::<C>::default(); 2]; DIGITS];
        for ((entry, [x, l, _]), inverse) in table.iter_mut().zip(&points).zip(&inverses) {
            *entry = [self.field().mul(x, inverse), self.field().mul(l, inverse)];
        }
        points.zeroize();
        inverses.zeroize();
        table
    }

    fn run_segments(
        &self,
        table: &[[ElementOf<C>; 2]; DIGITS],
        k: &[u64; MOST_WORDS],
        out: &mut [[u64; ROW]; 3],
    ) {
        let reduction = const { &Reduction::new(C::Field::DEGREE as u32, C::A_IS_ZERO) };
        let count = const { digits_of_segment(C::Field::DEGREE as u32) };
        let digits = &Digits::new(k, reduction, (SEGMENTS * count) as usize);
        let table = table.each_ref().map(|entry| entry.each_ref().map(FieldElement::as_words));
        let cpu = self.cpu();
        let segments = Segments::<C::Field> { table, digits, count, first: 0, out, of: PhantomData };
        if let Err(Segments { table, out, .. }) = cpu.call_on_two_lanes(segments) {
            for first in 0..SEGMENTS {
                let segment = Segments::<C::Field> { table, digits, count, first, out, of: PhantomData };
                cpu.call_on_one_lane(segment);
            }
        }
    }
}
