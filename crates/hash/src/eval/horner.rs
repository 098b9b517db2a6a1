//! Decimated Horner: N blocks at a time on a backend of N lanes (papers 000, 001, 003).
//!
//! With gamma = tau^N, a row of N blocks takes one product:
//!
//! ```text
//! A <- A gamma^g + R_1 gamma^(g-1) + ... + R_(g-1) gamma + R_g          one carry chain for g rows
//! ```
//!
//! No length has a sequential tail. Zero blocks in FRONT of the message make the number of blocks a multiple of N
//! (papers 000 and 003). They are the field's zero, without a pad bit, and do not change the value.
//!
//! The last two rows meet their own powers lane by lane: A [tau^2N .. tau^(N+1)] + R_last [tau^N .. tau]. So no
//! scalar products remain after the fold, and a short last block is part of an ordinary row.
//!
//! Loops and branches depend on the length and on g only. All message and key words go through straight-line
//! arithmetic in lanes, so time does not depend on them.
mod keys;
mod long;

use crate::base::block_rows;
use crate::eval::powers::Powers;
#[cfg(doc)]
use crate::field::groups::LONG_G;
use crate::field::groups::MAX_G;
use crate::field::{Field, LaneField};
pub(crate) use keys::Keys;
use keys::SharedKeys;
pub(crate) use long::{LongTable, fill_long, with_long_table};
#[cfg(all(test, feature = "research-kernels", not(carryless_without_proofs)))]
pub(crate) use long::{keys_of, long_group, long_powers};

/// The values of g, the number of rows that share one carry chain, for which kernels exist on every backend. With
/// multiply-add there is [`LONG_G`], too.
pub(crate) const GROUPS: [usize; 5] = [1, 2, 3, 4, MAX_G];

/// Rows that end an evaluation, each with its own power per lane: the last two.
pub(crate) const LANE_ROWS: usize = 2;

/// Evaluates h tau^l + C_1 tau^l + ... + C_l tau for a message of l blocks, more than N: the first and the last row
/// differ. Shorter messages panic.
///
/// Runs in radix 2^26, or in radix 2^44 or 2^43 on backends with 52-bit multiply-add.
pub(crate) struct Horner<'a, P: Powers> {
    /// The point tau, with any precomputed powers.
    pub(crate) point: &'a P,
    /// The value of the blocks absorbed before, below 2p; `None` for a new message.
    pub(crate) h: Option<&'a P::Element>,
    /// The message. A short last block is padded while it is loaded.
    pub(crate) msg: &'a [u8],
    /// Rows per carry chain: one of [`GROUPS`]. [`LONG_G`] has kernels of its own.
    pub(crate) g: usize,
}

// `derive` would require `P: Copy`.
impl<P: Powers> Clone for Horner<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Powers> Copy for Horner<'_, P> {}

impl<P: Powers> Horner<'_, P> {
    /// Evaluates over any arithmetic in lanes, with the precomputed powers of the point if there are enough for g.
    /// The result is below 2p.
    ///
    /// Bit g of `ROWS` is set if a kernel is compiled for g rows per carry chain
    /// ([`rows_on`](crate::choose::rows_on)). The first and last rows are compiled once for all g.
    #[inline(always)]
    pub(crate) fn in_field<F: LaneField<Element = P::Element>, const ROWS: u64>(self, f: F) -> P::Element {
        // The lane powers serve twice: the last row meets them lane by lane, and lane 0 holds gamma.
        let low = self.point.lane_powers(f);
        let keys = SharedKeys::<F, ROWS>::new(f, self.g, low, self.point.ready());
        f.fold(keys.evaluate(f, self.h.map(|&h| F::limbs(h)), self.msg))
    }
}

impl<P: Powers> Horner<'_, P> {
    /// [`in_field`](Horner::in_field) with the whole evaluation compiled for each g, as modulo 2^127 - 1. Sharing
    /// the first and last rows costs 3 to 7 % there from 3000 bytes on (Zen 3).
    #[inline(always)]
    pub(crate) fn in_field_each<F: LaneField<Element = P::Element>, const ROWS: u64>(
        self,
        f: F,
    ) -> P::Element {
        // A match over constants: each arm is a copy of the kernel with g fixed, and only compiled arms exist. For a g
        // without one, two rows give the same value.
        let (low, h) = (self.point.lane_powers(f), self.h.map(|&h| F::limbs(h)));
        f.fold(match self.g {
            1 if ROWS & 1 << 1 > 0 => self.keys::<F, 1>(f, low).evaluate(f, h, self.msg),
            3 if ROWS & 1 << 3 > 0 => self.keys::<F, 3>(f, low).evaluate(f, h, self.msg),
            4 if ROWS & 1 << 4 > 0 => self.keys::<F, 4>(f, low).evaluate(f, h, self.msg),
            MAX_G if ROWS & 1 << MAX_G > 0 => self.keys::<F, MAX_G>(f, low).evaluate(f, h, self.msg),
            _ => self.keys::<F, 2>(f, low).evaluate(f, h, self.msg),
        })
    }

    /// The powers for G rows per carry chain, from the lane powers `low`, tau^N .. tau: precomputed if the point has
    /// N max(G, 2) of them, otherwise made by products.
    #[inline(always)]
    fn keys<F: LaneField<Element = P::Element>, const G: usize>(&self, f: F, low: F::Fe) -> Keys<F, G> {
        match self.point.ready() {
            powers if powers.len() >= F::N * G.max(LANE_ROWS) => Keys::ready(f, low, powers),
            _ => Keys::new(f, low),
        }
    }
}

