//! c-decBRWHash of a message that comes in pieces: a buffer of bytes, and the state of Algorithm 1.
use super::dec::DecBrw;
use super::levels::Levels;
use super::saved_stack::SavedStack;
use crate::base::wipe::{wipe, wiped};
use crate::field::Field;
use zeroize::{Zeroize, Zeroizing};

/// Rows of a group. Groups are absorbed whole; the last one stays in the buffer until more bytes follow.
const GROUP: usize = 4;

/// Rows of the buffer. Messages of at most that many are evaluated in one call at their end.
const ROOM: usize = 16;

/// The state of a message in pieces: the rows absorbed, and the bytes after them.
#[derive(Clone)]
pub(crate) struct State<E: Field, const C: usize> {
    absorbed: Absorbed<E, C>,
    buffer: Buffer<C>,
    /// Number of bytes in the buffer.
    filled: usize,
    /// The most bytes that the buffer ever held: those after them are zero and need no wiping.
    used: usize,
}

/// The state of the rows absorbed: O(lg n) elements for each of C streams.
#[derive(Clone)]
struct Absorbed<E: Field, const C: usize> {
    tau: E,
    levels: Levels<E, C>,
    /// The number of rows absorbed, a multiple of 4.
    rows: u64,
}

/// The buffer: 16 bytes for each block of [`ROOM`] rows of C blocks, enough for either block size.
#[derive(Clone)]
struct Buffer<const C: usize>([[u8; 16 * ROOM]; C]);

impl<const C: usize> Buffer<C> {
    fn bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self.0.as_flattened_mut()
    }

    /// Wipes the first `used` bytes; those after them must be zero already.
    fn wipe(&mut self, used: usize) {
        wipe(&mut self.bytes_mut()[..used], 0);
    }
}

wiped!([E: Field, const C: usize] Absorbed<E, C> { tau, levels, rows });

impl<E: Field, const C: usize> Zeroize for State<E, C> {
    fn zeroize(&mut self) {
        // No `..` in this pattern and the one in `reset`: a new field must be wiped, or be kept by name.
        let State { absorbed, buffer, filled, used } = self;
        absorbed.zeroize();
        buffer.wipe(*used);
        (*filled, *used) = (0, 0);
    }
}

impl<E: Field, const C: usize> State<E, C> {
    const ROW_BYTES: usize = E::BLOCK * C;
    const GROUP_BYTES: usize = Self::ROW_BYTES * GROUP;
    const ROOM_BYTES: usize = Self::ROW_BYTES * ROOM;

    #[inline(always)]
    pub(crate) fn new(tau: E) -> Self {
        let absorbed = Absorbed { tau, levels: Levels::None, rows: 0 };
        State { absorbed, buffer: Buffer([[0; 16 * ROOM]; C]), filled: 0, used: 0 }
    }

    /// Returns to the empty message under the same key. Wipes buffer, stack and squares.
    pub(crate) fn reset(&mut self) {
        let State { absorbed: Absorbed { tau: _, levels, rows }, buffer, filled, used } = self;
        levels.zeroize();
        buffer.wipe(*used);
        (*rows, *filled, *used) = (0, 0, 0);
    }

