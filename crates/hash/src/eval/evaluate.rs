//! What the hashes ask of a prime field beyond its arithmetic, the functions that are compiled in this crate, and
//! messages that come in pieces.
use crate::base::wipe::wipe;
use crate::choose::{Brw, STREAM_PREPARES_AFTER, Thresholds};
use crate::eval::brw::{DecBrw, Layout, Params, Prepared, Streams};
use crate::eval::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::eval::pending::Pending;
use crate::field::Field;
use carryless_lanes::Cpu;
use core::mem::ManuallyDrop;
use zeroize::{Zeroize, Zeroizing};

/// A prime field with the hashes over it.
///
/// The public types of the hashes are generic over the prime and compiled where they are used, perhaps without
/// optimisation. The methods of this trait and what they inline are compiled in this crate, once for each prime.
/// None that calls a kernel is `#[inline]`: what an inlined method calls would be visible to other crates, and LLVM
/// would then neither drop nor specialise it.
pub(crate) trait Evaluate: Field {
    /// A key of polyHash as a stream holds it.
    type Streamed: Zeroize + Clone;
    /// A key of polyHash with precomputed powers.
    type Powers: Zeroize + Clone;
    /// The first 8 bytes of a serialized segment of polyHash: the name of the hash.
    const SEGMENT: &'static [u8; 8];

    /// A stream of polyHash at its beginning. Precomputes nothing.
    fn stream(cpu: Cpu, tau: Self) -> Stream<Self>;

    /// Absorbs all of `msg` into h. Only the last call of a message may have a short last block.
    fn absorb_blocks(key: &Self::Streamed, h: &mut Self, msg: &[u8]);

    /// Precomputes powers if they pay for a piece of `len` bytes in a message of more than [`STREAM_PREPARES_AFTER`].
    fn prepare_for(key: &mut Self::Streamed, len: usize);

    /// A key with the powers that the kernels of `cpu` use.
    fn powers(cpu: Cpu, tau: Self) -> Self::Powers;

    /// polyHash of `msg` with precomputed powers.
    fn polyhash(powers: &Self::Powers, msg: &[u8]) -> [u8; 16];

    /// polyHash of `msg` as a segment of a message, with precomputed powers.
    fn run(powers: &Self::Powers, msg: &[u8]) -> Run<Self>;

    /// Absorbs `msg`, of any length. Pieces that do not fill the buffer of the stream wait there.
    fn update(stream: &mut Stream<Self>, msg: &[u8]);

    /// The digest of all bytes so far, little-endian. The stream stays as it is.
    fn finish(stream: &Stream<Self>) -> [u8; 16];

    /// The run of both messages, one after the other, at two products for each bit of the number of blocks
    /// of `right`.
    fn join(left: &Run<Self>, right: &Run<Self>) -> Result<Run<Self>, JoinError>;

    /// The digest of a run that is the whole message, little-endian.
    fn run_digest(run: &Run<Self>) -> [u8; 16];

    /// A run in the layout of [`SEGMENT_BYTES`]. It contains the key, so it is wiped on drop.
    fn run_to_bytes(run: &Run<Self>) -> Zeroizing<[u8; SEGMENT_BYTES]>;

    /// The run of the bytes that [`Evaluate::run_to_bytes`] gave for this prime, or an error for other bytes.
    fn run_from_bytes(bytes: &[u8]) -> Result<Run<Self>, InvalidSegment>;

    /// The thresholds of this field in a table of thresholds.
    fn brw(table: &Thresholds) -> &Brw;

    /// Runs the kernel in lanes, on a backend that has vectors. Panics on the portable backend.
    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// The value of a message, by [`value`](crate::eval::brw::value) compiled here.
    fn value(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// Absorbs whole groups of rows into a state, by [`absorb`](crate::eval::brw::absorb) compiled here.
    fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>);

    /// A key with its powers for messages of up to `len` bytes, by [`Prepared::new`].
    fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self>;

    /// BRWHash of `msg` under a prepared key, by [`Prepared::evaluate`].
    fn brwhash(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16];
}

/// The methods of [`Evaluate`] with the same text for both fields. They are no default methods, because those are
/// compiled where they are used, like all generic code.
macro_rules! compiled_here {
    () => {
        fn update(stream: &mut Stream<Self>, msg: &[u8]) {
            stream.update(msg);
        }

        fn finish(stream: &Stream<Self>) -> [u8; 16] {
            stream.finish().low_bits().to_le_bytes()
        }

        fn join(left: &Run<Self>, right: &Run<Self>) -> Result<Run<Self>, JoinError> {
            left.join(right)
        }

        fn run_digest(run: &Run<Self>) -> [u8; 16] {
            run.digest()
        }

        fn run_to_bytes(run: &Run<Self>) -> Zeroizing<[u8; SEGMENT_BYTES]> {
            run.to_secret_bytes(Self::SEGMENT)
        }

        fn run_from_bytes(bytes: &[u8]) -> Result<Run<Self>, InvalidSegment> {
            Run::from_secret_bytes(Self::SEGMENT, bytes)
        }

        #[inline(never)]
        fn value(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self {
            crate::eval::brw::value(cpu, layout, kernel)
        }

        #[inline(never)]
        fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>) {
            crate::eval::brw::absorb(cpu, kernel);
        }

        fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self> {
            Prepared::new(cpu, streams, tau, len)
        }

        fn brwhash(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16] {
            key.evaluate(params, msg)
        }
    };
}

