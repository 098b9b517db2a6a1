//! Parts of a message that are hashed separately and then joined.
//!
//! A part A of n rows has the value Q(A) for each stream. If n is a power of two it also keeps the factors of its
//! last product, because Algorithm 1 multiplies by another power where more rows come before:
//!
//! ```text
//! n = 2^z, z >= 2:   Q(A) = leaf (X_n + tau^n)
//! A || B, B of less than 2^ntz(a) rows:         Q = Q(A) + Q(B)
//! A || B, B of b rows, a + b a power of two:    leaf = Q(A) + leaf(B), X = X(B)            b = 2^ntz(a)
//! ```
//!
//! Here a is the number of rows of A, and ntz(a) the number of its trailing zero bits.
use super::algorithm1::{Stack, finish, row};
use super::dec::DecBrw;
use super::leaf::{plus, zero};
use super::levels::ENTRIES;
use super::powers::MAX_POWERS;
use super::rows::{Rows, tail};
use super::stream::State;
use crate::base::wipe::wiped_on_drop;
use crate::eval::join::{JoinError, same_key};
use crate::field::{Field, InWords, LaneField, in_words, power_vartime, squares_in_words};
use core::array::from_fn;

/// The values of the streams of one part, all carried. As secret as the key.
#[derive(Clone)]
pub(crate) struct Part<E: Field, const C: usize> {
    tau: E,
    /// Q for each stream; the leaf instead if `waits` is set.
    values: [InWords<E>; C],
    /// The last of 2^z rows, z >= 2, not yet multiplied; meaningful if `waits` is set.
    last: [InWords<E>; C],
    waits: bool,
    rows: u64,
    bytes: u64,
}

wiped_on_drop!([E: Field, const C: usize] Part<E, C> { tau, values, last, waits, rows, bytes });

/// The most bytes of a message: fewer than 2^64 bits.
const MAX_BYTES: u64 = (1 << 61) - 1;

