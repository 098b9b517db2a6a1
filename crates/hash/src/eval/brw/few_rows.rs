//! c-decBRWHash of up to 255 rows, for four streams in four lanes: row M_i has block i of each stream, counted from 1. Up
//! to fifteen rows stay in registers; longer messages begin with groups of sixteen.
//!
//! P_j is tau^(2^j). leaf_i is the BRW value of the three rows M_(4i-3) to M_(4i-1). D is P_(floor(lg n) + 1) for n rows,
//! the first square that no row takes. The number of rows alone decides about branches and addresses.
//!
//! ```text
//! e_1 = leaf_1 (M4 + P_2)    e_2 = (leaf_2 + e_1) (M8 + P_3)    e_3 = leaf_3 (M12 + P_2)
//!
//! BRW = rest                 up to 3 rows        rest: the BRW value of the last n mod 4 rows
//!       e_1 + rest           4 to 7
//!       e_2 + rest           8 to 11
//!       e_2 + e_3 + rest     12 to 15
//! ```
//!
//! For groups of sixteen, B_k is the BRW value of the first fifteen rows of group k, M16k its last row, and 2^v the highest
//! power of two that divides k. s_k is the value of the last 2^v groups up to group k:
//!
//! ```text
//! s_k = (B_k + s_(k - 1) + s_(k - 2) + s_(k - 4) + ... + s_(k - 2^(v - 1))) (M16k + P_(4 + v))
//!
//! BRW = one s_k for each bit of the number of groups that is 1, plus the BRW value of the rows behind the groups;
//!       13 groups are 8 + 4 + 1, so s_8 + s_12 + s_13
//! ```
use super::algorithm1::row;
use super::leaf::zero;
use super::powers::weights;
use super::ready::Ready;
use super::rows::{Rows, odd_offset, tail};
use crate::choose::FEW_ROWS;
use crate::field::{Field, LaneField};

/// Bits of the number of groups of sixteen rows in [`FEW_ROWS`]. A group multiplies by one of as many powers, P_4 to P_7.
const LEVELS: usize = (FEW_ROWS / 16).ilog2() as usize + 1;

/// More bits than [`FEW_ROWS`] rows of four blocks have. Limbs times a length below it are small enough for
/// [`close`](LaneField::close).
pub(crate) const FEW_BITS: u64 = 1 << 17;
const _: () = assert!(FEW_ROWS * 4 * 16 * 8 < FEW_BITS);

/// The rows of a message, of which the last may be partial.
#[derive(Clone, Copy)]
struct Message<'a, F: LaneField> {
    whole: Rows<'a>,
    tail: Option<F::Fe>,
}

/// No group of sixteen rows: 1 to 15 rows.
pub(crate) const NO_GROUP: u8 = 0;
/// One group, and up to fifteen rows behind it.
pub(crate) const ONE_GROUP: u8 = 1;
/// Two groups or more, up to [`FEW_ROWS`] rows.
pub(crate) const GROUPS: u8 = 2;

/// Evaluates tau (tau (Q_1 D^3 + ... + Q_4) + L), where Q_i is the BRW value of stream i, for a message of 1 to
/// [`FEW_ROWS`] rows. `SIZE` is the class of their number: [`NO_GROUP`], [`ONE_GROUP`] or [`GROUPS`].
pub(crate) struct FewRows<'a, E: Field, const SIZE: u8> {
    /// The key tau, below 2p.
    pub(crate) tau: E,
    /// The precomputed powers of tau, if the key is prepared.
    pub(crate) ready: Option<&'a Ready<E>>,
    /// The message. Its last block is padded with zeros while it is loaded.
    pub(crate) msg: &'a [u8],
    /// The length L of the message in bits, below [`FEW_BITS`].
    pub(crate) bits: u64,
}

impl<E: Field, const SIZE: u8> FewRows<'_, E, SIZE> {
    /// Evaluates in four lanes, to a value below 2p. Panics on other numbers of lanes.
    #[inline(always)]
    pub(crate) fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        // `by_size` selects these kernels in four lanes only.
        if F::N != 4 {
            unreachable!("four streams in four lanes");
        }
        let FewRows { tau, ready, msg, bits } = self;
        let p0 = f.everywhere(F::limbs(tau));
        let streams = match SIZE {
            NO_GROUP => fifteen(f, p0, ready, msg),
            ONE_GROUP => sixteens::<F, true>(f, p0, ready, msg),
            _ => sixteens::<F, false>(f, p0, ready, msg),
        };
        f.close(streams, F::small_multiple(tau, bits))
    }
}