/// Bytes of a block, and of a row of N blocks.
#[inline(always)]
const fn sizes<F: LaneField>() -> (usize, usize) {
    (<F::Element as Field>::BLOCK, <F::Element as Field>::BLOCK * F::N)
}

/// Absorbs the first row. Returns the lanes, the bytes of the rows between it and the last one, which are all full, and
/// those of the last row. `msg` has more than N blocks.
#[inline(always)]
fn first_rows<F: LaneField>(f: F, h: Option<F::Limbs>, msg: &[u8]) -> (F::Fe, &[u8], &[u8]) {
    let (block, row) = sizes::<F>();
    let blocks = msg.len().div_ceil(block);
    // The first row takes 1 to N blocks, so that all later rows are full.
    let first = (blocks - 1) % F::N + 1;
    let (head, rest) = msg.split_at(first * block);
    // The last row is set aside even if it is full: it meets tau^N .. tau instead of gamma.
    let last_start = (rest.len() - 1) / row * row;
    let (middle, last) = rest.split_at(last_start);
    (first_row(f, h, head, first), middle, last)
}

/// Absorbs full rows until a multiple of g is left, one carry chain for each; for g = 1 that is all rows. Returns the
/// lanes and the bytes of the remaining rows. `gamma` is tau^N in every lane.
#[inline(always)]
pub(crate) fn lead_rows<F: LaneField>(
    f: F,
    mut a: F::Fe,
    rows: &[u8],
    g: usize,
    gamma: F::Key,
) -> (F::Fe, &[u8]) {
    let (_, row) = sizes::<F>();
    // The arms divide by constants, which is faster than a division by g.
    let lead = match g {
        1 => rows.len(),
        3 => rows.len() % (3 * row),
        4 => rows.len() % (4 * row),
        MAX_G => rows.len() % (MAX_G * row),
        _ => rows.len() % (2 * row),
    };
    let (lead, groups) = rows.split_at(lead);
    // Unless g is 1, these are at most g - 1 rows, each with a carry chain of its own.
    for bytes in lead.chunks_exact(row) {
        a = group::<F, 1>(f, a, bytes, &[gamma]);
    }
    (a, groups)
}

/// Absorbs whole groups of G rows, N G blocks each, with one carry chain per group.
#[inline(always)]
pub(crate) fn whole_groups<F: LaneField, const G: usize>(
    f: F,
    mut a: F::Fe,
    rows: &[u8],
    gamma: &[F::Key; G],
) -> F::Fe {
    for rows in rows.chunks_exact(G * sizes::<F>().1) {
        a = group::<F, G>(f, a, rows, gamma);
    }
    a
}

/// Ends an evaluation: A [tau^2N .. tau^(N+1)] + R_last [tau^N .. tau], ready for the fold.
#[inline(always)]
pub(crate) fn last_rows<F: LaneField>(f: F, a: F::Fe, last: &[u8], keys: &[F::Key; LANE_ROWS]) -> F::Fe {
    // The row comes first: its product does not wait for the carry that makes A.
    let d = f.mul(last_row(f, last), &keys[0]);
    f.for_fold(f.mul_add(d, a, &keys[1]))
}

