//! A curve on a machine.
use super::field::{FieldArithmetic, WordsMut};
use super::group::Group;
use super::join::Join;
use super::ladder::{Job, Ladder};
#[cfg(feature = "alloc")]
use super::matrices::WithMatrices;
use super::paired::{PairedLadder, ROW};
use super::words::words_of;
use super::{
    AffinePoint, ArithmeticOf, BinaryCurve, CurveField, ElementOf, FieldElement, Scalar, gls, koblitz,
};
#[cfg(feature = "alloc")]
use super::{MatricesOf, PreparedPoint};
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use carryless_lanes::{ClmulCpu, clear_stack, cleared};
use core::fmt;
use core::marker::PhantomData;
use ctutils::{Choice, CtOption, CtSelect};
use zeroize::Zeroize;

/// Points with one inversion.
pub(super) const BATCH: usize = 16;

/// The arithmetic of a curve on one machine, which is looked for once. All functions run in constant time.
///
/// ```
/// use carryless_gf2::curve::{AffinePoint, Curve, NistK163, Scalar};
///
/// let curve = Curve::<NistK163>::new();
/// let p = curve.mul(&Scalar::from_u64(1000), &AffinePoint::generator());
/// assert_eq!(p, curve.mul_base(&Scalar::from_u64(1000)));
/// ```
#[derive(Clone, Copy)]
pub struct Curve<C: BinaryCurve> {
    cpu: ClmulCpu,
    field: ArithmeticOf<C>,
    /// Whether this is the best machine, for which there are matrices.
    #[cfg(feature = "alloc")]
    with_matrices: bool,
}

