//! Choices of backends for which a kernel is compiled; [`Cpu::call`] compiles it for all.
//!
//! On a backend that the choice leaves out, `call` runs a closure instead. Its result does not pass through an
//! `Option`: the caller would copy it by vector loads from words just stored, and such loads wait until the stores
//! have reached the cache.
use crate::backends::integer_backends;
use crate::cpu::Cpu;
use crate::dispatch::{match_backend, on_backend, with_ifma, without_ifma};
#[allow(unused_imports, reason = "where the portable backend is the only one")]
use crate::kernel::Backend as _;
use crate::kernel::{IfmaKernel, Kernel, ShuffleKernel};

/// Backends with vectors, with 52-bit multiply-add where they have it: [`Cpu::vectors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Cpu);

/// Backends with vectors, with 52-bit multiply-add on eight lanes only: [`Cpu::eight_lane_ifma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EightLaneIfma(Cpu);

/// Backends with vectors, for kernels without 52-bit multiply-add: [`Cpu::plain_vectors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainVectors(Cpu);

/// Backends with vectors and without 52-bit multiply-add: [`Cpu::without_ifma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithoutIfma(Cpu);

/// Backends with 52-bit multiply-add: [`Cpu::ifma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithIfma(Cpu);

/// Backends that move 32-bit halves across lanes: [`Cpu::shuffles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffles(Cpu);

impl Cpu {
    /// This backend's vectors, with 52-bit multiply-add where it has it.
    #[must_use]
    #[inline(always)]
    pub fn vectors(self) -> Vectors {
        Vectors(self)
    }

    /// This backend's vectors, with 52-bit multiply-add on eight lanes only. Four lanes share the code of AVX2: for
    /// kernels that they seldom run.
    #[must_use]
    #[inline(always)]
    pub fn eight_lane_ifma(self) -> EightLaneIfma {
        EightLaneIfma(self)
    }

    /// This backend's vectors, for a kernel that does not use 52-bit multiply-add.
    #[must_use]
    #[inline(always)]
    pub fn plain_vectors(self) -> PlainVectors {
        PlainVectors(self)
    }

    /// This backend's vectors, for a kernel that backends with 52-bit multiply-add seldom run. They share the code of
    /// the backend without it.
    #[must_use]
    #[inline(always)]
    pub fn without_ifma(self) -> WithoutIfma {
        WithoutIfma(self)
    }

    /// This backend, if it has vectors with 52-bit multiply-add ([`Portable`](crate::Portable) has a method of its own
    /// for such kernels).
    #[must_use]
    #[inline(always)]
    pub fn ifma(self) -> WithIfma {
        WithIfma(self)
    }

    /// This backend, if it moves 32-bit halves across lanes ([`has_shuffle32`](Cpu::has_shuffle32)).
    #[must_use]
    #[inline(always)]
    pub fn shuffles(self) -> Shuffles {
        Shuffles(self)
    }
}

impl Vectors {
    /// Runs a kernel; `portable` on the portable backend, for which it is not compiled.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable backend is the only one")]
    pub fn call<O, K>(self, kernel: K, portable: impl FnOnce() -> O) -> O
    where
        K: Kernel<Out = O> + IfmaKernel<Out = O>,
    {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512VlIfma(m) => m.call_ifma(kernel),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call_ifma(kernel),
            other => on_backend!(other, without_ifma(m) => m.call(kernel), else portable()),
        }
    }
}

impl EightLaneIfma {
    /// Runs a kernel; `portable` on the portable backend, for which it is not compiled.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable backend is the only one")]
    pub fn call<O, K>(self, kernel: K, portable: impl FnOnce() -> O) -> O
    where
        K: Kernel<Out = O> + IfmaKernel<Out = O>,
    {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call_ifma(kernel),
            other => on_backend!(other, without_ifma(m) => m.call(kernel), else portable()),
        }
    }
}

impl PlainVectors {
    /// Runs a kernel; `portable` on the portable backend, for which it is not compiled.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable backend is the only one")]
    pub fn call<K: Kernel>(self, kernel: K, portable: impl FnOnce() -> K::Out) -> K::Out {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => m.call(kernel),
            other => on_backend!(other, without_ifma(m) => m.call(kernel), else portable()),
        }
    }
}

impl WithoutIfma {
    /// Runs a kernel; `portable` on the portable backend, for which it is not compiled.
    #[inline(always)]
    #[allow(unused_variables, reason = "where the portable backend is the only one")]
    pub fn call<K: Kernel>(self, kernel: K, portable: impl FnOnce() -> K::Out) -> K::Out {
        on_backend!(self.0, without_ifma(m) => m.call(kernel), else portable())
    }
}

impl WithIfma {
    /// Runs a kernel; `otherwise` on the portable backend and on vectors without multiply-add, for which it is not
    /// compiled.
    #[inline(always)]
    #[allow(unused_variables, reason = "where no backend has multiply-add")]
    pub fn call<K: IfmaKernel>(self, kernel: K, otherwise: impl FnOnce() -> K::Out) -> K::Out {
        on_backend!(self.0, with_ifma(m) => m.call_ifma(kernel), else otherwise())
    }
}

impl Shuffles {
    /// Runs a kernel; `None` where the backend cannot.
    #[inline]
    #[allow(unreachable_patterns, reason = "where the portable backend is the only one")]
    pub fn call<K: ShuffleKernel>(self, kernel: K) -> Option<K::Out> {
        match self.0 {
            Cpu::Portable(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512(m) => Some(m.call_shuffle(kernel)),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512Ifma(m, _) => Some(m.call_shuffle(kernel)),
            _ => None,
        }
    }
}
