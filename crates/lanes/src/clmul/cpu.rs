//! The machines for carry-less products that this CPU has, and the dispatch of kernels to them.
#[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
use super::Bilinear;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use super::Pmull;
use super::detect::FIXED;
use super::dispatch::{on_lanes, on_machine, on_one_lane};
use super::{BytesKernel, BytesMachine, Clmul, ClmulFn, ClmulKernel, ClmulMachine, ClmulProduct, Soft};
#[cfg(target_arch = "x86_64")]
use super::{Pclmul, PclmulAvx2, PclmulAvx512Vl, VpclmulYmm, VpclmulYmmGfni, VpclmulZmm, VpclmulZmmGfni};
use crate::cpu::UnknownMachine;

/// A machine for carry-less products, chosen when the program runs: detect it once, and store it in the object that
/// uses it.
///
/// It is not a part of [`crate::Cpu`]: the instructions come and go independently of the vectors of integers (Zen 3
/// has VPCLMULQDQ without AVX-512, Skylake-X the reverse).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClmulCpu {
    /// Plain integers on any target: one lane of 128 bits.
    Soft(Soft<1>),
    /// Plain integers, two lanes: for tests of kernels that fill two lanes.
    #[cfg(feature = "analysis")]
    Soft2(Soft<2>),
    /// Plain integers, four lanes: for tests of kernels that fill four lanes.
    #[cfg(feature = "analysis")]
    Soft4(Soft<4>),
    /// The analysis [`Bilinear`] on one lane, for tests. Only [`ClmulCpu::bilinear`] makes it: it has no name and
    /// no CPU.
    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    Bilinear(Bilinear<1>),
    /// The analysis [`Bilinear`] on two lanes.
    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    Bilinear2(Bilinear<2>),
    /// The analysis [`Bilinear`] on four lanes.
    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    Bilinear4(Bilinear<4>),
    /// PCLMULQDQ and SSSE3: one lane.
    #[cfg(target_arch = "x86_64")]
    Pclmul(Pclmul),
    /// PCLMULQDQ and AVX2: one lane.
    #[cfg(target_arch = "x86_64")]
    PclmulAvx2(PclmulAvx2),
    /// PCLMULQDQ and AVX-512VL: one lane.
    #[cfg(target_arch = "x86_64")]
    PclmulAvx512Vl(PclmulAvx512Vl),
    /// VPCLMULQDQ and AVX2: two lanes.
    #[cfg(target_arch = "x86_64")]
    VpclmulYmm(VpclmulYmm),
    /// VPCLMULQDQ and AVX-512: four lanes.
    #[cfg(target_arch = "x86_64")]
    VpclmulZmm(VpclmulZmm),
    /// VPCLMULQDQ, AVX2 and GFNI: two lanes, products by bit matrices.
    #[cfg(target_arch = "x86_64")]
    VpclmulYmmGfni(VpclmulYmmGfni),
    /// VPCLMULQDQ, AVX-512 and GFNI: four lanes, products by bit matrices.
    #[cfg(target_arch = "x86_64")]
    VpclmulZmmGfni(VpclmulZmmGfni),
    /// PMULL, on little-endian AArch64: one lane of 128 bits.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Pmull(Pmull),
}