pub(crate) use compiled_here;

/// The state of a message in pieces: the value of whole blocks, and the bytes after them that wait for more.
#[derive(Clone)]
pub(crate) struct Stream<E: Evaluate> {
    /// `ManuallyDrop`, because the owner wipes the stream when it is dropped, which leaves nothing to free, and dropping
    /// the key would wipe it a second time.
    key: ManuallyDrop<E::Streamed>,
    /// The value of the bytes absorbed, below 2p; zero at first.
    h: E,
    /// Number of bytes absorbed, whole blocks; it saturates, because it only decides about precomputation.
    absorbed: u64,
    /// The bytes that follow the absorbed ones.
    pending: Pending,
}

impl<E: Evaluate> Stream<E> {
    const BLOCK: usize = E::BLOCK;

    #[inline(always)]
    pub(crate) fn new(key: E::Streamed) -> Self {
        Stream { key: ManuallyDrop::new(key), h: E::from_word(0), absorbed: 0, pending: Pending::EMPTY }
    }

    /// Returns to the empty message under the same key, whose precomputed powers stay. Wipes the value and the buffer.
    pub(crate) fn reset(&mut self) {
        // No `..` in the pattern: a new field must be wiped here, or be kept by name.
        let Stream { key: _, h, absorbed, pending } = self;
        wipe(core::slice::from_mut(h), E::from_word(0));
        pending.wipe();
        *absorbed = 0;
    }

    pub(crate) fn update(&mut self, mut msg: &[u8]) {
        // The buffer overflows. Complete its last block and absorb it; the rest of `msg` is then aligned to blocks.
        if self.pending.len() > 0 && msg.len() > self.pending.room(Self::BLOCK) - self.pending.len() {
            msg = self.absorb_pending(msg);
        }
        if self.pending.len() == 0 {
            self.pending.grow(self.absorbed, msg.len());
            // Long pieces go to the kernel directly, without a copy. Polynomial hashing may absorb any whole block at
            // once, unlike BRW, where the last one is kept.
            if msg.len() >= self.pending.room(Self::BLOCK) {
                let (whole, rest) = msg.split_at(msg.len() / Self::BLOCK * Self::BLOCK);
                self.absorb(whole);
                msg = rest;
            }
        }
        // What is left fits the buffer, since a longer rest has just been absorbed.
        if !msg.is_empty() {
            self.pending.push(msg);
        }
    }

    /// Completes the last block of the buffer from `msg`, absorbs the buffer, and returns the rest of `msg`.
    fn absorb_pending<'m>(&mut self, msg: &'m [u8]) -> &'m [u8] {
        // Only the last block is completed, not the whole buffer: the rest of `msg` is hashed without a copy.
        let (now, later) =
            msg.split_at(self.pending.len().next_multiple_of(Self::BLOCK) - self.pending.len());
        self.pending.push(now);
        let len = self.pending.len();
        self.prepare_for(len);
        E::absorb_blocks(&self.key, &mut self.h, self.pending.bytes());
        self.absorbed = self.absorbed.saturating_add(len as u64);
        self.pending.clear();
        later
    }

    fn absorb(&mut self, whole: &[u8]) {
        self.prepare_for(whole.len());
        E::absorb_blocks(&self.key, &mut self.h, whole);
        self.absorbed = self.absorbed.saturating_add(whole.len() as u64);
    }

    /// Precomputes powers for a piece of `len` bytes, which already uses them.
    #[inline(always)]
    fn prepare_for(&mut self, len: usize) {
        if self.absorbed >= STREAM_PREPARES_AFTER {
            E::prepare_for(&mut self.key, len);
        }
    }

    #[inline(always)]
    pub(crate) fn finish(&self) -> E {
        self.finish_by(
            |h| h,
            |key, mut h, msg| {
                E::absorb_blocks(key, &mut h, msg);
                h
            },
        )
    }

    /// What `absorb` makes of the value and the last bytes; `all` if no bytes are left.
    #[inline(always)]
    pub(crate) fn finish_by<T>(
        &self,
        all: impl FnOnce(E) -> T,
        absorb: impl FnOnce(&E::Streamed, E, &[u8]) -> T,
    ) -> T {
        // Without the copy below, which would cost more than a short block.
        if self.pending.len() == 0 {
            return all(self.h);
        }
        // The value is copied, so the stream can continue: the last block may be short here only.
        absorb(&self.key, self.h.copied(), self.pending.bytes())
    }
}

impl<E: Evaluate> Zeroize for Stream<E> {
    fn zeroize(&mut self) {
        self.key.zeroize();
        self.reset();
        self.pending.free();
    }
}
