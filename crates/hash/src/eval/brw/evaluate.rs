//! Dispatch of the BRW hashes, for both primes: which evaluation serves which length on which backend.
use super::choice::{Layout, Params, Streams};
use super::dec::{DecBrw, serves};
use super::ready::{MAX_LG, Ready};
use super::segment::Part;
use super::short::{SHORT_ROWS, Short};
use super::stream::State;
use crate::base::wipe::wiped;
use crate::choose::thresholds;
use crate::eval::evaluate::Evaluate;
use crate::field::Field;
use crate::papers;
use carryless_lanes::Cpu;

/// The fastest evaluation of `len` bytes, and the backend for it: all lanes, or four.
// Inlined: its result would be written to memory in parts and read at once, and such a load waits.
#[inline(always)]
pub(crate) fn best<E: Evaluate>(cpu: Cpu, streams: Streams, len: usize) -> (Cpu, Params) {
    let (c, best) = (streams as usize, E::brw(thresholds(cpu)));
    // One or two blocks are shorter in words, however many streams there are.
    if len <= 2 * E::BLOCK || !best.lanes(c, len.div_ceil(E::BLOCK * c)) || !fills(cpu, c) {
        return (cpu, Params { t: best.t_in_words(len), layout: Layout::Words });
    }
    // t depends on the lanes that will run, so it is read from the table of that backend.
    let cpu = if best.four_lanes(c, len) { cpu.at_most_four_lanes() } else { cpu };
    (cpu, Params { t: E::brw(thresholds(cpu)).t_in_lanes, layout: Layout::Lanes })
}

/// True if the backend has vectors and `c` streams fill them.
fn fills(cpu: Cpu, c: usize) -> bool {
    !matches!(cpu, Cpu::Portable(_)) && serves(cpu.lanes(), c)
}

/// Whether short messages have code of their own. It is a fifth of a module for WebAssembly, where a call from JavaScript
/// takes longer than what it saves.
const STRAIGHT_LINE: bool = !cfg!(target_family = "wasm");

/// The value of a message, or of the last piece of a stream: zero for the empty message.
#[inline(always)]
pub(crate) fn value<E: Evaluate>(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, E>) -> E {
    let DecBrw { tau, ready, msg, bits, c, .. } = kernel;
    // The kernels need at least one block. That the message is empty is public.
    if bits == 0 {
        return E::from_word(0);
    }
    let idle = layout == Layout::IdleLanes && papers::idles(cpu, c);
    // Lanes if the streams fill them. In words, short messages of one or four streams have straight-line code.
    if idle || (layout != Layout::Words && fills(cpu, c)) {
        E::in_lanes(cpu, layout, kernel)
    } else if kernel.saved.is_some() || !STRAIGHT_LINE {
        kernel.in_words()
    } else if c == 4 && msg.len() <= SHORT_ROWS * 4 * E::BLOCK {
        Short::<E, 4> { tau, ready, msg, bits }.value()
    } else if c == 1 && msg.len() <= SHORT_ROWS * E::BLOCK {
        Short::<E, 1> { tau, ready, msg, bits }.value()
    } else {
        kernel.in_words()
    }
}

/// A key with its precomputed powers, for a fixed number of streams.
#[derive(Clone)]
pub(crate) struct Prepared<E: Field> {
    cpu: Cpu,
    streams: Streams,
    tau: E,
    ready: Ready<E>,
}

wiped!([E: Field] Prepared<E> { tau, ready; cpu, streams });

impl<E: Evaluate> Prepared<E> {
    /// Computes all powers for messages of up to `len` bytes, or 2^20 blocks of a stream if that is less.
    pub(crate) fn new(cpu: Cpu, streams: Streams, tau: E, len: usize) -> Self {
        // The logarithm needs a row, which the empty message does not have.
        let lg = len.div_ceil(E::BLOCK * streams as usize).max(1).ilog2() as usize;
        Prepared { cpu, streams, tau, ready: Ready::new(tau, lg.min(MAX_LG)) }
    }

