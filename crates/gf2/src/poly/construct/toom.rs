//! Toom3 with word-aligned evaluation points (paper 002, appendix D), over slices.
use super::passes::add_to;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// The values of a, e words each, at 0, 1, x, x + 1 and infinity. With s = a1 x + a2 x^2 they are: a0; a0 + a1 +
/// a2; a0 + s; a0 + a1 + a2 + s; a2.
pub(super) fn evaluate(cpu: ClmulCpu, w: usize, a: &[u64], points: &mut [u64]) {
    cpu.call(Evaluate { w, a, points });
}

/// The kernel for the values, in one pass: word i of s is a1\[i - w\] + a2\[i - 2w\], missing words being zero.
struct Evaluate<'a> {
    w: usize,
    a: &'a [u64],
    points: &'a mut [u64],
}

impl ClmulKernel for Evaluate<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Evaluate { w, a, points } = self;
        // a0 and a1 have e - w words, a2 has e - 2w: shifted by w and 2w words, a1 x and a2 x^2 have e words.
        let e = points.len() / 5;
        let (a0, a12) = a.split_at(e - w);
        let (a1, a2) = a12.split_at(e - w);
        let (at0, points) = points.split_at_mut(e);
        let (at1, points) = points.split_at_mut(e);
        let (at_x, points) = points.split_at_mut(e);
        let (at_x1, at_infinity) = points.split_at_mut(e);
        // Five sums for each word of a point: one for s, two for a0 + a1 + a2, and one for each of the points
        // x and x + 1.
        let word = |part: &[u64], i: usize| part.get(i).copied().unwrap_or(0);
        // From 2w to e - 2w all five words are there, so vectors need no check; the ends go word by word.
        let step = 2 * S::K;
        let whole = e.saturating_sub(4 * w) / step * step;
        for i in (0..2 * w).chain(2 * w + whole..e) {
            let shifted = word(a1, i.wrapping_sub(w)) ^ word(a2, i.wrapping_sub(2 * w));
            (at0[i], at_infinity[i]) = (word(a0, i), word(a2, i));
            at1[i] = at0[i] ^ word(a1, i) ^ at_infinity[i];
            (at_x[i], at_x1[i]) = (at0[i] ^ shifted, at1[i] ^ shifted);
        }
        // Short points have no inner part, and the ranges below could begin past their end.
        if whole == 0 {
            return;
        }
        let inner = 2 * w..2 * w + whole;
        let plain = a0[inner.clone()].chunks_exact(step).zip(a1[inner.clone()].chunks_exact(step));
        let plain = plain.zip(a2[inner.clone()].chunks_exact(step));
        let shifted = a1[w..][..whole].chunks_exact(step).zip(a2[..whole].chunks_exact(step));
        let ends =
            at0[inner.clone()].chunks_exact_mut(step).zip(at_infinity[inner.clone()].chunks_exact_mut(step));
        let ends = ends.zip(at1[inner.clone()].chunks_exact_mut(step));
        let xs = at_x[inner.clone()].chunks_exact_mut(step).zip(at_x1[inner].chunks_exact_mut(step));
        for ((((a0, a1), a2), (a1x, a2xx)), (((at0, at_infinity), at1), (at_x, at_x1))) in
            plain.zip(shifted).zip(ends.zip(xs))
        {
            let (x0, x2, shifted) = (s.load(a0), s.load(a2), s.xor(s.load(a1x), s.load(a2xx)));
            let sum = s.xor(s.xor(x0, s.load(a1)), x2);
            s.store(x0, at0);
            s.store(x2, at_infinity);
            s.store(sum, at1);
            s.store(s.xor(x0, shifted), at_x);
            s.store(s.xor(sum, shifted), at_x1);
        }
    }
}

