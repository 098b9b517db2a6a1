//! One hash or XOF: where it is in its input and output.
use super::permutation::WORDS;
use super::states::Column;
use core::fmt;
use zeroize::Zeroize;

/// A function of FIPS 202.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Bytes of a block, a multiple of 8.
    rate: usize,
    /// The bits that tell functions apart, and the first bit of the padding.
    suffix: u8,
}

/// SHA3-256. Its output has 32 bytes; a [`Stream`] gives as many as it is asked for.
pub const SHA3_256: Function = Function { rate: 136, suffix: 0x06 };
/// SHA3-512, of 64 bytes.
pub const SHA3_512: Function = Function { rate: 72, suffix: 0x06 };
/// SHAKE256, of any length.
pub const SHAKE256: Function = Function { rate: 136, suffix: 0x1f };

/// A state between two runs.
struct State([u64; WORDS]);

impl Drop for State {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// A hash or XOF of an input in several parts, and where its output goes.
///
/// It computes nothing by itself: [`run`](super::run) takes it through its blocks, together with others.
pub struct Stream<'a> {
    // A field of its own that is wiped, so that a stream may outlive what it has written to.
    state: State,
    function: Function,
    /// Bytes of the present block that have been absorbed or squeezed.
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
        let state = State([0; WORDS]);
        Stream { state, function, position: 0, squeezing: false, part: &[], parts: input, dropped: 0, output }
    }

    /// Drops so many bytes of the function before the output begins.
    #[must_use]
    pub fn skip(mut self, bytes: usize) -> Self {
        self.dropped = bytes;
        self
    }

    /// Lets the output go on in `output`, once it is where it was to go.
    pub fn read_on(&mut self, output: &'a mut [u8]) {
        debug_assert!(self.output.is_empty(), "output that was not written yet");
        self.output = output;
    }

    /// Adds to the block until it is full or the input is over.
    fn absorb(&mut self, state: &mut Column<'_>) {
        while self.position < self.function.rate {
            if self.part.is_empty() {
                let Some((first, others)) = self.parts.split_first() else { return };
                (self.part, self.parts) = (first, others);
                continue;
            }
            let count = self.part.len().min(self.function.rate - self.position);
            let (now, later) = self.part.split_at(count);
            state.absorb(self.position, now);
            self.part = later;
            self.position += count;
        }
    }

    /// Writes from the block until it is used up or the output is full.
    fn squeeze(&mut self, state: &mut Column<'_>) {
        let dropped = self.dropped.min(self.function.rate - self.position);
        self.dropped -= dropped;
        self.position += dropped;
        let count = self.output.len().min(self.function.rate - self.position);
        let (now, later) = core::mem::take(&mut self.output).split_at_mut(count);
        state.squeeze(self.position, now);
        self.output = later;
        self.position += count;
    }

    /// The padding of FIPS 202.
    fn pad(&mut self, state: &mut Column<'_>) {
        state.absorb(self.position, &[self.function.suffix]);
        state.absorb(self.function.rate - 1, &[0x80]);
        self.squeezing = true;
    }
}

/// What [`run`](super::run) does with a stream.
///
/// It is a trait because the streams of a run borrow their inputs and outputs for different times, which no slice of streams can say. Only streams
/// implement it.
pub trait Advance: sealed::Sealed {}
impl Advance for Stream<'_> {}

pub(super) mod sealed {
    use super::{Column, WORDS};

    /// What the streams of a run do.
    pub trait Sealed {
        /// The state between runs.
        fn state(&mut self) -> &mut [u64; WORDS];
        /// Goes as far as it can before the state is permuted. Returns whether it has to be; otherwise all is done.
        fn advance(&mut self, state: &mut Column<'_>) -> bool;
    }
}

impl sealed::Sealed for Stream<'_> {
    fn state(&mut self) -> &mut [u64; WORDS] {
        &mut self.state.0
    }

    fn advance(&mut self, state: &mut Column<'_>) -> bool {
        if self.squeezing {
            self.squeeze(state);
            if self.output.is_empty() {
                return false;
            }
        } else {
            self.absorb(state);
            if self.position < self.function.rate {
                if self.output.is_empty() {
                    return false;
                }
                self.pad(state);
            }
        }
        self.position = 0;
        true
    }
}

impl fmt::Debug for Stream<'_> {
    /// The function alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("function", &self.function).finish_non_exhaustive()
    }
}
