//! Carry-less products: the operations that kernels over F2\[X\] may ask of a backend, and the backends. [`Soft`]
//! defines the result of each operation.
//!
//! A lane has 128 bits: a low and a high half, each a polynomial of degree at most 63. Bit i is the coefficient of
//! X^i. Almost all operations act on each lane alone, so the lanes of a vector can hold different products
//! ([`Clmul::load_lanes`]). Moves between lanes ([`Clmul::lanes_from`] and its neighbours) serve one product that
//! fills them all.
mod backends;
#[cfg(feature = "analysis")]
mod bilinear;
mod bytes;
mod choices;
mod cpu;
#[cfg(feature = "analysis")]
mod degree;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod leaf7;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(crate) mod pmull;
mod pointers;
mod soft;
#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

#[cfg(feature = "analysis")]
pub use bilinear::Bilinear;
pub use bytes::{Bytes, BytesBackend, BytesKernel, Factor};
pub use choices::{Affine, OneLane, OverBytes, SeveralLanes, TwoLanes};
pub use cpu::ClmulCpu;
#[cfg(feature = "analysis")]
pub use degree::{Degree, Degrees};
pub use pointers::KernelFns;
use pointers::{Compiled, Pointer};
pub use soft::Soft;

/// A backend with vectors of `K` lanes of 128 bits that multiplies their halves without carries.
///
/// There is no comparison that a kernel could branch on and no way to read a lane, so kernels are constant time. A
/// method is added only when a kernel needs it.
pub trait Clmul: Copy {
    /// Number of lanes of 128 bits: 1, 2 or 4.
    const K: usize;
    /// Whether [`affine`](Clmul::affine) is one instruction.
    const AFFINE: bool = false;
    /// Whether a product of halves is one instruction, and so no slower than a few shifts.
    const CARRYLESS: bool = true;
    /// Whether kernels of curves call products of elements as functions instead of inlining them. True on backends
    /// of few CPUs, where small code matters more than speed.
    const COMPACT: bool = false;
    /// Whether [`rotl_wide`](Clmul::rotl_wide) and the logic of three operands are one instruction each.
    const ROTATES: bool = false;
    /// `K` lanes of two halves.
    type X: Copy;
    /// The backend with one lane on the same CPU, for operands that do not fill a vector.
    type One: Clmul;
    /// This backend with [`COMPACT`](Clmul::COMPACT), if it has one lane; otherwise the backend itself. For
    /// kernels whose time hardly counts.
    type Compact: Clmul<X = Self::X>;

    /// The backend with one lane on the same CPU; `self`, if it has one lane.
    fn one(self) -> Self::One;
    /// The backend of type [`Compact`](Clmul::Compact).
    fn compact(self) -> Self::Compact;
    /// Runs a kernel from within another kernel, as a function of its own. All callers share its code, which
    /// stays in the processor's caches.
    fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out;
    /// Runs a part of a kernel: inlined, or as a function of its own where [`COMPACT`](Clmul::COMPACT) is true.
    #[inline(always)]
    fn call_part<P: ClmulPart<Self>>(self, part: P) -> P::Out {
        part.run(self)
    }

    /// The vector whose `2K` words are all zero.
    fn zero(self) -> Self::X;
    /// The first `2K` words of `src`: lane i has the words 2i (low half) and 2i + 1. Panics if `src` is shorter.
    fn load(self, src: &[u64]) -> Self::X;
    /// Loads all words of `src` and zeros after them. Reads nothing else. Panics if there are more than `2K` words.
    #[inline(always)]
    fn load_part(self, src: &[u64]) -> Self::X {
        // A buffer for the widest vector (4 lanes), so that `load` may read a whole vector.
        let mut words = [0; 8];
        // Cut to `2K` words first: a longer part panics here, although the buffer has room for four lanes.
        words[..2 * Self::K][..src.len()].copy_from_slice(src);
        self.load(&words)
    }
    /// Stores the first words of `x`, as many as `out` has, and nothing else. Panics if `out` has more than `2K` words.
    #[inline(always)]
    fn store_part(self, x: Self::X, out: &mut [u64]) {
        let mut words = [0; 8];
        self.store(x, &mut words);
        // Cut to `2K` words first, as in `load_part`.
        out.copy_from_slice(&words[..2 * Self::K][..out.len()]);
    }
    /// Lane i has the words `i * stride` and `i * stride + 1` of `src`. Panics if `src` is shorter.
    fn load_lanes(self, src: &[u64], stride: usize) -> Self::X;
    /// Writes what [`load`](Clmul::load) reads. Panics if `out` is shorter.
    fn store(self, x: Self::X, out: &mut [u64]);
    /// Writes what [`load_lanes`](Clmul::load_lanes) reads, and nothing between. Panics if `out` is shorter.
    fn store_lanes(self, x: Self::X, out: &mut [u64], stride: usize);
    /// Loads N vectors: lane i of vector j has the words `i * stride + 2j` and `i * stride + 2j + 1`.
    /// Panics if `src` is shorter.
    #[inline(always)]
    fn load_blocks<const N: usize>(self, src: &[u64], stride: usize) -> [Self::X; N] {
        let (mut blocks, mut i) = ([self.zero(); N], 0);
        while i < N {
            blocks[i] = self.load_lanes(&src[2 * i..], stride);
            i += 1;
        }
        blocks
    }
    /// Writes what [`load_blocks`](Clmul::load_blocks) reads, in whole registers where the backend can: a load of a
    /// register waits long for stores of its parts. Lanes must not overlap: `stride` is at least `2N`, or there is
    /// one lane. Panics if `out` is shorter.
    #[inline(always)]
    fn store_blocks<const N: usize>(self, blocks: [Self::X; N], out: &mut [u64], stride: usize) {
        let mut i = 0;
        while i < N {
            self.store_lanes(blocks[i], &mut out[2 * i..], stride);
            i += 1;
        }
    }

