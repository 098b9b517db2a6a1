//! Vector backends for arithmetic kernels.
//!
//! A *backend* is a value that stands for a vector unit. It is a zero-sized token which proves that the CPU has the
//! unit (`Avx2`, `Avx512`, `Avx512Ifma`, `Neon`, `Simd128`, each on its own architecture). Or it is plain integers
//! ([`Portable`]), or an analysis (`Interval`, `Algebra`, `Count`, with the feature `analysis`).
//!
//! A *kernel* is written once, generic over [`Lanes`], and runs on all backends. On vector units and plain integers
//! it computes. On the analyses it proves that no limb overflows and that the value is right for every input, and
//! it counts operations.
//!
//! Carry-less products have a trait of their own, [`Clmul`], with backends and analyses of the same kinds
//! ([`Soft`], `Pclmul` to `VpclmulZmm`, `Pmull`; `Bilinear`, `Degree`, `Count`) and the same kind of entry point
//! ([`ClmulCpu::call`]).
//!
//! All `unsafe` code and all intrinsics of the project's arithmetic are in this crate. It knows no cryptography.
//!
//! ```
//! use carryless_lanes::{Cpu, Kernel, Lanes};
//!
//! /// Squares of eight numbers below 2^32.
//! struct Squares<'a>(&'a mut [u64; 8]);
//!
//! impl Kernel for Squares<'_> {
//!     type Out = ();
//!     #[inline(always)]
//!     fn run<S: Lanes>(self, s: S) {
//!         for w in self.0.chunks_exact_mut(S::N) {
//!             let x = s.limb(s.load_words(w));
//!             s.store(s.mul32(x, x), w);
//!         }
//!     }
//! }
//!
//! let mut x = [1, 2, 3, 4, 5, 6, 7, 1 << 20];
//! Cpu::detect().call(Squares(&mut x));
//! assert_eq!(x, [1, 4, 9, 16, 25, 36, 49, 1 << 40]);
//! ```
#![no_std]

#[cfg(feature = "analysis")]
extern crate std;

#[cfg(feature = "analysis")]
mod algebra;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod backends;
mod choices;
mod class;
mod clmul;
#[cfg(feature = "analysis")]
mod count;
mod cpu;
mod detect;
mod dispatch;
#[cfg(feature = "analysis")]
mod interval;
mod kernel;
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod neon;
mod nibble;
mod portable;
#[cfg(feature = "analysis")]
mod range;
mod stack;
#[cfg(feature = "analysis")]
mod tagged_words;
mod traits;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(feature = "analysis")]
pub use algebra::{Algebra, AlgebraArena, Difference, Poly, Term, WideTerm};
pub use choices::{EightLaneIfma, PlainVectors, Shuffles, Vectors, WithIfma, WithoutIfma};
pub use class::{CpuClass, CpuId};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub use clmul::pmull::Pmull;
#[cfg(target_arch = "x86_64")]
pub use clmul::x86::{
    Pclmul, PclmulAvx2, PclmulAvx512Vl, VpclmulYmm, VpclmulYmmAvx512Vl, VpclmulYmmGfni, VpclmulZmm,
    VpclmulZmmGfni,
};
pub use clmul::{Affine, OneLane, OverBytes, SeveralLanes, TwoLanes};
#[cfg(feature = "analysis")]
pub use clmul::{Bilinear, Degree, Degrees};
pub use clmul::{Bytes, BytesBackend, BytesKernel, Factor};
pub use clmul::{
    Clmul, ClmulBackend, ClmulCpu, ClmulKernel, ClmulPart, KernelFn, KernelFns, SliceKernel, Soft,
};
#[cfg(feature = "analysis")]
pub use count::{Count, Tally};
pub use cpu::{Cpu, UnknownBackend};
#[cfg(feature = "analysis")]
pub use interval::{Interval, IntervalArena};
pub use kernel::{Backend, IfmaKernel, Kernel, ShuffleKernel};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub use neon::Neon;
pub use nibble::Nibble;
pub use portable::Portable;
#[cfg(feature = "analysis")]
pub use range::{Range, Wide};
pub use stack::{clear_stack, cleared};
pub use traits::{Ifma, Lanes, Shuffle32, Words};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm::Simd128;
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Avx512Ifma, Avx512VlIfma};

/// The example of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
