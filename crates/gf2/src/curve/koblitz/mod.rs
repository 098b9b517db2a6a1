//! k P on Koblitz curves by digits to the base tau^4, in constant time. The endomorphism phi(x, y) = (x^2, y^2) costs
//! three squares where a doubling costs five products and four squares.
//!
//! tau is phi if a = 1 and -phi if a = 0. tau^m acts on points as mu, which is 1 or -1. [`Digits`] writes k as an r in
//! Z\[tau\] with the same multiples: about m / 4 digits, each one of eight elements of Z\[tau\] with a sign. The digits are
//! cut into two segments, `r = r0 + tau^h r1`, or into four where there are four lanes. The segments run in lanes, or one
//! after the other, with one table for all.
//!
//! *No exceptions.* The formula for P + Q requires different points that are not infinity. Let P be P1 + T, with P1 of
//! the prime order n, or infinity, and T of an order that divides the cofactor, 2 or 4. A partial sum of digits is c P
//! for a c in Z\[tau\]. For P1 != 0, c P1 is infinity only if n divides the norm of c. Before a digit u is added, c is a
//! multiple of tau^4 and not 0, and u is not a multiple of tau: so c + u and c - u are not 0. In a segment their norms
//! are below n, as [`serves`] demands. Then c P and u P differ, and neither they nor their sum is infinity or the point
//! of order two, because this holds for their parts of order n. The same argument holds for the table. The sum of the
//! segments uses complete formulas. For P1 = 0, P is one of at most four points, whose multiples are selected.
mod small_order;
#[cfg(test)]
mod tests;

use super::field::words_of_point;
use super::field::{FieldArithmetic, WordsMut};
use super::kernels::CurveKernels as _;
pub(super) use super::kernels::koblitz::digits::STEP;
use super::kernels::koblitz::digits::{self, DIGITS, Digits, Reduction};
use super::kernels::koblitz::{Multiples, Segments};
use super::paired::ROW;
use super::words::SCALAR_WORDS;
use super::{AffinePoint, BinaryCurve, Curve, CurveField, ElementOf, FieldElement, Scalar};
use core::marker::PhantomData;
use ctutils::CtSelect;
#[cfg(feature = "alloc")]
pub(super) use small_order::is_small;
use zeroize::Zeroize;

/// The number of segments of r, unless the backend has more lanes.
const LEAST_SEGMENTS: u32 = 2;

/// The number of segments on a backend with `lanes` lanes.
const fn segments_of(lanes: usize) -> u32 {
    if lanes as u32 > LEAST_SEGMENTS { lanes as u32 } else { LEAST_SEGMENTS }
}

/// The number of digits of each of `segments` segments.
const fn digits_of_segment(m: u32, segments: u32) -> u32 {
    digits::count(m).div_ceil(segments)
}

/// Whether k P is computed by digits: on Koblitz curves whose n exceeds the norm of every sum of digits within a segment,
/// below 2^(4 count + 1) for `count` digits. Only small curves fail.
pub(super) const fn serves<C: BinaryCurve>() -> bool {
    // |tau|^4 = 4 and |digit| <= 4, so a sum of `count` digits is at most 4 (1 + 4 + ... + 4^(count - 1)),
    // below 4/3 4^count. Its norm is the square of that, below 16/9 2^(4 count). n has its highest bit at
    // ORDER_BITS - 1.
    C::KOBLITZ && STEP * digits_of_segment(C::Field::DEGREE as u32, LEAST_SEGMENTS) + 1 < C::ORDER_BITS
}

/// Whether many products k P are computed one by one, and not by ladders in the lanes of a backend.
///
/// Measured on Zen 3 with two lanes: 0.9 of the time of ladders at 571 bits, 1.03 at 409.
pub(super) const fn is_fastest_in_batches<C: BinaryCurve>(lanes: usize) -> bool {
    serves::<C>() && (lanes == 1 || C::Field::DEGREE > 500)
}

/// The number of additions of points in two segments, without the sum of the segments.
#[cfg(feature = "alloc")]
pub(super) const fn additions(m: u32) -> u32 {
    LEAST_SEGMENTS * (digits_of_segment(m, LEAST_SEGMENTS) - 1)
}

/// The exponent h of tau between neighbouring segments: segment i has the factor tau^(h i).
const fn join_power(m: u32, segments: u32) -> u32 {
    STEP * digits_of_segment(m, segments)
}

/// The exponent [`join_power`] on Koblitz curves, for a backend with `lanes` lanes; none on other curves.
#[cfg(feature = "alloc")]
pub(super) fn join_exponent<C: BinaryCurve>(lanes: usize) -> Option<usize> {
    C::KOBLITZ.then_some(join_power(C::Field::DEGREE as u32, segments_of(lanes)) as usize)
}