/// Absorbs a group of G rows, at most [`MAX_G`]: A gamma^G + R_1 gamma^(G-1) + ... + R_(G-1) gamma + R_G, carried.
///
/// A is carried or comes from [`first_row`]. `msg` begins with the N G blocks of the group. Costs G products and one
/// carry chain.
#[inline(always)]
pub(crate) fn group<F: LaneField, const G: usize>(f: F, a: F::Fe, msg: &[u8], gamma: &[F::Key; G]) -> F::Fe {
    let (_, row) = sizes::<F>();
    let msg = &msg[..G * row];
    // R_G needs no product. The sum begins with it, which is shorter than to begin with zero and to add R_G to A.
    let mut d = f.as_sums(f.whole_row(&msg[(G - 1) * row..]));
    // Unrolled by hand: a loop over rows takes a tenth longer.
    macro_rules! rows {
        ($($i:literal)*) => { $(
            if $i < G {
                d = f.mul_add(d, f.whole_row(&msg[($i - 1) * row..]), &gamma[G.saturating_sub($i + 1)]);
            }
        )* };
    }
    rows!(1 2 3 4 5 6 7);
    // A is multiplied last, so that all other products can run before the previous group's carry chain ends.
    f.carry(f.mul_add(d, a, &gamma[G - 1]))
}

/// The first row: N - `count` zero blocks, then the 1 to N whole blocks of `head`. h is added to the first of these,
/// which meets tau^l. The limbs are those of a block plus a residue: a factor, not carried.
#[inline(always)]
pub(crate) fn first_row<F: LaneField>(f: F, h: Option<F::Limbs>, head: &[u8], count: usize) -> F::Fe {
    // A full row has no zero blocks, and block 0 is in lane 0.
    let (row, lane) = if count == F::N {
        (f.whole_row(head), 0)
    } else {
        (f.first_row(head), block_rows::lane_of_block(F::N, F::N - count))
    };
    if let Some(h) = h { f.add(row, f.in_lane(h, lane)) } else { row }
}

/// The last row: N blocks, of which the last may be short.
#[inline(always)]
pub(crate) fn last_row<F: LaneField>(f: F, last: &[u8]) -> F::Fe {
    let (_, row) = sizes::<F>();
    // The length is public, so it may decide how the row is loaded.
    if last.len() == row { f.whole_row(last) } else { f.last_row(last) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::blocks::BLOCK;
    use crate::choose::{ROWS_1305, ROWS_1305_IFMA, rows_on};
    use crate::eval::p1305::powers::Base;
    use crate::eval::p1305::ready::LongTable44;
    use crate::field::groups::LONG_G;
    use crate::field::p1305::element::Element;
    use crate::field::p1305::lanes44::Radix44;
    use crate::field::p1305::testing::{Rng, everywhere, everywhere_ifma, sample, value, weird_element};
    use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

    /// Where the message has more blocks than the backend has lanes, or a table serves it, and the kernel for g rows is
    /// compiled: all are with the feature `research-kernels`, and without it those that a threshold chooses.
    #[derive(Clone, Copy)]
    struct IfLonger<'a>(Horner<'a, Base>);

    impl IfLonger<'_> {
        fn runs(&self, lanes: usize, rows: u64) -> bool {
            let Horner { msg, g, .. } = self.0;
            (msg.len() > BLOCK * lanes || g == LONG_G) && rows_on(lanes, rows) >> g & 1 == 1
        }
    }

    impl Kernel for IfLonger<'_> {
        type Out = Option<Element>;
        #[inline(always)]
        fn run<S: Lanes>(self, s: S) -> Option<Element> {
            self.runs(S::N, ROWS_1305).then(|| Kernel::run(self.0, s))
        }
    }

    impl IfmaKernel for IfLonger<'_> {
        type Out = Option<Element>;
        #[inline(always)]
        fn run<S: Ifma>(self, s: S) -> Option<Element> {
            let Horner { point, h, msg, g } = self.0;
            self.runs(S::N, ROWS_1305_IFMA).then(|| match g {
                LONG_G => {
                    let (f, mut table) = (Radix44(s), LongTable44::EMPTY);
                    fill_long(f, point.lane_powers(f), &mut table);
                    f.fold(with_long_table(f, &table, h.copied().map(<Radix44<S> as LaneField>::limbs), msg))
                }
                _ => IfmaKernel::run(self.0, s),
            })
        }
    }

    /// All lengths, all g, from any value, in both radices and with 2, 4 and 8 lanes.
    #[test]
    fn every_length() {
        let mut rng = Rng(10);
        for len in sample(1..1200) {
            let (key, msg, h) = (rng.key(), rng.bytes(len), weird_element(&mut rng));
            let want = value(&key, h, &msg);
            let point = Base { tau: Element::from_bytes(&key), clamped: false };
            for g in GROUPS.into_iter().chain([LONG_G]) {
                let kernel = IfLonger(Horner { point: &point, h: Some(&h), msg: &msg, g });
                let check = |backend: &str, got: Option<Element>| {
                    if let Some(got) = got {
                        assert_eq!(got.freeze(), want, "{backend}: {len} bytes, g = {g}");
                    }
                };
                everywhere(kernel, check);
                everywhere_ifma(kernel, check);
            }
        }
    }
}
