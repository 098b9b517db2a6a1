//! Messages of up to seven rows in straight-line 64-bit code: no stack, and the shortest chain of products.
//!
//! ```text
//! Q_i = BRW(M_i, M_(c+i), ..)    n = 1: M1    2: M1 tau + M2    3: (tau + M1)(tau^2 + M2) + M3    4 and more: BRW
//! c = 4:  ((Q_1 D + Q_2) D^2 + (Q_3 D + Q_4)) tau^2 + L tau;    one block: M1 tau^8 + L tau
//! ```
//!
//! D takes as many squarings as Q_1 takes products. So the weights of the streams would not be ready earlier than
//! this, and they take three products more.
use super::leaf::{few, plus, three};
use super::ready::Ready;
use crate::field::{Field, InWords, LaneField, in_words, squares, squares_in_words};
use core::array::from_fn;

/// The most rows of a short message: 7 blocks of each stream.
pub(crate) const SHORT_ROWS: usize = 7;

/// A message of `C` streams, 1 or 4, that is not empty and has at most [`SHORT_ROWS`] rows.
pub(crate) struct Short<'a, E: Field, const C: usize> {
    /// The key tau, below 2p.
    pub(crate) tau: E,
    /// The precomputed powers of tau, if the key is prepared.
    pub(crate) ready: Option<&'a Ready<E>>,
    /// The message, and its length in bits, at most 8 for each byte.
    pub(crate) msg: &'a [u8],
    pub(crate) bits: u64,
}

impl<E: Field, const C: usize> Short<'_, E, C> {
    /// The value tau (tau (Q_1 D^(C-1) + ... + Q_C) + L), below 2p.
    #[inline(never)]
    pub(crate) fn value(self) -> E {
        let none = in_words(E::from_word(0));
        match self.msg.len().div_ceil(E::BLOCK * C) {
            1 => self.of_rows::<0, 4>(1, [none; 4]),
            rows @ 2..4 => self.of_rows::<1, 12>(rows, [none; 12]),
            rows => self.of_rows::<2, 28>(rows, [none; 28]),
        }
    }

    /// Evaluates 2^LG to 2^(LG+1) - 1 rows of at most B blocks in all. LG is fixed at compile time,
    /// so each case is straight-line.
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
            // Only the last block may be short. Zeros fill it, and the length L tells such messages apart.
            *block = w.short_row(bytes, 0);
        }
        let q = |stream| brw::<E, C, LG>(&powers, rows, &blocks[stream..]);
        if LG == 0 {
            // No second array of blocks: copying words that were just written waits until they have reached the
            // cache.
            self.close::<LG>(&powers, q)
        } else {
            let values: [_; C] = from_fn(q);
            self.close::<LG>(&powers, |stream| values[stream])
        }
    }

    /// The precomputed weights of the streams, if the key is prepared.
    #[inline(always)]
    fn weights<const LG: usize>(&self) -> Option<&[E::Loose]> {
        self.ready.and_then(|ready| ready.weights(LG, C))
    }

    /// Multiplies each stream by its weight and adds L tau.
    #[inline(always)]
    fn close<const LG: usize>(self, powers: &[InWords<E>; 5], q: impl Fn(usize) -> InWords<E>) -> E {
        let (w, len) = (E::WORDS, self.msg.len());
        // The sum begins with L tau, so that all products share the last carry.
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
                // One block: only Q_1 = M1 is not zero, and D = tau^2. Its weight tau^2 D^3 is tau^8, the square of
                // tau^4.
                sum = w.mul_add(sum, q(0), &w.key(w.carry(w.square(powers[2]))));
            }
            None if C == 4 => sum = w.mul_add(sum, join::<E, LG>(q, powers, len), &w.key(powers[1])),
            None => sum = w.mul_add(sum, q(0), &w.key(powers[1])),
        }
        w.close(sum, in_words(E::from_word(0)))
    }
}

/// Computes tau^(2^j) up to D^2, or fewer if the weights are precomputed.
#[inline(always)]
fn fill<E: Field, const LG: usize>(tau: E, known: &[E::Loose], powers: &mut [InWords<E>]) {
    // Few squares take the fewest instructions in words. A longer chain is faster in limbs.
    if LG == 0 {
        squares_in_words(tau, known, powers);
    } else {
        squares::<E::Words>(tau, known, powers);
    }
}

/// The BRW value, carried, of the stream whose blocks are every C-th of `blocks`.
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
    // 4 to 7 rows: BRW(M1 .. M3) (x^4 + M4) + BRW(M5 ..). Missing rows are zero and are skipped by their count.
    let first = w.carry(three(w, powers, blocks[0], blocks[C], w.as_sums(blocks[2 * C])));
    let rest = few(w, powers, [blocks[4 * C], blocks[5 * C], blocks[6 * C]], rows - 4);
    w.carry(w.mul_add(rest, first, &plus(w, blocks[3 * C], powers[2])))
}

/// (Q_1 D + Q_2) D^2 + (Q_3 D + Q_4), carried: three products, two of them in sequence.
#[inline(always)]
fn join<E: Field, const LG: usize>(
    q: impl Fn(usize) -> InWords<E>,
    powers: &[InWords<E>; 5],
    len: usize,
) -> InWords<E> {
    // powers[LG + 1] is D and powers[LG + 2] is D^2, since lg n = LG.
    let upper = step::<E>(q(0), powers[LG + 1], q(1));
    // With at most two blocks Q_3 and Q_4 are zero.
    let lower = if len <= 2 * E::BLOCK { q(2) } else { step::<E>(q(2), powers[LG + 1], q(3)) };
    step::<E>(upper, powers[LG + 2], lower)
}

/// a x + b, carried.
#[inline(always)]
fn step<E: Field>(a: InWords<E>, x: InWords<E>, b: InWords<E>) -> InWords<E> {
    let w = E::WORDS;
    w.carry(w.mul_add(w.as_sums(b), a, &w.key(x)))
}
