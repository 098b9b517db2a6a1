//! Carry-less products: the vocabulary of kernels over F2\[X\], and its machines. [`Soft`] defines each operation.
//!
//! A lane has 128 bits: a low and a high half, each a polynomial of degree at most 63, bit i being the coefficient of
//! X^i. Everything but the moves between halves happens in every lane by itself, so that the lanes of a vector can
//! hold different products ([`Clmul::load_lanes`]); only [`Clmul::lanes_from`] moves lanes, for one product that fills them all.
#[cfg(feature = "analysis")]
mod bilinear;
mod bytes;
mod cpu;
#[cfg(feature = "analysis")]
mod degree;
mod detect;
mod dispatch;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod pmull;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(feature = "analysis")]
pub use bilinear::Bilinear;
pub use bytes::{Bytes, BytesKernel, BytesMachine, Factor};
pub use cpu::ClmulCpu;
#[cfg(feature = "analysis")]
pub use degree::{Degree, Degrees};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub use pmull::Pmull;
pub use soft::Soft;
#[cfg(target_arch = "x86_64")]
pub use x86::{
    Pclmul, PclmulAvx2, PclmulAvx512Vl, VpclmulYmm, VpclmulYmmAvx512Vl, VpclmulYmmGfni, VpclmulZmm,
    VpclmulZmmGfni,
};

/// A machine with vectors of `K` lanes of 128 bits that multiplies halves without carries.
///
/// There is no comparison and no way to read a lane, so a kernel cannot branch on data. A method is added here only
/// when a kernel needs it.
pub trait Clmul: Copy {
    /// Number of 128-bit lanes.
    const K: usize;
    /// Whether [`affine`](Clmul::affine) is one instruction.
    const AFFINE: bool = false;
    /// Whether a product of halves is one instruction, and so no slower than a few shifts.
    const CARRYLESS: bool = true;
    /// Whether kernels of curves call products of elements as functions of their own: so it is on machines of few CPUs, whose code shall be short.
    const COMPACT: bool = false;
    /// Whether [`rotl_wide`](Clmul::rotl_wide) and the logic of three operands are one instruction each.
    const ROTATES: bool = false;
    /// `K` lanes of two halves.
    type X: Copy;
    /// The machine of this CPU with one lane, for what does not fill a vector.
    type One: Clmul;
    /// This machine with [`COMPACT`](Clmul::COMPACT), if it has one lane: for kernels whose time hardly counts.
    type Compact: Clmul<X = Self::X>;

    /// That machine: this one, if it has one lane.
    fn one(self) -> Self::One;
    /// That machine.
    fn compact(self) -> Self::Compact;
    /// Runs a kernel from within another one, as a function of its own: its code is there once for all who call it, and stays in
    /// the processor's caches.
    fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out;
    /// Runs a part of a kernel, where [`COMPACT`](Clmul::COMPACT) as a function of its own.
    #[inline(always)]
    fn call_part<P: ClmulPart<Self>>(self, part: P) -> P::Out {
        part.run(self)
    }

    /// Zero in every lane.
    fn zero(self) -> Self::X;
    /// The first `2K` words of `src`: lane i has the words 2i (low half) and 2i + 1. Panics if `src` is shorter.
    fn load(self, src: &[u64]) -> Self::X;
    /// The words of `src`, at most `2K`, and zeros after them. Nothing else is read. Panics if there are more.
    #[inline(always)]
    fn load_part(self, src: &[u64]) -> Self::X {
        let mut words = [0; 8];
        words[..2 * Self::K][..src.len()].copy_from_slice(src);
        self.load(&words)
    }
    /// Lane i has the words `i * stride` and `i * stride + 1` of `src`. Panics if `src` is shorter.
    fn load_lanes(self, src: &[u64], stride: usize) -> Self::X;
    /// Writes what [`load`](Clmul::load) reads. Panics if `out` is shorter.
    fn store(self, x: Self::X, out: &mut [u64]);
    /// Writes what [`load_lanes`](Clmul::load_lanes) reads, and nothing between. Panics if `out` is shorter.
    fn store_lanes(self, x: Self::X, out: &mut [u64], stride: usize);
    /// N vectors, block after block in every lane: lane i has the `2N` words from `i * stride` on. Panics if `src` is shorter.
    #[inline(always)]
    fn load_blocks<const N: usize>(self, src: &[u64], stride: usize) -> [Self::X; N] {
        let (mut blocks, mut i) = ([self.zero(); N], 0);
        while i < N {
            blocks[i] = self.load_lanes(&src[2 * i..], stride);
            i += 1;
        }
        blocks
    }
    /// Writes what [`load_blocks`](Clmul::load_blocks) reads, in whole registers where a machine can: a load of a register waits
    /// long for stores of its parts. Lanes must not overlap: `stride` is at least `2N`, or there is one lane. Panics if `out`
    /// is shorter.
    #[inline(always)]
    fn store_blocks<const N: usize>(self, blocks: [Self::X; N], out: &mut [u64], stride: usize) {
        let mut i = 0;
        while i < N {
            self.store_lanes(blocks[i], &mut out[2 * i..], stride);
            i += 1;
        }
    }

