//! Which CPU features there are, and the machine that a build fixes.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
use super::ClmulCpu;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::Pmull;
#[cfg(target_arch = "x86_64")]
use super::{Pclmul, PclmulAvx2, PclmulAvx512Vl, VpclmulYmm, VpclmulYmmGfni, VpclmulZmm, VpclmulZmmGfni};
#[cfg(target_arch = "x86_64")]
use crate::avx512::COMPILED;

#[cfg(target_arch = "x86_64")]
// Each module asks CPUID (or the operating system) once and caches the answer in a static.
cpufeatures::new!(cpuid_pclmul, "pclmulqdq", "ssse3");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_pclmul_avx2, "pclmulqdq", "avx2");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_pclmul_avx512vl, "pclmulqdq", "avx2", "avx512f", "avx512vl");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx512, "avx512f", "avx512bw", "avx512vl");
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
cpufeatures::new!(hwcap_pmull, "aes");

/// GFNI (bit 8) and VPCLMULQDQ (bit 10) of register ECX of CPUID leaf 7. The `cpufeatures` crate reports VPCLMULQDQ
/// only with the registers of AVX-512, which Zen 3 and Alder Lake do not have. The caller must have seen AVX2, and
/// with it that leaf 7 exists.
#[cfg(target_arch = "x86_64")]
mod leaf7 {
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
}

/// Safe constructors: each checks the CPU and that the build has the machine.
#[cfg(target_arch = "x86_64")]
impl ClmulCpu {
    /// The machine with GFNI and as many lanes, if this CPU has it; otherwise `self`.
    #[inline]
    pub(super) fn with_gfni(self) -> ClmulCpu {
        let found = match self {
            ClmulCpu::VpclmulYmm(_) => Self::ymm_gfni(),
            ClmulCpu::VpclmulZmm(_) => Self::zmm_gfni(),
            _ => None,
        };
        found.unwrap_or(self)
    }
    #[inline]
    pub(super) fn sse() -> Option<ClmulCpu> {
        // SAFETY: CPUID has PCLMULQDQ and SSSE3.
        cpuid_pclmul::get().then(|| ClmulCpu::Pclmul(unsafe { Pclmul::assume() }))
    }
    #[inline]
    pub(super) fn avx2() -> Option<ClmulCpu> {
        // SAFETY: CPUID has PCLMULQDQ and AVX2 and the operating system saves the registers.
        cpuid_pclmul_avx2::get().then(|| ClmulCpu::PclmulAvx2(unsafe { PclmulAvx2::assume() }))
    }
    #[inline]
    pub(super) fn avx512vl() -> Option<ClmulCpu> {
        // SAFETY: CPUID has PCLMULQDQ, AVX2, AVX-512F and VL and the operating system saves the registers.
        (COMPILED && cpuid_pclmul_avx512vl::get())
            .then(|| ClmulCpu::PclmulAvx512Vl(unsafe { PclmulAvx512Vl::assume() }))
    }
    #[inline]
    pub(super) fn ymm() -> Option<ClmulCpu> {
        let found = cpuid_pclmul_avx2::get() && leaf7::vpclmulqdq();
        // SAFETY: CPUID has PCLMULQDQ, VPCLMULQDQ and AVX2 and the operating system saves the registers.
        found.then(|| ClmulCpu::VpclmulYmm(unsafe { VpclmulYmm::assume() }))
    }
    #[inline]
    pub(super) fn zmm() -> Option<ClmulCpu> {
        let found = COMPILED && Self::ymm().is_some() && cpuid_avx512::get();
        // SAFETY: as for `ymm`, and CPUID has AVX-512F, BW and VL and the operating system saves the registers.
        found.then(|| ClmulCpu::VpclmulZmm(unsafe { VpclmulZmm::assume() }))
    }
    #[inline]
    pub(super) fn ymm_gfni() -> Option<ClmulCpu> {
        let found = Self::ymm().is_some() && leaf7::gfni();
        // SAFETY: as for `ymm`, and CPUID has GFNI.
        found.then(|| ClmulCpu::VpclmulYmmGfni(unsafe { VpclmulYmmGfni::assume() }))
    }
    #[inline]
    pub(super) fn zmm_gfni() -> Option<ClmulCpu> {
        let found = Self::zmm().is_some() && leaf7::gfni();
        // SAFETY: as for `zmm`, and CPUID has GFNI.
        found.then(|| ClmulCpu::VpclmulZmmGfni(unsafe { VpclmulZmmGfni::assume() }))
    }
}

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
impl ClmulCpu {
    #[inline]
    pub(super) fn pmull() -> Option<ClmulCpu> {
        // SAFETY: the operating system reports AES and PMULL.
        hwcap_pmull::get().then(|| ClmulCpu::Pmull(unsafe { Pmull::assume() }))
    }
}

/// Name of the machine that `--cfg carryless_clmul` fixed when the library was built, if any.
pub(super) const FIXED: Option<&str> = if cfg!(carryless_clmul = "soft") {
    Some("soft")
} else if cfg!(carryless_clmul = "pclmul") {
    Some("pclmul")
} else if cfg!(carryless_clmul = "pclmul-avx2") {
    Some("pclmul-avx2")
} else if cfg!(carryless_clmul = "pclmul-avx512vl") {
    Some("pclmul-avx512vl")
} else if cfg!(carryless_clmul = "vpclmul-ymm") {
    Some("vpclmul-ymm")
} else if cfg!(carryless_clmul = "vpclmul-zmm") {
    Some("vpclmul-zmm")
} else if cfg!(carryless_clmul = "vpclmul-ymm-gfni") {
    Some("vpclmul-ymm-gfni")
} else if cfg!(carryless_clmul = "vpclmul-zmm-gfni") {
    Some("vpclmul-zmm-gfni")
} else if cfg!(carryless_clmul = "pmull") {
    Some("pmull")
} else {
    None
};