impl<C: BinaryCurve> Curve<C> {
    /// On the best machine of this CPU.
    #[must_use]
    pub fn new() -> Curve<C> {
        Curve::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    pub fn on(cpu: ClmulCpu) -> Curve<C> {
        Curve {
            cpu,
            field: FieldArithmetic::on(cpu),
            #[cfg(feature = "alloc")]
            with_matrices: cpu.name() == ClmulCpu::detect().name(),
        }
    }

    /// The machine.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// k P, for every k and every point P of the curve.
    #[must_use]
    pub fn mul(&self, k: &Scalar<C>, p: &AffinePoint<C>) -> AffinePoint<C> {
        with_frames_cleared(|| {
            if const { koblitz::serves::<C>() } {
                return self.mul_koblitz(k, p);
            }
            if const { gls::serves::<C>() } {
                return self.mul_gls(k, p);
            }
            let ladder = self.ladder(&k.to_words(), p.x());
            let inverse = self.invert_or_zero(&self.denominator(p, &ladder));
            self.recover(k, p, &ladder, &inverse)
        })
    }

    /// `out[i] = k[i] P[i]`, with as many ladders at a time as the machine has lanes, and one inversion for 16 of them. On GLS254, on Koblitz curves of 571 bits, and on machines without lanes on all
    /// Koblitz curves, one by one as [`mul`](Curve::mul).
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn mul_batch(&self, k: &[Scalar<C>], p: &[AffinePoint<C>], out: &mut [AffinePoint<C>]) {
        assert!(k.len() == p.len() && p.len() == out.len(), "as many scalars, points and results");
        if koblitz::is_fastest_in_batches::<C>(self.cpu.lanes()) || gls::serves::<C>() {
            for ((k, p), out) in k.iter().zip(p).zip(out) {
                *out = self.mul(k, p);
            }
            return;
        }
        for ((k, p), out) in k.chunks(BATCH).zip(p.chunks(BATCH)).zip(out.chunks_mut(BATCH)) {
            let mut ladders = [[ElementOf::<C>::default(); 4]; BATCH];
            self.ladders(k, p, &mut ladders[..k.len()]);
            let mut inverses = [ElementOf::<C>::default(); BATCH];
            for ((inverse, p), ladder) in inverses.iter_mut().zip(p).zip(&ladders) {
                *inverse = self.denominator(p, ladder);
            }
            self.invert_all(&mut inverses[..k.len()]);
            for (i, out) in out.iter_mut().enumerate() {
                *out = self.recover(&k[i], &p[i], &ladders[i], &inverses[i]);
            }
            ladders.zeroize();
            inverses.zeroize();
        }
        clear_frames();
    }

    /// The inverses in their places, and 0 for 0 (Montgomery's trick): a zero takes part as 1.
    pub(super) fn invert_all(&self, elements: &mut [ElementOf<C>]) {
        let (f, one) = (&self.field, ElementOf::<C>::one());
        let mut products = [one; BATCH];
        let mut product = one;
        for (element, before) in elements.iter().zip(&mut products) {
            *before = product;
            product = f.mul(&product, &element.ct_select(&one, element.is_zero()));
        }
        let mut inverse = self.invert_or_zero(&product);
        for (element, before) in elements.iter_mut().zip(&products).rev() {
            let (zero, value) = (element.is_zero(), element.ct_select(&one, element.is_zero()));
            *element = f.mul(&inverse, before).ct_select(&ElementOf::<C>::default(), zero);
            inverse = f.mul(&inverse, &value);
        }
        products.zeroize();
    }

    /// The coordinate x of k P from that of P; none if k P is infinity. Of an x that no point of the curve has, it is that of a point of the quadratic twist.
    #[must_use]
    pub fn mul_x(&self, k: &Scalar<C>, x: &ElementOf<C>) -> CtOption<ElementOf<C>> {
        with_frames_cleared(|| {
            let [x1, z1, ..] = &self.ladder(&k.to_words(), x);
            CtOption::new(self.field.mul(x1, &self.invert_or_zero(z1)), !z1.is_zero())
        })
    }

    /// x Z1 Z2, by whose inverse [`recover`](Curve::recover) finds k P.
    fn denominator(&self, p: &AffinePoint<C>, [_, z1, _, z2]: &[ElementOf<C>; 4]) -> ElementOf<C> {
        self.field.mul(p.x(), &self.field.mul(z1, z2))
    }

    /// k P from P, X and Z of k P and (k + 1) P, and 1 / (x Z1 Z2).
    ///
    /// With x1 = X1 / Z1 and x2 = X2 / Z2 (Lopez and Dahab, 1999):
    ///
    /// ```text
    /// y1 = (x1 + x) ((x1 + x)(x2 + x) + x^2 + y) / x + y
    /// ```
    ///
    /// All of it over x Z1 Z2: ten products.
    fn recover(
        &self,
        k: &Scalar<C>,
        p: &AffinePoint<C>,
        [x1, z1, x2, z2]: &[ElementOf<C>; 4],
        inverse: &ElementOf<C>,
    ) -> AffinePoint<C> {
        let (f, x, y) = (&self.field, p.x(), p.y());
        let (xz1, xz2, z1z2) = (f.mul(x, z1), f.mul(x, z2), f.mul(z1, z2));
        let affine = f.mul(&f.mul(x1, &xz2), inverse);
        let chords = f.mul(&(*x1 + xz1), &(*x2 + xz2));
        let constant = f.mul(&(f.square(x) + *y), &z1z2);
        let slope = f.mul(&(chords + constant), inverse);
        let product = AffinePoint::from_coordinates_unchecked(affine, f.mul(&slope, &(affine + *x)) + *y);
        // k P = -P if (k + 1) P is infinity.
        let product = product.ct_select(&-*p, z2.is_zero());
        let product = product.ct_select(&AffinePoint::infinity(), z1.is_zero());
        // Multiples of the point of order two, x = 0, are it and infinity.
        let of_order_two = AffinePoint::infinity().ct_select(p, k.is_odd());
        product.ct_select(&of_order_two, x.is_zero())
    }

    /// k G + l Q, in constant time, which is faster here than doublings and additions that depend on the digits: a check of an ECDSA signature. But on GLS254 it is public whether
    /// Q is of order 1, 2 or 4, or l Q or the sum of order 1 or 2.
    #[must_use]
    pub fn mul_base_add_mul(&self, k: &Scalar<C>, l: &Scalar<C>, q: &AffinePoint<C>) -> AffinePoint<C> {
        #[cfg(feature = "alloc")]
        return with_frames_cleared(|| {
            if const { gls::serves::<C>() } {
                self.mul_base_add_mul_gls(k, l, q)
            } else {
                self.mul_base_add_mul_lambda(k, l, q)
            }
        });
        #[cfg(not(feature = "alloc"))]
        self.mul_base(k).add_on(self, &self.mul(l, q))
    }

    /// 1 / a, and 0 for a = 0.
    pub(super) fn invert_or_zero(&self, a: &ElementOf<C>) -> ElementOf<C> {
        #[cfg(feature = "alloc")]
        if let Some(matrices) = self.matrices() {
            return self.field.invert_by(matrices, a);
        }
        self.field.invert_or_zero(a)
    }

    /// a^(2^k) for the k of Koblitz curves.
    pub(super) fn frobenius(&self, a: &ElementOf<C>, k: u32) -> ElementOf<C> {
        #[cfg(feature = "alloc")]
        if let Some(raised) = self.matrices().and_then(|matrices| self.field.frobenius_by(matrices, a)) {
            return raised;
        }
        (0..k).fold(*a, |a, _| self.field.square(&a))
    }

    /// Those of the best machine, made by the first call.
    #[cfg(feature = "alloc")]
    fn matrices(&self) -> Option<&'static MatricesOf<C>> {
        let make = || Box::new(self.field.matrices(koblitz::join_exponent::<C>(self.cpu.lanes())));
        self.with_matrices.then(|| C::matrices().get_or_init(make))
    }