    /// Sum over F2 (XOR), bit by bit in all lanes.
    fn xor(self, a: Self::X, b: Self::X) -> Self::X;
    /// Low half of `a` times low half of `b`, in each lane: degree at most 126, so bit 127 is zero.
    /// All products have this bound.
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

    /// Exchanges the low and the high half of each lane.
    fn swap(self, a: Self::X) -> Self::X;
    /// High half of `a` as the low half, low half of `b` as the high half: the middle 128 bits of a + X^128 b.
    fn straddle(self, a: Self::X, b: Self::X) -> Self::X;
    /// The same two words in every lane, low half first. They may be secret.
    fn splat(self, words: [u64; 2]) -> Self::X;
    /// AND, bit by bit in all lanes.
    fn and(self, a: Self::X, b: Self::X) -> Self::X;
    /// Each half times X^bits, without the coefficients from X^64 on. `bits` is public and below 64; as a
    /// constant it costs one instruction.
    fn shl(self, a: Self::X, bits: u32) -> Self::X;
    /// The quotient of each half by X^bits. `bits` is public and below 64; as a constant it costs one instruction.
    fn shr(self, a: Self::X, bits: u32) -> Self::X;
    /// Bits of `b` where `mask` has ones, bits of `a` elsewhere.
    #[inline(always)]
    fn select(self, mask: Self::X, a: Self::X, b: Self::X) -> Self::X {
        self.xor(a, self.and(mask, self.xor(a, b)))
    }
    /// Looks up bytes in a table of 16, in constant time. Byte i of each lane is byte j of the same lane of `table`,
    /// where j is the low four bits of byte i of `indices`. It is zero where the highest bit of that byte is set.
    fn shuffle(self, table: Self::X, indices: Self::X) -> Self::X;
    /// The bytes of the low halves of `a` and `b` in turn: byte 2i is byte i of `a`, byte 2i + 1 is byte i of `b`.
    fn zip_low(self, a: Self::X, b: Self::X) -> Self::X;
    /// The bytes of the high halves of `a` and `b` in turn, in the order of [`zip_low`](Clmul::zip_low).
    fn zip_high(self, a: Self::X, b: Self::X) -> Self::X;
    /// Every byte times the 8 x 8 bit matrix in the same half of `matrices`, as GF2P8AFFINEQB computes it. Bit i of
    /// the result is the parity of the AND of the byte and byte 7 - i of the matrix. Where
    /// [`AFFINE`](Clmul::AFFINE) is false it costs about 70 instructions.
    #[inline(always)]
    fn affine(self, x: Self::X, matrices: Self::X) -> Self::X {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        let (ones, mut out, mut i) = (self.splat([BYTES; 2]), self.zero(), 0);
        while i < 8 {
            let byte = BYTES * (7 - i);
            // Row 7 - i of the matrix of each half, in all of its bytes: indices 7 - i, and 15 - i in the high
            // half.
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
    /// Masks by one bit: all ones in every quarter of a lane (32 bits) whose bit `bit` is one, zeros in the others.
    /// `bit` is public and below 32; as a constant it costs two instructions.
    fn bit_masks(self, a: Self::X, bit: u32) -> Self::X;
    /// Lane 0 of `a`, as a vector of the backend with one lane.
    fn first_lane(self, a: Self::X) -> <Self::One as Clmul>::X;
    /// Copies a vector of the backend with one lane to every lane.
    fn repeat_lane(self, a: <Self::One as Clmul>::X) -> Self::X;
    /// Lane i of the result is lane `order[i]` of `a`. The numbers are public and below `K`; entries
    /// from `K` on are ignored.
    fn permute_lanes(self, a: Self::X, order: [usize; 4]) -> Self::X;
    /// Transposes a `K` x `K` matrix: a lane is a row of `K` parts of 16 / `K` bytes, and part j of lane i moves to
    /// part i of lane j.
    fn transpose(self, a: Self::X) -> Self::X;

    /// `K` lanes of `low` followed by `high`, from lane `from` on: `low` for 0, `high` for `K`. `from` is
    /// public and at most `K`.
    fn lanes_from(self, from: usize, low: Self::X, high: Self::X) -> Self::X;
    /// The same words. The optimiser does not know what they are, so that it loads each of their blocks, instead of moving it
    /// out of a register. It costs no instruction.
    #[inline(always)]
    fn in_memory(self, words: &[u64]) -> &[u64] {
        words
    }
    /// Lanes below `count` of `a`, and zeros in the others. `count` is public and at most `K`; as a constant it costs
    /// one AND on four lanes, which is no move.
    #[inline(always)]
    fn first_lanes(self, count: usize, a: Self::X) -> Self::X {
        let on_top = self.lanes_from(count, self.zero(), a);
        self.lanes_from(Self::K - count, on_top, self.zero())
    }

    /// Number of words in a wide vector. It fills a whole register, also where products have fewer lanes.
    const WIDE: usize;
    /// A vector of [`WIDE`](Clmul::WIDE) words: for sums of long rows of bits, and for permutations of 64-bit words
    /// with one state in each word.
    type Wide: Copy;
    /// The first [`WIDE`](Clmul::WIDE) words of `src`. Panics if `src` is shorter.
    fn load_wide(self, src: &[u64]) -> Self::Wide;
    /// Writes what [`load_wide`](Clmul::load_wide) reads. Panics if `out` is shorter.
    fn store_wide(self, x: Self::Wide, out: &mut [u64]);
    /// Sum over F2 (XOR), bit by bit in all words.
    fn xor_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// AND of all words, bit by bit.
    fn and_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// OR of all words, bit by bit.
    fn or_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// The same word in all places. It may be secret.
    fn splat_wide(self, word: u64) -> Self::Wide;
    /// All ones in every half of a word (32 bits) in which `a` and `b` are equal, zeros in the others.
    fn equal_wide(self, a: Self::Wide, b: Self::Wide) -> Self::Wide;
    /// Sum of three vectors (XOR): one instruction on AVX-512, two elsewhere.
    #[inline(always)]
    fn xor3_wide(self, a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide {
        self.xor_wide(self.xor_wide(a, b), c)
    }
    /// `a ^ (!b & c)`.
    fn xor_andnot_wide(self, a: Self::Wide, b: Self::Wide, c: Self::Wide) -> Self::Wide;
    /// Rotates each word towards its high bits. `bits` is public and below 64; as a constant it costs one
    /// instruction on AVX-512, three or fewer elsewhere.
    fn rotl_wide(self, a: Self::Wide, bits: u32) -> Self::Wide;
}

/// A computation over vectors of carry-less products. The rules of [`crate::Kernel`] hold for it, too.
pub trait ClmulKernel {
    /// Result of the kernel: integers or nothing, never a vector.
    type Out;
    /// Computes the result on backend `s`; code may depend on the backend's constants, results may not.
    fn run<S: Clmul>(self, s: S) -> Self::Out;
}

/// A part of a kernel on the backend S, for [`Clmul::call_part`]. Its fields and results may be vectors of S.
pub trait ClmulPart<S> {
    /// Result of the part; it may contain vectors.
    type Out;
    /// Computes the result on the backend of the kernel around it.
    fn run(self, s: S) -> Self::Out;
}

/// A [`ClmulKernel`] of two operands and a result, for [`ClmulCpu::compile`].
pub trait SliceKernel {
    /// Computes `out` from `a` and `b` on backend `s`. Panics if a slice is shorter than the kernel's sizes.
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]);
}

/// A [`SliceKernel`] compiled for one backend: a function pointer, so that a call needs no dispatch.
#[derive(Clone, Copy, Debug)]
pub struct KernelFn(
    /// The function needs the CPU features of its backend, which a token proved when the pointer was made.
    unsafe fn(&[u64], &[u64], &mut [u64]),
);

impl KernelFn {
    /// Runs the kernel: `out` from `a` and `b`.
    ///
    /// # Panics
    /// If a slice is shorter than the kernel's sizes.
    #[inline(always)]
    pub fn call(self, a: &[u64], b: &[u64], out: &mut [u64]) {
        // SAFETY: backends make these pointers (`Pointer`), of functions for their own features. Only `ClmulBackend::compile`
        // and `KernelFns::on` hand them out, which take the backend's token.
        unsafe { (self.0)(a, b, out) }
    }
}

/// A backend that runs these kernels. [`call`](ClmulBackend::call) and [`compile`](ClmulBackend::compile)
/// are the only entry points: they compile the kernel with the CPU features that the backend proves.
pub trait ClmulBackend: Clmul {
    /// Name of the backend. [`ClmulCpu::named`] accepts it if [`ClmulCpu`] has a variant for the backend.
    const NAME: &'static str;
    /// Runs a kernel on this backend.
    fn call<K: ClmulKernel>(self, kernel: K) -> K::Out;
    /// Compiles a kernel for this backend and returns a pointer to it, to be run later.
    fn compile<P: SliceKernel>(self) -> KernelFn;
}
