//! Decimated Horner in radix 2^26: as many blocks at a time as the machine has lanes (papers 000, 001, 003).
//!
//! With N lanes and gamma = tau^N, a row of N blocks takes one product:
//!
//! ```text
//! A <- A gamma^g + R_1 gamma^(g-1) + ... + R_(g-1) gamma + R_g          one carry chain for g rows
//! ```
//!
//! No length has a sequential tail. Zero blocks in FRONT of the message make the number of blocks a multiple of N
//! (papers 000 and 003): they are the field's zero, without a pad bit, and do not change the value. The last two rows
//! meet their own powers lane by lane, A [tau^2N .. tau^(N+1)] + R_last [tau^N .. tau], so that no fold with scalar
//! products is left, and a short last block is just another row.
use super::element::{Element, SCALAR};
use super::lanes26::{self, Fe, Key, Lanes5};
use super::powers::Base;
use crate::blocks::{BLOCK, pad_partial};
use carryless_lanes::{Kernel, Lanes};

/// Rows that may share a carry chain.
pub(crate) const MAX_G: usize = 4;

/// Rows whose powers one evaluation needs: the last two, lane by lane.
pub(crate) const LANE_ROWS: usize = 2;

/// h tau^l + C_1 tau^l + ... + C_l tau, for a message of more than `N` blocks.
pub(crate) struct Horner<'a> {
    /// Where to evaluate.
    pub(crate) point: &'a Base,
    /// The value so far.
    pub(crate) h: Element,
    /// The message; a short last block is padded here.
    pub(crate) msg: &'a [u8],
    /// Rows per carry chain, 1 to [`MAX_G`].
    pub(crate) g: usize,
}

impl Kernel for Horner<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        let (low, h) = (self.point.lane_powers(s), self.h.limbs26());
        let lanes = match self.g {
            1 => evaluate(s, &Keys::<S, 1>::new(s, low), h, self.msg),
            2 => evaluate(s, &Keys::<S, 2>::new(s, low), h, self.msg),
            3 => evaluate(s, &Keys::<S, 3>::new(s, low), h, self.msg),
            _ => evaluate(s, &Keys::<S, MAX_G>::new(s, low), h, self.msg),
        };
        Element(lanes26::fold(SCALAR, &lanes, S::N))
    }
}

/// The powers of tau that an evaluation with G rows per carry chain needs.
pub(crate) struct Keys<S: Lanes, const G: usize> {
    /// gamma^1 .. gamma^G in every lane.
    pub(crate) gamma: [Key<S>; G],
    /// Lane powers: `[tau^N .. tau]` and `[tau^2N .. tau^(N+1)]`.
    pub(crate) last: [Key<S>; LANE_ROWS],
}

impl<S: Lanes, const G: usize> Keys<S, G> {
    /// From the lane powers tau^N .. tau: the next N by one vector multiplication, gamma^3 and gamma^4 from those.
    #[inline(always)]
    pub(crate) fn new(s: S, low: Fe<S>) -> Self {
        // Block 0 of a row has the highest power, in lane 0.
        let gamma = broadcast_lane0(s, low);
        let next = lanes26::mul_carry(s, low, &gamma);
        let mut powers = [gamma; G];
        if G > 1 {
            powers[1] = broadcast_lane0(s, next);
        }
        if G > 2 {
            powers[2] = broadcast_lane0(s, lanes26::mul_carry(s, next, &gamma));
        }
        if G > 3 {
            powers[3] = broadcast_lane0(s, lanes26::mul_carry(s, next, &powers[1]));
        }
        Keys { gamma: powers, last: [Key::new(s, low), Key::new(s, next)] }
    }
}

/// Lane 0 in every lane.
#[inline(always)]
pub(crate) fn broadcast_lane0<S: Lanes>(s: S, h: Fe<S>) -> Key<S> {
    let t = lanes26::store(s, h);
    Key::splat(s, [t[0][0], t[1][0], t[2][0], t[3][0], t[4][0]])
}

