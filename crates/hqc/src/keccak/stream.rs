//! One hash or XOF, and its position in input and output.
use super::permutation::{BLOCK_BYTES, Block, WORDS};
use super::states::Column;
use crate::secret::wipe;
use core::fmt;

/// A hash function or XOF of FIPS 202.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Bytes of a block, a multiple of 8 and at most 136.
    rate: usize,
    /// Domain separation bits, followed by the first bit of the padding.
    suffix: u8,
}

#[cfg(feature = "internals")]
impl Function {
    /// Returns the number of permutations for input and output of this many bytes. Output must not be empty.
    pub(crate) fn permutations(self, input: usize, output: usize) -> usize {
        input / self.rate + output.div_ceil(self.rate)
    }
}

/// SHA3-256. Its output has 32 bytes; a [`Stream`] returns as many as its output has room for.
pub const SHA3_256: Function = Function { rate: 136, suffix: 0x06 };
/// SHA3-512. Its output has 64 bytes; blocks have 72 bytes.
pub const SHA3_512: Function = Function { rate: 72, suffix: 0x06 };
/// SHAKE256, whose output may have any length; blocks have 136 bytes.
pub const SHAKE256: Function = Function { rate: 136, suffix: 0x1f };

/// The block of a stream that absorbs nothing: zeros.
pub(super) const NO_BLOCK: Block = [0; BLOCK_BYTES];

/// The secrets that a stream keeps between permutations. Wiped when dropped.
struct Secrets {
    /// The state, while no run holds it.
    state: [u64; WORDS],
    /// A block that is copied, as it consists of several parts or has padding. Bytes after the rate stay zero.
    buffer: Block,
}

impl Drop for Secrets {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(&mut self.buffer);
    }
}

/// Where the block of the next permutation is.
#[derive(Clone, Copy)]
enum Source<'a> {
    Input(&'a Block),
    Buffer,
    Nothing,
}

/// A hash or XOF of an input in several parts, with a place for its output.
///
/// Creating it computes nothing: [`run`](super::run) advances it, together with others.
pub struct Stream<'a> {
    // A field with its own `Drop`: if `Stream` itself had one, the borrow of the output would last until the
    // stream is dropped.
    secrets: Secrets,
    function: Function,
    source: Source<'a>,
    /// Number of bytes of the present block that have been filled or squeezed.
    position: usize,
    squeezing: bool,
    /// Input to be absorbed: the rest of the present part, then these parts.
    part: &'a [u8],
    parts: &'a [&'a [u8]],
    /// Number of output bytes to drop before the first one is written.
    dropped: usize,
    /// Rest of the output to be written.
    output: &'a mut [u8],
}

impl<'a> Stream<'a> {
    /// Creates a stream that absorbs all parts of `input` in order, and then fills `output`.
    #[must_use]
    pub fn new(function: Function, input: &'a [&'a [u8]], output: &'a mut [u8]) -> Self {
        let secrets = Secrets { state: [0; WORDS], buffer: NO_BLOCK };
        Stream {
            secrets,
            function,
            source: Source::Nothing,
            position: 0,
            squeezing: false,
            part: &[],
            parts: input,
            dropped: 0,
            output,
        }
    }

    /// Drops the first `bytes` bytes of the function's output. Their permutations are computed all the same.
    #[must_use]
    pub fn skip(mut self, bytes: usize) -> Self {
        self.dropped = bytes;
        self
    }

    /// Chooses the next block of the input. Returns whether there is one to be absorbed.
    fn absorb(&mut self) -> bool {
        // A whole block in one part needs no copy, if blocks have the full 136 bytes.
        if self.position == 0
            && self.function.rate == BLOCK_BYTES
            && let Some((block, rest)) = self.part.split_first_chunk()
        {
            (self.source, self.part) = (Source::Input(block), rest);
            return true;
        }
        // The buffer is zero after the rate, so that the capacity receives nothing.
        self.source = Source::Buffer;
        self.fill();
        if self.position < self.function.rate {
            // Padding changes the state; nobody would see it without output.
            if self.output.is_empty() {
                return false;
            }
            self.pad();
        }
        self.position = 0;
        true
    }

    /// Fills the buffer from the input until the block is complete or the input ends.
    fn fill(&mut self) {
        while self.position < self.function.rate {
            // Invariant: the first `position` bytes of the buffer are input. Parts may be empty, and any
            // number may share a block.
            if self.part.is_empty() {
                let Some((first, others)) = self.parts.split_first() else { return };
                (self.part, self.parts) = (first, others);
                continue;
            }
            // At least one byte: the part is not empty and the block is not full.
            let count = self.part.len().min(self.function.rate - self.position);
            let (now, later) = self.part.split_at(count);
            self.secrets.buffer[self.position..][..count].copy_from_slice(now);
            self.part = later;
            self.position += count;
        }
    }

    /// Appends the padding of FIPS 202 (section 5.1, with the domain bits of section 6). Output follows.
    fn pad(&mut self) {
        let rest = &mut self.secrets.buffer[self.position..self.function.rate];
        rest.fill(0);
        rest[0] = self.function.suffix;
        // Or, not assignment: the first and the last byte of the padding may be the same one.
        rest[rest.len() - 1] |= 0x80;
        self.squeezing = true;
    }

    /// Writes output from the present block. Returns whether another block is needed.
    fn squeeze(&mut self, state: &mut Column<'_>) -> bool {
        // Skipped bytes only move the position; whole skipped blocks just cause another permutation.
        let dropped = self.dropped.min(self.function.rate - self.position);
        self.dropped -= dropped;
        self.position += dropped;
        let count = self.output.len().min(self.function.rate - self.position);
        // `take` moves the borrow out, so that both halves keep its whole lifetime.
        let (now, later) = core::mem::take(&mut self.output).split_at_mut(count);
        state.squeeze(self.position, now);
        self.output = later;
        self.position += count;
        // Squeezing adds zeros to the state.
        self.source = Source::Nothing;
        if self.output.is_empty() {
            return false;
        }
        self.position = 0;
        true
    }
}

/// What [`run`](super::run) does with a stream. Only [`Stream`] implements it.
///
/// It is a trait because streams of one run borrow their inputs and outputs for different lifetimes. A slice
/// of one type of stream could not express that.
pub trait Advance: sealed::Sealed {}
impl Advance for Stream<'_> {}

pub(super) mod sealed {
    use super::{Block, Column, WORDS};

    /// The operations of a stream in a run.
    pub trait Sealed {
        /// Returns the place of the state between two runs.
        fn state(&mut self) -> &mut [u64; WORDS];
        /// Advances as far as possible before the next permutation of `state`. Returns whether one is needed;
        /// if not, the stream has ended.
        fn advance(&mut self, state: &mut Column<'_>) -> bool;
        /// Returns the block to add to the state before the next permutation.
        fn block(&self) -> &Block;
    }
}

impl sealed::Sealed for Stream<'_> {
    fn state(&mut self) -> &mut [u64; WORDS] {
        &mut self.secrets.state
    }

    fn advance(&mut self, state: &mut Column<'_>) -> bool {
        if self.squeezing { self.squeeze(state) } else { self.absorb() }
    }

    fn block(&self) -> &Block {
        match self.source {
            Source::Input(block) => block,
            Source::Buffer => &self.secrets.buffer,
            Source::Nothing => &NO_BLOCK,
        }
    }
}

impl fmt::Debug for Stream<'_> {
    /// Prints the function alone: everything else may be secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("function", &self.function).finish_non_exhaustive()
    }
}