    /// Sum.
    fn xor(self, a: Self::X, b: Self::X) -> Self::X;
    /// Low half of `a` times low half of `b`.
    fn mul_ll(self, a: Self::X, b: Self::X) -> Self::X;
    /// Low half of `a` times high half of `b`.
    fn mul_lh(self, a: Self::X, b: Self::X) -> Self::X;
    /// High half of `a` times low half of `b`.
    fn mul_hl(self, a: Self::X, b: Self::X) -> Self::X;
    /// High half of `a` times high half of `b`.
    fn mul_hh(self, a: Self::X, b: Self::X) -> Self::X;
    /// Square of the low half: its bits with zeros between them.
    fn square_l(self, a: Self::X) -> Self::X;
    /// Square of the high half.
    fn square_h(self, a: Self::X) -> Self::X;

    /// Low and high half, exchanged.
    fn swap(self, a: Self::X) -> Self::X;
    /// High half of `a` as the low one, low half of `b` as the high one: 128 bits from the middle of 256.
    fn straddle(self, a: Self::X, b: Self::X) -> Self::X;
    /// The same two words in every lane: a constant.
    fn splat(self, words: [u64; 2]) -> Self::X;
    /// The bits that both have.
    fn and(self, a: Self::X, b: Self::X) -> Self::X;
    /// Each half by itself, times X^bits: the upper bits are lost. `bits` is public and below 64; as a constant it costs one
    /// instruction.
    fn shl(self, a: Self::X, bits: u32) -> Self::X;
    /// Each half by itself, without its lowest bits: the quotient by X^bits. `bits` is public and below 64.
    fn shr(self, a: Self::X, bits: u32) -> Self::X;
    /// Bits of `b` where `mask` has ones, bits of `a` elsewhere.
    #[inline(always)]
    fn select(self, mask: Self::X, a: Self::X, b: Self::X) -> Self::X {
        self.xor(a, self.and(mask, self.xor(a, b)))
    }
    /// Byte i of each lane is byte j of the same lane of `table`, j being the low four bits of byte i of `indices`; zero where the
    /// highest bit of that byte is set.
    fn shuffle(self, table: Self::X, indices: Self::X) -> Self::X;
    /// The bytes of the low halves of `a` and `b` in turn: byte 2i is byte i of `a`, byte 2i + 1 is byte i of `b`.
    fn zip_low(self, a: Self::X, b: Self::X) -> Self::X;
    /// The same of the high halves.
    fn zip_high(self, a: Self::X, b: Self::X) -> Self::X;
    /// Every byte times the 8 x 8 bit matrix in the same half of `matrices`: bit i is the parity of the bits which the byte has in common with
    /// byte 7 - i of the matrix, as GF2P8AFFINEQB has it. Where [`AFFINE`](Clmul::AFFINE) is false it costs about 70 instructions.
    #[inline(always)]
    fn affine(self, x: Self::X, matrices: Self::X) -> Self::X {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        let (ones, mut out, mut i) = (self.splat([BYTES; 2]), self.zero(), 0);
        while i < 8 {
            let byte = BYTES * (7 - i);
            let row = self.shuffle(matrices, self.splat([byte, byte + BYTES * 8]));
            // The lowest bit of each byte becomes the parity; what comes from the next byte stays above it.
            let common = self.and(x, row);
            let common = self.xor(common, self.shr(common, 4));
            let common = self.xor(common, self.shr(common, 2));
            let common = self.xor(common, self.shr(common, 1));
            out = self.xor(out, self.shl(self.and(common, ones), i as u32));
            i += 1;
        }
        out
    }
    /// All ones in every quarter of a lane (32 bits) whose bit `bit` is one, zeros in the others. `bit` is public and below 32; as a constant it
    /// costs two instructions.
    fn bit_masks(self, a: Self::X, bit: u32) -> Self::X;
    /// Lane 0, for the machine with one lane.
    fn first_lane(self, a: Self::X) -> <Self::One as Clmul>::X;
    /// A vector of the machine with one lane, in every lane.
    fn repeat_lane(self, a: <Self::One as Clmul>::X) -> Self::X;
    /// Lane i is lane `order[i]`, for public numbers below `K`; what `order` has beyond `K` numbers is not read.
    fn permute_lanes(self, a: Self::X, order: [usize; 4]) -> Self::X;
    /// Part j of lane i is part i of lane j, where a lane has `K` parts of 16 / `K` bytes.
    fn transpose(self, a: Self::X) -> Self::X;