/// All rows; the lanes of the result are still to be summed.
#[inline(always)]
pub(crate) fn evaluate<S: Lanes, const G: usize>(s: S, keys: &Keys<S, G>, h: [u64; 5], msg: &[u8]) -> Lanes5 {
    let row = BLOCK * S::N;
    let blocks = msg.len().div_ceil(BLOCK);
    // The first row takes 1 to N blocks, so that whole rows follow.
    let first = (blocks - 1) % S::N + 1;
    let (head, rest) = msg.split_at(first * BLOCK);
    let last_start = (rest.len() - 1) / row * row;
    let (middle, last) = rest.split_at(last_start);

    let mut a = first_row(s, h, head, first);
    // Rows that do not fill a group go one by one.
    let (lead, groups) = middle.split_at(middle.len() % (G * row));
    for bytes in lead.chunks_exact(row) {
        a = group::<S, 1>(s, a, bytes, &[keys.gamma[0]]);
    }
    for rows in groups.chunks_exact(G * row) {
        a = group::<S, G>(s, a, rows, &keys.gamma);
    }
    lanes26::store(s, last_rows(s, a, last, &keys.last))
}

/// A [tau^2N .. tau^(N+1)] + R_last [tau^N .. tau].
#[inline(always)]
pub(crate) fn last_rows<S: Lanes>(s: S, a: Fe<S>, last: &[u8], keys: &[Key<S>; LANE_ROWS]) -> Fe<S> {
    let d = lanes26::mul(s, lanes26::limbs(s, a), &keys[1]);
    lanes26::carry(s, lanes26::mul_add(s, d, lanes26::limbs(s, last_row(s, last)), &keys[0]))
}

/// A gamma^G + R_1 gamma^(G-1) + ... + R_(G-1) gamma, carried, + R_G.
#[inline(always)]
pub(crate) fn group<S: Lanes, const G: usize>(s: S, a: Fe<S>, msg: &[u8], gamma: &[Key<S>; G]) -> Fe<S> {
    let row = BLOCK * S::N;
    let msg = &msg[..G * row];
    let mut d = lanes26::mul(s, lanes26::limbs(s, a), &gamma[G - 1]);
    if G > 1 {
        d = lanes26::mul_add(s, d, lanes26::limbs(s, whole_row(s, msg)), &gamma[G.saturating_sub(2)]);
    }
    if G > 2 {
        d = lanes26::mul_add(s, d, lanes26::limbs(s, whole_row(s, &msg[row..])), &gamma[G.saturating_sub(3)]);
    }
    if G > 3 {
        d = lanes26::mul_add(
            s,
            d,
            lanes26::limbs(s, whole_row(s, &msg[2 * row..])),
            &gamma[G.saturating_sub(4)],
        );
    }
    lanes26::add(s, lanes26::carry(s, d), whole_row(s, &msg[(G - 1) * row..]))
}

/// N whole blocks with their pad bits.
#[inline(always)]
pub(crate) fn whole_row<S: Lanes>(s: S, msg: &[u8]) -> Fe<S> {
    let [m0, m1, m2, m3, m4] = lanes26::blocks(s, msg);
    [m0, m1, m2, m3, s.concat(m4, s.splat(1 << 24))]
}

/// Zero blocks in front, then `count` whole blocks; h joins the first of them.
#[inline(always)]
pub(crate) fn first_row<S: Lanes>(s: S, h: [u64; 5], head: &[u8], count: usize) -> Fe<S> {
    if count == S::N {
        return lanes26::add(s, whole_row(s, head), lanes26::in_lane(s, h, 0));
    }
    let mut buffer = [0; BLOCK * 8];
    let row = &mut buffer[..BLOCK * S::N];
    let empty = S::N - count;
    row[empty * BLOCK..].copy_from_slice(head);
    let [m0, m1, m2, m3, m4] = lanes26::blocks(s, row);
    let m = [m0, m1, m2, m3, s.concat(m4, lanes26::pads(s, empty, count))];

    let lane = lanes26::lane_of_block(S::N, empty);
    lanes26::add(s, m, lanes26::in_lane(s, h, lane))
}

/// The last row: N blocks, of which the last may be short.
#[inline(always)]
pub(crate) fn last_row<S: Lanes>(s: S, last: &[u8]) -> Fe<S> {
    let row = BLOCK * S::N;
    if last.len() == row {
        return whole_row(s, last);
    }
    let (whole, tail) = last.split_at(row - BLOCK);
    let mut buffer = [0; BLOCK * 8];
    let padded = &mut buffer[..row];
    padded[..row - BLOCK].copy_from_slice(whole);
    padded[row - BLOCK..].copy_from_slice(&pad_partial(tail));
    let [m0, m1, m2, m3, m4] = lanes26::blocks(s, padded);
    [m0, m1, m2, m3, s.concat(m4, lanes26::pads(s, 0, S::N - 1))]
}
