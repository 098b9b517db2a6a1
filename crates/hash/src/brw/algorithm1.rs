//! Algorithm 1 of paper 001: BRW values with one product and one reduction for a group of rows, and a stack.
//!
//! ```text
//! group i = 1, 2, .. of 2^t rows X_1 .. X_(2^t), k = number of trailing zeros of i, P_j = tau^(2^j):
//!     s = BRW(X_1 .. X_(2^t - 1)) + the k topmost entries of the stack, which leave it
//!     push carry(s) (X_(2^t) + P_(t+k))
//! at the end: carry(BRW(the rows left) + all entries)
//! ```
//!
//! Entries are sums that wait for their carry (Proposition 1: docs/bounds.md has what we prove). For every t, n rows take
//! floor(n / 2) products and 1 + floor(n / 4) carries.
use crate::field::Field;
use crate::lane_field::LaneField;

/// The blocks of N neighbouring streams.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    /// Whole rows of all streams.
    pub(crate) bytes: &'a [u8],
    /// Bytes of a row of all streams.
    pub(crate) stride: usize,
    /// Where our streams begin in it.
    pub(crate) offset: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    pub(crate) fn part(self, bytes: &'a [u8]) -> Rows<'a> {
        Rows { bytes, ..self }
    }

    /// Our blocks of row `r`, as the field's arithmetic loads them.
    #[inline(always)]
    fn load<F: LaneField>(self, f: F, r: usize) -> F::Fe {
        f.row(&self.bytes[r * self.stride + self.offset..])
    }
}

/// Sums that wait for a later row.
struct Stack<'a, F: LaneField> {
    entries: &'a mut [F::Sums],
    top: usize,
}

impl<F: LaneField> Stack<'_, F> {
    /// s and the `k` topmost entries.
    #[inline(always)]
    fn pop(&mut self, f: F, mut s: F::Sums, k: usize) -> F::Sums {
        for entry in &self.entries[self.top - k..self.top] {
            s = f.add_sums(s, *entry);
        }
        self.top -= k;
        s
    }

    /// Group number `i` of 2^t rows: s is the value of all but the last.
    #[inline(always)]
    fn group(&mut self, f: F, powers: &[F::Limbs], i: u64, t: usize, s: F::Sums, last: F::Fe) {
        let k = i.trailing_zeros() as usize;
        let s = self.pop(f, s, k);
        self.entries[self.top] = f.mul(f.carry(s), &plus(f, last, powers[t + k]));
        self.top += 1;
    }
}

/// m + P, as a multiplier.
#[inline(always)]
pub(crate) fn plus<F: LaneField>(f: F, m: F::Fe, power: F::Limbs) -> F::Key {
    f.key(f.add(m, f.everywhere(power)))
}

/// (m1 + P_0)(m2 + P_1) + m3.
#[inline(always)]
pub(crate) fn three<F: LaneField>(f: F, powers: &[F::Limbs], m1: F::Fe, m2: F::Fe, m3: F::Fe) -> F::Sums {
    f.mul_add(f.as_sums(m3), f.add(m1, f.everywhere(powers[0])), &plus(f, m2, powers[1]))
}

/// BRW of the 3 rows from `at` on.
#[inline(always)]
fn leaf2<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>, at: usize) -> F::Sums {
    three(f, powers, rows.load(f, at), rows.load(f, at + 1), rows.load(f, at + 2))
}

/// Of 7 rows.
#[inline(always)]
fn leaf3<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>, at: usize) -> F::Sums {
    let (first, second) = (leaf2(f, powers, rows, at), leaf2(f, powers, rows, at + 4));
    join(f, first, rows.load(f, at + 3), powers[2], second)
}

/// carry(first) (m + P) + second.
#[inline(always)]
fn join<F: LaneField>(f: F, first: F::Sums, m: F::Fe, power: F::Limbs, second: F::Sums) -> F::Sums {
    f.mul_add(second, f.carry(first), &plus(f, m, power))
}

/// Of 15 rows: a loop over two leaves of 7, to keep the code small.
#[inline(always)]
fn leaf4<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>) -> F::Sums {
    let mut leaves = [zero(f); 2];
    for (i, leaf) in leaves.iter_mut().enumerate() {
        *leaf = leaf3(f, powers, rows, 8 * i);
    }
    join(f, leaves[0], rows.load(f, 7), powers[3], leaves[1])
}

