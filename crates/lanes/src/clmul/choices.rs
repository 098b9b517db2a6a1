//! Choices of backends for which a kernel of carry-less products is compiled; [`ClmulCpu::call`] compiles it for all
//! without GFNI.
use super::backends::clmul_backends;
use super::cpu::ClmulCpu;
#[allow(unused_imports, reason = "where no backend has several lanes")]
use super::dispatch::without_gfni;
use super::dispatch::{match_backend, not_analysis, on_backend, several_lanes, two_lanes};
use super::{BytesBackend, BytesKernel, Clmul as _, ClmulBackend, ClmulKernel, KernelFn, SliceKernel};

/// Backends with and without GFNI: [`ClmulCpu::affine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine(ClmulCpu);

/// Backends for kernels over bytes: [`ClmulCpu::bytes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBytes(ClmulCpu);

/// Backends with one lane: [`ClmulCpu::one_lane`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OneLane(ClmulCpu);

/// Backends with two lanes: [`ClmulCpu::two_lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoLanes(ClmulCpu);

/// Backends with two or four lanes: [`ClmulCpu::several_lanes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeveralLanes(ClmulCpu);

impl ClmulCpu {
    /// This backend, with GFNI if it has that. No code is made for analyses.
    #[must_use]
    #[inline(always)]
    pub fn affine(self) -> Affine {
        Affine(self)
    }

    /// This backend for kernels over bytes, with GFNI if it has that. No code is made for analyses.
    #[must_use]
    #[inline(always)]
    pub fn bytes(self) -> OverBytes {
        OverBytes(self)
    }

    /// [The backend with one lane](ClmulCpu::with_lanes). No code is made for more lanes or for analyses.
    #[must_use]
    #[inline(always)]
    pub fn one_lane(self) -> OneLane {
        OneLane(self)
    }

    /// The backend with two lanes that this one is or implies. No code is made for other backends or for analyses.
    #[must_use]
    #[inline(always)]
    pub fn two_lanes(self) -> TwoLanes {
        TwoLanes(self)
    }

    /// This backend without GFNI, if it has several lanes. No code is made for one lane or for analyses.
    #[must_use]
    #[inline(always)]
    pub fn several_lanes(self) -> SeveralLanes {
        SeveralLanes(self)
    }
}

impl Affine {
    /// Runs a kernel on the backend of this choice.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    pub fn call<K: ClmulKernel>(self, kernel: K) -> K::Out {
        on_backend!(self.0, not_analysis(m) => ClmulBackend::call(m, kernel), else panic!("not on an analysis"))
    }
}

impl OverBytes {
    /// Runs a kernel on the backend of this choice.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    pub fn call<K: BytesKernel>(self, kernel: K) -> K::Out {
        on_backend!(self.0, not_analysis(m) => BytesBackend::call(m, kernel), else panic!("not on an analysis"))
    }
}

impl OneLane {
    /// Runs a kernel on the backend of this choice.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    pub fn call<K: ClmulKernel>(self, kernel: K) -> K::Out {
        on_backend!(
            self.0,
            not_analysis(m) => ClmulBackend::call(m.one(), kernel),
            else panic!("not on an analysis")
        )
    }

    /// Compiles a kernel, to be run often.
    ///
    /// # Panics
    /// If this is an analysis.
    #[inline]
    #[must_use]
    pub fn compile<P: SliceKernel>(self) -> KernelFn {
        on_backend!(self.0, not_analysis(m) => m.one().compile::<P>(), else panic!("not on an analysis"))
    }
}

impl TwoLanes {
    /// Runs a kernel if the backend has two lanes or more, otherwise returns it.
    ///
    /// # Errors
    /// The kernel, which has not run.
    #[inline]
    pub fn call<K: ClmulKernel>(self, kernel: K) -> Result<K::Out, K> {
        on_backend!(self.0, two_lanes(m) => Ok(ClmulBackend::call(m, kernel)), else Err(kernel))
    }
}

impl SeveralLanes {
    /// Runs a kernel if the backend has several lanes, otherwise returns it.
    ///
    /// # Errors
    /// The kernel, which has not run.
    #[inline]
    pub fn call<K: ClmulKernel>(self, kernel: K) -> Result<K::Out, K> {
        on_backend!(self.0, several_lanes(m) => Ok(ClmulBackend::call(m, kernel)), else Err(kernel))
    }
}
