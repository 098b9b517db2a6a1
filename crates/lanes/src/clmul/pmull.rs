//! The carry-less backend of 64-bit Arm: PMULL and NEON.
//!
//! SAFETY, for every block in this file: the token `self` exists only where the CPU's polynomial multiplication was
//! detected (or the caller of the `unsafe` constructor vouched for it), NEON is part of the build's target, and
//! pointers come from slices whose length was checked.
use super::{Clmul, ClmulBackend, ClmulKernel, Compiled, KernelFn, Pointer, SliceKernel};
use core::arch::aarch64::*;

/// Proof that the CPU multiplies polynomials of 64 bits (PMULL and PMULL2 of the AES extension): one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pmull(());

impl Pmull {
    /// Makes the token without checking the CPU.
    ///
    /// # Safety
    /// The CPU must have PMULL.
    pub const unsafe fn assume() -> Self {
        Self(())
    }
}

/// Multiplies half `$i` of `$a` by half `$j` of `$b`. The inner function has the CPU feature, which a function that
/// is always inlined cannot have.
macro_rules! pmull {
    ($a:ident[$i:literal], $b:ident[$j:literal]) => {{
        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn inner(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
            let (a, b) = (vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b));
            vreinterpretq_u64_p128(vmull_p64(vgetq_lane_p64::<$i>(a), vgetq_lane_p64::<$j>(b)))
        }
        inner($a, $b)
    }};
}

