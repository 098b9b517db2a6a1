//! The descent through the levels of a chain: which method multiplies at each level, and with which scratch.
//!
//! A backend of K lanes computes K products of equal size at once ([`lanes`]). A single product is made of such:
//! its products A0 B0 and A1 B1 have equal size and fill two lanes. For four lanes two levels give A0 B0, A1 B1, A2
//! B2, A3 B3 and (A0 + A1)(B0 + B1), (A2 + A3)(B2 + B3), (A0 + A2)(B0 + B2), (A1 + A3)(B1 + B3). The ninth product
//! is again a single one. So lanes are idle only in the smallest single products, which take one lane. Single
//! products of up to 2048 bits are one kernel ([`single`](super::single)).
use super::chain::{Levels, Step};
use super::karat::{Below, join, karat2, karat2_lanes, karat4, parts};
use super::prepared::{Operand, top};
use super::{alone, interleaved, leaves, toom};
use crate::poly::kernel::layout::Job;
use carryless_lanes::ClmulCpu;

impl Below for Levels<'_> {
    #[inline(always)]
    fn lanes(self, cpu: ClmulCpu, n: usize, job: Job<'_>, scratch: &mut [u64]) {
        lanes(cpu, self, n, job, scratch);
    }

    #[inline(always)]
    fn product(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        product(cpu, self, a, Operand::words(b), out, scratch);
    }
}

/// Computes one product of `n` words in each lane of `cpu`: by one kernel, by levels of Karat2 in lanes, or
/// else one after the other.
pub(super) fn lanes(cpu: ClmulCpu, levels: Levels<'_>, n: usize, job: Job<'_>, scratch: &mut [u64]) {
    let (steps, leaf) = levels;
    match steps {
        // Fewest dispatches first: a leaf, a level fused with its leaf, all levels interleaved, one level at a
        // time.
        [] => leaves::leaf(cpu, leaf, job),
        [Step::Karat2] => leaves::karat(cpu, leaf, job),
        _ if interleaves(steps) => interleaved::lanes(cpu, levels, n, job, scratch),
        [Step::Karat2, rest @ ..] => karat2_lanes(cpu, (rest, leaf), n, job, scratch),
        _ => {
            // Other steps have no form in lanes, as their passes work on the parts of one operand. The products
            // share the scratch.
            let Job { a, b, out, layout: [sa, sb, so] } = job;
            for i in 0..cpu.lanes() {
                let out = &mut out[i * so..][..2 * n];
                let b = Operand::words(&b[i * sb..][..n]);
                product(cpu, levels, &a[i * sa..][..n], b, out, scratch);
            }
        }
    }
}

/// Whether products in lanes have their operands interleaved: all steps are Karat2, and there are two or more, for
/// which the two extra passes pay.
const fn interleaves(steps: &[Step]) -> bool {
    let mut i = 0;
    while i < steps.len() && matches!(steps[i], Step::Karat2) {
        i += 1;
    }
    i == steps.len() && i >= 2
}

/// The words of scratch that [`lanes`] takes for `k` lanes.
pub(super) const fn lanes_scratch(levels: Levels<'_>, n: usize, k: usize) -> usize {
    let (steps, leaf) = levels;
    match steps {
        // The arms must match those of `lanes`.
        [] | [Step::Karat2] => 0,
        _ if interleaves(steps) => interleaved::lanes_scratch(steps.len(), n, k),
        [Step::Karat2, rest @ ..] => 2 * k * n + lanes_scratch((rest, leaf), n / 2, k),
        _ => product_scratch(levels, n, k),
    }
}

/// Computes one product, `out = a b`, on all lanes of `cpu`. Operands have the size of the levels; `out` is twice
/// as long and all of it is written.
pub(super) fn product(
    cpu: ClmulCpu,
    levels: Levels<'_>,
    a: &[u64],
    b: Operand<'_>,
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let (steps, leaf) = levels;
    // Levels of Karat2 leave prepared operands as they are; Karat3 does not.
    let words = !b.prepared || top(levels).is_none();
    if words
        && alone::fits(levels, a.len(), cpu.lanes())
        && let Some((_, kernel)) = alone::kernel(cpu, a.len())
    {
        return kernel.call(a, b.words, out);
    }
    match steps {
        [Step::Karat3, rest @ ..] => karat::<3, 6>(cpu, (rest, leaf), a, b, out, scratch),
        [Step::Karat5, rest @ ..] => karat::<5, 15>(cpu, (rest, leaf), a, b, out, scratch),
        [Step::Toom3(word), rest @ ..] => {
            toom3(cpu, word.words(), (rest, leaf), a, b, out, scratch);
        }
        [Step::Karat2, Step::Karat2, rest @ ..] if cpu.lanes() == 4 => {
            karat4(cpu, (rest, leaf), a, b.words, out, scratch);
        }
        [Step::Karat2, rest @ ..] if cpu.lanes() > 1 => karat2(cpu, (rest, leaf), a, b.words, out, scratch),
        _ => {
            // A leaf, or Karat2 on one lane: a job of one product.
            let job = Job { a, b: b.words, out, layout: [0; 3] };
            lanes(cpu.with_lanes(1), levels, a.len(), job, scratch);
        }
    }
}

