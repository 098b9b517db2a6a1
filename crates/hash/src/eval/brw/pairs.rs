//! Half as many streams as lanes: two chunks of rows side by side, so that no lane is idle.
//!
//! Algorithm 1 may proceed in large leaves: a chunk of 2^m rows is a leaf of 2^m - 1 rows and one product. Two
//! neighbouring chunks have leaves of the same shape with the same squares of tau. So the even lanes take the leaf
//! of the first chunk and the odd lanes that of the second. Only their last products come in sequence:
//!
//! ```text
//! e = carry(leaf_1) (X_1 + P_m)
//! push carry(leaf_2 + e + entries) (X_2 + P_z)
//! ```
//!
//! In these products, and in the stack, both lanes of a stream hold the same value.
use super::algorithm1::{Stack, groups};
use super::leaf::{leaf2, plus};
use super::rows::Rows;
use crate::field::LaneField;

/// lg of the rows in the largest pair of chunks: large enough that the last products do not count, small enough
/// that both chunks stay in the first-level cache.
const LARGEST: u32 = 8;

/// Absorbs all whole groups of four rows, as [`groups`] does. With `two_runs` it takes them in pairs of chunks as
/// far as possible. `done` rows went before, a multiple of 4.
#[inline(always)]
pub(crate) fn absorb<F: LaneField>(
    f: F,
    t: usize,
    powers: &[F::Limbs],
    stack: &mut Stack<'_, F>,
    rows: Rows<'_>,
    done: u64,
    two_runs: bool,
) {
    let end = done + (rows.count() as u64 & !3);
    let mut row = done;
    while row < end {
        let pair = if two_runs { pair_at(row, end) } else { None };
        // With two runs but no pair, four rows at a time: both lanes of a stream then take the same blocks.
        let to = match pair {
            Some(lg) => row + (1 << lg),
            None if two_runs => row + 4,
            None => end,
        };
        let part = rows.range((row - done) as usize, (to - done) as usize);
        // One call of `groups` for both cases, because its inlined code is long. A pair keeps its last four rows
        // back.
        let (part, before, first) = match pair {
            Some(_) => (part.folded(), 4, 0),
            None => (part, 0, row),
        };
        // Entries below this one are of earlier chunks: `last_products` joins them only in its last step.
        let base = stack.top;
        groups(f, t, powers, stack, part.range(0, part.count() - before), first);
        if pair.is_some() {
            last_products(f, powers, stack, base, part, to);
        }
        row = to;
    }
}

/// lg of the rows in the largest pair of chunks that may begin after `row` rows and end by `end`; `None` if it
/// has fewer than 8 rows.
#[inline(always)]
fn pair_at(row: u64, end: u64) -> Option<u32> {
    // A pair begins at a multiple of its size, so both of its chunks are subtrees of the product tree.
    let lg = (end - row).ilog2().min(row.trailing_zeros()).min(LARGEST);
    if lg < 3 { None } else { Some(lg) }
}

/// Joins the two chunks that end with row number `end`. Their entries are those from `base` on, and their last four
/// rows are still to be absorbed.
#[inline(always)]
fn last_products<F: LaneField>(
    f: F,
    powers: &[F::Limbs],
    stack: &mut Stack<'_, F>,
    base: usize,
    chunks: Rows<'_>,
    end: u64,
) {
    let rows = chunks.count();
    let s = leaf2(f, powers, chunks, rows - 4);
    // Now the even lanes hold leaf_1 and the odd lanes leaf_2, each of 2^m - 1 rows and carried.
    let leaves = f.carry(stack.pop(f, s, stack.top - base));
    let last = chunks.load(f, rows - 1);

    let (m, z) = (rows.ilog2() as usize, end.trailing_zeros() as usize);
    let first = plus(f, f.evens(last), powers[m]);
    // From here on both lanes of a stream compute the same: leaf_1 (X_1 + P_m) + leaf_2, not carried.
    let s = f.mul_add(f.as_sums(f.odds(leaves)), f.evens(leaves), &first);
    // Entries below `base` are of 2^(m+1) rows and more; those that this row completes join, as in `Stack::group`.
    let s = stack.pop(f, s, z - m - 1);
    stack.push(f.mul(f.carry(s), &plus(f, f.odds(last), powers[z])));
}
