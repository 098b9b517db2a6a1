//! Classes of CPUs: which CPU a machine runs on, where one instruction set needs more than one choice of kernels.
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A class of CPUs with the same best kernels. Another class has the same machines and other thresholds between kernels.
///
/// It decides about speed only: every choice of kernels computes the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum CpuClass {
    /// Every CPU that is not listed below. Thresholds were measured on Zen 3 for AVX2 and on Emerald Rapids for AVX-512.
    Generic,
    /// AMD family 1Ah (Zen 5): two 512-bit multipliers, and 52-bit multiply-add with a latency of four cycles.
    Zen5,
}

impl CpuClass {
    /// Every class.
    pub const ALL: &'static [CpuClass] = &[CpuClass::Generic, CpuClass::Zen5];

    /// The class of this CPU: vendor and family from CPUID, asked for once.
    #[must_use]
    #[inline]
    pub fn detect() -> CpuClass {
        #[cfg(target_arch = "x86_64")]
        {
            static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);
            const UNKNOWN: u8 = u8::MAX;
            match FOUND.load(Relaxed) {
                UNKNOWN => {
                    let class = of_cpuid();
                    FOUND.store(class as u8, Relaxed);
                    class
                }
                found if found == CpuClass::Zen5 as u8 => CpuClass::Zen5,
                _ => CpuClass::Generic,
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        CpuClass::Generic
    }

    /// The name by which [`CpuClass::named`] finds this class.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CpuClass::Generic => "generic",
            CpuClass::Zen5 => "zen5",
        }
    }

    /// The class of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<CpuClass> {
        CpuClass::ALL.iter().copied().find(|class| class.name() == name)
    }

    /// By vendor and family; models of a family share their class.
    #[cfg(any(target_arch = "x86_64", test))]
    fn of(vendor: [u8; 12], family: u32) -> CpuClass {
        match (&vendor, family) {
            (b"AuthenticAMD", 0x1a) => CpuClass::Zen5,
            _ => CpuClass::Generic,
        }
    }
}

/// The family of leaf 1, EAX: the extended family counts where the base family is 15.
#[cfg(any(target_arch = "x86_64", test))]
fn family(eax: u32) -> u32 {
    match eax >> 8 & 0xf {
        0xf => 0xf + (eax >> 20 & 0xff),
        base => base,
    }
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn of_cpuid() -> CpuClass {
    // Miri and SGX enclaves have no CPUID.
    #[cfg(any(miri, target_env = "sgx"))]
    return CpuClass::Generic;
    #[cfg(not(any(miri, target_env = "sgx")))]
    {
        use core::arch::x86_64::__cpuid;
        #[allow(unused_unsafe, reason = "the intrinsic became safe after Rust 1.89")]
        // SAFETY: every x86-64 processor has CPUID with leaves 0 and 1.
        let (leaf0, leaf1) = unsafe { (__cpuid(0), __cpuid(1)) };
        let mut vendor = [0; 12];
        for (bytes, register) in vendor.chunks_exact_mut(4).zip([leaf0.ebx, leaf0.edx, leaf0.ecx]) {
            bytes.copy_from_slice(&register.to_le_bytes());
        }
        CpuClass::of(vendor, family(leaf1.eax))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_by_vendor_and_family() {
        // EPYC 9005 (family 26 model 2), EPYC 7003 (family 25 model 1), Emerald Rapids (family 6 model 207).
        assert_eq!(CpuClass::of(*b"AuthenticAMD", family(0x00b0_0f21)), CpuClass::Zen5);
        assert_eq!(CpuClass::of(*b"AuthenticAMD", family(0x00a0_0f11)), CpuClass::Generic);
        assert_eq!(CpuClass::of(*b"GenuineIntel", family(0x000c_06f2)), CpuClass::Generic);
        assert_eq!(family(0x000c_06f2), 6);
        assert_eq!(CpuClass::of(*b"GenuineIntel", 0x1a), CpuClass::Generic);
    }

    #[test]
    fn names_and_repeated_detection() {
        for class in CpuClass::ALL {
            assert_eq!(CpuClass::named(class.name()), Some(*class));
        }
        assert_eq!(CpuClass::named("zen"), None);
        assert_eq!(CpuClass::detect(), CpuClass::detect());
    }
}
