//! Toom3, word aligned (paper 002, appendix D), over slices.
use super::karat::{Levels, batch};
use super::passes::{accumulate, add, add_to};
use super::prepared::Operand;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// `out = a b` by five products of e words at the points 0, 1, x, x + 1 and infinity, x = X^(64 w).
///
/// The operands have 3e - 4w words: two low parts of e - w and a top part of e - 2w. The longest factors are those of
/// C(x) and C(x + 1), and with these sizes they have e words exactly. Paper 002 splits 3 (e - 2w).
pub(super) fn toom3(
    cpu: ClmulCpu,
    w: usize,
    below: Levels<'_>,
    a: &[u64],
    b: Operand<'_>,
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let e = (a.len() + 4 * w) / 3;
    let (points_a, scratch) = scratch.split_at_mut(5 * e);
    let (points_b, scratch) = scratch.split_at_mut(5 * e);
    let (values, scratch) = scratch.split_at_mut(10 * e);
    evaluate(cpu, w, a, points_a);
    let points_b = b.level(points_b, |b, points| evaluate(cpu, w, b, points));
    batch(cpu, below, e, points_a, points_b, values, scratch);
    match w {
        1 => interpolate::<1>(cpu, values, out),
        2 => interpolate::<2>(cpu, values, out),
        4 => interpolate::<4>(cpu, values, out),
        _ => interpolate::<8>(cpu, values, out),
    }
}

/// a0; a0 + a1 + a2; a0 + s; a0 + a1 + a2 + s; a2, with s = a1 x + a2 x^2: e words each.
pub(super) fn evaluate(cpu: ClmulCpu, w: usize, a: &[u64], points: &mut [u64]) {
    let e = points.len() / 5;
    let (a0, a12) = a.split_at(e - w);
    let (a1, a2) = a12.split_at(e - w);
    let (at0, points) = points.split_at_mut(e);
    let (at1, points) = points.split_at_mut(e);
    let (at_x, points) = points.split_at_mut(e);
    let (at_x1, at_infinity) = points.split_at_mut(e);
    at0[..e - w].copy_from_slice(a0);
    at0[e - w..].fill(0);
    at_infinity[..e - 2 * w].copy_from_slice(a2);
    at_infinity[e - 2 * w..].fill(0);
    add(cpu, at0, at_infinity, at1);
    add_to(cpu, at1, a1);
    // s, and then both points that take it.
    at_x[..w].fill(0);
    at_x[w..].copy_from_slice(a1);
    add_to(cpu, &mut at_x[2 * w..], a2);
    add(cpu, at1, at_x, at_x1);
    add_to(cpu, at_x, at0);
}

/// From the values w0 .. w4 at 0, 1, x, x + 1, infinity to the coefficients, and from them to the product:
///
/// w3 += w2; w1 += w0; w2 = (w2 + w0) / x; w2 = (w2 + w3 + w4 (x^3 + 1)) / (x + 1); w3 = (w3 + w1) / (x (x + 1));
/// w1 += w4 + w2; w2 += w3. Every division is exact.
struct Interpolate<'a, const W: usize> {
    values: [&'a mut [u64]; 5],
}

/// Division by x + 1 = X^(64 W) + 1 of what is divisible: q_i = p_i + q_(i - 1) in digits of W words.
#[inline(always)]
fn divide<const W: usize>(a: &mut [u64]) {
    let mut quotient = [0; W];
    for digit in a.as_chunks_mut::<W>().0 {
        for (q, p) in quotient.iter_mut().zip(digit) {
            *q ^= *p;
            *p = *q;
        }
    }
}

/// Division by x of what is divisible: a shift by W words.
#[inline(always)]
fn shift_down<const W: usize>(a: &mut [u64]) {
    let n = a.len();
    a.copy_within(W.., 0);
    a[n - W..].fill(0);
}

impl<const W: usize> ClmulKernel for Interpolate<'_, W> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let [w0, w1, w2, w3, w4] = self.values;
        accumulate(s, w3, w2);
        accumulate(s, w1, w0);
        accumulate(s, w2, w0);
        shift_down::<W>(w2);
        accumulate(s, w2, w3);
        accumulate(s, w2, w4);
        accumulate(s, &mut w2[3 * W..], w4);
        divide::<W>(w2);
        accumulate(s, w3, w1);
        shift_down::<W>(w3);
        divide::<W>(w3);
        accumulate(s, w1, w4);
        accumulate(s, w1, w2);
        accumulate(s, w2, w3);
    }
}

/// Interpolates and adds the coefficients at their places.
fn interpolate<const W: usize>(cpu: ClmulCpu, values: &mut [u64], out: &mut [u64]) {
    let e = values.len() / 10;
    let (w0, values) = values.split_at_mut(2 * e);
    let (w1, values) = values.split_at_mut(2 * e);
    let (w2, values) = values.split_at_mut(2 * e);
    let (w3, w4) = values.split_at_mut(2 * e);
    cpu.call_clmul(Interpolate::<W> { values: [&mut *w0, &mut *w1, &mut *w2, &mut *w3, &mut *w4] });
    let p = e - W;
    out[..2 * p].copy_from_slice(&w0[..2 * p]);
    out[2 * p..4 * p].copy_from_slice(&w2[..2 * p]);
    let top = out.len() - 4 * p;
    out[4 * p..].copy_from_slice(&w4[..top]);
    add_to(cpu, &mut out[p..3 * p], w1);
    add_to(cpu, &mut out[3 * p..], &w3[..2 * p]);
}
