//! Karatsuba's method in all lanes of a backend, for interleaved operands: vector i has block i of each of the K
//! operands.
//!
//! Vectors are loaded and stored as they lie in memory. If the operands lay one after the other, every leaf would
//! have to move lanes for every block. Here that is one pass over the operands and one over the product.
use super::chain::Levels;
use super::leaves;
use super::level::Level;
use crate::poly::kernel::layout::{Interleaved, Job, Layout};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// The number of blocks that change their layout at a time: as many as lanes, so that a backend may move whole vectors.
const BLOCKS: usize = 4;

/// The pass that copies `K` polynomials from one layout to another.
struct Rearrange<'a, F, T> {
    from: (&'a [u64], F),
    to: (&'a mut [u64], T),
    /// The number of blocks (128 bits) of each polynomial.
    blocks: usize,
}

impl<F: Layout, T: Layout> ClmulKernel for Rearrange<'_, F, T> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Rearrange { from: (from, f), to: (to, t), blocks } = self;
        // Four blocks at a time, as a backend of four lanes transposes whole registers; the rest one by one.
        let mut i = 0;
        while i + BLOCKS <= blocks {
            let four: [S::X; BLOCKS] = f.load(s, &from[f.offset::<S>(i)..]);
            t.store(s, four, &mut to[t.offset::<S>(i)..]);
            i += BLOCKS;
        }
        while i < blocks {
            let one: [S::X; 1] = f.load(s, &from[f.offset::<S>(i)..]);
            t.store(s, one, &mut to[t.offset::<S>(i)..]);
            i += 1;
        }
    }
}

/// Computes one product of `n` words in each lane of `cpu`, by two or more levels of Karat2. The job
/// has the distances between operands.
pub(super) fn lanes(cpu: ClmulCpu, levels: Levels<'_>, n: usize, job: Job<'_>, scratch: &mut [u64]) {
    let (k, Job { a, b, out, layout: [la, lb, lo] }) = (cpu.lanes(), job);
    if k == 1 {
        // With one lane both layouts are the same, so no copy is needed.
        return products(cpu, levels, n, Job { a, b, out, layout: [Interleaved; 3] }, scratch);
    }
    // Scratch: k n words for each operand, 2 k n for the products, then that of the levels.
    let (inner_a, scratch) = scratch.split_at_mut(k * n);
    let (inner_b, scratch) = scratch.split_at_mut(k * n);
    let (inner_out, scratch) = scratch.split_at_mut(2 * k * n);
    cpu.call(Rearrange { from: (a, la), to: (&mut *inner_a, Interleaved), blocks: n / 2 });
    cpu.call(Rearrange { from: (b, lb), to: (&mut *inner_b, Interleaved), blocks: n / 2 });
    let inner = Job { a: inner_a, b: inner_b, out: &mut *inner_out, layout: [Interleaved; 3] };
    products(cpu, levels, n, inner, scratch);
    cpu.call(Rearrange { from: (inner_out, Interleaved), to: (out, lo), blocks: n });
}

/// The words of scratch that [`lanes`] takes for `k` lanes: interleaved copies of operands and product,
/// and that of the levels.
pub(super) const fn lanes_scratch(levels: usize, n: usize, k: usize) -> usize {
    let inner = if k == 1 { 0 } else { 4 * k * n };
    inner + products_scratch(levels, n, k)
}

/// Computes one product of `n` words in each lane, of interleaved operands: a level at a time down to two
/// levels, which are one kernel.
fn products(cpu: ClmulCpu, levels: Levels<'_>, n: usize, job: Job<'_, Interleaved>, scratch: &mut [u64]) {
    let (steps, leaf) = levels;
    if let [_, _] = steps {
        // The last two levels are one kernel with their leaf.
        return leaves::karat_karat(cpu, leaf, job, scratch);
    }
    let (mut level, scratch) = Level::new(job, cpu.lanes() * n / 2, scratch);
    cpu.call(level.sums());
    // One after the other: each fills all lanes, and the three share the scratch below.
    for job in level.products() {
        products(cpu, (&steps[1..], leaf), n / 2, job, scratch);
    }
    cpu.call(level.fold());
}

/// The words of scratch that [`products`] takes for `k` lanes: 2 k n for a level, the next ones being half as long.
const fn products_scratch(levels: usize, n: usize, k: usize) -> usize {
    let below = if levels > 2 { products_scratch(levels - 1, n / 2, k) } else { 0 };
    2 * k * n + below
}
