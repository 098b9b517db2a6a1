//! The 128-bit vectors of WebAssembly.
use crate::kernel::{Backend, Kernel};
use crate::traits::Lanes;
use core::arch::wasm32::*;

/// WebAssembly's fixed-width vectors: two lanes. Present if the build enables `simd128`. An engine without it
/// refuses the whole module, so there is nothing to detect.
///
/// Multiplicands take half a vector, as on NEON; the engine sees `i64x2.extmul_low_i32x4_u`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simd128;

impl Lanes for Simd128 {
    const N: usize = 2;
    const LIMB_WORDS: usize = 1;
    type V = v128;
    /// Two limbs in the low 64 bits; the high ones are unspecified.
    type L = v128;

    #[inline(always)]
    fn splat(self, x: u64) -> v128 {
        u64x2_splat(x)
    }
    #[inline(always)]
    fn load(self, src: &[u8]) -> v128 {
        let src = &src[..16];
        // SAFETY: the slice has 16 bytes; the instruction needs no alignment.
        unsafe { v128_load(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn load_words(self, src: &[u64]) -> v128 {
        let src = &src[..2];
        // SAFETY: the slice has 16 bytes.
        unsafe { v128_load(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn load15(self, src: &[u8]) -> v128 {
        let src = &src[..15];
        // SAFETY: the slice has 15 bytes; the instruction needs no alignment.
        let (low, high) =
            unsafe { (v128_load64_zero(src.as_ptr().cast()), v128_load64_zero(src[7..].as_ptr().cast())) };
        // As on NEON, both loads contain byte 7. The shuffle skips it in the second one and takes a zero after byte
        // 14.
        u8x16_shuffle::<0, 1, 2, 3, 4, 5, 6, 7, 17, 18, 19, 20, 21, 22, 23, 24>(low, high)
    }
    #[inline(always)]
    fn store(self, v: v128, out: &mut [u64]) {
        let out = &mut out[..2];
        // SAFETY: the slice has 16 bytes.
        unsafe { v128_store(out.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn limb(self, v: v128) -> v128 {
        // The low half of both lanes, in the low 64 bits, which are those that `extmul_low` reads.
        u32x4_shuffle::<0, 2, 0, 2>(v, v)
    }
    #[inline(always)]
    fn low32(self, v: v128) -> v128 {
        self.limb(v)
    }
    #[inline(always)]
    fn high32(self, v: v128) -> v128 {
        u32x4_shuffle::<1, 3, 1, 3>(v, v)
    }
    #[inline(always)]
    fn store_limb(self, l: v128, out: &mut [u64]) {
        out[0] = u64x2_extract_lane::<0>(l);
    }
    #[inline(always)]
    fn load_limb(self, src: &[u64]) -> v128 {
        // The high half may hold anything, as `extmul_low` does not read it.
        u64x2_splat(src[0])
    }
    #[inline(always)]
    fn mul32(self, a: v128, b: v128) -> v128 {
        u64x2_extmul_low_u32x4(a, b)
    }
    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        u64x2_add(a, b)
    }
    #[inline(always)]
    fn shr(self, a: v128, k: u32) -> v128 {
        u64x2_shr(a, k)
    }
    #[inline(always)]
    fn shl(self, a: v128, k: u32) -> v128 {
        u64x2_shl(a, k)
    }
    #[inline(always)]
    fn low_bits(self, a: v128, k: u32) -> v128 {
        v128_and(a, u64x2_splat((1 << k) - 1))
    }
    #[inline(always)]
    fn select(self, a: v128, mask: v128) -> v128 {
        v128_and(a, mask)
    }
    #[inline(always)]
    fn concat(self, a: v128, b: v128) -> v128 {
        v128_or(a, b)
    }
    #[inline(always)]
    fn unpack_lo(self, a: v128, b: v128) -> v128 {
        u64x2_shuffle::<0, 2>(a, b)
    }
    #[inline(always)]
    fn unpack_hi(self, a: v128, b: v128) -> v128 {
        u64x2_shuffle::<1, 3>(a, b)
    }
}

impl Backend for Simd128 {
    const NAME: &'static str = "simd128";
    /// `simd128` is on in the whole program, so there is no feature to enable.
    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Out {
        // No function `go` as on other backends: `cargo xtask asm` does not read WebAssembly.
        kernel.run(self)
    }
}