impl<E: Field, const C: usize> Part<E, C> {
    /// The part of all bytes that `state` was given. `run` evaluates all groups but the last; those four rows
    /// are still in the buffer.
    pub(crate) fn of(state: &mut State<E, C>, run: impl Fn(DecBrw<'_, E>)) -> Self {
        state.settle(run);
        let (w, none, stride) = (E::WORDS, in_words(E::from_word(0)), E::BLOCK * C);
        let (tau, bytes) = (state.tau(), state.bytes());
        let rows = bytes.div_ceil(stride as u64);
        // At least 4: the empty part has no logarithm, and a fourth row needs the square tau^4.
        state.reach(rows.max(4).ilog2() as usize);
        let (saved, rest) = state.last();
        let waits = rest.len().div_ceil(stride) == 4 && rows.is_power_of_two();
        // Parts are finished in words, one stream after the other; C products are few beside those of the part.
        let mut powers = [none; MAX_POWERS];
        squares_in_words(tau, saved.squares, &mut powers[..saved.squares.len()]);
        let mut part = Part { tau, values: [none; C], last: [none; C], waits, rows, bytes };
        for (stream, (value, last)) in part.values.iter_mut().zip(&mut part.last).enumerate() {
            let mut stack = Stack { entries: &mut [zero(w); ENTRIES], top: 0 };
            saved.restore(w, C, stream, &mut stack);
            let offset = stream * E::BLOCK;
            let (mut whole, mut tail) =
                (Rows::new(rest, stride, offset, 0), tail(w, rest, stride, offset, 0));
            if waits {
                // The last product is left open: its power depends on the rows that will come before this part.
                *last = row(w, whole, tail, 3);
                (whole, tail) = (whole.range(0, 3), None);
            }
            *value = finish(w, &powers, &mut stack, whole, tail, rows);
        }
        part
    }

    /// Q for each stream, with the last product done if it was left open: C products and one power of tau.
    fn values(&self) -> [InWords<E>; C] {
        if !self.waits {
            return self.values;
        }
        // With no rows in front, the last row meets tau to the number of rows of the part.
        let (w, power) = (E::WORDS, in_words(power_vartime(self.tau, self.rows)));
        from_fn(|i| w.carry(w.mul(self.values[i], &plus(w, self.last[i], power))))
    }

    /// Joins this part and the one that follows it, by the rules in the module comment.
    pub(crate) fn join(&self, next: &Part<E, C>) -> Result<Part<E, C>, JoinError> {
        same_key(self.tau, next.tau)?;
        let bytes = self.bytes.checked_add(next.bytes).filter(|&bytes| bytes <= MAX_BYTES);
        let bytes = bytes.ok_or(JoinError::TooLong)?;
        // The rules below are about numbers of rows, and an empty part has none.
        if self.bytes == 0 || next.bytes == 0 {
            return Ok(if self.bytes == 0 { next.clone() } else { self.clone() });
        }
        let rows = self.rows + next.rows;
        // A part that ends inside of a row can only be the last one.
        let whole = self.bytes == self.rows * (E::BLOCK * C) as u64;
        // Both rules depend on row numbers only, which are public.
        let adds = self.rows.is_multiple_of(4) && next.rows >> self.rows.trailing_zeros() == 0;
        let waits = next.waits && rows.is_power_of_two();
        if !whole || !(adds || waits) {
            return Err(JoinError::WrongCut);
        }
        let (w, left, right) = (E::WORDS, self.values(), if waits { next.values } else { next.values() });
        let values = from_fn(|i| w.carry(w.add_sums(w.as_sums(left[i]), w.as_sums(right[i]))));
        Ok(Part { tau: self.tau, values, last: next.last, waits, rows, bytes })
    }

    /// Joins parts of 2^m rows in order, of which the last may be shorter. Works like a binary
    /// counter: equal neighbours join first.
    pub(crate) fn join_all(parts: impl Iterator<Item = Part<E, C>>) -> Result<Part<E, C>, JoinError> {
        let mut waiting = [const { None::<Part<E, C>> }; 64];
        let mut top = 0;
        for mut part in parts {
            // Parts of 2^m rows each: the waiting ones hold 2^m rows times decreasing powers of two, like the bits
            // of a counter.
            while let Some(left) = waiting[..top].last().and_then(Option::as_ref)
                && part.waits
                && left.rows == part.rows
            {
                part = left.join(&part)?;
                top -= 1;
            }
            *waiting.get_mut(top).ok_or(JoinError::WrongCut)? = Some(part);
            top += 1;
        }
        let mut waiting = waiting[..top].iter().flatten().rev();
        let last = waiting.next().ok_or(JoinError::NoSegments)?;
        // From the right: each waiting part then has more rows than all that follow it, as `join` demands.
        waiting.try_fold(last.clone(), |right, left| left.join(&right))
    }

    /// The value of the whole message, tau (tau (Q_1 D^(C-1) + ... + Q_C) + L), if this part is all of it.
    pub(crate) fn value(&self) -> E {
        if self.bytes == 0 {
            return E::from_word(0);
        }
        let (w, tau) = (E::WORDS, in_words(self.tau));
        // D = tau^(2^(floor(lg n) + 1)) for all n rows. The exponent is a number of rows, which is public.
        let d = w.key(in_words(power_vartime(self.tau, 2 << self.rows.ilog2())));
        // Horner's rule from the first stream on, which gets the highest power of D.
        let join = |upper: InWords<E>, q: &InWords<E>| w.carry(w.mul_add(w.as_sums(*q), upper, &d));
        let q = self.values().iter().fold(in_words(E::from_word(0)), join);
        let length = w.mul(in_words(E::from_word(self.bytes.wrapping_mul(8))), &w.key(tau));
        w.close(w.mul_add(length, q, &w.key(w.carry(w.square(tau)))), in_words(E::from_word(0)))
    }

    /// The number of bytes that the part covers.
    pub(crate) fn len(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::p1305::testing::{Rng, sample};
    use crate::field::{p1271, p1305};
    use std::vec::Vec;

    fn in_words<E: Field>(kernel: DecBrw<'_, E>) {
        kernel.in_words();
    }

    fn state<E: Field, const C: usize>(tau: E, msg: &[u8]) -> State<E, C> {
        let mut state = State::new(tau);
        state.update(msg, in_words);
        state
    }

    fn part<E: Field, const C: usize>(tau: E, msg: &[u8]) -> Part<E, C> {
        Part::of(&mut state(tau, msg), in_words)
    }

    /// Every cut of messages of up to 36 rows, whole rows and others: the digest, or an error where the rule says so.
    fn every_cut<E: Field, const C: usize>(tau: E) {
        let row = E::BLOCK * C;
        let msg = Rng(50).bytes(36 * row);
        let lengths: Vec<_> = (0..=20).map(|rows| rows * row).chain([5, row + 1, 4 * row - 1]).collect();
        for a in sample(0..lengths.len()).map(|i| lengths[i]) {
            for b in (0..=if cfg!(miri) { 4 } else { 16 })
                .flat_map(|rows| [rows * row, rows * row + 1])
                .filter(|b| a + b <= msg.len())
            {
                let (left, right) = (part::<E, C>(tau, &msg[..a]), part(tau, &msg[a..a + b]));
                let (a_rows, b_rows) = ((a / row) as u64, b.div_ceil(row) as u64);
                let adds = carryless_reference::brw_adds(a_rows, b_rows);
                let doubles = b_rows >= 4 && b_rows.is_power_of_two() && (a_rows + b_rows).is_power_of_two();
                let joins = b == 0 || a == 0 || a.is_multiple_of(row) && (adds || doubles);
                match left.join(&right) {
                    Ok(all) => {
                        assert!(joins, "{a} + {b} bytes");
                        let want =
                            state::<E, C>(tau, &msg[..a + b]).value(|kernel| kernel.in_words()).low_bits();
                        assert_eq!(all.value().low_bits(), want, "{a} + {b} bytes");
                        assert_eq!(all.len(), (a + b) as u64);
                    }
                    Err(error) => assert!(!joins && error == JoinError::WrongCut, "{a} + {b} bytes"),
                }
            }
        }
    }

    /// Equal parts, and a last one that is shorter; other parts are an error.
    fn equal_parts<E: Field, const C: usize>(tau: E) {
        let row = E::BLOCK * C;
        let msg = Rng(51).bytes(50 * row);
        for size in sample(0..4).map(|i| [64, 16, 4, 8][i]) {
            for len in [1, row, 4 * row, 16 * row, 31 * row + 2, 48 * row, 50 * row] {
                let parts = msg[..len].chunks(size * row).map(|msg| part::<E, C>(tau, msg));
                let all = Part::join_all(parts).map(|all| all.value().low_bits());
                assert_eq!(
                    all,
                    Ok(state::<E, C>(tau, &msg[..len]).value(|kernel| kernel.in_words()).low_bits()),
                    "{size} rows, {len} bytes"
                );
            }
        }
        let parts: Vec<_> = msg.chunks(12 * row).map(|msg| part::<E, C>(tau, msg)).collect();
        assert!(Part::join_all(parts.into_iter()).is_err());
        assert!(Part::<E, C>::join_all(core::iter::empty()).is_err());
    }

    #[test]
    fn parts_join() {
        let key = Rng(52).key();
        let tau = p1305::element::Element::from_bytes(&key);
        every_cut::<_, 1>(tau);
        every_cut::<_, 3>(tau);
        every_cut::<_, 4>(tau);
        equal_parts::<_, 4>(tau);
        let tau = p1271::element::Element([u64::MAX - 7, u64::MAX >> 2]);
        every_cut::<_, 1>(tau);
        every_cut::<_, 4>(tau);
        equal_parts::<_, 2>(tau);
    }
}
