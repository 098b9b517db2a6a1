//! c-decBRWHash of a message that comes in pieces.
use super::algorithm1::{Stack, finish, zero};
use super::dec::{Before, DecBrw, LONG};
use super::rows::{Rows, tail};
use super::squares::MOST;
use super::weights::weights;
use crate::field::{Field, Loose, loose, square};
use crate::lane_field::LaneField;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Entries of the stack for 2^57 rows: more than 2^64 bits.
const ENTRIES: usize = 56;

/// Rows are absorbed in groups of four.
const GROUP: usize = 4;

/// What is known of a message of which the first rows were absorbed: O(lg n) elements for each of C streams.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct State<E: Field, const C: usize> {
    tau: E,
    /// tau^(2^j) for j < `known`.
    squares: [Loose<E>; MOST],
    known: usize,
    /// The stacks of Algorithm 1, carried.
    entries: [[Loose<E>; C]; ENTRIES],
    top: usize,
    /// Rows absorbed, a multiple of 4.
    rows: u64,
    /// Bytes that do not fill four rows.
    buffer: [[u8; 16 * GROUP]; C],
    filled: usize,
}

impl<E: Field, const C: usize> State<E, C> {
    const GROUP_BYTES: usize = E::BLOCK * C * GROUP;

    pub(crate) fn new(tau: E) -> Self {
        let zero = loose(E::from_word(0));
        State {
            tau,
            squares: [loose(tau); MOST],
            known: 1,
            entries: [[zero; C]; ENTRIES],
            top: 0,
            rows: 0,
            buffer: [[0; 16 * GROUP]; C],
            filled: 0,
        }
    }

    /// Appends bytes; `run` evaluates whole groups.
    pub(crate) fn update(&mut self, mut msg: &[u8], run: impl Fn(DecBrw<'_, E>) -> usize) {
        if self.filled > 0 {
            let take = msg.len().min(Self::GROUP_BYTES - self.filled);
            let (now, later) = msg.split_at(take);
            self.buffer.as_flattened_mut()[self.filled..self.filled + take].copy_from_slice(now);
            self.filled += take;
            msg = later;
            if self.filled < Self::GROUP_BYTES {
                return;
            }
            let group = Zeroizing::new(self.buffer);
            self.absorb(&group.as_flattened()[..Self::GROUP_BYTES], &run);
            self.filled = 0;
        }
        let (groups, rest) = msg.split_at(msg.len() / Self::GROUP_BYTES * Self::GROUP_BYTES);
        if !groups.is_empty() {
            self.absorb(groups, &run);
        }
        self.buffer.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    fn absorb(&mut self, groups: &[u8], run: &impl Fn(DecBrw<'_, E>) -> usize) {
        let rows = self.rows + (groups.len() / (E::BLOCK * C)) as u64;
        self.reach(rows.ilog2() as usize);
        let (squares, entries) = (&self.squares[..self.known], self.entries.as_flattened_mut());
        let before = Some(Before { entries, top: self.top, rows: self.rows, squares });
        let t = if groups.len() < LONG { 2 } else { 3 };
        self.top = run(DecBrw { tau: self.tau, ready: None, msg: groups, bits: 0, c: C, t, before });
        self.rows = rows;
    }

    /// tau^(2^j) for all j up to `lg`.
    fn reach(&mut self, lg: usize) {
        while self.known <= lg {
            self.squares[self.known] = square::<E>(self.squares[self.known - 1]);
            self.known += 1;
        }
    }

    /// The value of all bytes so far.
    pub(crate) fn value(&mut self) -> E {
        let stride = E::BLOCK * C;
        let bytes = u128::from(self.rows) * stride as u128 + self.filled as u128;
        let rows = self.rows + self.filled.div_ceil(stride) as u64;
        if rows == 0 {
            return E::from_word(0);
        }
        let lg = rows.ilog2() as usize;
        self.reach(lg + 1);
        let (w, mut powers) = (E::WORDS, [<E::Words as LaneField>::limbs(self.tau); MOST]);
        for (power, square) in powers.iter_mut().zip(&self.squares[..lg + 1]) {
            *power = <E::Words as LaneField>::from_loose(*square);
        }
        let weights = weights::<E>(self.squares[1], self.squares[lg + 1], C);
        let rest = &self.buffer.as_flattened()[..self.filled];
        let mut entries = [zero(w); ENTRIES];
        let mut d = w.mul(loose(E::from_word((8 * bytes) as u64)), &w.key(loose(self.tau)));
        for stream in 0..C {
            for (entry, ours) in entries.iter_mut().zip(&self.entries[..self.top]) {
                *entry = w.as_sums(ours[stream]);
            }
            let mut stack = Stack { entries: &mut entries, top: self.top };
            let offset = stream * E::BLOCK;
            let (whole, tail) = (Rows::new(rest, stride, offset, 0), tail(w, rest, stride, offset, 0));
            let q = finish(w, &powers, &mut stack, whole, tail, rows);
            d = w.mul_add(d, q, &w.key(weights[stream]));
        }
        w.close(d, <E::Words as LaneField>::limbs(E::from_word(0)))
    }
}