/// The values of the streams times their weights tau^2 D^3 .. tau^2, one stream in each lane, not carried. `msg` has 1 to
/// 15 rows, and `p0` is tau in every lane.
#[inline(always)]
pub(crate) fn fifteen<F: LaneField>(
    f: F,
    p0: F::Fe,
    ready: Option<&Ready<F::Element>>,
    msg: &[u8],
) -> F::Sums {
    let (stride, odd) = (<F::Element as Field>::BLOCK * F::N, odd_offset::<F>());
    let (rows, known) = (msg.len().div_ceil(stride), ready.map_or(&[][..], |ready| ready.squares()));
    let m = Message { whole: Rows::new(msg, stride, 0, odd), tail: tail(f, msg, stride, 0, odd) };
    // Needed for any number of rows: leaves and weights take tau^2.
    let p1 = square(f, known, 1, p0);
    // D is the first square beyond those that the rows need.
    let (mut p2, mut p3, mut d) = (p1, p1, p1);
    if rows >= 2 {
        p2 = square(f, known, 2, p1);
        d = p2;
    }
    if rows >= 4 {
        p3 = square(f, known, 3, p2);
        d = p3;
    }
    let q = up_to_fifteen(f, [p0, p1, p2, p3], m, msg);
    if rows >= 8 {
        // After the rows: before them, it would wait for the other squares and hold up their products.
        d = square(f, known, 4, p3);
    }
    let weights = weights(f, ready, [p1, d], (rows.ilog2() as usize, F::N));
    f.mul_soon(f.carry(q), &f.key(weights))
}

/// The value of [`fifteen`] for 16 to [`FEW_ROWS`] rows; with `ONE`, for the 16 to 31 rows that have one group.
#[inline(always)]
pub(crate) fn sixteens<F: LaneField, const ONE: bool>(
    f: F,
    p0: F::Fe,
    ready: Option<&Ready<F::Element>>,
    msg: &[u8],
) -> F::Sums {
    let (stride, odd) = (<F::Element as Field>::BLOCK * F::N, odd_offset::<F>());
    let (rows, known) = (msg.len().div_ceil(stride), ready.map_or(&[][..], |ready| ready.squares()));
    let m = Message { whole: Rows::new(msg, stride, 0, odd), tail: tail(f, msg, stride, 0, odd) };
    let p1 = square(f, known, 1, p0);
    let p2 = square(f, known, 2, p1);
    let p3 = square(f, known, 3, p2);
    let (groups, d) = groups_of_sixteen::<F, ONE>(f, known, [p0, p1, p2, p3], m, msg);
    // The rows behind the groups are a short message of their own, with the same partial row at its end.
    let rest = msg.get(rows / 16 * 16 * stride..).unwrap_or(&[]);
    let behind = Message { whole: Rows::new(rest, stride, 0, odd), ..m };
    let behind = up_to_fifteen(f, [p0, p1, p2, p3], behind, rest);
    let weights = weights(f, ready, [p1, d], (rows.ilog2() as usize, F::N));
    f.mul_soon(f.carry(f.add_sums(groups, behind)), &f.key(weights))
}

/// The BRW value of all groups of sixteen rows of a message of 16 to [`FEW_ROWS`] rows, not carried, and D. `low` is
/// P_0 to P_3.
///
/// A square is made where it is needed next: several in a row would fill the reorder buffer, and wait for each other
/// while the rows could be multiplied.
#[inline(always)]
fn groups_of_sixteen<F: LaneField, const ONE: bool>(
    f: F,
    known: &[<F::Element as Field>::Loose],
    low: [F::Fe; 4],
    m: Message<'_, F>,
    msg: &[u8],
) -> (F::Sums, F::Fe) {
    let groups = msg.len().div_ceil(<F::Element as Field>::BLOCK * F::N) / 16;
    // Between groups, entry j is the value of 2^j groups if bit j of their number is 1: a binary counter. They
    // multiply by the powers P_4 and so on.
    let (mut entries, mut powers, mut power, mut k) = ([zero(f); LEVELS], [low[3]; LEVELS], low[3], 1);
    if ONE {
        // Without the counter, which is in memory, since its index is not a constant. The loop below stays in the
        // kernel of one group, which never enters it: without it LLVM spills more registers, and 16 to 31 rows take
        // 10 to 25 % longer (Zen 3).
        let s = fifteen_of_sixteen(f, low, m, msg, 1);
        power = square(f, known, 4, power);
        let first = group(f, s, m, 15, power);
        if groups == 1 {
            return (first, square(f, known, 5, power));
        }
        (entries, powers, k) = ([first; LEVELS], [power; LEVELS], 2);
    }
    while k <= groups {
        // Below LEVELS anyway, as there are fewer than 2^LEVELS groups. The remainder spares the check of the
        // index.
        let level = k.trailing_zeros() as usize % LEVELS;
        if k.is_power_of_two() {
            power = square(f, known, 4 + level, power);
            powers[level] = power;
        }
        let (mut s, mut j) = (fifteen_of_sixteen(f, low, m, msg, k), 0);
        while j < level {
            s = f.add_sums(s, entries[j]);
            j += 1;
        }
        entries[level] = group(f, s, m, 16 * k - 1, powers[level]);
        k += 1;
    }
    let (mut all, mut j) = (zero(f), 0);
    while j < LEVELS {
        // Digits of the counter that are 1 hold groups that nothing has joined yet.
        if groups >> j & 1 == 1 {
            all = f.add_sums(all, entries[j]);
        }
        j += 1;
    }
    (all, square(f, known, 5 + groups.ilog2() as usize, power))
}

