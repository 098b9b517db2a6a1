//! Classes of CPUs, where one instruction set needs more than one choice of kernels.
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A class of CPUs with the same best kernels. Another class has the same backends,
/// but other thresholds between kernels.
///
/// It decides about speed only: every choice of kernels computes the same values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum CpuClass {
    /// Every CPU that is not listed below. Most thresholds were measured on Zen 3 for AVX2 and on Emerald Rapids for
    /// AVX-512; `choose.rs` of `carryless-hash` names the others.
    Generic,
    /// AMD family 19h with AVX-512 (Zen 4): operations on 512 bits take two passes of 256.
    Zen4,
    /// AMD family 1Ah (Zen 5): two 512-bit multipliers, and 52-bit multiply-add with a latency of four cycles.
    Zen5,
}

impl CpuClass {
    /// Every class, in the order of the variants: a class is stored as its place here.
    pub const ALL: &'static [CpuClass] = &[CpuClass::Generic, CpuClass::Zen4, CpuClass::Zen5];

    /// The class of this CPU, by its [`CpuId`]. CPUID is asked once, then the answer is cached.
    #[must_use]
    #[inline]
    pub fn detect() -> CpuClass {
        #[cfg(target_arch = "x86_64")]
        {
            static FOUND: AtomicU8 = AtomicU8::new(UNKNOWN);
            const UNKNOWN: u8 = u8::MAX;
            // Threads that ask at the same time store the same answer, so no order is needed.
            match FOUND.load(Relaxed) {
                UNKNOWN => {
                    let class = CpuId::detect().map_or(CpuClass::Generic, CpuId::class);
                    FOUND.store(class as u8, Relaxed);
                    class
                }
                found => CpuClass::ALL.get(usize::from(found)).copied().unwrap_or(CpuClass::Generic),
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
            CpuClass::Zen4 => "zen4",
            CpuClass::Zen5 => "zen5",
        }
    }

    /// The class of that name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<CpuClass> {
        CpuClass::ALL.iter().copied().find(|class| class.name() == name)
    }
}

/// Vendor, family and model by CPUID, from which [`CpuClass::detect`] concludes. A hypervisor may show others than the
/// hardware's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuId {
    /// The vendor string of leaf 0.
    vendor: [u8; 12],
    /// EAX of leaf 1.
    version: u32,
}

impl CpuId {
    /// What CPUID says here. `None` without CPUID: on other architectures than x86-64, under Miri, in SGX enclaves.
    #[must_use]
    pub fn detect() -> Option<CpuId> {
        #[cfg(all(target_arch = "x86_64", not(any(miri, target_env = "sgx"))))]
        return Some(ask());
        #[cfg(not(all(target_arch = "x86_64", not(any(miri, target_env = "sgx")))))]
        None
    }

    /// The class of this CPU. Models of family 19h are divided as in LLVM's list: those not named here are Zen 3.
    #[must_use]
    pub fn class(self) -> CpuClass {
        match (&self.vendor, self.family(), self.model()) {
            (b"AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => CpuClass::Zen4,
            (b"AuthenticAMD", 0x1a, _) => CpuClass::Zen5,
            _ => CpuClass::Generic,
        }
    }

    /// The extended family counts where the base family is 15.
    fn family(self) -> u32 {
        match self.version >> 8 & 0xf {
            0xf => 0xf + (self.version >> 20 & 0xff),
            base => base,
        }
    }

    /// The model with the extended model above the base model, as families 6 and 15 and above define it.
    fn model(self) -> u32 {
        (self.version >> 16 & 0xf) << 4 | self.version >> 4 & 0xf
    }
}

/// As in `AuthenticAMD family 25 model 1`, decimal as in Linux' `/proc/cpuinfo`.
impl core::fmt::Display for CpuId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let vendor = core::str::from_utf8(&self.vendor).unwrap_or("unknown vendor");
        write!(f, "{vendor} family {} model {}", self.family(), self.model())
    }
}

#[cfg(all(target_arch = "x86_64", not(any(miri, target_env = "sgx"))))]
#[cold]
fn ask() -> CpuId {
    use core::arch::x86_64::__cpuid;
    #[allow(unused_unsafe, reason = "the intrinsic became safe after Rust 1.89")]
    // SAFETY: every x86-64 processor has CPUID with leaves 0 and 1.
    let (leaf0, leaf1) = unsafe { (__cpuid(0), __cpuid(1)) };
    let mut vendor = [0; 12];
    // The vendor string is in EBX, EDX and ECX, in this order.
    for (bytes, register) in vendor.chunks_exact_mut(4).zip([leaf0.ebx, leaf0.edx, leaf0.ecx]) {
        bytes.copy_from_slice(&register.to_le_bytes());
    }
    CpuId { vendor, version: leaf1.eax }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amd(version: u32) -> CpuId {
        CpuId { vendor: *b"AuthenticAMD", version }
    }

    fn intel(version: u32) -> CpuId {
        CpuId { vendor: *b"GenuineIntel", version }
    }

    #[test]
    fn classes_by_vendor_family_and_model() {
        // EPYC 9005, EPYC 9004 and EPYC 7003.
        let (turin, genoa, milan) = (amd(0x00b0_0f21), amd(0x00a1_0f11), amd(0x00a0_0f11));
        assert_eq!(
            [turin, genoa, milan].map(CpuId::class),
            [CpuClass::Zen5, CpuClass::Zen4, CpuClass::Generic]
        );
        assert_eq!(std::format!("{turin}"), "AuthenticAMD family 26 model 2");
        assert_eq!(std::format!("{genoa}"), "AuthenticAMD family 25 model 17");
        assert_eq!(std::format!("{milan}"), "AuthenticAMD family 25 model 1");
        // Emerald Rapids, and another vendor with AMD's families.
        assert_eq!(intel(0x000c_06f2).class(), CpuClass::Generic);
        assert_eq!(std::format!("{}", intel(0x000c_06f2)), "GenuineIntel family 6 model 207");
        for version in [0x00b0_0f21, 0x00a1_0f11] {
            assert_eq!(intel(version).class(), CpuClass::Generic);
        }
    }

    /// Zen 3 and Zen 4 share a family: EPYC, Ryzen and their dense variants, by extended model.
    #[test]
    fn models_of_family_19h() {
        for model in 0..=0xff {
            let version = 0x00a0_0f00 | (model >> 4) << 16 | (model & 0xf) << 4;
            let is_zen4 = matches!(model >> 4, 0x1 | 0x6 | 0x7 | 0xa);
            let class = if is_zen4 { CpuClass::Zen4 } else { CpuClass::Generic };
            assert_eq!(amd(version).class(), class, "model {model:#x}");
        }
    }

    /// [`CpuClass::detect`] keeps a class as its place in the list.
    #[test]
    fn places_in_the_list() {
        for (i, class) in CpuClass::ALL.iter().enumerate() {
            assert_eq!(*class as usize, i);
        }
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
