//! KaratRec, Karat3 and Karat5 (paper 002, Algorithms 1 to 3) over slices.
//!
//! A machine of K lanes computes K products of equal size at once ([`lanes`]). A single product is made of such:
//! its products A0 B0 and A1 B1 have equal size and fill two lanes. For four lanes two levels give A0 B0, A1 B1, A2
//! B2, A3 B3 and (A0 + A1)(B0 + B1), (A2 + A3)(B2 + B3), (A0 + A2)(B0 + B2), (A1 + A3)(B1 + B3). The ninth product
//! is again a single one. So lanes are idle only in the smallest single products, which take one lane. Single
//! products of up to 2048 bits are one kernel ([`single`](super::single)).
use super::passes::{Fold, Sums, Windows, add, add_to};
use super::prepared::{Operand, top};
use super::toom::toom3;
use super::{Step, interleaved, leaves};
use crate::poly::kernel::layout::Job;
use carryless_lanes::ClmulCpu;

/// The steps below the current level, top first, and the words of a leaf.
pub(super) type Levels<'a> = (&'a [Step], usize);

/// A method to multiply the parts of a level.
pub(super) trait Below: Copy {
    /// Computes one product of `n` words in each lane of `cpu`; the job has the distances between operands.
    fn lanes(self, cpu: ClmulCpu, n: usize, job: Job<'_>, scratch: &mut [u64]);
    /// Computes one product, `out = a b`, on all lanes of `cpu`: operands of equal size, `out` twice as long.
    fn product(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]);
}

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

/// Computes one product of `n` words in each lane of `cpu`: by one kernel, by levels of Karat2 in lanes, or else
/// one after the other.
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

