//! Kernels of the product k P: the table of odd multiples of P, and the sum of the digits times them.
mod formulas;
pub(in crate::curve) mod scalar;
mod twins;

use crate::curve::table::{Table, look_up};
use crate::field::BinaryField;
use crate::field::tower::Quadratic;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::marker::PhantomData;
use formulas::{Doubling, Point, add_points, affine_products, double, negate, psi, sum_of_products};
use scalar::{DIGITS, Digits, WIDTH};
use twins::{Twins, blend, both, load, mul, one, repeat, square, store};

/// The number of words of a point: four elements of up to four words.
pub(in crate::curve) const POINT: usize = 16;
/// The number of words of all multiples, and one more that a store of lanes may touch.
pub(in crate::curve) const POINTS: usize = DIGITS * POINT + 1;

/// The words of a point: X and Z as twins, then T and S, each with one word more that a store of lanes may touch.
pub(in crate::curve) type PointWords = [[u64; POINT / 2 + 1]; 2];

/// The number of bits of a digit's index.
const BITS: usize = WIDTH as usize - 1;
/// The number of doublings 2 P, 4 P, 8 P from which the odd multiples are made.
const POWERS: usize = WIDTH as usize - 1;

/// Runs a kernel in two lanes, or on one.
#[inline]
pub(in crate::curve) fn run_twins<K: ClmulKernel<Out = ()>>(cpu: ClmulCpu, kernel: K) {
    if let Err(kernel) = cpu.two_lanes().call(kernel) {
        cpu.one_lane().call(kernel);
    }
}

/// The kernel of the odd multiples P, 3 P, ..., 15 P, all shifted. For each it writes X and S, then the product
/// of the Z of all before it, and Z. For the inversion it also writes the product of all Z.
pub struct Multiples<'a, F> {
    /// The curve's constant b, which is one word.
    pub(in crate::curve) b: u64,
    /// The words of the shifted point P.
    pub(in crate::curve) point: &'a PointWords,
    pub(in crate::curve) points: &'a mut [u64; POINTS],
    /// The product of all Z, as twins of the same element.
    pub(in crate::curve) product: &'a mut [u64],
    pub(in crate::curve) of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Multiples<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let b = s.splat([self.b, 0]);
        let p = load_point::<F, S>(s, self.point);
        // The odd multiples, then 2 P, 4 P and 8 P. Doubles are of odd order, and a sum of such a point and a
        // shifted one is shifted, so the formulas fit. Loops, because the code of a sum is long.
        // Three doublings and seven sums. The inversion of all Z together takes three products for each, and
        // x and s two products and a square.
        let (mut multiples, mut i) = ([p; DIGITS + POWERS], 0);
        while i < POWERS {
            let half = if i == 0 { 0 } else { DIGITS + i - 1 };
            multiples[DIGITS + i] = double::<F, S>(s, b, multiples[half]);
            i += 1;
        }
        i = 1;
        while i < DIGITS {
            // 2 i + 1 is the sum of a power of two and a smaller odd number, whose multiple is known already.
            let power = (2 * i + 1).ilog2() as usize;
            let rest = i - (1 << (power - 1));
            multiples[i] = add_points::<F, S>(s, multiples[DIGITS + power - 1], multiples[rest]);
            i += 1;
        }
        let mut product = one::<F, S>(s);
        // Montgomery's trick, first pass: each entry keeps the product of the Z before it. No Z is 0, as all
        // these points are shifted, so no case is special.
        for (out, p) in self.points.chunks_exact_mut(POINT).zip(&multiples[..DIGITS]) {
            store::<F, S>(s, blend::<F, S>(s, p.xz, p.ts), out);
            store::<F, S>(s, blend::<F, S>(s, product, p.xz), &mut out[POINT / 2..]);
            product = mul::<F, S>(s, product, repeat::<F, S>(s, p.xz, 1));
        }
        store::<F, S>(s, product, self.product);
    }
}

/// The kernel of the sum of 16^i (d1\[i\] + d2\[i\] psi) P, shifted, for the part of P of odd order.
pub struct Straus<'a, F> {
    /// The curve's constant, which is one word.
    pub(in crate::curve) b: u64,
    /// The entries that [`Multiples`] wrote. The kernel replaces X and S of each by x and s.
    pub(in crate::curve) points: &'a mut [u64; POINTS],
    /// 1 / the product of all Z.
    pub(in crate::curve) inverse: &'a [u64],
    pub(in crate::curve) digits: &'a Digits,
    pub(in crate::curve) count: u32,
    pub(in crate::curve) adds_one: bool,
    pub(in crate::curve) out: &'a mut PointWords,
    pub(in crate::curve) of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Straus<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(mut self, s: S) {
        const { assert!(WIDTH == 4) };
        self.normalize(s);
        let b = s.splat([self.b, 0]);
        let mut i = self.count - 1;
        // The first pair is loaded as a sum of two affine points, so no doubling of a neutral element is
        // needed: the sum is shifted from the start.
        let [first, second] = self.operands(s, i);
        let mut sum = sum_of_products::<F, S>(s, b, affine_products::<F, S>(s, first, second));
        while i > 0 {
            i -= 1;
            // The four doublings form one chain of dependent products. The look-ups and the term's products are
            // independent of it; they are placed between the doublings, so that the processor can overlap them.
            let mut doubling = Doubling::<F, S>::new(s, b, sum);
            doubling.step(s, b);
            let [first, second] = self.operands(s, i);
            doubling.step(s, b);
            let products = affine_products::<F, S>(s, first, second);
            doubling.step(s, b);
            let term = sum_of_products::<F, S>(s, b, products);
            doubling.step(s, b);
            sum = add_points::<F, S>(s, doubling.point, term);
        }
        store_point::<F, S>(s, sum, self.out);
    }
}

