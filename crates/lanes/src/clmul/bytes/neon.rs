//! Bytes and 16-bit numbers on NEON.
//!
//! SAFETY, for every block in this file: NEON is part of the build's target, the token `self` exists only where
//! PMULL was detected (or the caller of the `unsafe` constructor vouched for it), and pointers come from slices
//! whose length was checked.
use super::{Bytes, BytesBackend, BytesKernel};
use crate::clmul::Clmul;
use crate::clmul::pmull::Pmull;
use core::arch::aarch64::*;

/// Calls an intrinsic for bytes or 16-bit numbers on vectors of words, and converts its result
/// back. It costs no instruction.
macro_rules! on {
    ($from:ident, $to:ident, $operation:ident($($a:expr),*)) => {
        unsafe { $from($operation($($to($a)),*)) }
    };
}

// SAFETY of all blocks: see the module's SAFETY paragraph.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Bytes for Pmull {
    #[inline(always)]
    fn load_bytes(self, src: &[u8]) -> uint64x2_t {
        let src = &src[..16];
        unsafe { vreinterpretq_u64_u8(vld1q_u8(src.as_ptr())) }
    }
    #[inline(always)]
    fn store_bytes(self, x: uint64x2_t, out: &mut [u8]) {
        let out = &mut out[..16];
        unsafe { vst1q_u8(out.as_mut_ptr(), vreinterpretq_u8_u64(x)) }
    }
    #[inline(always)]
    fn splat_byte(self, byte: u8) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vdupq_n_u8(byte)) }
    }
    #[inline(always)]
    fn first_byte(self, a: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vdupq_laneq_u8::<0>(vreinterpretq_u8_u64(a))) }
    }
    #[inline(always)]
    fn bytes_down(self, a: uint64x2_t, next: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vextq_u8::<1>(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(next))) }
    }
    #[inline(always)]
    fn low_halves(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vzip1q_u64(a, b) }
    }
    #[inline(always)]
    fn high_halves(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vzip2q_u64(a, b) }
    }
    #[inline(always)]
    fn zero_bytes(self, a: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_u8, vreinterpretq_u8_u64, vceqzq_u8(a))
    }
    #[inline(always)]
    fn sign_bytes(self, a: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vcltzq_s8(vreinterpretq_s8_u64(a))) }
    }
    #[inline(always)]
    fn spread_bits(self, a: uint64x2_t, i: usize) -> uint64x2_t {
        // Byte i of each half in all of its bytes; then byte e is compared with bit e alone.
        let byte = 0x0101_0101_0101_0101 * i as u64;
        let bytes = self.shuffle(a, self.splat([byte, byte + 0x0808_0808_0808_0808]));
        let bits = self.splat([0x8040_2010_0804_0201; 2]);
        on!(vreinterpretq_u64_u8, vreinterpretq_u8_u64, vtstq_u8(bytes, bits))
    }
    #[inline(always)]
    fn add_bytes(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_u8, vreinterpretq_u8_u64, vaddq_u8(a, b))
    }
    #[inline(always)]
    fn sub_bytes(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_u8, vreinterpretq_u8_u64, vsubq_u8(a, b))
    }
    #[inline(always)]
    fn add_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_s16, vreinterpretq_s16_u64, vaddq_s16(a, b))
    }
    #[inline(always)]
    fn sub_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_s16, vreinterpretq_s16_u64, vsubq_s16(a, b))
    }
    #[inline(always)]
    fn max_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_s16, vreinterpretq_s16_u64, vmaxq_s16(a, b))
    }
    #[inline(always)]
    fn min_words(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        on!(vreinterpretq_u64_s16, vreinterpretq_s16_u64, vminq_s16(a, b))
    }
    // A left shift by a negative count is a right shift; the compiler turns a constant one into an immediate.
    #[inline(always)]
    fn sar_words(self, a: uint64x2_t, bits: u32) -> uint64x2_t {
        unsafe { vreinterpretq_u64_s16(vshlq_s16(vreinterpretq_s16_u64(a), vdupq_n_s16(-(bits as i16)))) }
    }
}

impl BytesBackend for Pmull {
    #[inline(always)]
    fn call<K: BytesKernel>(self, kernel: K) -> K::Out {
        #[target_feature(enable = "neon,aes")]
        fn go<K: BytesKernel>(backend: Pmull, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        // SAFETY: see the module's SAFETY paragraph.
        unsafe { go(self, kernel) }
    }
}