/// B_k, the BRW value of the first fifteen rows of group k, not carried. `p` is P_0 to P_3.
#[inline(always)]
fn fifteen_of_sixteen<F: LaneField>(
    f: F,
    [p0, p1, p2, p3]: [F::Fe; 4],
    m: Message<'_, F>,
    msg: &[u8],
    k: usize,
) -> F::Sums {
    let (stride, low) = (<F::Element as Field>::BLOCK * F::N, [p0, p1]);
    let rows = &msg[(k - 1) * 16 * stride..][..15 * stride];
    let e1 = group(f, leaf(f, low, rows), m, 16 * k - 13, p2);
    let s = f.add_sums(leaf(f, low, &rows[4 * stride..]), e1);
    let e2 = group(f, s, m, 16 * k - 9, p3);
    let e3 = group(f, leaf(f, low, &rows[8 * stride..]), m, 16 * k - 5, p2);
    f.add_sums(f.add_sums(leaf(f, low, &rows[12 * stride..]), e3), e2)
}

/// The BRW value of all of `msg`, up to fifteen rows, not carried. `p` is P_0 to P_3.
#[inline(always)]
fn up_to_fifteen<F: LaneField>(f: F, p: [F::Fe; 4], m: Message<'_, F>, msg: &[u8]) -> F::Sums {
    let stride = <F::Element as Field>::BLOCK * F::N;
    let (rows, [p0, p1, p2, p3]) = (msg.len().div_ceil(stride), p);
    // The last rows need P_0 and P_1 only, so their product does not wait for the other squares.
    let mut q = few(f, [p0, p1], m, rows & !3, rows % 4);
    if rows >= 4 {
        let mut entry = group(f, leaf(f, [p0, p1], &msg[..3 * stride]), m, 3, p2);
        if rows >= 8 {
            let s = f.add_sums(entry, leaf(f, [p0, p1], &msg[4 * stride..7 * stride]));
            entry = group(f, s, m, 7, p3);
        }
        if rows >= 12 {
            let s = leaf(f, [p0, p1], &msg[8 * stride..11 * stride]);
            q = f.add_sums(q, group(f, s, m, 11, p2));
        }
        q = f.add_sums(q, entry);
    }
    q
}

/// tau^(2^j) in every lane: a known one, or the square of the power before.
#[inline(always)]
fn square<F: LaneField>(f: F, known: &[<F::Element as Field>::Loose], j: usize, before: F::Fe) -> F::Fe {
    match known.get(j) {
        Some(known) => f.everywhere(F::from_loose(*known)),
        None => f.carry(f.square(before)),
    }
}

/// The BRW value of `count` rows from row `at` on, 0 to 3, not carried.
#[inline(always)]
fn few<F: LaneField>(f: F, [p0, p1]: [F::Fe; 2], m: Message<'_, F>, at: usize, count: usize) -> F::Sums {
    let (m1, m2) = (load(f, m, at), load(f, m, at + 1));
    match count {
        0 => zero(f),
        1 => f.as_sums(m1),
        2 => f.mul_add(f.as_sums(m2), m1, &f.key(p0)),
        _ => f.mul_add(f.as_sums(load(f, m, at + 2)), f.add(m1, p0), &f.key(f.add(m2, p1))),
    }
}

/// Row `r`, counted from 0: a whole one, the partial one at the end, or zero after it.
#[inline(always)]
fn load<F: LaneField>(f: F, m: Message<'_, F>, r: usize) -> F::Fe {
    row(f, m.whole, m.tail, r)
}

/// The BRW value of three whole rows, not carried.
#[inline(always)]
fn leaf<F: LaneField>(f: F, [p0, p1]: [F::Fe; 2], rows: &[u8]) -> F::Sums {
    let (stride, odd) = (<F::Element as Field>::BLOCK * F::N, odd_offset::<F>());
    // One check for all loads: the offsets are constants.
    let rows = &rows[..3 * stride];
    let (m1, m2) = (f.row(rows, odd), f.row(&rows[stride..], odd));
    f.mul_add(f.row_sums(&rows[2 * stride..], odd), f.add(m1, p0), &f.key(f.add(m2, p1)))
}

/// The value s (M + P_j) of a group of 2^j rows that ends with row M: number `last`, counted from 0. P_j is `power`, and
/// `s` is the BRW value of the rows before M. Not carried.
#[inline(always)]
fn group<F: LaneField>(f: F, s: F::Sums, m: Message<'_, F>, last: usize, power: F::Fe) -> F::Sums {
    f.mul(f.carry(s), &f.key(f.add(load(f, m, last), power)))
}
