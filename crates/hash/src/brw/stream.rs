//! c-decBRWHash of a message that comes in pieces.
use super::dec::{Before, DecBrw};
use super::powers::MOST;
use crate::field::Field;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Entries of the stack for 2^57 rows: more than 2^64 bits.
pub(crate) const ENTRIES: usize = 56;

/// Rows are absorbed in groups of four. The last group stays until more follows.
const GROUP: usize = 4;

/// What is known of a message of which the first rows were absorbed: O(lg n) elements for each of C streams.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct State<E: Field, const C: usize> {
    tau: E,
    /// tau^(2^j) for j < `known`.
    squares: [E::Loose; MOST],
    known: usize,
    /// The stacks of Algorithm 1, carried.
    entries: [[E::Loose; C]; ENTRIES],
    /// Rows absorbed, a multiple of 4.
    rows: u64,
    /// The last bytes, of up to four rows.
    buffer: [[u8; 16 * GROUP]; C],
    filled: usize,
}

impl<E: Field, const C: usize> State<E, C> {
    const GROUP_BYTES: usize = E::BLOCK * C * GROUP;

    pub(crate) fn new(tau: E) -> Self {
        let zero = E::from_word(0).loose();
        State {
            tau,
            squares: [tau.loose(); MOST],
            known: 1,
            entries: [[zero; C]; ENTRIES],
            rows: 0,
            buffer: [[0; 16 * GROUP]; C],
            filled: 0,
        }
    }

    /// Appends bytes; `run` evaluates whole groups.
    pub(crate) fn update(&mut self, mut msg: &[u8], run: impl Fn(DecBrw<'_, E>)) {
        if self.filled > 0 {
            let take = msg.len().min(Self::GROUP_BYTES - self.filled);
            let (now, later) = msg.split_at(take);
            self.buffer.as_flattened_mut()[self.filled..self.filled + take].copy_from_slice(now);
            self.filled += take;
            msg = later;
            if msg.is_empty() {
                return;
            }
            let group = Zeroizing::new(self.buffer);
            self.absorb(&group.as_flattened()[..Self::GROUP_BYTES], &run);
        }
        let (groups, rest) =
            msg.split_at(msg.len().saturating_sub(1) / Self::GROUP_BYTES * Self::GROUP_BYTES);
        if !groups.is_empty() {
            self.absorb(groups, &run);
        }
        self.buffer.as_flattened_mut()[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    fn absorb(&mut self, groups: &[u8], run: &impl Fn(DecBrw<'_, E>)) {
        let rows = self.rows + (groups.len() / (E::BLOCK * C)) as u64;
        // The kernel may join vectors of streams, for which it takes a few more.
        self.reach(rows.ilog2() as usize + 4);
        let (squares, entries) = (&self.squares[..self.known], self.entries.as_flattened_mut());
        let before = Some(Before { entries, rows: self.rows, squares, end: false });
        run(DecBrw { tau: self.tau, ready: None, msg: groups, bits: 0, c: C, t: 2, before });
        self.rows = rows;
    }

    /// tau^(2^j) for all j up to `lg`, or as many as any message asks for.
    pub(crate) fn reach(&mut self, lg: usize) {
        while self.known <= lg.min(MOST - 1) {
            self.squares[self.known] = E::loose_square(self.squares[self.known - 1]);
            self.known += 1;
        }
    }

    /// The value of all bytes so far; the rows that are left are few, so in words.
    pub(crate) fn value(&mut self) -> E {
        let bytes = self.bytes();
        if bytes == 0 {
            return E::from_word(0);
        }
        let (tau, (before, msg)) = (self.tau, self.last());
        let bits = bytes.wrapping_mul(8);
        DecBrw { tau, ready: None, msg, bits, c: C, t: 2, before: Some(before) }.in_words()
    }

    pub(crate) fn tau(&self) -> E {
        self.tau
    }

    /// Bytes so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.rows.wrapping_mul((E::BLOCK * C) as u64).wrapping_add(self.filled as u64)
    }

    /// What is known of the rows absorbed, and the last bytes, of up to four rows.
    pub(crate) fn last(&mut self) -> (Before<'_, E>, &[u8]) {
        let (squares, entries) = (&self.squares[..self.known], self.entries.as_flattened_mut());
        let before = Before { entries, rows: self.rows, squares, end: true };
        (before, &self.buffer.as_flattened()[..self.filled])
    }
}
