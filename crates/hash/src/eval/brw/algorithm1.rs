//! Algorithm 1 of paper 001: BRW values with one product and one reduction for a group of rows, and a stack.
//!
//! ```text
//! a group X_1 .. X_(2^t) ends with row number R = 2^z (2 j + 1), P_j = tau^(2^j):
//!     s = BRW(X_1 .. X_(2^t - 1)) + the z - t topmost entries of the stack, which leave it
//!     push carry(s) (X_(2^t) + P_z)
//! at the end: carry(BRW(the rows left) + all entries)
//! ```
//!
//! Entries are sums that are not carried yet (Proposition 1; proofs/bounds.md has the bounds that are proved). For
//! every t, n rows take floor(n / 2) products and 1 + floor(n / 4) carries. An entry of 2^t rows has the same value
//! for any size of leaves, so t may change from group to group.
//!
//! At most floor(lg n) - 1 entries and a leaf meet in one carry. With n up to 2^57 blocks in 2^64 bits these are 56
//! entries, which fit 64 bits in both radices. So no length needs an additional reduction, and none is refused.
//!
//! The stack works like a binary counter: after n rows, n a multiple of 4, it has one entry for each bit set in n /
//! 4. Which entries are popped depends on row numbers only, which are public.
use super::leaf::{few, leaf_of_many, leaf2, leaf3, plus, zero};
use super::rows::Rows;
use crate::choose::ALL_KERNELS;
use crate::field::{Field, LaneField};

/// The stack: sums of products, not carried, of blocks of 2^j rows that a later row will multiply.
pub(crate) struct Stack<'a, F: LaneField> {
    pub(crate) entries: &'a mut [F::Sums],
    pub(crate) top: usize,
}

impl<F: LaneField> Stack<'_, F> {
    /// Returns s plus the `k` topmost entries, and removes these. Not carried: at most 57 summands meet in one carry.
    #[inline(always)]
    pub(crate) fn pop(&mut self, f: F, mut s: F::Sums, k: usize) -> F::Sums {
        // `k` follows from the number of a row, which is public.
        for entry in &self.entries[self.top - k..self.top] {
            s = f.add_sums(s, *entry);
        }
        self.top -= k;
        s
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, entry: F::Sums) {
        self.entries[self.top] = entry;
        self.top += 1;
    }

    /// Completes the group of 2^t rows that ends with row number `end`. `s` is the BRW value of
    /// all its rows but `last`.
    #[inline(always)]
    fn group(&mut self, f: F, powers: &[F::Limbs], end: u64, t: usize, s: F::Sums, last: F::Fe) {
        let z = end.trailing_zeros() as usize;
        // `end` is 2^z times an odd number: this row completes blocks of 2^(t+1), .., 2^z rows, whose left halves
        // are the z - t top entries.
        let s = self.pop(f, s, z - t);
        // The only carry of the group. The product stays a sum, so that a later group adds it without another
        // carry.
        self.push(f.mul(f.carry(s), &plus(f, last, powers[z])));
    }
}

/// The largest t that is compiled. t of 4 and 5 are selected by name only.
const LARGEST_T: usize = if ALL_KERNELS { 5 } else { 3 };

/// Absorbs all whole groups of four rows of `rows`. `done` rows went before, a multiple of 4. Leaves have 2^t - 1
/// rows, t from 2 to 5, wherever a group of 2^t rows begins at a multiple of 2^t.
#[inline(always)]
pub(crate) fn groups<F: LaneField>(
    f: F,
    t: usize,
    powers: &[F::Limbs],
    stack: &mut Stack<'_, F>,
    rows: Rows<'_>,
    done: u64,
) {
    let t = t.min(LARGEST_T);
    // Rows of an incomplete group are left to `finish`, which also takes the partial row.
    let end = done + (rows.count() as u64 & !3);
    let mut row = done;
    // Row numbers of a stream continue across pieces, so a piece may begin in the middle of a large group.
    while row < end {
        let (t, to) = stretch(row, end - row, t);
        let part = rows.range((row - done) as usize, (to - done) as usize);
        // One loop for each common size and layout, so that the addresses in it are constants.
        match (t, part.dense::<F>()) {
            _ if F::COMPACT => groups_of(f, t, powers, stack, part.groups(t), row),
            (2, true) => groups_of(f, 2, powers, stack, part.dense_groups::<F>(2), row),
            (3, true) => groups_of(f, 3, powers, stack, part.dense_groups::<F>(3), row),
            (2, false) => groups_of(f, 2, powers, stack, part.groups(2), row),
            (3, false) => groups_of(f, 3, powers, stack, part.groups(3), row),
            // t was clamped to `LARGEST_T`, so no t reaches this arm. It keeps large leaves out of the binary.
            _ if !ALL_KERNELS => {}
            _ => groups_of(f, t, powers, stack, part.groups(t), row),
        }
        row = to;
    }
}

/// Absorbs groups of 2^t rows, of which the first begins after `row` rows.
#[inline(always)]
fn groups_of<'a, F: LaneField>(
    f: F,
    t: usize,
    powers: &[F::Limbs],
    stack: &mut Stack<'_, F>,
    groups: impl Iterator<Item = Rows<'a>>,
    mut row: u64,
) {
    for group in groups {
        row += 1 << t;
        let s = match t {
            2 => leaf2(f, powers, group, 0),
            3 => leaf3(f, powers, group, 0),
            _ => leaf_of_many(f, t, powers, group),
        };
        stack.group(f, powers, row, t, s, group.load(f, (1 << t) - 1));
    }
}

/// How far groups of one size extend from row `done` on, of `count` rows: t of that size, and the
/// number of the last row.
#[inline(always)]
fn stretch(done: u64, count: u64, t: usize) -> (usize, u64) {
    let size = 1u64 << t;
    if !done.is_multiple_of(size) {
        // Groups of four up to the next multiple of 2^t, where larger groups may begin.
        return (2, (done + count).min(done.next_multiple_of(size)));
    }
    // Fewer rows than a large group end in groups of four.
    if count < size { (2, done + count) } else { (t, done + count / size * size) }
}

/// Absorbs the last rows, at most four of which one may be partial, then adds all entries of the stack and carries.
/// `end` is the number of the last row. The result is the BRW value of all rows.
#[inline(always)]
pub(crate) fn finish<F: LaneField>(
    f: F,
    powers: &[F::Limbs],
    stack: &mut Stack<'_, F>,
    rows: Rows<'_>,
    tail: Option<F::Fe>,
    end: u64,
) -> F::Fe {
    let count = rows.count() + usize::from(tail.is_some());
    // Rows that are absent load as zero and are not used: `few` looks at the count.
    let first = [row(f, rows, tail, 0), row(f, rows, tail, 1), row(f, rows, tail, 2)];
    let mut s = few(f, powers, first, count);
    // A fourth row completes a group, like any row whose number is a multiple of 4.
    if count == 4 {
        stack.group(f, powers, end, 2, s, row(f, rows, tail, 3));
        s = zero(f);
    }
    // No later row multiplies the entries that are left, so they and the rest share one carry.
    let entries = stack.top;
    f.carry(stack.pop(f, s, entries))
}

/// Row `r` of `rows`; the partial row after the last whole one, zero if there is none.
#[inline(always)]
pub(crate) fn row<F: LaneField>(f: F, rows: Rows<'_>, tail: Option<F::Fe>, r: usize) -> F::Fe {
    match tail {
        _ if r < rows.count() => rows.load(f, r),
        Some(tail) => tail,
        None => f.everywhere(F::limbs(F::Element::from_word(0))),
    }
}
