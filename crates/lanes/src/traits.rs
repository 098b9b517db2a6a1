//! The operations that a kernel may ask of a backend. [`crate::Portable`] defines the result of each.
//!
//! A method is added only when a kernel needs it. There is no comparison and no way to read a lane, so a kernel
//! cannot branch on data: this is what makes kernels constant time.

/// A backend with vectors of `N` lanes of 64 bits.
///
/// `V` holds sums, `L` holds multiplicands. Only [`limb`](Lanes::limb), [`low32`](Lanes::low32) and
/// [`high32`](Lanes::high32) turn sums into multiplicands. There the analyses check the width, and there the
/// backends hide the value from an optimiser that would otherwise undo the choice of instruction.
pub trait Lanes: Copy {
    /// Number of lanes; a lane is a word of 64 bits. The backends here have 2, 4 or 8.
    const N: usize;
    /// Number of `u64` that [`store_limb`](Lanes::store_limb) writes: `N`, or `N / 2` where
    /// two multiplicands share 64 bits.
    const LIMB_WORDS: usize;
    /// Whether kernels should prefer small code over speed. This is so on the portable backend, where
    /// special loops for common shapes only cost compile time. The analyses leave it false, so that they
    /// cover the loops that vectors run.
    const COMPACT: bool = false;
    /// `N` sums of 64 bits.
    type V: Copy;
    /// `N` multiplicands of 32 bits.
    type L: Copy;

    /// The vector that holds `x` in each of its `N` lanes.
    fn splat(self, x: u64) -> Self::V;
    /// The first `8N` bytes of `src` as little-endian words, at any alignment. Panics if `src` is shorter.
    fn load(self, src: &[u8]) -> Self::V;
    /// Loads `count` little-endian words of `src` into the lanes `from .. from + count`, and zero into the others.
    /// Reads no other byte. Panics if `src` has fewer than `8 count` bytes, or if `from + count` exceeds `N`.
    #[inline(always)]
    fn load_part(self, src: &[u8], from: usize, count: usize) -> Self::V {
        // A buffer for the widest vector (8 lanes), so that `load` may read a whole vector.
        let mut vector = [0; 64];
        // Cut to `N` lanes first: a part beyond them panics here, although the buffer has room for eight.
        vector[..8 * Self::N][8 * from..][..8 * count].copy_from_slice(&src[..8 * count]);
        self.load(&vector)
    }
    /// The first `N` words of `src`. Panics if `src` is shorter.
    fn load_words(self, src: &[u64]) -> Self::V;
    /// The first `15 N / 2` bytes of `src` as `N / 2` blocks of 15 bytes, two words each, in order: eight bytes,
    /// then seven with a zero after them. Nothing else is read. Panics if `src` is shorter.
    fn load15(self, src: &[u8]) -> Self::V;
    /// Writes the lanes to the first `N` words of `out`. Panics if `out` is shorter.
    fn store(self, v: Self::V, out: &mut [u64]);

    /// Converts sums below 2^32 to multiplicands. The caller guarantees the bound; the analyses check it.
    fn limb(self, v: Self::V) -> Self::L;
    /// The low 32 bits of each lane, as multiplicands. The high bits are ignored on purpose and may be anything.
    fn low32(self, v: Self::V) -> Self::L;
    /// The high 32 bits of each lane, as multiplicands.
    fn high32(self, v: Self::V) -> Self::L;
    /// Writes multiplicands to the first `LIMB_WORDS` words of `out`, in the backend's own layout.
    fn store_limb(self, l: Self::L, out: &mut [u64]);
    /// Reads what [`store_limb`](Lanes::store_limb) of the same backend wrote.
    fn load_limb(self, src: &[u64]) -> Self::L;

