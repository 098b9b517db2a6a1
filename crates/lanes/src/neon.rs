//! NEON of 64-bit Arm.
//!
//! SAFETY, for every block in this file: NEON is part of the build's target, so that the instructions exist
//! wherever the program runs, and pointers come from slices whose length was checked.
use crate::kernel::{Backend, Kernel};
use crate::traits::Lanes;
use core::arch::aarch64::*;

/// NEON: two lanes. Every little-endian AArch64 target with floating point has it.
///
/// Multiplicands take half a vector (`umull` widens them), so a key table is half as large as on other backends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neon;

/// Returns `l` unchanged, hidden from the optimiser. It would otherwise turn a narrowing and a widening
/// multiplication back into multiplications of 64 bits, which NEON does not have.
#[inline(always)]
fn hide(mut l: uint32x2_t) -> uint32x2_t {
    // SAFETY: the template is a comment; the register comes out as it went in.
    unsafe {
        core::arch::asm!("/* {0:v} */", inout(vreg) l, options(pure, nomem, nostack, preserves_flags));
    }
    l
}

// SAFETY of all blocks: see the module's SAFETY paragraph.
#[allow(clippy::undocumented_unsafe_blocks)]
impl Lanes for Neon {
    const N: usize = 2;
    const LIMB_WORDS: usize = 1;
    type V = uint64x2_t;
    type L = uint32x2_t;

    #[inline(always)]
    fn splat(self, x: u64) -> uint64x2_t {
        unsafe { vdupq_n_u64(x) }
    }
    #[inline(always)]
    fn load(self, src: &[u8]) -> uint64x2_t {
        let src = &src[..16];
        unsafe { vreinterpretq_u64_u8(vld1q_u8(src.as_ptr())) }
    }
    #[inline(always)]
    fn load_words(self, src: &[u64]) -> uint64x2_t {
        let src = &src[..2];
        unsafe { vld1q_u64(src.as_ptr()) }
    }
    #[inline(always)]
    fn load15(self, src: &[u8]) -> uint64x2_t {
        let src = &src[..15];
        unsafe {
            let (low, high) = (vld1_u8(src.as_ptr()), vld1_u8(src[7..].as_ptr()));
            // Both loads contain byte 7: the second one begins there so that it ends at byte 14. Its right shift by
            // 8 bits drops that byte and puts the zero on top.
            let words = vreinterpretq_u64_u8(vcombine_u8(low, high));
            vshlq_u64(words, vcombine_s64(vdup_n_s64(0), vdup_n_s64(-8)))
        }
    }
    #[inline(always)]
    fn store(self, v: uint64x2_t, out: &mut [u64]) {
        let out = &mut out[..2];
        unsafe { vst1q_u64(out.as_mut_ptr(), v) }
    }
    #[inline(always)]
    fn limb(self, v: uint64x2_t) -> uint32x2_t {
        // `xtn` keeps the low half of each lane; the two halves share 64 bits, as `umull` reads them.
        hide(unsafe { vmovn_u64(v) })
    }
    #[inline(always)]
    fn low32(self, v: uint64x2_t) -> uint32x2_t {
        self.limb(v)
    }
    #[inline(always)]
    fn high32(self, v: uint64x2_t) -> uint32x2_t {
        hide(unsafe { vshrn_n_u64::<32>(v) })
    }
    #[inline(always)]
    fn store_limb(self, l: uint32x2_t, out: &mut [u64]) {
        // Both multiplicands in one word: half the memory of a key in the layout of x86.
        out[0] = unsafe { vget_lane_u64::<0>(vreinterpret_u64_u32(l)) };
    }
    #[inline(always)]
    fn load_limb(self, src: &[u64]) -> uint32x2_t {
        // Not hidden: nothing is known of what comes from memory.
        unsafe { vcreate_u32(src[0]) }
    }
    #[inline(always)]
    fn mul32(self, a: uint32x2_t, b: uint32x2_t) -> uint64x2_t {
        unsafe { vmull_u32(a, b) }
    }
    #[inline(always)]
    fn add(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vaddq_u64(a, b) }
    }
    #[inline(always)]
    fn shr(self, a: uint64x2_t, k: u32) -> uint64x2_t {
        // A left shift by a negative count is a right shift.
        unsafe { vshlq_u64(a, vdupq_n_s64(-i64::from(k))) }
    }
    #[inline(always)]
    fn shl(self, a: uint64x2_t, k: u32) -> uint64x2_t {
        unsafe { vshlq_u64(a, vdupq_n_s64(i64::from(k))) }
    }
    #[inline(always)]
    fn low_bits(self, a: uint64x2_t, k: u32) -> uint64x2_t {
        unsafe { vandq_u64(a, self.splat((1 << k) - 1)) }
    }
    #[inline(always)]
    fn select(self, a: uint64x2_t, mask: uint64x2_t) -> uint64x2_t {
        unsafe { vandq_u64(a, mask) }
    }
    #[inline(always)]
    fn concat(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vorrq_u64(a, b) }
    }
    #[inline(always)]
    fn unpack_lo(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vtrn1q_u64(a, b) }
    }
    #[inline(always)]
    fn unpack_hi(self, a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vtrn2q_u64(a, b) }
    }
}

impl Backend for Neon {
    const NAME: &'static str = "neon";
    /// NEON is on in the whole program, so there is no feature to enable. The call keeps the kernel a function with
    /// a name, as on the other backends (`cargo xtask asm` looks for it).
    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Out {
        #[inline(never)]
        fn go<K: Kernel>(backend: Neon, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        go(self, kernel)
    }
}