impl<C: BinaryCurve> Curve<C> {
    /// The product k P on a Koblitz curve, for all k and P. The caller clears the stack.
    pub(super) fn mul_koblitz(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        // The general method runs for all points. For those of order 1, 2 or 4, its result is meaningless and
        // replaced by a selection, so the time does not tell which points these are.
        let words = k.to_words();
        // Two inversions: one for the table, one here.
        let product = self.mul_koblitz_lambda(&words, p);
        let affine = self.affine(&product, &self.invert_or_zero(&product[2]));
        affine.ct_select(&small_order::mul(words[0], p), small_order::is_small(p))
    }

    /// The coordinates X, L, Z of k P, for a P whose order is not 1, 2 or 4.
    pub(super) fn mul_koblitz_lambda(
        &self,
        k: &[u64; SCALAR_WORDS],
        p: &AffinePoint<C>,
    ) -> [ElementOf<C>; 3] {
        let mut table = self.odd_multiples(p);
        let mut parts = [[0; ROW]; 3];
        self.run_segments(&table, k, &mut parts);
        let product = self.join_segments(&parts);
        table.zeroize();
        parts.zeroize();
        product
    }

    /// The sum of all segments by Horner's rule, from the last one down. tau^h is phi^h, because tau is phi or -phi and h
    /// is even.
    fn join_segments(&self, parts: &[[u64; ROW]; 3]) -> [ElementOf<C>; 3] {
        // Complete sums, as segments may cancel: k = 0 has the digits of tau^m - mu, which takes every point to infinity.
        let segments = segments_of(self.cpu().lanes());
        let part = |i: u32| Self::part(parts, i as usize);
        let mut sum = [ElementOf::<C>::default(); 3];
        for (coordinate, words) in sum.iter_mut().zip(part(segments - 1)) {
            coordinate.words_mut().copy_from_slice(words);
        }
        // Invariant: sum = the sum of tau^(h (j - i)) times segment j, over the segments j >= i. Two segments
        // take three powers and one complete sum, four take three times as many.
        for i in (0..segments - 1).rev() {
            // phi^h raises all three coordinates to the power 2^h: by bit matrices, or by h squarings each.
            let h = join_power(C::Field::DEGREE as u32, segments);
            let mut raised = sum.each_ref().map(|coordinate| self.frobenius(coordinate, h));
            sum = self.add_words(part(i), words_of_point(&raised));
            raised.zeroize();
        }
        sum
    }

    /// The coordinates x and lambda of u P for each of the eight digits u, which are odd, with one inversion for all.
    fn odd_multiples(&self, p: &AffinePoint<C>) -> [[ElementOf<C>; 2]; DIGITS] {
        let mut points = [[ElementOf::<C>::default(); 3]; DIGITS];
        let out = points.each_mut().map(|point| point.each_mut().map(WordsMut::words_mut));
        let (x, y) = (p.x().as_words(), p.y().as_words());
        let kernel = Multiples { x, y, mu_negative: C::A_IS_ZERO, out, of: PhantomData };
        C::Field::run_multiples(self.cpu(), kernel);
        let mut inverses = points.map(|[_, _, z]| z);
        // For a P of small order some Z may be 0. `invert_all` keeps the other entries right, and the caller
        // replaces the product.
        self.invert_all(&mut inverses);
        let mut table = [[ElementOf::<C>::default(); 2]; DIGITS];
        for ((entry, [x, l, _]), inverse) in table.iter_mut().zip(&points).zip(&inverses) {
            // Affine entries, because the additions of segments take eight products by them and eleven
            // otherwise.
            *entry = [self.field().mul(x, inverse), self.field().mul(l, inverse)];
        }
        points.zeroize();
        inverses.zeroize();
        table
    }

    /// Computes the points of all segments, side by side in `out`: in lanes, or one after the other.
    fn run_segments(
        &self,
        table: &[[ElementOf<C>; 2]; DIGITS],
        k: &[u64; SCALAR_WORDS],
        out: &mut [[u64; ROW]; 3],
    ) {
        // All k get the same number of digits, so the number of additions does not depend on k.
        let reduction = const { &Reduction::new(C::Field::DEGREE as u32, C::A_IS_ZERO) };
        let all = segments_of(self.cpu().lanes());
        let count = digits_of_segment(C::Field::DEGREE as u32, all);
        let digits = &Digits::new(k, reduction, (all * count) as usize);
        let table = table.each_ref().map(|entry| entry.each_ref().map(FieldElement::as_words));
        let segments = Segments { table, digits, count, first: 0, out, of: PhantomData };
        C::Field::run_segments(self.cpu(), segments, all);
    }
}
