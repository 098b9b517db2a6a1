//! One hash or XOF: where it is in its input and output.
use super::permutation::{BLOCK_BYTES, Block, WORDS};
use super::states::Column;
use crate::secret::wipe;
use core::fmt;

/// A function of FIPS 202.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Bytes of a block, a multiple of 8.
    rate: usize,
    /// The bits that tell functions apart, and the first bit of the padding.
    suffix: u8,
}

#[cfg(feature = "testing")]
impl Function {
    /// Permutations for an input and an output of so many bytes.
    pub(crate) fn permutations(self, input: usize, output: usize) -> usize {
        input / self.rate + output.div_ceil(self.rate)
    }
}

/// SHA3-256. Its output has 32 bytes; a [`Stream`] gives as many as it is asked for.
pub const SHA3_256: Function = Function { rate: 136, suffix: 0x06 };
/// SHA3-512, of 64 bytes.
pub const SHA3_512: Function = Function { rate: 72, suffix: 0x06 };
/// SHAKE256, of any length.
pub const SHAKE256: Function = Function { rate: 136, suffix: 0x1f };

/// What is added where nothing is.
pub(super) const NO_BLOCK: Block = [0; BLOCK_BYTES];

/// What a stream keeps between two permutations.
struct Secrets {
    /// The state, between two runs.
    state: [u64; WORDS],
    /// A block of more than one part, or with padding. Bytes behind the rate stay zero.
    buffer: Block,
}

impl Drop for Secrets {
    fn drop(&mut self) {
        wipe(&mut self.state);
        wipe(&mut self.buffer);
    }
}

/// The block that a permutation takes.
#[derive(Clone, Copy)]
enum Source<'a> {
    Input(&'a Block),
    Buffer,
    Nothing,
}

/// A hash or XOF of an input in several parts, and where its output goes.
///
/// It computes nothing by itself: [`run`](super::run) takes it through its blocks, together with others.
pub struct Stream<'a> {
    // A value of its own that is wiped, so that what a stream has written may be read while the stream still exists.
    secrets: Secrets,
    function: Function,
    source: Source<'a>,
    /// Bytes of the present block that have been filled or squeezed.
    position: usize,
    squeezing: bool,
    /// What is to be absorbed: these bytes, then these parts.
    part: &'a [u8],
    parts: &'a [&'a [u8]],
    /// Bytes to be dropped before anything is written.
    dropped: usize,
    /// What is to be written.
    output: &'a mut [u8],
}

impl<'a> Stream<'a> {
    /// A stream that absorbs all parts of `input`, one after the other, and then fills `output`.
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

    /// Drops so many bytes of the function before the output begins.
    #[must_use]
    pub fn skip(mut self, bytes: usize) -> Self {
        self.dropped = bytes;
        self
    }

    /// Takes the next block from the input. Returns whether there is one.
    fn absorb(&mut self) -> bool {
        if self.position == 0
            && self.function.rate == BLOCK_BYTES
            && let Some((block, rest)) = self.part.split_first_chunk()
        {
            (self.source, self.part) = (Source::Input(block), rest);
            return true;
        }
        self.source = Source::Buffer;
        self.fill();
        if self.position < self.function.rate {
            if self.output.is_empty() {
                return false;
            }
            self.pad();
        }
        self.position = 0;
        true
    }

    /// Fills the buffer until it is full or the input is over.
    fn fill(&mut self) {
        while self.position < self.function.rate {
            if self.part.is_empty() {
                let Some((first, others)) = self.parts.split_first() else { return };
                (self.part, self.parts) = (first, others);
                continue;
            }
            let count = self.part.len().min(self.function.rate - self.position);
            let (now, later) = self.part.split_at(count);
            self.secrets.buffer[self.position..][..count].copy_from_slice(now);
            self.part = later;
            self.position += count;
        }
    }

    /// The padding of FIPS 202, after which there is output.
    fn pad(&mut self) {
        let rest = &mut self.secrets.buffer[self.position..self.function.rate];
        rest.fill(0);
        rest[0] = self.function.suffix;
        rest[rest.len() - 1] |= 0x80;
        self.squeezing = true;
    }

    /// Writes from the block until it is used up or the output is full. Returns whether there is more to write.
    fn squeeze(&mut self, state: &mut Column<'_>) -> bool {
        let dropped = self.dropped.min(self.function.rate - self.position);
        self.dropped -= dropped;
        self.position += dropped;
        let count = self.output.len().min(self.function.rate - self.position);
        let (now, later) = core::mem::take(&mut self.output).split_at_mut(count);
        state.squeeze(self.position, now);
        self.output = later;
        self.position += count;
        self.source = Source::Nothing;
        if self.output.is_empty() {
            return false;
        }
        self.position = 0;
        true
    }
}

/// What [`run`](super::run) does with a stream.
///
/// It is a trait because the streams of a run borrow their inputs and outputs for different times, which no slice of streams can say. Only streams
/// implement it.
pub trait Advance: sealed::Sealed {}
impl Advance for Stream<'_> {}

pub(super) mod sealed {
    use super::{Block, Column, WORDS};

    /// What the streams of a run do.
    pub trait Sealed {
        /// The state between runs.
        fn state(&mut self) -> &mut [u64; WORDS];
        /// Goes as far as it can before the state is permuted. Returns whether it has to be; otherwise all is done.
        fn advance(&mut self, state: &mut Column<'_>) -> bool;
        /// What has to be added to the state before that.
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
    /// The function alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("function", &self.function).finish_non_exhaustive()
    }
}