/// The words of scratch that [`product`] takes on a backend of `k` lanes.
pub(super) const fn product_scratch(levels: Levels<'_>, n: usize, k: usize) -> usize {
    let (steps, leaf) = levels;
    match steps {
        // Karat3 needs scratch for prepared operands, though its kernels take none.
        [] | [Step::Karat2, ..] if alone::covers(levels, n, k) => 0,
        // The arms must match those of `product`. M-way Karatsuba: P operands for a and for b, P products twice as
        // long.
        // 4 P e words, with P = 6 and e = n / 3, or P = 15 and e = n / 5.
        [Step::Karat3, rest @ ..] => 24 * (n / 3) + batch_scratch((rest, leaf), n / 3, k),
        [Step::Karat5, rest @ ..] => 60 * (n / 5) + batch_scratch((rest, leaf), n / 5, k),
        [Step::Toom3(word), rest @ ..] => {
            // Five points of a, five of b, and five products twice as long.
            let e = (n + 4 * word.words()) / 3;
            20 * e + batch_scratch((rest, leaf), e, k)
        }
        // `karat4`: five sums for each operand and five products, 20 quarters in all. `karat2`: two sums and a
        // product, four halves.
        [Step::Karat2, Step::Karat2, rest @ ..] if k == 4 => 5 * n + batch_scratch((rest, leaf), n / 4, k),
        [Step::Karat2, rest @ ..] if k > 1 => 2 * n + batch_scratch((rest, leaf), n / 2, k),
        _ => lanes_scratch(levels, n, 1),
    }
}

/// Computes `a.len() / e` products of `e` words, one after the other in all three slices: in lanes, unless the top
/// step is Karat3, Karat5 or Toom3.
pub(super) fn batch(
    cpu: ClmulCpu,
    below: Levels<'_>,
    e: usize,
    a: &[u64],
    b: Operand<'_>,
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let (mut i, count) = (0, a.len() / e);
    // In lanes operand i lies i e words from the first. That holds where no level below prepares operands: prepared
    // ones are longer.
    let most = if top(below).is_some() { 1 } else { cpu.lanes() };
    while i < count {
        let (a, out) = (&a[i * e..], &mut out[2 * i * e..]);
        // As many at once as lanes and products are left. A backend of fewer lanes runs the rest: three
        // products on four lanes are two and one.
        let width = [4, 2, 1].into_iter().find(|&w| w <= most && w <= count - i).unwrap_or(1);
        if width == 1 {
            product(cpu, below, &a[..e], b.product(i, below, e), &mut out[..2 * e], scratch);
        } else {
            let job = Job { a, b: &b.words[i * e..], out, layout: [e, e, 2 * e] };
            lanes(cpu.with_lanes(width), below, e, job, scratch);
        }
        i += width;
    }
}

/// The words of scratch that [`batch`] takes. Its products come one after the other and share it.
pub(super) const fn batch_scratch(below: Levels<'_>, e: usize, k: usize) -> usize {
    let (lanes, alone) = (lanes_scratch(below, e, k), product_scratch(below, e, k));
    if lanes > alone { lanes } else { alone }
}

/// A level of Karatsuba's method for M parts, which takes P = M (M + 1) / 2 products of e words. Scratch: 4 P e words
/// and that of the products.
fn karat<const M: usize, const P: usize>(
    cpu: ClmulCpu,
    below: Levels<'_>,
    a: &[u64],
    b: Operand<'_>,
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let e = a.len() / M;
    // P operands of e words for a and for b, and P products. All products have equal size, so lanes can share them.
    let (parts_a, scratch) = scratch.split_at_mut(P * e);
    let (parts_b, scratch) = scratch.split_at_mut(P * e);
    let (products, scratch) = scratch.split_at_mut(2 * P * e);
    parts::<M>(cpu, a, parts_a);
    let parts_b = b.level(parts_b, |b, out| parts::<M>(cpu, b, out));
    batch(cpu, below, e, parts_a, parts_b, products, scratch);
    join::<M>(cpu, products, out);
}

/// `out = a b` by five products of e words, at the points 0, 1, x, x + 1 and infinity, x = X^(64 w). Overwrites all
/// of `out`. Scratch: 20 e words and that of the products.
///
/// The operands have 3e - 4w words: two low parts of e - w and a top part of e - 2w. The longest factors are those
/// at x and x + 1, and with these sizes they have exactly e words. Paper 002 splits 3 (e - 2w) words.
fn toom3(
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
    toom::evaluate(cpu, w, a, points_a);
    let points_b = b.level(points_b, |b, points| toom::evaluate(cpu, w, b, points));
    // All five products have e words, so lanes can share them.
    batch(cpu, below, e, points_a, points_b, values, scratch);
    toom::interpolate(cpu, w, values, out);
}