impl<F: BinaryField> Straus<'_, F> {
    /// Makes all entries affine (x and s), from the last one down: the second pass of Montgomery's trick.
    #[inline(always)]
    fn normalize<S: Clmul>(&mut self, s: S) {
        let mut inverse = both::<F, S>(s, self.inverse);
        let mut entry = DIGITS;
        while entry > 0 {
            entry -= 1;
            let point = &mut self.points[entry * POINT..];
            // Invariant: inverse = 1 / the product of the Z of all entries up to this one, twice. The twins
            // beside it are the product of the Z before this entry, and its own Z. So `inverses` has 1 / Z of
            // this entry, and 1 / the product of the Z of all entries before it. x = X / Z and s = S / Z^2
            // take two products and a square.
            let inverses = mul::<F, S>(s, inverse, load::<F, S>(s, &point[POINT / 2..]));
            let scale = repeat::<F, S>(s, inverses, 0);
            let scales = blend::<F, S>(s, scale, square::<F, S>(s, scale));
            let affine = mul::<F, S>(s, load::<F, S>(s, point), scales);
            store::<F, S>(s, affine, point);
            inverse = repeat::<F, S>(s, inverses, 1);
        }
    }

    /// The affine coordinates x and s of d1\[i\] P and d2\[i\] psi(P), both shifted.
    #[inline(always)]
    fn operands<S: Clmul>(&self, s: S, i: u32) -> [Twins<F, S>; 2] {
        [self.multiple(s, self.digits.get(0, i), false), self.multiple(s, self.digits.get(1, i), true)]
    }

    /// The coordinates x and s of a digit times P or psi(P), in constant time: every entry is read.
    #[inline(always)]
    fn multiple<S: Clmul>(&self, s: S, (negative, number): (u64, u64), of_psi: bool) -> Twins<F, S> {
        // Both lanes hold twins of the same point, so they share the masks.
        let (mut masks, mut i) = ([s.zero(); BITS], 0);
        while i < BITS {
            masks[i] = s.splat([(number >> i & 1).wrapping_neg(); 2]);
            i += 1;
        }
        // A table for psi(P) is not needed: psi of an entry costs a few sums, and commutes with multiples.
        // The look-up leaves the sign alone, because its negation is for other coordinates; `negate` below is
        // for twins.
        let multiple = look_up::<Quadratic<F>, S, BITS>(s, self, s.zero(), masks);
        let multiple = if of_psi { psi::<F, S>(s, multiple, self.adds_one) } else { multiple };
        negate::<F, S>(s, s.splat([negative; 2]), multiple)
    }
}

/// The kernel of the sum of a point of odd order and a shifted one.
#[cfg(feature = "alloc")]
pub struct Sum<'a, F> {
    pub(in crate::curve) operands: &'a [PointWords; 2],
    pub(in crate::curve) out: &'a mut PointWords,
    pub(in crate::curve) of: PhantomData<F>,
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> ClmulKernel for Sum<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let [p, q] = self.operands;
        let sum = add_points::<F, S>(s, load_point::<F, S>(s, p), load_point::<F, S>(s, q));
        store_point::<F, S>(s, sum, self.out);
    }
}

#[inline(always)]
fn load_point<F: BinaryField, S: Clmul>(s: S, [xz, ts]: &PointWords) -> Point<Twins<F, S>> {
    Point { xz: load::<F, S>(s, xz), ts: load::<F, S>(s, ts) }
}

#[inline(always)]
fn store_point<F: BinaryField, S: Clmul>(s: S, p: Point<Twins<F, S>>, [xz, ts]: &mut PointWords) {
    store::<F, S>(s, p.xz, xz);
    store::<F, S>(s, p.ts, ts);
}

impl<F: BinaryField> Table<Quadratic<F>> for Straus<'_, F> {
    /// Loads x and s of an entry, which are twins.
    #[inline(always)]
    fn load<S: Clmul>(&self, s: S, entry: usize) -> Twins<F, S> {
        load::<F, S>(s, &self.points[entry * POINT..])
    }
}