    /// The digest of `msg`, by `params` or by the fastest evaluation. t is clamped to 2 to 5.
    pub(crate) fn evaluate(&self, params: Option<Params>, msg: &[u8]) -> [u8; 16] {
        let (cpu, Params { t, layout }) = match params {
            Some(params) => (self.cpu, params),
            None => best::<E>(self.cpu, self.streams, msg.len()),
        };
        let (bits, c, t) = (8 * msg.len() as u64, self.streams as usize, t.clamp(2, 5));
        let ready = Some(&self.ready);
        let kernel = DecBrw { tau: self.tau, ready, msg, bits, c, t, saved: None };
        value(cpu, layout, kernel).low_bits().to_le_bytes()
    }
}

/// The state of c-decBRWHash for a message that comes in pieces.
#[derive(Clone)]
pub(crate) struct Stream<E: Field, const C: usize> {
    cpu: Cpu,
    state: State<E, C>,
}

wiped!([E: Field, const C: usize] Stream<E, C> { state; cpu });

impl<E: Evaluate, const C: usize> Stream<E, C> {
    const STREAMS: Streams = match C {
        1 => Streams::One,
        2 => Streams::Two,
        3 => Streams::Three,
        4 => Streams::Four,
        8 => Streams::Eight,
        16 => Streams::Sixteen,
        _ => panic!("there are 1, 2, 3, 4, 8 or 16 streams"),
    };

    #[inline(always)]
    pub(crate) fn new(cpu: Cpu, tau: E) -> Self {
        const { assert!(Self::STREAMS as usize == C) };
        Stream { cpu, state: State::new(tau) }
    }

    pub(crate) fn update(&mut self, msg: &[u8]) {
        let cpu = self.cpu;
        self.state.update(msg, |groups| E::absorb(cpu, groups));
    }

    pub(crate) fn reset(&mut self) {
        self.state.reset();
    }

    /// The digest of all bytes. Needs no copy of the state, unlike [`digest`](Stream::digest).
    pub(crate) fn finish(&mut self) -> [u8; 16] {
        let cpu = self.cpu;
        self.state.value(|kernel| Self::last(cpu, kernel)).low_bits().to_le_bytes()
    }

    /// The digest of all bytes so far. More bytes may follow; works on a copy of the state if rows were absorbed.
    pub(crate) fn digest(&self) -> [u8; 16] {
        self.state.value_so_far(|kernel| Self::last(self.cpu, kernel)).low_bits().to_le_bytes()
    }

    /// Evaluates the end of a message by the fastest layout.
    fn last(cpu: Cpu, kernel: DecBrw<'_, E>) -> E {
        // Converting the state of earlier rows to words takes a while, so with such a state lanes are faster even
        // for few rows.
        let len = if kernel.saved.is_some() { usize::MAX } else { kernel.msg.len() };
        let (cpu, Params { t, layout }) = best::<E>(cpu, Self::STREAMS, len);
        E::value(cpu, layout, DecBrw { t, ..kernel })
    }

    pub(crate) fn part(&mut self) -> Part<E, C> {
        let cpu = self.cpu;
        Part::of(&mut self.state, |groups| E::absorb(cpu, groups))
    }
}

#[inline(always)]
pub(crate) fn absorb<E: Evaluate>(cpu: Cpu, kernel: DecBrw<'_, E>) {
    let (len, best) = (kernel.msg.len(), E::brw(thresholds(cpu)));
    // The kernel updates the state in place, so its return value is ignored. Entering and leaving lanes converts
    // the whole stack, so short pieces are absorbed in words.
    if len >= best.update_in_lanes_from && fills(cpu, kernel.c) {
        E::in_lanes(cpu, Layout::Lanes, DecBrw { t: best.t_in_lanes, ..kernel });
    } else {
        DecBrw { t: best.t_in_words(len), ..kernel }.in_words();
    }
}
