//! Karat2, Karat3 and Karat5 (paper 002, Algorithms 1 to 3) over slices: one level each, over any method for its
//! parts.
use super::passes::{Fold, Sums, Windows, add, add_to};
use crate::poly::kernel::layout::Job;
use carryless_lanes::ClmulCpu;

/// A method to multiply the parts of a level.
pub(crate) trait Below: Copy {
    /// Computes one product of `n` words in each lane of `cpu`; the job has the distances between operands.
    fn lanes(self, cpu: ClmulCpu, n: usize, job: Job<'_>, scratch: &mut [u64]);
    /// Computes one product, `out = a b`, on all lanes of `cpu`: operands of equal size, `out` twice as long.
    fn product(self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]);
}

/// A level of Karat2 in every lane: R0 + (R0 + R1 + R2) X^h + R1 X^(2h). Scratch: 2 k n words and
/// that of the level below.
pub(crate) fn karat2_lanes(cpu: ClmulCpu, below: impl Below, n: usize, job: Job<'_>, scratch: &mut [u64]) {
    // Beside the three products, a level takes seven sums for each word of a half: two here, five in the
    // fold.
    let (h, k) = (n / 2, cpu.lanes());
    let Job { a, b, out, layout } = job;
    let (sum_a, scratch) = scratch.split_at_mut(k * h);
    let (sum_b, scratch) = scratch.split_at_mut(k * h);
    let (middle, scratch) = scratch.split_at_mut(2 * k * h);
    cpu.call(Sums { a, b, strides: [layout[0], layout[1]], count: k, half: h, sum_a, sum_b });
    // R0 and R1 have the distances of the whole operands. Side by side they fill `out`, so the fold works in place.
    below.lanes(cpu, h, Job { a, b, out, layout }, scratch);
    below.lanes(cpu, h, Job { a: &a[h..], b: &b[h..], out: &mut out[2 * h..], layout }, scratch);
    below.lanes(cpu, h, Job { a: sum_a, b: sum_b, out: middle, layout: [h, h, 2 * h] }, scratch);
    cpu.call(Fold { out, stride: layout[2], count: k, half: h, middle });
}

/// A level of Karat2 for one product: R0 and R1 at once on two lanes, then R2 as a single product. Scratch: 2
/// n words and that below.
pub(crate) fn karat2(
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
    cpu.call(Sums { a, b, strides: [0; 2], count: 1, half: h, sum_a, sum_b });
    // The halves of an operand are two operands h words apart, their products 2h words apart.
    below.lanes(cpu.with_lanes(2), h, Job { a, b, out, layout: [h, h, 2 * h] }, scratch);
    // R2 is alone, so it gets all lanes and not only the two of R0 and R1.
    below.product(cpu, sum_a, sum_b, middle, scratch);
    cpu.call(Fold { out, stride: 0, count: 1, half: h, middle });
}

/// Two levels of Karat2 for one product on four lanes: four products of quarters at once, four of sums, and the
/// ninth as a single product. Scratch: 5 n words and that below.
pub(crate) fn karat4(
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
    // The four products of quarters lie in `out` two by two, as the folds of the lower level want R0 and R1.
    below.lanes(cpu, q, Job { a, b, out, layout: [q, q, 2 * q] }, scratch);
    let job = Job { a: sums_a, b: sums_b, out: middle, layout: [q, q, 2 * q] };
    below.lanes(cpu, q, job, scratch);
    // The ninth product is alone and has all lanes for its own levels.
    below.product(cpu, &sums_a[4 * q..], &sums_b[4 * q..], &mut middle[8 * q..], scratch);
    let (sides, upper) = middle.split_at_mut(4 * q);
    let (upper, last) = upper.split_at_mut(4 * q);
    // Up again: the lower level in both halves of `out`, the lower level of R2 in `upper`, then the upper level.
    cpu.call(Fold { out, stride: 4 * q, count: 2, half: q, middle: sides });
    cpu.call(Fold { out: upper, stride: 0, count: 1, half: q, middle: last });
    cpu.call(Fold { out, stride: 0, count: 1, half: 2 * q, middle: upper });
}

/// The operands of all products of M parts: A_0 .. A_(M-1), then the sums A_i + A_j in the order of [`pairs`].
pub(super) fn parts<const M: usize>(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    let e = a.len() / M;
    let (equal, mixed) = out.split_at_mut(a.len());
    // The parts themselves are copied beside their sums, so that one batch multiplies all.
    equal.copy_from_slice(a);
    for ((i, j), sum) in pairs::<M>().zip(mixed.chunks_exact_mut(e)) {
        add(cpu, &a[i * e..][..e], &a[j * e..][..e], sum);
    }
}

/// The product of M parts, `out`, from the products of [`parts`] (paper 002, Algorithms 2 and 3). With Y = X^(64 e),
/// R_i = A_i B_i and R_ij = (A_i + A_j)(B_i + B_j) it is
///
/// (sum of R_i Y^i)(1 + Y + .. + Y^(M - 1)) + sum over i < j of R_ij Y^(i + j).
pub(super) fn join<const M: usize>(cpu: ClmulCpu, products: &[u64], out: &mut [u64]) {
    let e = out.len() / (2 * M);
    // A_i B_j + A_j B_i = R_ij + R_i + R_j. Each R_i so occurs at Y^(i + j) for all j, which `Windows`
    // computes in one pass. Sums of words: 4 (M - 1) e there and M (M - 1) e for the R_ij, after M (M - 1) e
    // for the operands in `parts`. Without the windows, R_i and R_j would be added to each R_ij, which takes
    // 2 M (M - 1) e.
    let (equal, mixed) = products.split_at(2 * M * e);
    cpu.call(Windows { out, equal, part: e });
    for ((i, j), r) in pairs::<M>().zip(mixed.chunks_exact(2 * e)) {
        add_to(cpu, &mut out[(i + j) * e..], r);
    }
}

/// All pairs i < j < M, i ascending, then j.
fn pairs<const M: usize>() -> impl Iterator<Item = (usize, usize)> {
    (0..M).flat_map(|i| (i + 1..M).map(move |j| (i, j)))
}