    /// Product of two multiplicands, 64 bits (`vpmuludq`, `umull`).
    fn mul32(self, a: Self::L, b: Self::L) -> Self::V;
    /// Sum modulo 2^64; the analyses require that it does not wrap.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns `a` unchanged, hidden from the optimiser: it computes these sums here and cannot regroup them
    /// (book/src/adding-a-kernel.md, rule 3). The default does nothing.
    #[inline(always)]
    fn settle(self, a: Self::V) -> Self::V {
        a
    }
    /// Right shift of each lane by `k < 64` bits.
    fn shr(self, a: Self::V, k: u32) -> Self::V;
    /// Left shift of each lane by `k < 64` bits; the analyses require that no set bit is lost.
    fn shl(self, a: Self::V, k: u32) -> Self::V;
    /// The low `k < 64` bits of each lane.
    fn low_bits(self, a: Self::V, k: u32) -> Self::V;
    /// Keeps the lanes where `mask` is all ones and clears those where it is zero.
    fn select(self, a: Self::V, mask: Self::V) -> Self::V;
    /// Bits of `a` and of `b` side by side: an OR whose operands must not share a set bit.
    fn concat(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low `bits` bits of `(low + 2^64 high) >> k` in each lane: a limb that begins in one word and ends in the
    /// next. Requires `0 < k < 64` and `64 - k <= bits < 64`.
    ///
    /// Two shifts, a mask and a join; with VBMI2 one shift and a mask. `Count` (feature `analysis`) sees the four.
    #[inline(always)]
    fn straddle(self, low: Self::V, high: Self::V, k: u32, bits: u32) -> Self::V {
        let above = 64 - k;
        self.concat(self.shr(low, k), self.shl(self.low_bits(high, bits - above), above))
    }
    /// Even lanes of both: `[a0 b0 a2 b2 ..]`.
    fn unpack_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Odd lanes of both: `[a1 b1 a3 b3 ..]`.
    fn unpack_hi(self, a: Self::V, b: Self::V) -> Self::V;
}

/// A backend that multiplies 52-bit limbs and adds one half of the product (AVX-512 IFMA).
pub trait Ifma: Lanes {
    /// `acc + low 52 bits of (a mod 2^52)(b mod 2^52)`. The analyses require `a, b < 2^52` and no wrap.
    fn madd52lo(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `acc + bits 52.. of (a mod 2^52)(b mod 2^52)`. The analyses require `a, b < 2^52` and no wrap.
    fn madd52hi(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `a b` in each lane, for products below 2^52. The analysis `Interval` requires that.
    #[inline(always)]
    fn mul52(self, a: Self::V, b: Self::V) -> Self::V {
        self.madd52lo(self.splat(0), a, b)
    }
    /// Difference a - b modulo 2^64; the analyses require `b <= a`.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
}

/// A backend that moves 32-bit halves across lanes: what the packed layout of papers 000 and 003 needs.
pub trait Shuffle32: Lanes {
    /// Half `i` of the result is half `index[i]` of `a`, of the 2N halves of all lanes (`vpermd`). Indices are
    /// public: they depend on lengths, never on secrets. Those after the first 2N are not used.
    fn permute32(self, a: Self::V, index: &[u32; 16]) -> Self::V;
    /// Low halves from `a`, high halves from `b` (`vpblendd 0xaa`, a blend by mask).
    fn blend32(self, a: Self::V, b: Self::V) -> Self::V;
}

/// A scalar backend: 64-bit words `W` and 128-bit sums `D`. Kernels for short messages are written over it.
pub trait Words: Copy {
    /// A word of 64 bits.
    type W: Copy;
    /// A sum of 128 bits.
    type D: Copy;

    /// Turns an integer into a word of the backend. Message words pass through it too, so that an analysis can look
    /// up what an integer stands for.
    fn word(self, x: u64) -> Self::W;
    /// The integer that stands for a word in memory: the inverse of [`word`](Words::word).
    fn to_memory(self, a: Self::W) -> u64;
    /// The full product of two words. It has 128 bits, so it cannot overflow.
    fn mul(self, a: Self::W, b: Self::W) -> Self::D;
    /// Zero-extends a word to a sum of 128 bits.
    fn widen(self, a: Self::W) -> Self::D;
    /// Joins two words to a sum: `low + 2^64 high`.
    fn wide(self, low: Self::W, high: Self::W) -> Self::D;
    /// Sum modulo 2^128; the analyses require that it does not wrap.
    fn add(self, a: Self::D, b: Self::D) -> Self::D;
    /// Sum modulo 2^128 and its carry, 0 or 1. This is the only addition of words that may wrap.
    fn add_carry(self, a: Self::D, b: Self::D) -> (Self::D, Self::W);
    /// Sum modulo 2^64; the analyses require that it does not wrap.
    fn add_word(self, a: Self::W, b: Self::W) -> Self::W;
    /// Returns `a` unchanged, hidden from the optimiser, which cannot move later terms before this
    /// point. The default does nothing.
    #[inline(always)]
    fn settle(self, a: Self::D) -> Self::D {
        a
    }
    /// Does to one word what [`settle`](Words::settle) does to a sum of 128 bits.
    #[inline(always)]
    fn settle_word(self, a: Self::W) -> Self::W {
        a
    }
    /// The low 64 bits of a sum; the high ones are dropped.
    fn low(self, a: Self::D) -> Self::W;
    /// The high 64 bits of a sum; the low ones are dropped.
    fn high(self, a: Self::D) -> Self::W;
    /// `a >> k` as a word, for `k < 64`; the analyses require that it fits.
    fn shr_wide(self, a: Self::D, k: u32) -> Self::W;
    /// Right shift of a word by `k < 64` bits; the bits shifted out are lost.
    fn shr(self, a: Self::W, k: u32) -> Self::W;
    /// Left shift of a word by `k < 64` bits; the analyses require that no set bit is lost.
    fn shl(self, a: Self::W, k: u32) -> Self::W;
    /// The low `k < 64` bits of a word; the others become zero.
    fn low_bits(self, a: Self::W, k: u32) -> Self::W;
    /// Bits of `a` and of `b` side by side: an OR whose operands must not share a set bit.
    fn concat(self, a: Self::W, b: Self::W) -> Self::W;
}