/// A level of Karat2 in every lane: R0 + (R0 + R1 + R2) X^h + R1 X^(2h). Scratch: 2 k n words and that of the level
/// below.
pub(super) fn karat2_lanes(cpu: ClmulCpu, below: impl Below, n: usize, job: Job<'_>, scratch: &mut [u64]) {
    let (h, k) = (n / 2, cpu.lanes());
    let Job { a, b, out, layout } = job;
    let (sum_a, scratch) = scratch.split_at_mut(k * h);
    let (sum_b, scratch) = scratch.split_at_mut(k * h);
    let (middle, scratch) = scratch.split_at_mut(2 * k * h);
    cpu.call_clmul(Sums { a, b, strides: [layout[0], layout[1]], count: k, half: h, sum_a, sum_b });
    // R0 and R1 have the distances of the whole operands. Side by side they fill `out`, so the fold works in place.
    below.lanes(cpu, h, Job { a, b, out, layout }, scratch);
    below.lanes(cpu, h, Job { a: &a[h..], b: &b[h..], out: &mut out[2 * h..], layout }, scratch);
    below.lanes(cpu, h, Job { a: sum_a, b: sum_b, out: middle, layout: [h, h, 2 * h] }, scratch);
    cpu.call_clmul(Fold { out, stride: layout[2], count: k, half: h, middle });
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

/// Whether one kernel computes the whole product on `k` lanes, or on two of them.
const fn is_alone(levels: Levels<'_>, n: usize, k: usize) -> bool {
    // Four lanes would be full with two levels, but that takes 50 % more instructions
    // (docs/performance-products.md).
    let karats = matches!(levels.0, [] | [Step::Karat2] | [Step::Karat2, Step::Karat2]);
    k > 1 && karats && leaves::is_alone(n)
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
    match steps {
        _ if is_alone(levels, a.len(), cpu.lanes()) => {
            leaves::alone(cpu, a.len(), a, b.words, out);
        }
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

/// The words of scratch that [`product`] takes on a machine of `k` lanes.
pub(super) const fn product_scratch(levels: Levels<'_>, n: usize, k: usize) -> usize {
    let (steps, leaf) = levels;
    match steps {
        _ if is_alone(levels, n, k) => 0,
        // The arms must match those of `product`. M-way Karatsuba: P operands for a and for b, P products twice as
        // long.
        [Step::Karat3, rest @ ..] => 24 * (n / 3) + batch_scratch((rest, leaf), n / 3, k),
        [Step::Karat5, rest @ ..] => 60 * (n / 5) + batch_scratch((rest, leaf), n / 5, k),
        [Step::Toom3(word), rest @ ..] => {
            let e = (n + 4 * word.words()) / 3;
            20 * e + batch_scratch((rest, leaf), e, k)
        }
        [Step::Karat2, Step::Karat2, rest @ ..] if k == 4 => 5 * n + batch_scratch((rest, leaf), n / 4, k),
        [Step::Karat2, rest @ ..] if k > 1 => 2 * n + batch_scratch((rest, leaf), n / 2, k),
        _ => lanes_scratch(levels, n, 1),
    }
}

/// A level of Karat2 for one product: R0 and R1 at once on two lanes, then R2 as a single product. Scratch: 2 n
/// words and that below.
pub(super) fn karat2(
    cpu: ClmulCpu,
    below: impl Below,
    a: &[u64],
    b: &[u64],
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let h = a.len() / 2;
    let (sum_a, scratch) = scratch.split_at_mut(h);
    let (sum_b, scratch) = scratch.split_at_mut(h);
    let (middle, scratch) = scratch.split_at_mut(2 * h);
    cpu.call_clmul(Sums { a, b, strides: [0; 2], count: 1, half: h, sum_a, sum_b });
    // The halves of an operand are two operands h words apart, their products 2h words apart.
    below.lanes(cpu.with_lanes(2), h, Job { a, b, out, layout: [h, h, 2 * h] }, scratch);
    below.product(cpu, sum_a, sum_b, middle, scratch);
    cpu.call_clmul(Fold { out, stride: 0, count: 1, half: h, middle });
}

/// Two levels of Karat2 for one product on four lanes: four products of quarters at once, four of sums, and the
/// ninth as a single product. Scratch: 5 n words and that below.
pub(super) fn karat4(
    cpu: ClmulCpu,
    below: impl Below,
    a: &[u64],
    b: &[u64],
    out: &mut [u64],
    scratch: &mut [u64],
) {
    // 9 products of a quarter in three calls: 4 lanes, 4 lanes, and one product on all lanes.
    let q = a.len() / 4;
    let (sums_a, scratch) = scratch.split_at_mut(5 * q);
    let (sums_b, scratch) = scratch.split_at_mut(5 * q);
    let (middle, scratch) = scratch.split_at_mut(10 * q);
    // Sums in the order of the products in `middle`: A0 + A1, A2 + A3, A0 + A2, A1 + A3, and the sum of all four.
    for (sums, a) in [(&mut *sums_a, a), (&mut *sums_b, b)] {
        add(cpu, &a[..q], &a[q..], &mut sums[..q]);
        add(cpu, &a[2 * q..3 * q], &a[3 * q..], &mut sums[q..2 * q]);
        add(cpu, &a[..2 * q], &a[2 * q..], &mut sums[2 * q..4 * q]);
        let (first, last) = sums.split_at_mut(4 * q);
        add(cpu, &first[..q], &first[q..], last);
    }
    below.lanes(cpu, q, Job { a, b, out, layout: [q, q, 2 * q] }, scratch);
    let job = Job { a: sums_a, b: sums_b, out: middle, layout: [q, q, 2 * q] };
    below.lanes(cpu, q, job, scratch);
    below.product(cpu, &sums_a[4 * q..], &sums_b[4 * q..], &mut middle[8 * q..], scratch);
    let (sides, upper) = middle.split_at_mut(4 * q);
    let (upper, last) = upper.split_at_mut(4 * q);
    // Up again: the lower level in both halves of `out`, the lower level of R2 in `upper`, then the upper level.
    cpu.call_clmul(Fold { out, stride: 4 * q, count: 2, half: q, middle: sides });
    cpu.call_clmul(Fold { out: upper, stride: 0, count: 1, half: q, middle: last });
    cpu.call_clmul(Fold { out, stride: 0, count: 1, half: 2 * q, middle: upper });
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
    let most = if top(below).is_some() { 1 } else { cpu.lanes() };
    while i < count {
        let (a, out) = (&a[i * e..], &mut out[2 * i * e..]);
        // As many at once as lanes and products are left.
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

/// Karatsuba's method for M parts (paper 002, Algorithms 2 and 3). With Y = X^(64 e), R_i = A_i B_i and R_ij =
/// (A_i + A_j)(B_i + B_j), it takes P = M (M + 1) / 2 products of e words:
///
/// (sum of R_i Y^i)(1 + Y + .. + Y^(M - 1)) + sum over i < j of R_ij Y^(i + j).
fn karat<const M: usize, const P: usize>(
    cpu: ClmulCpu,
    below: Levels<'_>,
    a: &[u64],
    b: Operand<'_>,
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let e = a.len() / M;
    // Scratch: P operands of e words for a and for b, and P products. All products have equal size, so lanes can
    // share them.
    let (parts_a, scratch) = scratch.split_at_mut(P * e);
    let (parts_b, scratch) = scratch.split_at_mut(P * e);
    let (products, scratch) = scratch.split_at_mut(2 * P * e);
    parts::<M>(cpu, a, parts_a);
    let parts_b = b.level(parts_b, |b, out| parts::<M>(cpu, b, out));
    batch(cpu, below, e, parts_a, parts_b, products, scratch);
    // A_i B_j + A_j B_i = R_ij + R_i + R_j. Each R_i so occurs at Y^(i + j) for all j, which `Windows` computes in
    // one pass.
    let (equal, mixed) = products.split_at(2 * M * e);
    cpu.call_clmul(Windows { out, equal, part: e });
    for ((i, j), r) in pairs::<M>().zip(mixed.chunks_exact(2 * e)) {
        add_to(cpu, &mut out[(i + j) * e..], r);
    }
}

/// The operands of all products: A_0 .. A_(M-1), then the sums A_i + A_j in the order of [`pairs`].
pub(super) fn parts<const M: usize>(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    let e = a.len() / M;
    let (equal, mixed) = out.split_at_mut(a.len());
    equal.copy_from_slice(a);
    for ((i, j), sum) in pairs::<M>().zip(mixed.chunks_exact_mut(e)) {
        add(cpu, &a[i * e..][..e], &a[j * e..][..e], sum);
    }
}

/// All pairs i < j < M, i ascending, then j.
fn pairs<const M: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..M).flat_map(|i| (i + 1..M).map(move |j| (i, j)))
}