/// The kernel for the interpolation, from the values w0 .. w4 at 0, 1, x, x + 1, infinity to the coefficients w0,
/// c1, c2, c3, w4:
///
/// w3 += w2; w1 += w0; w2 = (w2 + w0) / x; w2 = (w2 + w3 + w4 (x^3 + 1)) / (x + 1); w3 = (w3 + w1) / (x (x + 1));
/// w1 += w4 + w2; w2 += w3. Every division is exact: by x a shift, by x + 1 the recursion q_i = p_i + q_(i - 1).
///
/// In one pass over digits of W words, q and r being the digits of the quotients:
///
/// q_i = (w0 + w2)_(i+1) + (w2 + w3 + w4)_i + w4_(i-3) + q_(i-1), r_i = (w0 + w1 + w2 + w3)_(i+1) + r_(i-1), c1 =
/// w0 + w1 + w4 + q, c2 = q + r, c3 = r.
struct Interpolate<'a, const W: usize> {
    values: [&'a mut [[u64; W]]; 5],
}

/// The sum a + b of two digits over F2.
#[inline(always)]
fn plus<const W: usize>(mut a: [u64; W], b: [u64; W]) -> [u64; W] {
    let mut i = 0;
    while i < W {
        a[i] ^= b[i];
        i += 1;
    }
    a
}

impl<const W: usize> ClmulKernel for Interpolate<'_, W> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, _: S) {
        let [w0, w1, w2, w3, w4] = self.values;
        let n = w0.len();
        let (w0, w1, w2, w3, w4) = (&*w0, &mut w1[..n], &mut w2[..n], &mut w3[..n], &w4[..n]);
        let zero = [0; W];
        // q and r carry from digit to digit: the exact divisions by x + 1, from the lowest coefficient up.
        // Thirteen sums of digits for each digit of the values.
        let (mut q, mut r) = (zero, zero);
        for i in 0..n {
            // Digit i of the results needs digits i and i + 1 of w1, w2 and w3, so it may overwrite digit i. The
            // shift by one is the division by x.
            let (next02, next13) = match i + 1 < n {
                true => (plus(w0[i + 1], w2[i + 1]), plus(w1[i + 1], w3[i + 1])),
                false => (zero, zero),
            };
            // The term x^3 of w4 (x^3 + 1): w4, three digits up.
            let back = if i < 3 { zero } else { w4[i - 3] };
            q = plus(plus(q, next02), plus(plus(w2[i], w3[i]), plus(w4[i], back)));
            r = plus(r, plus(next02, next13));
            w1[i] = plus(plus(w0[i], w1[i]), plus(w4[i], q));
            (w2[i], w3[i]) = (plus(q, r), r);
        }
    }
}

/// The product `out` from its values at the points of [`evaluate`], two words of `values` for each word of a point.
pub(super) fn interpolate(cpu: ClmulCpu, w: usize, values: &mut [u64], out: &mut [u64]) {
    match w {
        1 => interpolate_by::<1>(cpu, values, out),
        2 => interpolate_by::<2>(cpu, values, out),
        4 => interpolate_by::<4>(cpu, values, out),
        _ => interpolate_by::<8>(cpu, values, out),
    }
}

/// Interpolates, and adds the coefficients w0, c1, c2, c3, w4 at their places, p = e - w words apart.
fn interpolate_by<const W: usize>(cpu: ClmulCpu, values: &mut [u64], out: &mut [u64]) {
    let e = values.len() / 10;
    let (w0, values) = values.split_at_mut(2 * e);
    let (w1, values) = values.split_at_mut(2 * e);
    let (w2, values) = values.split_at_mut(2 * e);
    let (w3, w4) = values.split_at_mut(2 * e);
    let digits = [&mut *w0, &mut *w1, &mut *w2, &mut *w3, &mut *w4].map(|w| w.as_chunks_mut::<W>().0);
    cpu.call(Interpolate::<W> { values: digits });
    // w0, c2 and w4 do not overlap and fill `out`; c1 and c3 are added. Each coefficient is a product of parts, so
    // it has at most 2p words; words above are zero.
    let p = e - W;
    out[..2 * p].copy_from_slice(&w0[..2 * p]);
    out[2 * p..4 * p].copy_from_slice(&w2[..2 * p]);
    // That is 2 (e - 2 w) words: the top parts, whose product w4 is, are w words shorter than the others.
    let top = out.len() - 4 * p;
    out[4 * p..].copy_from_slice(&w4[..top]);
    add_to(cpu, &mut out[p..3 * p], w1);
    add_to(cpu, &mut out[3 * p..], &w3[..2 * p]);
}
