//! GFNI (bit 8) and VPCLMULQDQ (bit 10) of register ECX of CPUID leaf 7. The `cpufeatures` crate reports VPCLMULQDQ
//! only with the registers of AVX-512, which Zen 3 and Alder Lake do not have. The caller must have seen AVX2, and
//! with it that leaf 7 exists.
use core::arch::x86_64::__cpuid_count;
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

// Bits of ECX >> 8.
const GFNI: u8 = 1 << 0;
const VPCLMULQDQ: u8 = 1 << 2;
const UNKNOWN: u8 = u8::MAX;
static ANSWER: AtomicU8 = AtomicU8::new(UNKNOWN);

#[inline]
pub(super) fn vpclmulqdq() -> bool {
    get() & VPCLMULQDQ != 0
}

#[inline]
pub(super) fn gfni() -> bool {
    get() & GFNI != 0
}

#[inline]
pub(super) fn get() -> u8 {
    // Threads that ask at the same time store the same answer, so no order is needed. No answer equals UNKNOWN.
    match ANSWER.load(Relaxed) {
        UNKNOWN => ask(),
        answer => answer,
    }
}

#[cold]
fn ask() -> u8 {
    // Miri and SGX enclaves have no CPUID.
    #[cfg(any(miri, target_env = "sgx"))]
    let found = if cfg!(target_feature = "vpclmulqdq") { VPCLMULQDQ } else { 0 }
        | if cfg!(target_feature = "gfni") { GFNI } else { 0 };
    #[cfg(not(any(miri, target_env = "sgx")))]
    #[allow(unused_unsafe, reason = "the intrinsic became safe after Rust 1.89")]
    // SAFETY: every x86-64 processor has CPUID.
    let found = (unsafe { __cpuid_count(7, 0) }.ecx >> 8) as u8 & (GFNI | VPCLMULQDQ);
    ANSWER.store(found, Relaxed);
    found
}
