//! Which evaluation serves which length, for both primes.
use super::choice::{Params, Streams};
use super::dec::{DecBrw, LONG, Out, serves};
use super::ready::{MOST_LG, Ready};
use super::short::{SHORT_ROWS, short};
use super::stream::State;
use crate::field::Field;
use crate::{field1271, field1305};
use carryless_lanes::Cpu;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// From so many rows on a message is faster in lanes than in words.
const LANES_FROM_ROWS: usize = 4;
/// From this many bytes on an update of a stream is.
const UPDATE_IN_LANES_FROM: usize = 1024;

/// A field whose kernels a machine runs.
pub(crate) trait Evaluate: Field {
    /// Runs the kernel in lanes.
    fn in_lanes(cpu: Cpu, kernel: DecBrw<'_, Self>) -> Out<Self>;
}

macro_rules! evaluate {
    ($Element:ty) => {
        impl Evaluate for $Element {
            fn in_lanes(cpu: Cpu, kernel: DecBrw<'_, Self>) -> Out<Self> {
                if !cpu.has_ifma() {
                    return cpu.call(kernel);
                }
                cpu.call_ifma(kernel).expect("has_ifma says that it runs")
            }
        }
    };
}

evaluate!(field1305::element::Element);
evaluate!(field1271::element::Element);

/// The fastest evaluation of `len` bytes.
pub(crate) fn best<E: Field>(cpu: Cpu, streams: Streams, len: usize) -> Params {
    let lanes = !matches!(cpu, Cpu::Portable(_)) && len > E::BLOCK * streams as usize * (LANES_FROM_ROWS - 1);
    Params { t: if len < LONG { 2 } else { 3 }, lanes }
}

/// The digest of a message.
pub(crate) fn digest<E: Evaluate>(cpu: Cpu, lanes: bool, kernel: DecBrw<'_, E>) -> [u8; 16] {
    let DecBrw { tau, ready, msg, bits, c, .. } = kernel;
    if msg.is_empty() {
        return [0; 16];
    }
    let value = if lanes && serves(cpu.lanes(), c) {
        E::in_lanes(cpu, kernel).0
    } else if c == 4 && msg.len() <= SHORT_ROWS * 4 * E::BLOCK {
        short::<E, 4>(tau, ready, msg, bits)
    } else if c == 1 && msg.len() <= SHORT_ROWS * E::BLOCK {
        short::<E, 1>(tau, ready, msg, bits)
    } else {
        kernel.in_words().0
    };
    value.digest().to_le_bytes()
}

/// A key with its powers ready.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Prepared<E: Field> {
    #[zeroize(skip)]
    cpu: Cpu,
    #[zeroize(skip)]
    streams: Streams,
    tau: E,
    ready: Ready<E>,
}

impl<E: Evaluate> Prepared<E> {
    /// All powers for messages of up to `len` bytes, or 2^20 blocks of a stream if that is less.
    pub(crate) fn new(cpu: Cpu, streams: Streams, tau: E, len: usize) -> Self {
        let lg = len.div_ceil(E::BLOCK * streams as usize).max(1).ilog2() as usize;
        Prepared { cpu, streams, tau, ready: Ready::new(tau, lg.min(MOST_LG)) }
    }

    pub(crate) fn digest(&self, msg: &[u8]) -> [u8; 16] {
        let Params { t, lanes } = best::<E>(self.cpu, self.streams, msg.len());
        let (bits, c) = (8 * msg.len() as u64, self.streams as usize);
        digest(
            self.cpu,
            lanes,
            DecBrw { tau: self.tau, ready: Some(&self.ready), msg, bits, c, t, before: None },
        )
    }
}

/// A message that comes in pieces.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Stream<E: Field, const C: usize> {
    #[zeroize(skip)]
    cpu: Cpu,
    state: State<E, C>,
}

impl<E: Evaluate, const C: usize> Stream<E, C> {
    pub(crate) fn new(cpu: Cpu, tau: E) -> Self {
        const { assert!(matches!(C, 1 | 2 | 3 | 4 | 8 | 16), "there are 1, 2, 3, 4, 8 or 16 streams") };
        Stream { cpu, state: State::new(tau) }
    }

    pub(crate) fn update(&mut self, msg: &[u8]) {
        let cpu = self.cpu;
        self.state.update(msg, |groups| absorb(cpu, groups));
    }

    pub(crate) fn finish(&mut self) -> [u8; 16] {
        self.state.value().digest().to_le_bytes()
    }
}

fn absorb<E: Evaluate>(cpu: Cpu, kernel: DecBrw<'_, E>) -> usize {
    let lanes = !matches!(cpu, Cpu::Portable(_)) && kernel.msg.len() >= UPDATE_IN_LANES_FROM;
    let out =
        if lanes && serves(cpu.lanes(), kernel.c) { E::in_lanes(cpu, kernel) } else { kernel.in_words() };
    out.1
}