// SAFETY of all blocks: see the module's SAFETY paragraph.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Clmul for Pmull {
    const K: usize = 1;
    type X = uint64x2_t;
    type One = Self;
    type Compact = Self;

    #[inline(always)]
    fn one(self) -> Self {
        self
    }
    #[inline(always)]
    fn compact(self) -> Self {
        self
    }
    #[inline(always)]
    fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out {
        self.call(kernel)
    }
    #[inline(always)]
    fn zero(self) -> uint64x2_t {
        unsafe { vdupq_n_u64(0) }
    }
    #[inline(always)]
    fn load(self, src: &[u64]) -> uint64x2_t {
        let src = &src[..2];
        unsafe { vld1q_u64(src.as_ptr()) }
    }
    // One lane: here and below strides, orders and numbers of lanes do not matter.
    #[inline(always)]
    fn load_lanes(self, src: &[u64], _stride: usize) -> uint64x2_t {
        self.load(src)
    }
    #[inline(always)]
    fn store(self, x: uint64x2_t, out: &mut [u64]) {
        let out = &mut out[..2];
        unsafe { vst1q_u64(out.as_mut_ptr(), x) }
    }
    #[inline(always)]
    fn store_lanes(self, x: uint64x2_t, out: &mut [u64], _stride: usize) {
        self.store(x, out);
    }
    #[inline(always)]
    fn xor(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { veorq_u64(a, b) }
    }
    #[inline(always)]
    fn mul_ll(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { pmull!(a[0], b[0]) }
    }
    #[inline(always)]
    fn mul_lh(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { pmull!(a[0], b[1]) }
    }
    #[inline(always)]
    fn mul_hl(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { pmull!(a[1], b[0]) }
    }
    #[inline(always)]
    fn mul_hh(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { pmull!(a[1], b[1]) }
    }
    #[inline(always)]
    fn square_l(self, a: uint64x2_t) -> uint64x2_t {
        self.mul_ll(a, a)
    }
    #[inline(always)]
    fn square_h(self, a: uint64x2_t) -> uint64x2_t {
        self.mul_hh(a, a)
    }
    #[inline(always)]
    fn swap(self, a: uint64x2_t) -> uint64x2_t {
        // One EXT: the high half of `a`, then its low half.
        self.straddle(a, a)
    }
    #[inline(always)]
    fn straddle(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        // Words 1 and 2 of the four words of `a` and `b`.
        unsafe { vextq_u64::<1>(a, b) }
    }
    #[inline(always)]
    fn splat(self, words: [u64; 2]) -> uint64x2_t {
        self.load(&words)
    }
    #[inline(always)]
    fn and(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vandq_u64(a, b) }
    }
    // NEON shifts by counts in a vector, to the right if they are negative. The compiler turns constant ones into
    // an immediate.
    #[inline(always)]
    fn shl(self, a: uint64x2_t, bits: u32) -> uint64x2_t {
        unsafe { vshlq_u64(a, vdupq_n_s64(i64::from(bits))) }
    }
    #[inline(always)]
    fn shr(self, a: uint64x2_t, bits: u32) -> uint64x2_t {
        unsafe { vshlq_u64(a, vdupq_n_s64(-i64::from(bits))) }
    }
    #[inline(always)]
    fn shuffle(self, table: uint64x2_t, indices: uint64x2_t) -> uint64x2_t {
        unsafe {
            // TBL gives zero for an index of 16 and more: bit 7 stays for that, bits 4 to 6 must go.
            let indices = vandq_u8(vreinterpretq_u8_u64(indices), vdupq_n_u8(0x8f));
            vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(table), indices))
        }
    }
    #[inline(always)]
    fn zip_low(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vzip1q_u8(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b))) }
    }
    #[inline(always)]
    fn zip_high(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u8(vzip2q_u8(vreinterpretq_u8_u64(a), vreinterpretq_u8_u64(b))) }
    }
    #[inline(always)]
    fn bit_masks(self, a: uint64x2_t, bit: u32) -> uint64x2_t {
        unsafe {
            // The bit becomes the sign, and an arithmetic shift copies the sign to all 32 bits.
            let top = vshlq_s32(vreinterpretq_s32_u64(a), vdupq_n_s32(31 - bit as i32));
            vreinterpretq_u64_s32(vshrq_n_s32::<31>(top))
        }
    }
    #[inline(always)]
    fn first_lane(self, a: uint64x2_t) -> uint64x2_t {
        a
    }
    #[inline(always)]
    fn repeat_lane(self, a: uint64x2_t) -> uint64x2_t {
        a
    }
    #[inline(always)]
    fn permute_lanes(self, a: uint64x2_t, _order: [usize; 4]) -> uint64x2_t {
        a
    }
    #[inline(always)]
    fn transpose(self, a: uint64x2_t) -> uint64x2_t {
        a
    }
    #[inline(always)]
    fn lanes_from(self, from: usize, low: uint64x2_t, high: uint64x2_t) -> uint64x2_t {
        if from == 0 { low } else { high }
    }

    const WIDE: usize = 2;
    type Wide = uint64x2_t;
    #[inline(always)]
    fn load_wide(self, src: &[u64]) -> uint64x2_t {
        self.load(src)
    }
    #[inline(always)]
    fn store_wide(self, x: uint64x2_t, out: &mut [u64]) {
        self.store(x, out);
    }
    #[inline(always)]
    fn xor_wide(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.xor(a, b)
    }
    #[inline(always)]
    fn and_wide(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        self.and(a, b)
    }
    #[inline(always)]
    fn or_wide(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vorrq_u64(a, b) }
    }
    #[inline(always)]
    fn equal_wide(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vreinterpretq_u64_u32(vceqq_u32(vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b))) }
    }
    #[inline(always)]
    fn splat_wide(self, word: u64) -> uint64x2_t {
        unsafe { vdupq_n_u64(word) }
    }
    #[inline(always)]
    fn xor_andnot_wide(self, a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
        // BIC clears in its first operand the bits of the second: c & !b.
        unsafe { veorq_u64(a, vbicq_u64(c, b)) }
    }
    // For `bits` = 0 the right shift is by 64, which gives zero on NEON.
    #[inline(always)]
    fn rotl_wide(self, a: uint64x2_t, bits: u32) -> uint64x2_t {
        unsafe { vorrq_u64(self.shl(a, bits), self.shr(a, 64 - bits)) }
    }
}

impl ClmulBackend for Pmull {
    const NAME: &'static str = "pmull";
    #[inline(always)]
    fn call<K: ClmulKernel>(self, kernel: K) -> K::Out {
        // In the codegen unit of the caller, as on x86-64.
        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn go<K: ClmulKernel>(backend: Pmull, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        // SAFETY: see the module's SAFETY paragraph.
        unsafe { go(self, kernel) }
    }
    #[inline]
    fn compile<P: SliceKernel>(self) -> KernelFn {
        <Compiled<Pmull, P> as Pointer>::POINTER
    }
}

impl<P: SliceKernel> Pointer for Compiled<Pmull, P> {
    const POINTER: KernelFn = {
        #[target_feature(enable = "neon,aes")]
        fn go<P: SliceKernel>(a: &[u64], b: &[u64], out: &mut [u64]) {
            // Whoever calls this has a token of the backend, so the CPU has the features.
            P::run(Pmull(()), a, b, out)
        }
        KernelFn(go::<P>)
    };
}
