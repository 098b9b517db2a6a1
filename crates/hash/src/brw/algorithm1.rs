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
use super::leaf::{leaf_of_many, leaf2, leaf3, three};
use super::rows::Rows;
use super::squares::Squares;
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

/// m + P, as a multiplier.
#[inline(always)]
pub(crate) fn plus<F: LaneField>(f: F, m: F::Fe, power: F::Limbs) -> F::Key {
    f.key(f.add(m, f.everywhere(power)))
}

/// Absorbs all whole groups of four rows. `done` rows went before, a multiple of 4. Leaves have 2^t - 1 rows, t from 2 to 5,
/// where that many rows begin at a multiple of 2^t.
#[inline(always)]
pub(crate) fn groups<F: LaneField>(
    f: F,
    t: usize,
    squares: &mut Squares<'_, F>,
    stack: &mut Stack<'_, F>,
    rows: Rows<'_>,
    done: u64,
) {
    let end = done + (rows.count() as u64 & !3);
    let (mut row, mut leaves) = (done, [zero(f); 4]);
    while row < end {
        let (t, to) = stretch(row, end - row, t);
        squares.reach(to.ilog2() as usize);
        let (part, powers) = (rows.range((row - done) as usize, (to - done) as usize), &*squares.limbs);
        // A loop for each of the sizes that users get, so that addresses are constants.
        match t {
            2 => {
                for group in part.groups(2) {
                    row += 4;
                    let s = leaf2(f, powers, group, 0);
                    stack.group(f, powers, row, 2, s, group.load(f, 3));
                }
            }
            3 => {
                for group in part.groups(3) {
                    row += 8;
                    let s = leaf3(f, powers, group, 0);
                    stack.group(f, powers, row, 3, s, group.load(f, 7));
                }
            }
            _ => {
                for group in part.groups(t) {
                    row += 1 << t;
                    let s = leaf_of_many(f, t, powers, group, &mut leaves);
                    stack.group(f, powers, row, t, s, group.load(f, (1 << t) - 1));
                }
            }
        }
    }
}

/// Of `count` rows after the first `done`, how far groups of one size go on without a square of tau that was not
/// needed before: that size, and the number of the last row.
#[inline(always)]
fn stretch(done: u64, count: u64, t: usize) -> (usize, u64) {
    let size = 1u64 << t;
    if !done.is_multiple_of(size) {
        // Fours, up to where larger groups may begin.
        return (2, (done + count).min(done.next_multiple_of(size)));
    }
    if count < size {
        return (2, done + count);
    }
    let next_square = (done + 1).next_power_of_two().max(size);
    (t, next_square.min(done + count / size * size))
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
    let mut m = [f.everywhere(F::limbs(F::Element::from_word(0))); 4];
    let mut count = rows.count();
    for (r, m) in m[..count].iter_mut().enumerate() {
        *m = rows.load(f, r);
    }
    if let Some(tail) = tail {
        m[count] = tail;
        count += 1;
    }
    let mut s = match count {
        0 | 1 => f.as_sums(m[0]),
        2 => f.mul_add(f.as_sums(m[1]), m[0], &f.key(f.everywhere(powers[0]))),
        _ => three(f, powers, m[0], m[1], f.as_sums(m[2])),
    };
    if count == 4 {
        stack.group(f, powers, end, 2, s, m[3]);
        s = zero(f);
    }
    let entries = stack.top;
    f.carry(stack.pop(f, s, entries))
}

/// No products.
#[inline(always)]
pub(crate) fn zero<F: LaneField>(f: F) -> F::Sums {
    f.as_sums(f.everywhere(F::limbs(F::Element::from_word(0))))
}
