//! The integer machines of this CPU, and the dispatch of kernels to them.
#[cfg(target_arch = "x86_64")]
use crate::avx512::COMPILED;
use crate::class::CpuClass;
use crate::machine::{IfmaKernel, Kernel, Machine, ShuffleKernel};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use crate::neon::Neon;
use crate::portable::Portable;
use crate::traits::{Lanes, Shuffle32};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::wasm::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::x86::{Avx2, Avx512, Avx512Ifma, Avx512VlIfma};

/// A machine chosen when the program runs: detect it once, and store it in the object that uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain integers on any target: four lanes of 64 bits.
    Portable(Portable<4>),
    /// AVX2, on x86-64: four lanes of 64 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX-512F, on x86-64: eight lanes of 64 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// AVX-512VL with 52-bit multiply-add: four lanes.
    #[cfg(target_arch = "x86_64")]
    Avx512VlIfma(Avx512VlIfma),
    /// AVX-512F with 52-bit multiply-add: eight lanes. Which kernels are fastest depends on the class of the CPU.
    #[cfg(target_arch = "x86_64")]
    Avx512Ifma(Avx512Ifma, CpuClass),
    /// NEON, on little-endian AArch64: two lanes of 64 bits.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Neon(Neon),
    /// WebAssembly's vectors, in builds with `simd128`: two lanes of 64 bits.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

/// The error of asking for a machine by a name that this CPU (or this build) does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMachine;

impl core::fmt::Display for UnknownMachine {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this CPU has no machine of that name")
    }
}

impl core::error::Error for UnknownMachine {}

// One CPUID query per feature set, its answer cached in a static by the `cpufeatures` crate.
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx2, "avx2");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx512, "avx512f");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx512vl_ifma, "avx512f", "avx512vl", "avx512ifma");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(cpuid_avx512ifma, "avx512f", "avx512vl", "avx512ifma", "avx512vbmi");

