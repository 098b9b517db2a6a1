//! Messages of up to seven rows, straight line in 64-bit words: no stack, and the fewest products after each other.
//!
//! ```text
//! Q_i = BRW(M_i, M_(c+i), ..)    n = 1: M1    2: M1 tau + M2    3: (tau + M1)(tau^2 + M2) + M3    4 and more: BRW
//! c = 4:  ((Q_1 D + Q_2) D^2 + (Q_3 D + Q_4)) tau^2 + L tau;    one block: M1 tau^8 + L tau
//! ```
//!
//! D takes as many squarings as Q_1 takes products, so the weights of the streams would not be ready earlier than this is,
//! and they take three products more.
use super::algorithm1::plus;
use super::leaf::{few, three};
use super::ready::Ready;
use crate::field::{Field, Loose, loose, square};
use crate::lane_field::LaneField;

/// The most rows.
pub(crate) const SHORT_ROWS: usize = 7;

/// The value of a message of `C` streams, 1 or 4, not empty and at most [`SHORT_ROWS`] rows long.
pub(crate) struct Short<'a, E: Field, const C: usize> {
    /// The key.
    pub(crate) tau: E,
    /// Its powers, if it is prepared.
    pub(crate) ready: Option<&'a Ready<E>>,
    /// The message, and its length in bits.
    pub(crate) msg: &'a [u8],
    pub(crate) bits: u64,
}

impl<E: Field, const C: usize> Short<'_, E, C> {
    /// The value.
    #[inline(never)]
    pub(crate) fn value(self) -> E {
        let none = loose(E::from_word(0));
        match self.msg.len().div_ceil(E::BLOCK * C) {
            1 => self.of_rows::<0, 4>(1, [none; 4]),
            rows @ 2..4 => self.of_rows::<1, 12>(rows, [none; 12]),
            rows => self.of_rows::<2, 28>(rows, [none; 28]),
        }
    }

    /// For 2^LG rows and more, of B blocks or fewer.
    #[inline(always)]
    fn of_rows<const LG: usize, const B: usize>(self, rows: usize, mut blocks: [Loose<E>; B]) -> E {
        let (w, msg) = (E::WORDS, self.msg);
        let powers = powers::<E, LG>(loose(self.tau), self.ready.map_or(&[], |ready| ready.squares()));
        for (block, bytes) in blocks.iter_mut().zip(msg.chunks(E::BLOCK)) {
            *block = w.short_row(bytes, 0);
        }
        let mut q = [powers[0]; C];
        for (stream, q) in q.iter_mut().enumerate() {
            *q = brw::<E, C, LG>(&powers, rows, &blocks[stream..]);
        }
        let mut sum = w.mul(loose(E::from_word(self.bits)), &w.key(powers[0]));
        match self.ready.and_then(|ready| ready.weights(LG, C)) {
            Some(weights) => {
                for (q, weight) in q.iter().zip(weights) {
                    sum = w.mul_add(sum, *q, &w.key(*weight));
                }
            }
            None if C == 4 && msg.len() <= E::BLOCK => {
                sum = w.mul_add(sum, q[0], &w.key(square::<E>(powers[2])));
            }
            None => sum = w.mul_add(sum, join::<E, LG>(&q, &powers, msg.len()), &w.key(powers[1])),
        }
        w.close(sum, loose(E::from_word(0)))
    }
}

/// tau^(2^j) for j up to LG + 2, D^2.
#[inline(always)]
fn powers<E: Field, const LG: usize>(tau: Loose<E>, known: &[Loose<E>]) -> [Loose<E>; 5] {
    let mut powers = [tau; 5];
    for j in 1..LG + 3 {
        powers[j] = match known.get(j) {
            Some(known) => *known,
            None => square::<E>(powers[j - 1]),
        };
    }
    powers
}

/// The value of the stream whose blocks are every C-th of these.
#[inline(always)]
fn brw<E: Field, const C: usize, const LG: usize>(
    powers: &[Loose<E>; 5],
    rows: usize,
    blocks: &[Loose<E>],
) -> Loose<E> {
    let w = E::WORDS;
    if LG == 0 {
        return blocks[0];
    }
    if LG == 1 {
        return w.carry(few(w, powers, [blocks[0], blocks[C], blocks[2 * C]], rows));
    }
    let first = w.carry(three(w, powers, blocks[0], blocks[C], w.as_sums(blocks[2 * C])));
    let rest = few(w, powers, [blocks[4 * C], blocks[5 * C], blocks[6 * C]], rows - 4);
    w.carry(w.mul_add(rest, first, &plus(w, blocks[3 * C], powers[2])))
}

/// Q_1, or (Q_1 D + Q_2) D^2 + (Q_3 D + Q_4) for four streams.
#[inline(always)]
fn join<E: Field, const LG: usize>(q: &[Loose<E>], powers: &[Loose<E>; 5], len: usize) -> Loose<E> {
    let [a, b, c, d] = *q else { return q[0] };
    let upper = step::<E>(a, powers[LG + 1], b);
    // Nothing comes after two blocks.
    let lower = if len <= 2 * E::BLOCK { c } else { step::<E>(c, powers[LG + 1], d) };
    step::<E>(upper, powers[LG + 2], lower)
}

/// a x + b.
#[inline(always)]
fn step<E: Field>(a: Loose<E>, x: Loose<E>, b: Loose<E>) -> Loose<E> {
    let w = E::WORDS;
    w.carry(w.mul_add(w.as_sums(b), a, &w.key(x)))
}
