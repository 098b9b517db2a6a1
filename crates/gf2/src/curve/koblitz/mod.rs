//! k P on Koblitz curves: by digits to the base tau, the endomorphism (x, y) -> (x^2, y^2), which costs three squares where a doubling costs five products.
//!
//! [`digits`] gives k as r with some m / 4 digits of eight values and a sign. They are cut into two segments, `r = r0 + tau^h r1`, or four where there are four lanes; their points run in
//! lanes, or one after the other, with one table for all.
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

use super::field::words_of_point;
use super::field::{FieldArithmetic, WordsMut};
use super::paired::ROW;
use super::words::MOST_WORDS;
use super::{AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldElement, Scalar};
use core::marker::PhantomData;
use ctutils::CtSelect;
pub(super) use digits::STEP;
use digits::{DIGITS, Digits, Reduction};
use segments::Segments;
#[cfg(feature = "alloc")]
pub(super) use small_order::is_small;
use table::Multiples;
use zeroize::Zeroize;

/// Parts of r that are independent, or as many as there are lanes if these are more.
const LEAST_SEGMENTS: u32 = 2;

/// The segments on a machine with so many lanes.
const fn segments_of(lanes: usize) -> u32 {
    if lanes as u32 > LEAST_SEGMENTS { lanes as u32 } else { LEAST_SEGMENTS }
}

/// Digits of one of these segments.
const fn digits_of_segment(m: u32, segments: u32) -> u32 {
    digits::count(m).div_ceil(segments)
}

/// Whether this is how k P is found: on Koblitz curves whose n is above the norm of any sum of digits within a segment, which is all but small ones. Absolute values
/// of such sums are below 4/3 4^count.
pub(super) const fn serves<C: BinaryCurve>() -> bool {
    C::KOBLITZ && STEP * digits_of_segment(C::Field::DEGREE as u32, LEAST_SEGMENTS) + 1 < C::ORDER_BITS
}

/// Whether many k P are found one by one, and not by ladders in the lanes of a machine. Measured on Zen 3, two lanes: 0.9 of the time of ladders at 571 bits, 1.03 at 409.
pub(super) const fn is_fastest_in_batches<C: BinaryCurve>(lanes: usize) -> bool {
    serves::<C>() && (lanes == 1 || C::Field::DEGREE > 500)
}

/// Additions of two segments.
#[cfg(feature = "alloc")]
pub(super) const fn additions(m: u32) -> u32 {
    LEAST_SEGMENTS * (digits_of_segment(m, LEAST_SEGMENTS) - 1)
}

/// h: segment i is the part of tau^(h i).
const fn join_power(m: u32, segments: u32) -> u32 {
    STEP * digits_of_segment(m, segments)
}

/// The same, on Koblitz curves and machines with so many lanes.
#[cfg(feature = "alloc")]
pub(super) fn join_exponent<C: BinaryCurve>(lanes: usize) -> Option<usize> {
    C::KOBLITZ.then_some(join_power(C::Field::DEGREE as u32, segments_of(lanes)) as usize)
}

impl<C: BinaryCurve> Curve<C> {
    /// k P on a Koblitz curve. The caller clears its frame.
    pub(super) fn mul_koblitz(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        let words = k.to_words();
        let product = self.mul_koblitz_lambda(&words, p);
        let affine = self.affine(&product, &self.invert_or_zero(&product[2]));
        affine.ct_select(&small_order::mul(words[0], p), small_order::is_small(p))
    }

    /// X, L, Z of k P, if P is not of order 1, 2 or 4.
    pub(super) fn mul_koblitz_lambda(&self, k: &[u64; MOST_WORDS], p: &AffinePoint<C>) -> [ElementOf<C>; 3] {
        let mut table = self.odd_multiples(p);
        let mut parts = [[0; ROW]; 3];
        self.run_segments(&table, k, &mut parts);
        let product = self.join_segments(&parts);
        table.zeroize();
        parts.zeroize();
        product
    }

    /// The sum of all segments, the last one first: tau^h is phi^h, as h is even.
    fn join_segments(&self, parts: &[[u64; ROW]; 3]) -> [ElementOf<C>; 3] {
        let segments = segments_of(self.cpu().lanes());
        let part = |i: u32| Self::part(parts, i as usize);
        let mut sum = [ElementOf::<C>::default(); 3];
        for (coordinate, words) in sum.iter_mut().zip(part(segments - 1)) {
            coordinate.words_mut().copy_from_slice(words);
        }
        for i in (0..segments - 1).rev() {
            let h = join_power(C::Field::DEGREE as u32, segments);
            let mut raised = sum.each_ref().map(|coordinate| self.frobenius(coordinate, h));
            sum = self.add_words(part(i), words_of_point(&raised));
            raised.zeroize();
        }
        sum
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
        let all = segments_of(self.cpu().lanes());
        let count = digits_of_segment(C::Field::DEGREE as u32, all);
        let digits = &Digits::new(k, reduction, (all * count) as usize);
        let table = table.each_ref().map(|entry| entry.each_ref().map(FieldElement::as_words));
        let cpu = self.cpu();
        let segments = Segments::<C::Field> { table, digits, count, first: 0, out, of: PhantomData };
        if let Err(Segments { table, out, .. }) = cpu.call_on_lanes(segments) {
            for first in 0..all {
                let segment = Segments::<C::Field> { table, digits, count, first, out, of: PhantomData };
                cpu.call_on_one_lane(segment);
            }
        }
    }
}
