//! The entry point into vector code: compiles and runs a kernel with the backend's CPU features.
use crate::portable::Portable;
use crate::traits::{Ifma, Lanes, Shuffle32};

/// A computation over vectors. Its arguments and results are plain integers and slices; vectors never cross the call.
///
/// `run` and everything it calls must be `#[inline(always)]` functions and macros: no closures, no iterator
/// adaptors over vectors, no recursion (book/src/adding-a-kernel.md says why; `cargo xtask asm` checks it).
pub trait Kernel {
    /// Result of the kernel: integers or nothing, never a vector.
    type Out;
    /// Computes the result on backend `s`; code may depend on the backend's constants, results may not.
    fn run<S: Lanes>(self, s: S) -> Self::Out;
}

/// A [`Kernel`] that needs 52-bit multiply-add.
pub trait IfmaKernel {
    /// Result of the kernel, with the rules of [`Kernel::Out`].
    type Out;
    /// The computation, on any backend with [`Ifma`].
    fn run<S: Ifma>(self, s: S) -> Self::Out;
}

/// A [`Kernel`] that moves 32-bit halves across lanes.
pub trait ShuffleKernel {
    /// Result of the kernel, with the rules of [`Kernel::Out`].
    type Out;
    /// The computation, on any backend with [`Shuffle32`].
    fn run<S: Shuffle32>(self, s: S) -> Self::Out;
}

/// A backend that runs kernels. [`call`](Backend::call) is the only entry point: it compiles the kernel with the CPU
/// features that the backend proves.
pub trait Backend: Lanes {
    /// Name of the backend: the one that [`Cpu::named`](crate::Cpu::named) accepts.
    const NAME: &'static str;
    /// Runs a kernel on this backend.
    fn call<K: Kernel>(self, kernel: K) -> K::Out;
}

impl<const N: usize> Backend for Portable<N> {
    const NAME: &'static str = "portable";
    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Out {
        // Plain integers need no CPU feature, so there is nothing to enable. A function of its own: only tests and
        // measurements run kernels in lanes here, and inlined at each call they take minutes to compile.
        #[inline(never)]
        fn run<const N: usize, K: Kernel>(backend: Portable<N>, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        run(self, kernel)
    }
}

impl<const N: usize> Portable<N> {
    /// Runs a kernel that needs 52-bit multiply-add.
    #[inline(always)]
    pub fn call_ifma<K: IfmaKernel>(self, kernel: K) -> K::Out {
        #[inline(never)]
        fn run<const N: usize, K: IfmaKernel>(backend: Portable<N>, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        run(self, kernel)
    }

    /// Runs a kernel that moves 32-bit halves across lanes.
    #[inline(always)]
    pub fn call_shuffle<K: ShuffleKernel>(self, kernel: K) -> K::Out {
        #[inline(never)]
        fn run<const N: usize, K: ShuffleKernel>(backend: Portable<N>, kernel: K) -> K::Out {
            kernel.run(backend)
        }
        run(self, kernel)
    }
}