impl ClmulCpu {
    /// Names of all machines of the library, slowest first, also of those that this CPU lacks.
    pub const NAMES: &'static [&'static str] = &[
        "soft",
        #[cfg(feature = "analysis")]
        "soft2",
        #[cfg(feature = "analysis")]
        "soft4",
        "pmull",
        "pclmul",
        "pclmul-avx2",
        "pclmul-avx512vl",
        "vpclmul-ymm",
        "vpclmul-ymm-gfni",
        "vpclmul-zmm",
        "vpclmul-zmm-gfni",
    ];

    /// The best machine of this CPU, or the one that `--cfg carryless_clmul="NAME"` fixed at build time.
    ///
    /// A build that fixes a machine which the CPU lacks gets the soft one: a wrong flag costs speed, never an illegal
    /// instruction.
    #[must_use]
    #[inline]
    pub fn detect() -> ClmulCpu {
        match FIXED {
            Some(name) => ClmulCpu::named(name).unwrap_or(ClmulCpu::Soft(Soft)),
            None => ClmulCpu::best(),
        }
    }

    /// All machines of this CPU, from the slowest (soft) to the best.
    pub fn available() -> impl Iterator<Item = ClmulCpu> {
        ClmulCpu::NAMES.iter().filter_map(|name| ClmulCpu::named(name).ok())
    }

    #[inline]
    fn best() -> ClmulCpu {
        #[cfg(target_arch = "x86_64")]
        // Fastest first: more lanes, then more registers.
        for found in [Self::zmm, Self::ymm, Self::avx512vl, Self::avx2, Self::sse] {
            if let Some(cpu) = found() {
                return cpu.with_gfni();
            }
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
        if let Some(cpu) = Self::pmull() {
            return cpu;
        }
        ClmulCpu::Soft(Soft)
    }

    /// The machine of that name.
    ///
    /// # Errors
    /// [`UnknownMachine`] if the CPU lacks it or no machine has that name.
    pub fn named(name: &str) -> Result<ClmulCpu, UnknownMachine> {
        let found = match name {
            "soft" => Some(ClmulCpu::Soft(Soft)),
            #[cfg(feature = "analysis")]
            "soft2" => Some(ClmulCpu::Soft2(Soft)),
            #[cfg(feature = "analysis")]
            "soft4" => Some(ClmulCpu::Soft4(Soft)),
            #[cfg(target_arch = "x86_64")]
            "pclmul" => Self::sse(),
            #[cfg(target_arch = "x86_64")]
            "pclmul-avx2" => Self::avx2(),
            #[cfg(target_arch = "x86_64")]
            "pclmul-avx512vl" => Self::avx512vl(),
            #[cfg(target_arch = "x86_64")]
            "vpclmul-ymm" => Self::ymm(),
            #[cfg(target_arch = "x86_64")]
            "vpclmul-ymm-gfni" => Self::ymm_gfni(),
            #[cfg(target_arch = "x86_64")]
            "vpclmul-zmm" => Self::zmm(),
            #[cfg(target_arch = "x86_64")]
            "vpclmul-zmm-gfni" => Self::zmm_gfni(),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            "pmull" => Self::pmull(),
            _ => None,
        };
        found.ok_or(UnknownMachine)
    }

    /// The analysis [`Bilinear`] as a machine with that many lanes, for tests.
    ///
    /// # Panics
    /// If `lanes` is none of 1, 2 and 4.
    #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
    #[must_use]
    pub fn bilinear(lanes: usize) -> ClmulCpu {
        match lanes {
            1 => ClmulCpu::Bilinear(Bilinear),
            2 => ClmulCpu::Bilinear2(Bilinear),
            4 => ClmulCpu::Bilinear4(Bilinear),
            _ => panic!("no machine with {lanes} lanes"),
        }
    }

    /// The name by which [`ClmulCpu::named`] finds this machine.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ClmulCpu::Soft(_) => <Soft<1> as ClmulMachine>::NAME,
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft2(_) => "soft2",
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft4(_) => "soft4",
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear(_) | ClmulCpu::Bilinear2(_) | ClmulCpu::Bilinear4(_) => {
                <Bilinear<1> as ClmulMachine>::NAME
            }
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::Pclmul(_) => Pclmul::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx2(_) => PclmulAvx2::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::PclmulAvx512Vl(_) => PclmulAvx512Vl::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmm(_) => VpclmulYmm::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(_) => VpclmulYmmGfni::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmm(_) => VpclmulZmm::NAME,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(_) => VpclmulZmmGfni::NAME,
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            ClmulCpu::Pmull(_) => Pmull::NAME,
        }
    }

    /// How many 128-bit lanes this machine has.
    #[must_use]
    #[inline]
    pub fn lanes(self) -> usize {
        match self {
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft2(_) => <Soft<2> as Clmul>::K,
            #[cfg(feature = "analysis")]
            ClmulCpu::Soft4(_) => <Soft<4> as Clmul>::K,
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear2(_) => <Bilinear<2> as Clmul>::K,
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            ClmulCpu::Bilinear4(_) => <Bilinear<4> as Clmul>::K,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmm(_) | ClmulCpu::VpclmulYmmGfni(_) => VpclmulYmm::K,
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmm(_) | ClmulCpu::VpclmulZmmGfni(_) => VpclmulZmm::K,
            _ => <Soft<1> as Clmul>::K,
        }
    }

    /// How many words a wide vector of this machine has: [`Clmul::WIDE`].
    #[must_use]
    #[inline]
    pub fn wide_words(self) -> usize {
        fn words<S: Clmul>(_: S) -> usize {
            S::WIDE
        }
        on_machine!(self, m => words(m))
    }

    /// The machine with that many lanes on the same CPU, for operands that do not fill a vector: this one if it has
    /// no more, else one whose features this one implies.
    ///
    /// # Panics
    /// If `lanes` is none of 1, 2 and 4, or exceeds [`lanes`](ClmulCpu::lanes).
    #[must_use]
    #[inline]
    pub fn with_lanes(self, lanes: usize) -> ClmulCpu {
        match (self, lanes) {
            #[cfg(feature = "analysis")]
            (ClmulCpu::Soft2(_) | ClmulCpu::Soft4(_), 1) => ClmulCpu::Soft(Soft),
            #[cfg(feature = "analysis")]
            (ClmulCpu::Soft4(_), 2) => ClmulCpu::Soft2(Soft),
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            (ClmulCpu::Bilinear2(_) | ClmulCpu::Bilinear4(_), 1) => ClmulCpu::Bilinear(Bilinear),
            #[cfg(all(feature = "analysis", not(carryless_without_proofs)))]
            (ClmulCpu::Bilinear4(_), 2) => ClmulCpu::Bilinear2(Bilinear),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulYmm(m), 1) => ClmulCpu::PclmulAvx2(m.one()),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulZmm(m), 1) => ClmulCpu::PclmulAvx512Vl(m.one()),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulZmm(m), 2) => ClmulCpu::VpclmulYmm(m.ymm()),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulYmmGfni(m), 1) => ClmulCpu::PclmulAvx2(m.one()),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulZmmGfni(m), 1) => ClmulCpu::PclmulAvx512Vl(m.one()),
            #[cfg(target_arch = "x86_64")]
            (ClmulCpu::VpclmulZmmGfni(m), 2) => ClmulCpu::VpclmulYmm(m.without_gfni().ymm()),
            _ => {
                assert_eq!(self.lanes(), lanes, "no machine with so many lanes");
                self
            }
        }
    }

    /// Whether [`call_with_affine`](ClmulCpu::call_with_affine) runs kernels on a machine with bit matrices.
    #[must_use]
    #[inline]
    pub fn has_affine(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(_) | ClmulCpu::VpclmulZmmGfni(_) => true,
            _ => false,
        }
    }

    /// Whether rotations of wide vectors are one instruction: [`Clmul::ROTATES`].
    #[must_use]
    #[inline]
    pub fn has_rotations(self) -> bool {
        fn rotates<S: Clmul>(_: S) -> bool {
            S::ROTATES
        }
        on_machine!(self, m => rotates(m))
    }

    /// Runs a kernel on this machine. A machine with GFNI runs it as the machine without GFNI.
    #[inline]
    pub fn call_clmul<K: ClmulKernel>(self, kernel: K) -> K::Out {
        on_machine!(self, m => m.call_clmul(kernel))
    }

    /// Runs a kernel on this machine, with GFNI if it has that. The kernel is compiled for machines with and
    /// without GFNI, and not for analyses.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    pub fn call_with_affine<K: ClmulKernel>(self, kernel: K) -> K::Out {
        match self {
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(m) => m.call_clmul(kernel),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(m) => m.call_clmul(kernel),
            _ => on_machine!(self, m => m.call_clmul(kernel), analysis _m => panic!("not on an analysis")),
        }
    }

    /// Runs a kernel over bytes on this machine, with GFNI if it has that. The kernel is compiled for machines with
    /// and without GFNI, and not for analyses.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    pub fn call_bytes<K: BytesKernel>(self, kernel: K) -> K::Out {
        match self {
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulYmmGfni(m) => m.call_bytes(kernel),
            #[cfg(target_arch = "x86_64")]
            ClmulCpu::VpclmulZmmGfni(m) => m.call_bytes(kernel),
            _ => on_machine!(self, m => m.call_bytes(kernel), analysis _m => panic!("not on an analysis")),
        }
    }

    /// Compiles a kernel for [the machine with one lane](ClmulCpu::with_lanes), to be run often. No code is made
    /// for more lanes or for analyses.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    #[must_use]
    pub fn compile_on_one_lane<P: ClmulProduct>(self) -> ClmulFn {
        on_one_lane!(self, m => m.compile::<P>())
    }

    /// Runs a kernel on [the machine with one lane](ClmulCpu::with_lanes). No code is made for more lanes or for
    /// analyses. Never inlined: programs with many curves have many such calls, of kernels that take far longer
    /// than a call.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline(never)]
    pub fn call_on_one_lane<K: ClmulKernel>(self, kernel: K) -> K::Out {
        on_one_lane!(self, m => m.call_clmul(kernel))
    }

    /// Runs a kernel on this machine if it has several lanes, otherwise returns the kernel. No code is made for one
    /// lane or for analyses.
    ///
    /// # Errors
    /// The kernel, which has not run.
    #[inline]
    pub fn call_on_lanes<K: ClmulKernel>(self, kernel: K) -> Result<K::Out, K> {
        on_lanes!(self, kernel, four => four)
    }

    /// Runs a kernel on the machine with two lanes that this one is or implies, otherwise returns the kernel. No
    /// code is made for other machines.
    ///
    /// # Errors
    /// The kernel, which has not run.
    #[inline(never)]
    pub fn call_on_two_lanes<K: ClmulKernel>(self, kernel: K) -> Result<K::Out, K> {
        on_lanes!(self, kernel, four => four.two_lanes())
    }

    /// Compiles a kernel for this machine, to be run often: a call through the pointer needs no dispatch.
    #[inline]
    #[must_use]
    pub fn compile<P: ClmulProduct>(self) -> ClmulFn {
        on_machine!(self, m => m.compile::<P>())
    }
}
