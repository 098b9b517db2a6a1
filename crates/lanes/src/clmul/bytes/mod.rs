//! Vectors of bytes and of 16-bit numbers: the vocabulary of decoders over GF(2^8).
//!
//! The bytes of a lane are those of its low half, then those of its high half, least significant first. A byte is also an element of
//! F2\[x\]/(x^8 + x^4 + x^3 + x + 1), the field of AES, which is the one that GFNI has instructions for.
mod matrix;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{Clmul, ClmulMachine};
use matrix::{FOURTH_POWER, SIXTEENTH_POWER, SQUARE, TIMES_16, images};

/// A byte as a factor of many products, prepared by [`Bytes::factor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor<X> {
    /// Its products with 0 to 15 in every lane, or the byte itself in every byte, as the machine likes it.
    low: X,
    /// Its products with the multiples of 16, or nothing of use.
    high: X,
}

/// A [`Clmul`] machine that computes with bytes and 16-bit numbers as well. Its vectors have `16 K` bytes.
///
/// There is no comparison that a kernel could branch on: [`zero_bytes`](Bytes::zero_bytes) and the like make masks.
pub trait Bytes: Clmul {
    /// The first `16 K` bytes of `src`. Panics if `src` is shorter.
    fn load_bytes(self, src: &[u8]) -> Self::X;
    /// Writes what [`load_bytes`](Bytes::load_bytes) reads. Panics if `out` is shorter.
    fn store_bytes(self, x: Self::X, out: &mut [u8]);
    /// The same byte everywhere. It may be secret.
    #[inline(always)]
    fn splat_byte(self, byte: u8) -> Self::X {
        self.splat([u64::from_ne_bytes([byte; 8]); 2])
    }
    /// Byte 0 of lane 0, everywhere.
    fn first_byte(self, a: Self::X) -> Self::X;
    /// Every byte from the place above it: the last one is byte 0 of `next`. Bytes pass from lane to lane.
    fn bytes_down(self, a: Self::X, next: Self::X) -> Self::X;
    /// The low halves of `a` and `b`.
    fn low_halves(self, a: Self::X, b: Self::X) -> Self::X;
    /// The high halves of `a` and `b`.
    fn high_halves(self, a: Self::X, b: Self::X) -> Self::X;

    /// All ones in every byte that is zero, zeros in the others.
    fn zero_bytes(self, a: Self::X) -> Self::X;
    /// All ones in every byte whose highest bit is one, zeros in the others.
    fn sign_bytes(self, a: Self::X) -> Self::X;
    /// Byte e of each half is all ones if bit e of byte `i` of that half is one, otherwise zero. `i` is public and below 8.
    fn spread_bits(self, a: Self::X, i: usize) -> Self::X;
    /// Sums of bytes modulo 2^8.
    fn add_bytes(self, a: Self::X, b: Self::X) -> Self::X;
    /// Differences of bytes modulo 2^8.
    fn sub_bytes(self, a: Self::X, b: Self::X) -> Self::X;

    /// Sums of 16-bit numbers modulo 2^16.
    fn add_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Differences of 16-bit numbers modulo 2^16.
    fn sub_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// The larger ones of signed 16-bit numbers.
    fn max_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// The smaller ones of signed 16-bit numbers.
    fn min_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Signed 16-bit numbers, divided by 2^bits and rounded down. `bits` is public and below 16; as a constant it costs one instruction.
    fn sar_words(self, a: Self::X, bits: u32) -> Self::X;

    /// The byte that is everywhere in `a`, as a factor.
    #[inline(always)]
    fn factor(self, a: Self::X) -> Factor<Self::X> {
        // The sum of the products of 2^bit with the numbers 0 to 15, for the bits that are one.
        let (mut low, mut bit) = (self.zero(), 0);
        while bit < 8 {
            let mask = self.sign_bytes(self.shl(a, 7 - bit as u32));
            let products = self.splat(const { matrix::multiples_of_powers() }[bit]);
            low = self.xor(low, self.and(mask, products));
            bit += 1;
        }
        Factor { low, high: self.map_bytes::<TIMES_16>(low) }
    }
    /// Every byte of `x` times the factor.
    #[inline(always)]
    fn scale(self, x: Self::X, factor: Factor<Self::X>) -> Self::X {
        let nibbles = self.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
        let (low, high) = (self.and(x, nibbles), self.and(self.shr(x, 4), nibbles));
        self.xor(self.shuffle(factor.low, low), self.shuffle(factor.high, high))
    }
    /// The second factor where the mask is all ones, the first one where it is zero. The mask is the same everywhere.
    #[inline(always)]
    fn select_factor(self, mask: Self::X, a: Factor<Self::X>, b: Factor<Self::X>) -> Factor<Self::X> {
        Factor { low: self.select(mask, a.low, b.low), high: self.select(mask, a.high, b.high) }
    }
    /// Every byte times a constant bit matrix, of [`Clmul::affine`]'s form.
    #[inline(always)]
    fn map_bytes<const MATRIX: u64>(self, x: Self::X) -> Self::X {
        let [low, high] = const { images(MATRIX) };
        self.scale(x, Factor { low: self.splat(low), high: self.splat(high) })
    }
    /// Products of bytes. Where there is no instruction for it, it costs about 70.
    #[inline(always)]
    fn mul_bytes(self, a: Self::X, b: Self::X) -> Self::X {
        let (mut product, mut bit) = (self.zero(), 8);
        while bit > 0 {
            bit -= 1;
            // Times x, and reduced.
            let reduce = self.and(self.sign_bytes(product), self.splat_byte(0x1b));
            let doubled = self.xor(self.add_bytes(product, product), reduce);
            let mask = self.sign_bytes(self.shl(b, 7 - bit));
            product = self.xor(doubled, self.and(mask, a));
        }
        product
    }
    /// Inverses of bytes, and zero of zero. Where there is no instruction for it, it costs about 300.
    #[inline(always)]
    fn inv_bytes(self, a: Self::X) -> Self::X {
        // a^254: exponents 2, 3, 12, 15, 240, 252.
        let p2 = self.map_bytes::<SQUARE>(a);
        let p3 = self.mul_bytes(a, p2);
        let p12 = self.map_bytes::<FOURTH_POWER>(p3);
        let p15 = self.mul_bytes(p12, p3);
        let p240 = self.map_bytes::<SIXTEENTH_POWER>(p15);
        let p252 = self.mul_bytes(p240, p12);
        self.mul_bytes(p252, p2)
    }
}

/// A computation over vectors of bytes: [`crate::Kernel`]'s rules hold, word for word.
pub trait BytesKernel {
    /// What the kernel returns.
    type Out;
    /// The computation, on any machine.
    fn run<S: Bytes>(self, s: S) -> Self::Out;
}

/// A machine that runs such kernels.
pub trait BytesMachine: Bytes + ClmulMachine {
    /// Runs a kernel on this machine.
    fn call_bytes<K: BytesKernel>(self, kernel: K) -> K::Out;
}
