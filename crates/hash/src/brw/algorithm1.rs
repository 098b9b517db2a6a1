//! Algorithm 1 of paper 001: BRW values with one product and one reduction for a group of rows, and a stack.
//!
//! ```text
//! a group X_1 .. X_(2^t) ends with row number R = 2^z (2 j + 1), P_j = tau^(2^j):
//!     s = BRW(X_1 .. X_(2^t - 1)) + the z - t topmost entries of the stack, which leave it
//!     push carry(s) (X_(2^t) + P_z)
//! at the end: carry(BRW(the rows left) + all entries)
//! ```
//!
//! Entries are sums that wait for their carry (Proposition 1: docs/bounds.md has what we prove). For every t, n rows take
//! floor(n / 2) products and 1 + floor(n / 4) carries. An entry of 2^t rows is the same whatever leaves made it, so t may
//! change from group to group.
use super::leaf::{few, leaf_of_many, leaf2, leaf3, plus, zero};
use super::rows::Rows;
use crate::choose::ALL_KERNELS;
use crate::field::Field;
use crate::lane_field::LaneField;

/// Sums that wait for a later row.
pub(crate) struct Stack<'a, F: LaneField> {
    pub(crate) entries: &'a mut [F::Sums],
    pub(crate) top: usize,
}

impl<F: LaneField> Stack<'_, F> {
    /// s and the `k` topmost entries.
    #[inline(always)]
    pub(crate) fn pop(&mut self, f: F, mut s: F::Sums, k: usize) -> F::Sums {
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

    /// The group of 2^t rows that ends with row number `end`: s is the value of all but the last.
    #[inline(always)]
    fn group(&mut self, f: F, powers: &[F::Limbs], end: u64, t: usize, s: F::Sums, last: F::Fe) {
        let z = end.trailing_zeros() as usize;
        let s = self.pop(f, s, z - t);
        self.push(f.mul(f.carry(s), &plus(f, last, powers[z])));
    }
}

/// Leaves of more rows are for those who ask for them by name.
const LARGEST_T: usize = if ALL_KERNELS { 5 } else { 3 };

/// Absorbs all whole groups of four rows. `done` rows went before, a multiple of 4. Leaves have 2^t - 1 rows, t from 2 to 5,
/// where that many rows begin at a multiple of 2^t.
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
    let end = done + (rows.count() as u64 & !3);
    let mut row = done;
    while row < end {
        let (t, to) = stretch(row, end - row, t);
        let part = rows.range((row - done) as usize, (to - done) as usize);
        // A loop for each of the sizes and places that users get, so that addresses are constants.
        match (t, part.dense::<F>()) {
            _ if F::COMPACT => groups_of(f, t, powers, stack, part.groups(t), row),
            (2, true) => groups_of(f, 2, powers, stack, part.dense_groups::<F>(2), row),
            (3, true) => groups_of(f, 3, powers, stack, part.dense_groups::<F>(3), row),
            (2, false) => groups_of(f, 2, powers, stack, part.groups(2), row),
            (3, false) => groups_of(f, 3, powers, stack, part.groups(3), row),
            _ if !ALL_KERNELS => {}
            _ => groups_of(f, t, powers, stack, part.groups(t), row),
        }
        row = to;
    }
}

/// Absorbs groups of 2^t rows.
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

/// Of `count` rows after the first `done`, how far groups of one size go on: that size, and the number of the last row.
#[inline(always)]
fn stretch(done: u64, count: u64, t: usize) -> (usize, u64) {
    let size = 1u64 << t;
    if !done.is_multiple_of(size) {
        // Fours, up to where larger groups may begin.
        return (2, (done + count).min(done.next_multiple_of(size)));
    }
    if count < size { (2, done + count) } else { (t, done + count / size * size) }
}

/// The last rows, up to three whole ones and one that the message does not fill, and all entries, carried. `end` is the
/// number of the last row.
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
    let first = [row(f, rows, tail, 0), row(f, rows, tail, 1), row(f, rows, tail, 2)];
    let mut s = few(f, powers, first, count);
    if count == 4 {
        stack.group(f, powers, end, 2, s, row(f, rows, tail, 3));
        s = zero(f);
    }
    let entries = stack.top;
    f.carry(stack.pop(f, s, entries))
}

/// Row `r`, if it is there; the tail after the last whole one.
#[inline(always)]
pub(crate) fn row<F: LaneField>(f: F, rows: Rows<'_>, tail: Option<F::Fe>, r: usize) -> F::Fe {
    match tail {
        _ if r < rows.count() => rows.load(f, r),
        Some(tail) => tail,
        None => f.everywhere(F::limbs(F::Element::from_word(0))),
    }
}
