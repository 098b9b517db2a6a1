//! Sums of products of public scalars and points by Straus's method, which shares the doublings.
use super::field::{FieldArithmetic, WordsMut};
use super::kernels::CurveKernels as _;
use super::kernels::vartime::naf::{ENTRIES, Naf};
use super::kernels::vartime::{OddMultiples, Straus, Term};
use super::{AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement, Scalar};
use alloc::vec::Vec;
use core::marker::PhantomData;

impl<C: BinaryCurve> Curve<C> {
    /// The sum of all k\[i\] P\[i\], for all k and all points of the curve. Not constant time: scalars and
    /// points must be public, as in the verification of signatures.
    ///
    /// It is faster than [`mul_batch`](Curve::mul_batch) from about five points on, because all products share their
    /// doublings. For k G + l Q, the constant-time [`mul_base_add_mul`](Curve::mul_base_add_mul) is faster.
    ///
    /// ```
    /// use carryless_gf2::curve::{AffinePoint, Curve, NistB163, Scalar};
    ///
    /// let (curve, g) = (Curve::<NistB163>::new(), AffinePoint::generator());
    /// let k = [2, 30, 400].map(Scalar::from_u64);
    /// let sum = curve.sum_of_products_vartime(&k, &[g, -g, g]);
    /// assert_eq!(sum, curve.mul_base(&Scalar::from_u64(372)));
    /// ```
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[must_use]
    #[track_caller]
    pub fn sum_of_products_vartime(&self, k: &[Scalar<C>], p: &[AffinePoint<C>]) -> AffinePoint<C> {
        assert_eq!(k.len(), p.len(), "as many scalars as points");
        // Infinity contributes nothing, and has no affine table. Branches on points are allowed here: they are
        // public.
        let finite = || k.iter().zip(p).filter(|(_, p)| !p.is_infinity().to_bool());
        let tables: Vec<_> = finite().map(|(_, p)| self.odd_affine_multiples_vartime(p)).collect();
        let nafs: Vec<_> = finite().map(|(k, _)| Naf::new(&k.to_words())).collect();
        let terms: Vec<Term<'_>> = tables.iter().zip(&nafs).map(|(table, naf)| term(table, naf)).collect();
        let (a, b, mut sum) = (C::A, C::B, [ElementOf::<C>::default(); 3]);
        let out = sum.each_mut().map(WordsMut::words_mut);
        let kernel = Straus { a: a.as_words(), b: b.as_words(), terms: &terms, out, of: PhantomData };
        C::Field::run_straus(self.cpu(), kernel);
        self.lopez_dahab_to_affine(&sum, &self.invert_or_zero(&sum[2]))
    }

    /// The affine points P, 3 P, 5 P, ..., 15 P, with one inversion for all. Not constant time.
    fn odd_affine_multiples_vartime(&self, p: &AffinePoint<C>) -> [AffinePoint<C>; ENTRIES] {
        let mut points = [[ElementOf::<C>::default(); 3]; ENTRIES];
        let (a, b, double) = (C::A, C::B, p.add_on(self, p));
        // If 2 P is infinity, P has order two, and all of its odd multiples are P. Two inversions for a
        // point: one for 2 P, which makes each step a mixed addition, and one for the eight multiples.
        let double = (!double.is_infinity().to_bool()).then_some(&double);
        let kernel = OddMultiples {
            a: a.as_words(),
            b: b.as_words(),
            p: [p.x().as_words(), p.y().as_words()],
            double: double.map(|double| [double.x().as_words(), double.y().as_words()]),
            out: points.each_mut().map(|point| point.each_mut().map(WordsMut::words_mut)),
            of: PhantomData,
        };
        C::Field::run_odd_multiples(self.cpu(), kernel);
        let mut inverses = points.map(|[_, _, z]| z);
        self.invert_all(&mut inverses);
        core::array::from_fn(|i| self.lopez_dahab_to_affine(&points[i], &inverses[i]))
    }

    /// The affine point with x = X / Z and y = Y / Z^2, given 1 / Z; infinity for Z = 0.
    fn lopez_dahab_to_affine(&self, [x, y, z]: &[ElementOf<C>; 3], inverse: &ElementOf<C>) -> AffinePoint<C> {
        if z.is_zero().to_bool() {
            return AffinePoint::infinity();
        }
        let f = self.field();
        AffinePoint::from_coordinates_unchecked(f.mul(x, inverse), f.mul(y, &f.square(inverse)))
    }
}

fn term<'a, C: BinaryCurve>(table: &'a [AffinePoint<C>; ENTRIES], naf: &'a Naf) -> Term<'a> {
    let entry =
        |p: &'a AffinePoint<C>| (!p.is_infinity().to_bool()).then(|| [p.x().as_words(), p.y().as_words()]);
    Term { table: table.each_ref().map(entry), naf }
}