/// Of 31 rows: a loop over four leaves of 7.
#[inline(always)]
fn leaf5<F: LaneField>(f: F, powers: &[F::Limbs], rows: Rows<'_>) -> F::Sums {
    let mut leaves = [zero(f); 4];
    for (i, leaf) in leaves.iter_mut().enumerate() {
        *leaf = leaf3(f, powers, rows, 8 * i);
    }
    let mut halves = [zero(f); 2];
    for (i, half) in halves.iter_mut().enumerate() {
        *half = join(f, leaves[2 * i], rows.load(f, 16 * i + 7), powers[3], leaves[2 * i + 1]);
    }
    join(f, halves[0], rows.load(f, 15), powers[4], halves[1])
}

/// The values of N streams, with leaves of 2^t - 1 rows, t from 2 to 5. `last` is a row that follows the whole ones, if the
/// message ends inside a row. `powers` are tau^(2^j) up to lg n, and `entries` has room for as many sums.
#[inline(always)]
pub(crate) fn streams<F: LaneField>(
    f: F,
    t: usize,
    powers: &[F::Limbs],
    entries: &mut [F::Sums],
    rows: Rows<'_>,
    last: Option<Rows<'_>>,
) -> F::Fe {
    let mut stack = Stack { entries, top: 0 };
    let (mut i, groups) = (0, rows.bytes.chunks_exact(rows.stride << t));
    let mut rest = groups.remainder();
    match t {
        2 => rest = rows.bytes,
        3 => {
            for group in groups {
                let group = rows.part(group);
                i += 1;
                stack.group(f, powers, i, 3, leaf3(f, powers, group, 0), group.load(f, 7));
            }
        }
        4 => {
            for group in groups {
                let group = rows.part(group);
                i += 1;
                stack.group(f, powers, i, 4, leaf4(f, powers, group), group.load(f, 15));
            }
        }
        _ => {
            for group in groups {
                let group = rows.part(group);
                i += 1;
                stack.group(f, powers, i, 5, leaf5(f, powers, group), group.load(f, 31));
            }
        }
    }
    // What is left goes on in groups of four rows: an entry of 2^t rows is the same for all t.
    i <<= t - 2;
    let groups = rest.chunks_exact(rows.stride << 2);
    let rest = rows.part(groups.remainder());
    for group in groups {
        let group = rows.part(group);
        i += 1;
        stack.group(f, powers, i, 2, leaf2(f, powers, group, 0), group.load(f, 3));
    }
    finish(f, powers, stack, i, Rest { whole: rest.bytes.len() / rest.stride, rest, last })
}

/// What the groups leave: up to three whole rows, and one that the message does not fill.
#[derive(Clone, Copy)]
struct Rest<'a> {
    whole: usize,
    rest: Rows<'a>,
    last: Option<Rows<'a>>,
}

impl Rest<'_> {
    #[inline(always)]
    fn load<F: LaneField>(self, f: F, r: usize) -> F::Fe {
        match self.last {
            Some(last) if r == self.whole => last.load(f, 0),
            _ => self.rest.load(f, r),
        }
    }
}

/// The last rows and all entries, carried.
#[inline(always)]
fn finish<F: LaneField>(f: F, powers: &[F::Limbs], mut stack: Stack<'_, F>, i: u64, rows: Rest<'_>) -> F::Fe {
    let count = rows.whole + usize::from(rows.last.is_some());
    let mut s = match count {
        0 => zero(f),
        1 => f.as_sums(rows.load(f, 0)),
        2 => f.mul_add(f.as_sums(rows.load(f, 1)), rows.load(f, 0), &f.key(f.everywhere(powers[0]))),
        _ => three(f, powers, rows.load(f, 0), rows.load(f, 1), rows.load(f, 2)),
    };
    if count == 4 {
        stack.group(f, powers, i + 1, 2, s, rows.load(f, 3));
        s = zero(f);
    }
    let all = stack.top;
    f.carry(stack.pop(f, s, all))
}

/// No products.
#[inline(always)]
pub(crate) fn zero<F: LaneField>(f: F) -> F::Sums {
    f.as_sums(f.everywhere(F::limbs(F::Element::from_word(0))))
}