    /// Lane i is lane `from + i` of `low` and `high` one after the other, for `from` up to `K`: `low` for 0, `high` for `K`.
    fn lanes_from(self, from: usize, low: Self::X, high: Self::X) -> Self::X;

    /// Words of a wide vector: whole registers, also where products have fewer lanes.
    const WIDE: usize;
    /// A wide vector of words, for sums of long rows of bits, and for permutations of 64-bit words with a state in each word.
    type Wide: Copy;
    /// The first [`WIDE`](Clmul::WIDE) words of `src`. Panics if `src` is shorter.
    fn load_wide(self, src: &[u64]) -> Self::Wide;
    /// Writes what [`load_wide`](Clmul::load_wide) reads. Panics if `out` is shorter.
    fn store_wide(self, x: Self::Wide, out: &mut [u64]);
    /// Sum.
    fn xor_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// The bits that both have.
    fn and_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// The bits that one of them has, or both.
    fn or_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// The same word in all places: a constant.
    fn splat_wide(self, word: u64) -> Self::Wide;
    /// All ones in every half of a word (32 bits) in which `a` and `b` are equal, zeros in the others.
    fn equal_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Sum of three.
    #[inline(always)]
    fn xor3_wide(self, a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide {
        self.xor_wide(self.xor_wide(a, b), c)
    }
    /// `a ^ (!b & c)`.
    fn xor_andnot_wide(self, a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide;
    /// Each word by itself, rotated towards its high bits. `bits` is public and below 64; as a constant it costs one instruction on AVX-512, three
    /// or fewer elsewhere.
    fn rotl_wide(self, a: Self::Wide, bits: u32) -> Self::Wide;
}

/// A computation over vectors of carry-less products: [`crate::Kernel`]'s rules hold, word for word.
pub trait ClmulKernel {
    /// What the kernel returns.
    type Out;
    /// The computation, on any machine.
    fn run<S: Clmul>(self, s: S) -> Self::Out;
}

/// A part of a kernel on the machine S, which has vectors in its hands: for [`Clmul::call_part`].
pub trait ClmulPart<S> {
    /// What it returns.
    type Out;
    /// The computation.
    fn run(self, s: S) -> Self::Out;
}

/// A [`ClmulKernel`] of two operands and a result, for [`ClmulCpu::compile`].
pub trait ClmulProduct {
    /// The computation, on any machine.
    fn product<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]);
}

/// A [`ClmulProduct`] on one machine, behind a pointer, which saves the dispatch on each call.
#[derive(Clone, Copy, Debug)]
pub struct ClmulFn(
    /// Compiled with CPU features that its machine proved when the pointer was made.
    unsafe fn(&[u64], &[u64], &mut [u64]),
);

impl ClmulFn {
    /// Runs it.
    ///
    /// # Panics
    /// If a slice is shorter than the kernel's sizes.
    #[inline(always)]
    pub fn product(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        // SAFETY: only machines make these pointers (`ClmulMachine::compile`), of functions for their own features.
        unsafe { (self.0)(a, b, out) }
    }
}

/// A machine that runs such kernels. [`call_clmul`](ClmulMachine::call_clmul) and [`compile`](ClmulMachine::compile) are the only
/// entry points: they compile the kernel with the CPU features that the machine proves.
pub trait ClmulMachine: Clmul {
    /// The name by which users ask for it.
    const NAME: &'static str;
    /// Runs a kernel on this machine.
    fn call_clmul<K: ClmulKernel>(self, kernel: K) -> K::Out;
    /// A kernel on this machine, to be run later.
    fn compile<P: ClmulProduct>(self) -> ClmulFn;
}