    /// Appends bytes. `run` absorbs whole groups of rows into the state.
    pub(crate) fn update(&mut self, mut msg: &[u8], run: impl Fn(DecBrw<'_, E>)) {
        if self.filled > 0 && msg.len() > Self::ROOM_BYTES - self.filled {
            // The buffer overflows: complete its last group from `msg` and absorb all of it. More bytes follow, so
            // no end is lost.
            let end = self.filled.next_multiple_of(Self::GROUP_BYTES);
            let (now, later) = msg.split_at(end - self.filled);
            self.append(now);
            self.absorb_buffer(end, &run);
            msg = later;
        }
        if msg.len() > Self::ROOM_BYTES {
            // Absorb directly from `msg` without a copy. The last group is kept, because it may turn out to end the
            // message.
            let (groups, rest) = msg.split_at(Self::all_but_last_group(msg.len()));
            self.absorbed.absorb(groups, &run);
            msg = rest;
        }
        // What remains fits: at most `ROOM_BYTES` for an empty buffer, or no more than its free room.
        self.append(msg);
    }

    fn append(&mut self, msg: &[u8]) {
        self.buffer.bytes_mut()[self.filled..self.filled + msg.len()].copy_from_slice(msg);
        self.filled += msg.len();
        self.used = self.used.max(self.filled);
    }

    /// The bytes of whole groups to absorb from `len` bytes, so that at least one byte and at most one group remains.
    fn all_but_last_group(len: usize) -> usize {
        len.saturating_sub(1) / Self::GROUP_BYTES * Self::GROUP_BYTES
    }

    /// Absorbs the buffer except its last group, which may be partial.
    pub(crate) fn settle(&mut self, run: impl Fn(DecBrw<'_, E>)) {
        let groups = Self::all_but_last_group(self.filled);
        if groups > 0 {
            self.absorb_buffer(groups, &run);
        }
    }

    /// Absorbs the first `len` bytes of the buffer, whole groups, and moves the rest to its front.
    fn absorb_buffer(&mut self, len: usize, run: &impl Fn(DecBrw<'_, E>)) {
        self.absorbed.absorb(&self.buffer.bytes()[..len], run);
        // `update` leaves nothing to move, `settle` at most one group.
        self.buffer.bytes_mut().copy_within(len..self.filled, 0);
        self.filled -= len;
    }

    /// Computes squares of tau and makes room for 2^lg rows and more.
    pub(crate) fn reach(&mut self, lg: usize) {
        self.absorbed.levels.reach(self.absorbed.tau, lg);
    }

    /// The value of all bytes so far. `run` evaluates the buffer together with the stack, which it does not change.
    pub(crate) fn value(&mut self, run: impl FnOnce(DecBrw<'_, E>) -> E) -> E {
        // No row was absorbed, so there is no stack, and one call evaluates the message.
        if self.whole().is_some() {
            return self.value_so_far(run);
        }
        let (tau, bits) = (self.absorbed.tau, self.bits());
        // t = 2 is replaced by `run`, which knows the backend.
        let (saved, msg) = self.last();
        run(DecBrw { tau, ready: None, msg, bits, c: C, t: 2, saved: Some(saved) })
    }

    /// The value of all bytes so far, of a state that does not change. Works on a copy, which is wiped, unless the
    /// buffer holds the whole message.
    pub(crate) fn value_so_far(&self, run: impl FnOnce(DecBrw<'_, E>) -> E) -> E {
        let (tau, bits) = (self.absorbed.tau, self.bits());
        match self.whole() {
            Some([]) => E::from_word(0),
            Some(msg) => run(DecBrw { tau, ready: None, msg, bits, c: C, t: 2, saved: None }),
            None => Zeroizing::new(self.clone()).value(run),
        }
    }

    fn bits(&self) -> u64 {
        self.bytes().wrapping_mul(8)
    }

    /// The whole message, if no row of it was absorbed yet.
    fn whole(&self) -> Option<&[u8]> {
        (self.absorbed.rows == 0).then(|| &self.buffer.bytes()[..self.filled])
    }

    pub(crate) fn tau(&self) -> E {
        self.absorbed.tau
    }

    /// The number of bytes so far, modulo 2^64.
    pub(crate) fn bytes(&self) -> u64 {
        self.absorbed.rows.wrapping_mul(Self::ROW_BYTES as u64).wrapping_add(self.filled as u64)
    }

    /// The state of the rows absorbed, marked as the end of the message, and the bytes after them.
    pub(crate) fn last(&mut self) -> (SavedStack<'_, E>, &[u8]) {
        let (squares, entries) = self.absorbed.levels.view();
        // `end` tells the kernel to return the value and to leave the stack as it is.
        let saved = SavedStack { entries, rows: self.absorbed.rows, squares, end: true };
        (saved, &self.buffer.bytes()[..self.filled])
    }
}

impl<E: Field, const C: usize> Absorbed<E, C> {
    fn absorb(&mut self, groups: &[u8], run: &impl Fn(DecBrw<'_, E>)) {
        let rows = self.rows + (groups.len() / (E::BLOCK * C)) as u64;
        // Squares and room first: the kernel writes entries in place and cannot allocate.
        self.levels.reach(self.tau, rows.ilog2() as usize);
        let (squares, entries) = self.levels.view();
        let saved = Some(SavedStack { entries, rows: self.rows, squares, end: false });
        run(DecBrw { tau: self.tau, ready: None, msg: groups, bits: 0, c: C, t: 2, saved });
        self.rows = rows;
    }
}

#[cfg(test)]
impl<E: Field, const C: usize> State<E, C> {
    /// A state after `rows` rows whose stack is all zeros; `rows` is a multiple of 4.
    pub(crate) fn after_zeros(tau: E, rows: u64) -> Self {
        let mut state = Self::new(tau);
        state.reach(rows.ilog2() as usize);
        state.absorbed.rows = rows;
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::p1305::element::Element;

    /// Bytes that were buffered and absorbed lie behind the last ones, which are fewer.
    #[test]
    fn the_whole_buffer_is_wiped() {
        let mut state = State::<Element, 1>::new(Element::from_word(3));
        for _ in 0..30 {
            state.update(&[0xa5; 41], |kernel| {
                kernel.in_words();
            });
        }
        assert!(state.filled < state.used && state.buffer.bytes()[state.filled..].contains(&0xa5));
        state.zeroize();
        assert!(state.buffer.bytes().iter().all(|byte| *byte == 0));
    }
}
