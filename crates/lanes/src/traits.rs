//! The vocabulary: everything a kernel may ask of a machine. [`crate::Portable`] defines each operation.
//!
//! A method is added here only when a kernel needs it. There is no comparison and no way to read a lane, so a
//! kernel cannot branch on data.

/// A machine with vectors of `N` lanes of 64 bits.
///
/// `V` holds sums, `L` holds multiplicands. The only ways from sums to multiplicands are [`limb`](Lanes::limb),
/// [`low32`](Lanes::low32) and [`high32`](Lanes::high32): there the analyses check the width, and there the
/// machines hide the value from an optimiser that would otherwise undo the choice of instruction.
pub trait Lanes: Copy {
    /// Number of 64-bit lanes.
    const N: usize;
    /// Number of `u64` that a stored `L` takes ([`store_limb`](Lanes::store_limb)).
    const LIMB_WORDS: usize;
    /// Whether kernels should prefer small code over speed, as on the portable machine, special
    /// loops for common shapes only cost the time that it takes to compile them. The analyses take the loops that vectors take.
    const COMPACT: bool = false;
    /// `N` sums of 64 bits.
    type V: Copy;
    /// `N` multiplicands of 32 bits.
    type L: Copy;

    /// `x` in every lane.
    fn splat(self, x: u64) -> Self::V;
    /// The first `8N` bytes of `src` as little-endian words, at any alignment. Panics if `src` is shorter.
    fn load(self, src: &[u8]) -> Self::V;
    /// `count` words of `src`, little-endian, in the lanes from `from` on, zero in the others. Nothing else is read. Panics
    /// if `src` is shorter, or if there are not so many lanes.
    #[inline(always)]
    fn load_part(self, src: &[u8], from: usize, count: usize) -> Self::V {
        let mut vector = [0; 64];
        vector[..8 * Self::N][8 * from..][..8 * count].copy_from_slice(&src[..8 * count]);
        self.load(&vector)
    }
    /// The first `N` words of `src`. Panics if `src` is shorter.
    fn load_words(self, src: &[u64]) -> Self::V;
    /// The first `15 N / 2` bytes of `src` as `N / 2` blocks of 15 bytes, two words each, in order: eight bytes, then seven
    /// with a zero after them. Nothing else is read. Panics if `src` is shorter.
    fn load15(self, src: &[u8]) -> Self::V;
    /// Writes the lanes to the first `N` words of `out`. Panics if `out` is shorter.
    fn store(self, v: Self::V, out: &mut [u64]);

    /// A sum that is known to be less than 2^32, as a multiplicand.
    fn limb(self, v: Self::V) -> Self::L;
    /// The low 32 bits of each lane; the high ones are ignored on purpose.
    fn low32(self, v: Self::V) -> Self::L;
    /// The high 32 bits of each lane.
    fn high32(self, v: Self::V) -> Self::L;
    /// Writes multiplicands to the first `LIMB_WORDS` words of `out`, in the machine's own layout.
    fn store_limb(self, l: Self::L, out: &mut [u64]);
    /// Reads what [`store_limb`](Lanes::store_limb) of the same machine wrote.
    fn load_limb(self, src: &[u64]) -> Self::L;

    /// Product of two multiplicands, 64 bits (`vpmuludq`, `umull`).
    fn mul32(self, a: Self::L, b: Self::L) -> Self::V;
    /// Sum modulo 2^64; the analyses require that it does not wrap.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// The same sums, complete at this point: the optimiser may not look through (docs/adding-a-kernel.md, rule 3).
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
    /// Even lanes of both: `[a0 b0 a2 b2 ..]`.
    fn unpack_lo(self, a: Self::V, b: Self::V) -> Self::V;
    /// Odd lanes of both: `[a1 b1 a3 b3 ..]`.
    fn unpack_hi(self, a: Self::V, b: Self::V) -> Self::V;
}

/// A machine that multiplies 52-bit limbs and adds one half of the product (AVX-512 IFMA).
pub trait Ifma: Lanes {
    /// `acc + low 52 bits of (a mod 2^52)(b mod 2^52)`. The analyses require `a, b < 2^52` and no wrap.
    fn madd52lo(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `acc + bits 52.. of (a mod 2^52)(b mod 2^52)`. The analyses require `a, b < 2^52` and no wrap.
    fn madd52hi(self, acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
}

/// A machine that moves 32-bit halves across lanes: what the packed layout of papers 000 and 003 needs.
pub trait Shuffle32: Lanes {
    /// Half `i` of the result is half `index[i]` of `a`, of the 2N halves of all lanes (`vpermd`). Indices are public:
    /// they depend on lengths, never on secrets. Those after the first 2N are not used.
    fn permute32(self, a: Self::V, index: &[u32; 16]) -> Self::V;
    /// Low halves from `a`, high halves from `b` (`vpblendd 0xaa`, a blend by mask).
    fn blend32(self, a: Self::V, b: Self::V) -> Self::V;
}

/// A scalar machine: 64-bit words `W` and 128-bit sums `D`. Kernels for short messages are written over it.
pub trait Words: Copy {
    /// A word of 64 bits.
    type W: Copy;
    /// A sum of 128 bits.
    type D: Copy;

    /// A constant.
    fn word(self, x: u64) -> Self::W;
    /// Product, 128 bits.
    fn mul(self, a: Self::W, b: Self::W) -> Self::D;
    /// `a` as a sum.
    fn widen(self, a: Self::W) -> Self::D;
    /// Two words as a sum: low + 2^64 high.
    fn wide(self, low: Self::W, high: Self::W) -> Self::D;
    /// Sum modulo 2^128; the analyses require that it does not wrap.
    fn add(self, a: Self::D, b: Self::D) -> Self::D;
    /// Sum modulo 2^128, and what it carries, 0 or 1.
    fn add_carry(self, a: Self::D, b: Self::D) -> (Self::D, Self::W);
    /// Sum modulo 2^64; the analyses require that it does not wrap.
    fn add_word(self, a: Self::W, b: Self::W) -> Self::W;
    /// The same sum, complete at this point: the optimiser may not move later terms before it.
    #[inline(always)]
    fn settle(self, a: Self::D) -> Self::D {
        a
    }
    /// [`settle`](Words::settle) for a word.
    #[inline(always)]
    fn settle_word(self, a: Self::W) -> Self::W {
        a
    }
    /// The low 64 bits.
    fn low(self, a: Self::D) -> Self::W;
    /// The high 64 bits.
    fn high(self, a: Self::D) -> Self::W;
    /// `a >> k` as a word, for `k < 64`; the analyses require that it fits.
    fn shr_wide(self, a: Self::D, k: u32) -> Self::W;
    /// Right shift by `k < 64` bits.
    fn shr(self, a: Self::W, k: u32) -> Self::W;
    /// Left shift by `k < 64` bits; the analyses require that no set bit is lost.
    fn shl(self, a: Self::W, k: u32) -> Self::W;
    /// The low `k < 64` bits.
    fn low_bits(self, a: Self::W, k: u32) -> Self::W;
    /// Bits of `a` and of `b` side by side: an OR whose operands must not share a set bit.
    fn concat(self, a: Self::W, b: Self::W) -> Self::W;
}