impl Cpu {
    /// Names of all machines of the library, slowest first, also of those that this CPU lacks.
    pub const NAMES: &'static [&'static str] =
        &["portable", "simd128", "neon", "avx2", "avx512", "avx512vlifma", "avx512ifma"];

    /// The best machine of this CPU, or the one that `--cfg carryless_backend="NAME"` fixed at build time.
    ///
    /// A build that fixes a machine which the CPU lacks gets the portable one: a wrong flag costs speed, never
    /// an illegal instruction.
    #[must_use]
    #[inline]
    pub fn detect() -> Cpu {
        match FIXED {
            Some(name) => Cpu::named(name).unwrap_or(Cpu::Portable(Portable)),
            None => Cpu::best(),
        }
    }

    /// All machines of this CPU, from the slowest (portable) to the best.
    pub fn available() -> impl Iterator<Item = Cpu> {
        Cpu::NAMES.iter().filter_map(|name| Cpu::named(name).ok())
    }

    #[inline]
    #[allow(unreachable_code, reason = "where vectors belong to the target's baseline")]
    fn best() -> Cpu {
        #[cfg(target_arch = "x86_64")]
        {
            // Fastest first. Each question reads an answer that is cached after the first time.
            if let Some(cpu) = Cpu::avx512ifma() {
                return cpu;
            }
            if let Some(cpu) = Cpu::avx512vl_ifma() {
                return cpu;
            }
            if let Some(cpu) = Cpu::avx512() {
                return cpu;
            }
            if let Some(cpu) = Cpu::avx2() {
                return cpu;
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        return Cpu::Neon(Neon);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return Cpu::Simd128(Simd128);
        Cpu::Portable(Portable)
    }

    /// The machine of that name.
    ///
    /// # Errors
    /// [`UnknownMachine`] if the CPU lacks it or no machine has that name.
    pub fn named(name: &str) -> Result<Cpu, UnknownMachine> {
        let found = match name {
            "portable" => Some(Cpu::Portable(Portable)),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Cpu::avx2(),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Cpu::avx512(),
            #[cfg(target_arch = "x86_64")]
            "avx512vlifma" => Cpu::avx512vl_ifma(),
            #[cfg(target_arch = "x86_64")]
            "avx512ifma" => Cpu::avx512ifma(),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            "neon" => Some(Cpu::Neon(Neon)),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            "simd128" => Some(Cpu::Simd128(Simd128)),
            _ => None,
        };
        found.ok_or(UnknownMachine)
    }

    /// The name by which [`Cpu::named`] finds this machine.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Cpu::Portable(_) => <Portable<4> as Machine>::NAME,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(_) => Avx2::NAME,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) => Avx512::NAME,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(_) => Avx512VlIfma::NAME,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(..) => Avx512Ifma::NAME,
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Cpu::Neon(_) => Neon::NAME,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128(_) => Simd128::NAME,
        }
    }

    /// How many 64-bit lanes this machine has.
    #[must_use]
    #[inline]
    pub fn lanes(self) -> usize {
        match self {
            Cpu::Portable(_) => <Portable<4> as Lanes>::N,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(_) => Avx2::N,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) => Avx512::N,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(_) => Avx512VlIfma::N,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(..) => Avx512Ifma::N,
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Cpu::Neon(_) => Neon::N,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128(_) => Simd128::N,
        }
    }

    /// The class of CPU for which kernels are chosen, where the machine alone does not decide it.
    #[must_use]
    #[inline]
    pub fn class(self) -> CpuClass {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(_, class) => class,
            _ => CpuClass::Generic,
        }
    }

    /// This machine with kernels chosen as for another class of CPU, to measure and test those choices; machines
    /// whose choice is the same everywhere stay as they are. Values do not depend on it.
    #[must_use]
    #[inline]
    #[allow(unused_variables, reason = "where no machine has a choice")]
    pub fn with_class(self, class: CpuClass) -> Cpu {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(machine, _) => Cpu::Avx512Ifma(machine, class),
            other => other,
        }
    }

    /// Runs a kernel on this machine, compiled with the machine's CPU features.
    #[inline]
    pub fn call<K: Kernel>(self, kernel: K) -> K::Out {
        match self {
            Cpu::Portable(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call(kernel),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Cpu::Neon(m) => m.call(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128(m) => m.call(kernel),
        }
    }

    /// Runs a kernel on this machine's vectors, with 52-bit multiply-add where the machine has it. The portable
    /// machine runs `portable` instead; the kernel is not compiled for it.
    ///
    /// The result does not pass through an `Option`. The caller would copy it by vector loads from words just
    /// stored, and such loads wait until the stores have reached the cache.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable machine is the only one")]
    pub fn call_vectors<O, K>(self, kernel: K, portable: impl FnOnce() -> O) -> O
    where
        K: Kernel<Out = O> + IfmaKernel<Out = O>,
    {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(m) => m.call_ifma(kernel),
            other => other.call_eight_lanes_ifma(kernel, portable),
        }
    }

    /// Like [`call_vectors`](Cpu::call_vectors), but with 52-bit multiply-add on eight lanes only. Four lanes share
    /// the code of AVX2: for kernels that they seldom run.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable machine is the only one")]
    pub fn call_eight_lanes_ifma<O, K>(self, kernel: K, portable: impl FnOnce() -> O) -> O
    where
        K: Kernel<Out = O> + IfmaKernel<Out = O>,
    {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call_ifma(kernel),
            other => other.call_without_ifma(kernel, portable),
        }
    }

    /// Like [`call_vectors`](Cpu::call_vectors), for a kernel that does not use 52-bit multiply-add.
    #[inline(always)]
    pub fn call_lanes<K: Kernel>(self, kernel: K, portable: impl FnOnce() -> K::Out) -> K::Out {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call(kernel),
            other => other.call_without_ifma(kernel, portable),
        }
    }

    /// Like [`call_lanes`](Cpu::call_lanes), for a kernel that machines with 52-bit multiply-add seldom run. They
    /// share the code of the machine without it.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable machine is the only one")]
    pub fn call_without_ifma<K: Kernel>(self, kernel: K, portable: impl FnOnce() -> K::Out) -> K::Out {
        match self {
            Cpu::Portable(_) => portable(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(m) => m.call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(m) => m.without_ifma().call(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.without_ifma().call(kernel),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Cpu::Neon(m) => m.call(kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128(m) => m.call(kernel),
        }
    }

    /// Runs a kernel that needs 52-bit multiply-add; `None` where the machine lacks it.
    #[inline]
    #[allow(unreachable_patterns, reason = "where the portable machine is the only one")]
    pub fn call_ifma<K: IfmaKernel>(self, kernel: K) -> Option<K::Out> {
        match self {
            Cpu::Portable(m) => Some(m.call_ifma(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(m) => Some(m.call_ifma(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => Some(m.call_ifma(kernel)),
            _ => None,
        }
    }

    /// This machine, or one of four lanes if this one has eight. With four lanes, set-up and the last rows cost
    /// less, which counts for short messages. On a [Zen 4](CpuClass::Zen4) it has 52-bit multiply-add, too.
    #[must_use]
    #[inline]
    pub fn at_most_four_lanes(self) -> Cpu {
        match self {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, CpuClass::Zen4) => Cpu::Avx512VlIfma(m.on_four_lanes()),
            // SAFETY: every CPU with AVX-512F has AVX2.
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(_) | Cpu::Avx512Ifma(..) => Cpu::Avx2(unsafe { Avx2::assume() }),
            other => other,
        }
    }

    /// Whether [`call_ifma`](Cpu::call_ifma) returns a result. The portable machine does, by plain integers.
    #[must_use]
    #[inline]
    #[allow(unreachable_patterns, reason = "where the portable machine is the only one")]
    pub fn has_ifma(self) -> bool {
        match self {
            Cpu::Portable(_) => true,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(_) | Cpu::Avx512Ifma(..) => true,
            _ => false,
        }
    }

    /// Whether this machine moves 32-bit halves across lanes ([`Shuffle32`](crate::Shuffle32)).
    #[must_use]
    #[inline]
    pub fn has_shuffle32(self) -> bool {
        // The answer is whether an empty kernel runs, so it cannot disagree with `call_shuffle`.
        struct Nothing;
        impl ShuffleKernel for Nothing {
            type Out = ();
            #[inline(always)]
            fn run<S: Shuffle32>(self, _: S) {}
        }
        self.call_shuffle(Nothing).is_some()
    }

    /// Runs a kernel that moves 32-bit halves across lanes; `None` where the machine cannot
    /// ([`has_shuffle32`](Cpu::has_shuffle32)).
    #[inline]
    pub fn call_shuffle<K: ShuffleKernel>(self, kernel: K) -> Option<K::Out> {
        match self {
            Cpu::Portable(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(_) => None,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => Some(m.call_shuffle(kernel)),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Cpu::Neon(_) => None,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128(_) => None,
        }
    }
}

/// Safe constructors: each checks the CPU and that the build has the machine.
#[cfg(target_arch = "x86_64")]
impl Cpu {
    #[inline]
    fn avx2() -> Option<Cpu> {
        // SAFETY: CPUID has AVX2 and the operating system saves its registers.
        cpuid_avx2::get().then(|| Cpu::Avx2(unsafe { Avx2::assume() }))
    }
    #[inline]
    fn avx512() -> Option<Cpu> {
        // SAFETY: CPUID has AVX-512F and the operating system saves its registers.
        (COMPILED && cpuid_avx512::get()).then(|| Cpu::Avx512(unsafe { Avx512::assume() }))
    }
    #[inline]
    fn avx512vl_ifma() -> Option<Cpu> {
        // SAFETY: CPUID has AVX-512F, VL and IFMA and the operating system saves the registers.
        (COMPILED && cpuid_avx512vl_ifma::get()).then(|| Cpu::Avx512VlIfma(unsafe { Avx512VlIfma::assume() }))
    }
    #[inline]
    fn avx512ifma() -> Option<Cpu> {
        // SAFETY: CPUID has AVX-512F, VL, IFMA and VBMI and the operating system saves the registers.
        (COMPILED && cpuid_avx512ifma::get())
            .then(|| Cpu::Avx512Ifma(unsafe { Avx512Ifma::assume() }, CpuClass::detect()))
    }
}

/// Name of the machine that `--cfg carryless_backend` fixed when the library was built, if any.
const FIXED: Option<&str> = if cfg!(carryless_backend = "portable") {
    Some("portable")
} else if cfg!(carryless_backend = "avx2") {
    Some("avx2")
} else if cfg!(carryless_backend = "avx512") {
    Some("avx512")
} else if cfg!(carryless_backend = "avx512vlifma") {
    Some("avx512vlifma")
} else if cfg!(carryless_backend = "avx512ifma") {
    Some("avx512ifma")
} else if cfg!(carryless_backend = "neon") {
    Some("neon")
} else if cfg!(carryless_backend = "simd128") {
    Some("simd128")
} else {
    None
};