    /// The words of one of the points side by side.
    pub(super) fn part(parts: &[[u64; ROW]; 3], i: usize) -> [&[u64]; 3] {
        let words = C::B.as_words().len();
        parts.each_ref().map(|part| &part[i * words..][..words])
    }

    /// The sum of two points by the words of X, L and Z.
    pub(super) fn add_words(&self, p: [&[u64]; 3], q: [&[u64]; 3]) -> [ElementOf<C>; 3] {
        let mut sum = [ElementOf::<C>::default(); 3];
        let (a, out) = (C::A, sum.each_mut().map(WordsMut::words_mut));
        self.cpu.call_on_one_lane(Join::<C::Field> { a: a.as_words(), p, q, out, of: PhantomData });
        sum
    }

    /// The point with X, L, Z in lambda coordinates, by 1 / Z: x = X / Z, y = x (x + L / Z).
    pub(super) fn affine(&self, [x, l, z]: &[ElementOf<C>; 3], inverse: &ElementOf<C>) -> AffinePoint<C> {
        let f = &self.field;
        let (x, lambda) = (f.mul(x, inverse), f.mul(l, inverse));
        let point = AffinePoint::from_coordinates_unchecked(x, f.mul(&x, &(x + lambda)));
        point.ct_select(&AffinePoint::infinity(), z.is_zero())
    }

    /// Its field on the same machine.
    pub(super) fn field(&self) -> &<C::Field as CurveField>::Arithmetic {
        &self.field
    }

    /// k G. With the feature `alloc` by tables that the first call makes, as [`PreparedPoint`](super::PreparedPoint) has them.
    #[must_use]
    pub fn mul_base(&self, k: &Scalar<C>) -> AffinePoint<C> {
        #[cfg(feature = "alloc")]
        return self.base().mul(self, k);
        #[cfg(not(feature = "alloc"))]
        self.mul(k, &AffinePoint::generator())
    }

