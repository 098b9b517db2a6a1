//! Messages of up to seven rows, straight line in 64-bit words: no stack, and the fewest products after each other.
//!
//! ```text
//! Q_i = BRW(M_i, M_(c+i), ..)    n = 1: M1    2: M1 tau + M2    3: (tau + M1)(tau^2 + M2) + M3    4 and more: BRW
//! c = 4:  ((Q_1 D + Q_2) D^2 + (Q_3 D + Q_4)) tau^2 + L tau;    one block: M1 tau^8 + L tau
//! ```
//!
//! D takes as many squarings as Q_1 takes products, so the weights of the streams would not be ready earlier than this is,
//! and they take three products more.
use super::leaf::{few, plus, three};
use super::powers::{squares, squares_in_words};
use super::ready::Ready;
use crate::field::{Field, InWords, in_words};
use crate::lane_field::LaneField;
use core::array::from_fn;

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
        let none = in_words(E::from_word(0));
        match self.msg.len().div_ceil(E::BLOCK * C) {
            1 => self.of_rows::<0, 4>(1, [none; 4]),
            rows @ 2..4 => self.of_rows::<1, 12>(rows, [none; 12]),
            rows => self.of_rows::<2, 28>(rows, [none; 28]),
        }
    }

    /// For 2^LG rows and more, of B blocks or fewer.
    #[inline(always)]
    fn of_rows<const LG: usize, const B: usize>(self, rows: usize, mut blocks: [InWords<E>; B]) -> E {
        let (w, msg) = (E::WORDS, self.msg);
        let known = self.ready.map_or(&[][..], |ready| ready.squares());
        let mut powers = [in_words(E::from_word(0)); 5];
        if self.weights::<LG>().is_some() {
            fill::<E, LG>(self.tau, known, &mut powers[..=LG]);
        } else {
            fill::<E, LG>(self.tau, known, &mut powers[..LG + 3]);
        }
        for (block, bytes) in blocks.iter_mut().zip(msg.chunks(E::BLOCK)) {
            *block = w.short_row(bytes, 0);
        }
        let q = |stream| brw::<E, C, LG>(&powers, rows, &blocks[stream..]);
        if LG == 0 {
            // No array of blocks again: a copy of words that were just written waits until they have reached the cache.
            self.close::<LG>(&powers, q)
        } else {
            let values: [_; C] = from_fn(q);
            self.close::<LG>(&powers, |stream| values[stream])
        }
    }

    /// What the streams meet, if it is ready.
    #[inline(always)]
    fn weights<const LG: usize>(&self) -> Option<&[E::Loose]> {
        self.ready.and_then(|ready| ready.weights(LG, C))
    }

    /// Multiplies each stream by its weight and adds L tau.
    #[inline(always)]
    fn close<const LG: usize>(self, powers: &[InWords<E>; 5], q: impl Fn(usize) -> InWords<E>) -> E {
        let (w, len) = (E::WORDS, self.msg.len());
        let mut sum = w.mul(in_words(E::from_word(self.bits)), &w.key(powers[0]));
        match self.weights::<LG>() {
            Some(weights) => {
                // Empty streams contribute zero.
                for (stream, weight) in weights.iter().enumerate().take(len.div_ceil(E::BLOCK)) {
                    let weight = <E::Words as LaneField>::from_loose(*weight);
                    sum = w.mul_add(sum, q(stream), &w.key(weight));
                }
            }
            None if C == 4 && len <= E::BLOCK => {
                sum = w.mul_add(sum, q(0), &w.key(w.carry(w.square(powers[2]))));
            }
            None if C == 4 => sum = w.mul_add(sum, join::<E, LG>(q, powers, len), &w.key(powers[1])),
            None => sum = w.mul_add(sum, q(0), &w.key(powers[1])),
        }
        w.close(sum, in_words(E::from_word(0)))
    }
}

/// tau^(2^j): up to D^2, or less if the weights are ready.
#[inline(always)]
fn fill<E: Field, const LG: usize>(tau: E, known: &[E::Loose], powers: &mut [InWords<E>]) {
    if LG == 0 {
        squares_in_words(tau, known, powers);
    } else {
        squares::<E::Words>(tau, known, powers, LG);
    }
}

/// The value of the stream whose blocks are every C-th of these.
#[inline(always)]
fn brw<E: Field, const C: usize, const LG: usize>(
    powers: &[InWords<E>; 5],
    rows: usize,
    blocks: &[InWords<E>],
) -> InWords<E> {
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

/// (Q_1 D + Q_2) D^2 + (Q_3 D + Q_4).
#[inline(always)]
fn join<E: Field, const LG: usize>(
    q: impl Fn(usize) -> InWords<E>,
    powers: &[InWords<E>; 5],
    len: usize,
) -> InWords<E> {
    let upper = step::<E>(q(0), powers[LG + 1], q(1));
    // Nothing comes after two blocks.
    let lower = if len <= 2 * E::BLOCK { q(2) } else { step::<E>(q(2), powers[LG + 1], q(3)) };
    step::<E>(upper, powers[LG + 2], lower)
}

/// a x + b.
#[inline(always)]
fn step<E: Field>(a: InWords<E>, x: InWords<E>, b: InWords<E>) -> InWords<E> {
    let w = E::WORDS;
    w.carry(w.mul_add(w.as_sums(b), a, &w.key(x)))
}
