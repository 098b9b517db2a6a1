//! Vectors of bytes and of 16-bit numbers: the operations that decoders over GF(2^8) ask of a backend.
//!
//! A lane has 16 bytes: those of its low half, then those of its high half, least significant first. A byte is also
//! an element of F2\[x\]/(x^8 + x^4 + x^3 + x + 1), the field of AES, for which GFNI has instructions.
mod matrix;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod soft;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{Clmul, ClmulBackend};
use matrix::{FOURTH_POWER, SIXTEENTH_POWER, SQUARE, TIMES_16, images};

/// A byte as a factor of many products, prepared by [`Bytes::factor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor<X> {
    /// Table of its products with 0 to 15 in every lane, or the byte itself everywhere: as the backend prefers.
    low: X,
    /// Table of its products with the multiples of 16; unused where `low` is the byte itself.
    high: X,
}

/// A [`Clmul`] backend that computes with bytes and 16-bit numbers as well. Its vectors have `16 K` bytes.
///
/// There is no comparison that a kernel could branch on: [`zero_bytes`](Bytes::zero_bytes) and the like make masks.
pub trait Bytes: Clmul {
    /// The first `16 K` bytes of `src`. Panics if `src` is shorter.
    fn load_bytes(self, src: &[u8]) -> Self::X;
    /// Writes what [`load_bytes`](Bytes::load_bytes) reads. Panics if `out` is shorter.
    fn store_bytes(self, x: Self::X, out: &mut [u8]);
    /// The same byte in all places. It may be secret.
    #[inline(always)]
    fn splat_byte(self, byte: u8) -> Self::X {
        self.splat([u64::from_ne_bytes([byte; 8]); 2])
    }
    /// Copies byte 0 of lane 0 to all places.
    fn first_byte(self, a: Self::X) -> Self::X;
    /// Moves every byte down by one place, from lane to lane too. The last place gets byte 0 of `next`.
    fn bytes_down(self, a: Self::X, next: Self::X) -> Self::X;
    /// The low half of `a` and the low half of `b`, side by side in each lane.
    fn low_halves(self, a: Self::X, b: Self::X) -> Self::X;
    /// The high half of `a` and the high half of `b`, side by side in each lane.
    fn high_halves(self, a: Self::X, b: Self::X) -> Self::X;

    /// All ones in every byte that is zero, zeros in the others.
    fn zero_bytes(self, a: Self::X) -> Self::X;
    /// All ones in every byte whose highest bit is one, zeros in the others.
    fn sign_bytes(self, a: Self::X) -> Self::X;
    /// Byte e of each half is all ones if bit e of byte `i` of that half is one, otherwise zero. `i`
    /// is public and below 8.
    fn spread_bits(self, a: Self::X, i: usize) -> Self::X;
    /// Sums of bytes modulo 2^8. No carry passes to the next byte.
    fn add_bytes(self, a: Self::X, b: Self::X) -> Self::X;
    /// Differences of bytes modulo 2^8. No borrow passes to the next byte.
    fn sub_bytes(self, a: Self::X, b: Self::X) -> Self::X;

    /// Sums of 16-bit numbers modulo 2^16, in places of two bytes.
    fn add_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Differences of 16-bit numbers modulo 2^16, in places of two bytes.
    fn sub_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Maxima of signed 16-bit numbers, place by place, in constant time.
    fn max_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Minima of signed 16-bit numbers, place by place, in constant time.
    fn min_words(self, a: Self::X, b: Self::X) -> Self::X;
    /// Signed 16-bit numbers, divided by 2^bits and rounded down. `bits` is public and below 16; as a
    /// constant it costs one instruction.
    fn sar_words(self, a: Self::X, bits: u32) -> Self::X;

    /// Prepares the byte that is in all places of `a` as a factor, in constant time. Worth it for several products.
    #[inline(always)]
    fn factor(self, a: Self::X) -> Factor<Self::X> {
        // Linear in the byte: the sum of the tables of those 2^bit whose bits are one, chosen by masks.
        let (mut low, mut bit) = (self.zero(), 0);
        while bit < 8 {
            let mask = self.sign_bytes(self.shl(a, 7 - bit as u32));
            let products = self.splat(const { matrix::multiples_of_powers() }[bit]);
            low = self.xor(low, self.and(mask, products));
            bit += 1;
        }
        // The second table is the first one times x^4, so no second pass over the bits is needed.
        Factor { low, high: self.map_bytes::<TIMES_16>(low) }
    }
    /// Every byte of `x` times the factor, in the field of AES, in constant time.
    #[inline(always)]
    fn scale(self, x: Self::X, factor: Factor<Self::X>) -> Self::X {
        // A byte is low + 16 high, so its product is the sum of two look-ups by nibbles. The shift crosses bytes,
        // and the mask drops what crossed.
        let nibbles = self.splat([0x0f0f_0f0f_0f0f_0f0f; 2]);
        let (low, high) = (self.and(x, nibbles), self.and(self.shr(x, 4), nibbles));
        self.xor(self.shuffle(factor.low, low), self.shuffle(factor.high, high))
    }
    /// The factor `b` where the mask is all ones, `a` where it is zero. The mask is the same in all places.
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
    /// Products of bytes in the field of AES, in constant time. Where there is no instruction for
    /// it, it costs about 70.
    #[inline(always)]
    fn mul_bytes(self, a: Self::X, b: Self::X) -> Self::X {
        // Horner's rule over the bits of b, highest first.
        let (mut product, mut bit) = (self.zero(), 8);
        while bit > 0 {
            bit -= 1;
            // Times x: a byte doubled loses its highest bit, x^8, whose remainder is 0x1b.
            let reduce = self.and(self.sign_bytes(product), self.splat_byte(0x1b));
            let doubled = self.xor(self.add_bytes(product, product), reduce);
            let mask = self.sign_bytes(self.shl(b, 7 - bit));
            product = self.xor(doubled, self.and(mask, a));
        }
        product
    }
    /// Inverses of bytes in the field of AES, and zero of zero, in constant time. Where there is no instruction for
    /// it, it costs about 300.
    #[inline(always)]
    fn inv_bytes(self, a: Self::X) -> Self::X {
        // a^254 = 1/a, as a^255 = 1. Powers 2, 3, 12, 15, 240, 252: three linear maps and four products.
        let p2 = self.map_bytes::<SQUARE>(a);
        let p3 = self.mul_bytes(a, p2);
        let p12 = self.map_bytes::<FOURTH_POWER>(p3);
        let p15 = self.mul_bytes(p12, p3);
        let p240 = self.map_bytes::<SIXTEENTH_POWER>(p15);
        let p252 = self.mul_bytes(p240, p12);
        self.mul_bytes(p252, p2)
    }
}

/// A computation over vectors of bytes. The rules of [`crate::Kernel`] hold for it, too.
pub trait BytesKernel {
    /// Result of the kernel: integers or nothing, never a vector.
    type Out;
    /// Computes the result on backend `s`; code may depend on the backend's constants, results may not.
    fn run<S: Bytes>(self, s: S) -> Self::Out;
}

/// A backend that runs kernels over bytes.
pub trait BytesBackend: Bytes + ClmulBackend {
    /// Runs a kernel on this backend, compiled with the backend's CPU features.
    fn call<K: BytesKernel>(self, kernel: K) -> K::Out;
}
