//! What the hashes ask of a prime field beyond its arithmetic, and the functions that are compiled in this crate.
use crate::brw::{DecBrw, Layout, Params, Prepared, Streams};
use crate::choose::{Brw, Thresholds};
use crate::field::Field;
use crate::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::stream::Stream;
use carryless_lanes::Cpu;
use zeroize::{Zeroize, Zeroizing};

/// A prime field with the hashes over it.
///
/// The public types of the hashes are generic over the prime and compiled where they are used, perhaps without
/// optimisation. The methods of this trait and what they inline are compiled in this crate, once for each prime.
/// None is `#[inline]`: what an inlined method calls would be visible to other crates, and LLVM would then neither
/// drop nor specialise it.
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

    /// Precomputes powers if they pay for a piece of `len` bytes after `absorbed` bytes.
    fn prepare_for(key: &mut Self::Streamed, absorbed: u64, len: usize);

    /// A key with the powers that the kernels of `cpu` use.
    fn powers(cpu: Cpu, tau: Self) -> Self::Powers;

    /// polyHash of `msg` with precomputed powers.
    fn polyhash(powers: &Self::Powers, msg: &[u8]) -> [u8; 16];

    /// polyHash of `msg` as a segment of a message, with precomputed powers.
    fn run(powers: &Self::Powers, msg: &[u8]) -> Run<Self>;

    /// [`Stream::update`].
    fn update(stream: &mut Stream<Self>, msg: &[u8]);

    /// The digest of [`Stream::finish`].
    fn finish(stream: &Stream<Self>) -> [u8; 16];

    /// [`Run::join`].
    fn join(left: &Run<Self>, right: &Run<Self>) -> Result<Run<Self>, JoinError>;

    /// [`Run::digest`].
    fn run_digest(run: &Run<Self>) -> [u8; 16];

    /// [`Run::to_secret_bytes`].
    fn run_to_bytes(run: &Run<Self>) -> Zeroizing<[u8; SEGMENT_BYTES]>;

    /// [`Run::from_secret_bytes`].
    fn run_from_bytes(bytes: &[u8]) -> Result<Run<Self>, InvalidSegment>;

    /// The thresholds of this field in a table of thresholds.
    fn brw(table: &Thresholds) -> &Brw;

    /// Runs the kernel in lanes, on a machine that has vectors. Panics on the portable machine.
    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// Runs the kernel for streams that leave lanes idle.
    #[cfg(any(feature = "plans", test))]
    fn in_idle_lanes(cpu: Cpu, kernel: crate::brw::idle::Idle<'_, Self>) -> Self;

    /// [`value`](crate::brw::value).
    fn value(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self;

    /// [`absorb`](crate::brw::absorb).
    fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>);

    /// [`Prepared::new`].
    fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self>;

    /// [`Prepared::digest`].
    fn digest_prepared(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16];
}

/// The methods of [`Evaluate`] with the same text for both fields. They are no default methods, because those are
/// compiled where they are used, like all generic code.
macro_rules! compiled_here {
    () => {
        fn update(stream: &mut Stream<Self>, msg: &[u8]) {
            stream.update(msg);
        }

        fn finish(stream: &Stream<Self>) -> [u8; 16] {
            stream.finish().digest().to_le_bytes()
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
            crate::brw::value(cpu, layout, kernel)
        }

        #[inline(never)]
        fn absorb(cpu: Cpu, kernel: DecBrw<'_, Self>) {
            crate::brw::absorb(cpu, kernel);
        }

        fn prepare(cpu: Cpu, streams: Streams, tau: Self, len: usize) -> Prepared<Self> {
            Prepared::new(cpu, streams, tau, len)
        }

        fn digest_prepared(key: &Prepared<Self>, params: Option<Params>, msg: &[u8]) -> [u8; 16] {
            key.digest(params, msg)
        }

        #[cfg(any(feature = "plans", test))]
        fn in_idle_lanes(cpu: Cpu, kernel: crate::brw::idle::Idle<'_, Self>) -> Self {
            cpu.call_eight_lanes_ifma(kernel, words_only)
        }
    };
}

pub(crate) use compiled_here;