    #[cfg(feature = "alloc")]
    pub(super) fn base(&self) -> &'static PreparedPoint<C> {
        let make = || Box::new(PreparedPoint::of_prime_order(self, &AffinePoint::generator()));
        C::base().get_or_init(make)
    }

    /// Whether n times P is infinity.
    #[must_use]
    pub fn is_in_prime_order_group(&self, p: &AffinePoint<C>) -> Choice {
        let [_, z1, ..] = self.ladder(&words_of(&C::ORDER), p.x());
        p.is_infinity() | z1.is_zero()
    }

    /// X and Z of k P, then those of (k + 1) P.
    pub(super) fn ladder(&self, k: &[u64], x: &ElementOf<C>) -> [ElementOf<C>; 4] {
        let (mut coordinates, b) = ([ElementOf::<C>::default(); 4], C::B);
        let (x, b, bits) = (x.as_words(), b.as_words(), C::ORDER_BITS);
        let out = coordinates.each_mut().map(WordsMut::words_mut);
        let paired = PairedLadder::<C::Field>(Job { b, x, k, bits, out }, PhantomData);
        if let Err(PairedLadder(job, of)) = self.cpu.call_on_two_lanes(paired) {
            if C::KOBLITZ {
                self.cpu.call_on_one_lane(Ladder::<C::Field, true>(job, of));
            } else {
                self.cpu.call_on_one_lane(Ladder::<C::Field, false>(job, of));
            }
        }
        coordinates
    }

    /// The ladders of all k and P: in the lanes of the machine, or one by one.
    fn ladders(&self, k: &[Scalar<C>], p: &[AffinePoint<C>], out: &mut [[ElementOf<C>; 4]]) {
        let lanes = self.cpu.lanes();
        let groups = k.chunks(lanes).zip(p.chunks(lanes)).zip(out.chunks_mut(lanes));
        for ((k, p), out) in groups {
            if k.len() > 1 && self.group(k, p, out) {
                continue;
            }
            for ((k, p), out) in k.iter().zip(p).zip(out) {
                let mut words = k.to_words();
                *out = self.ladder(&words, p.x());
                words.zeroize();
            }
        }
    }

    /// As many ladders as there are lanes, or fewer. False, and nothing is done, where there are no kernels for lanes.
    fn group(&self, k: &[Scalar<C>], p: &[AffinePoint<C>], out: &mut [[ElementOf<C>; 4]]) -> bool {
        let b = C::B;
        let mut group = Group::new(b.as_words(), C::ORDER_BITS);
        for (lane, (k, p)) in k.iter().zip(p).enumerate() {
            group.set(lane, p.x().as_words(), &k.to_words());
        }
        let done = if C::KOBLITZ {
            group.run::<C::Field, true>(self.cpu)
        } else {
            group.run::<C::Field, false>(self.cpu)
        };
        for (lane, out) in out.iter_mut().enumerate() {
            for (coordinate, out) in out.iter_mut().enumerate() {
                let out = out.words_mut();
                out.copy_from_slice(group.result(coordinate, lane, out.len()));
            }
        }
        done
    }
}

/// Words of the stack that operations on one point use: tables, ladders, and what kernels spill. Tests look for what is left.
const FRAMES: usize = 1024;

/// Runs an operation, and clears its frame and those below: the scalar, the ladder, and the elements that formulas copy.
#[inline(always)]
pub(super) fn with_frames_cleared<T>(operation: impl FnOnce() -> T) -> T {
    cleared::<FRAMES, T>(operation)
}

/// Clears the frames below the function that calls it, which wipes its own variables.
#[inline(always)]
pub(super) fn clear_frames() {
    clear_stack::<FRAMES>();
}

impl<C: BinaryCurve> Default for Curve<C> {
    fn default() -> Curve<C> {
        Curve::new()
    }
}

impl<C: BinaryCurve> fmt::Debug for Curve<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Curve<{}>({})", C::NAME, self.cpu.name())
    }
}
