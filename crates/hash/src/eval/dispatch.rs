//! Calls of kernels, on backends for which they are compiled.
use crate::choose::ALL_KERNELS;
use carryless_lanes::{Backend as _, Cpu, IfmaKernel, Kernel};

/// Stands in for the lanes of the portable backend, which no threshold selects. Panics if it is reached.
#[cold]
pub(crate) fn words_only<T>() -> T {
    unreachable!("the portable backend takes words")
}

/// True if kernels in lanes are compiled for this backend.
pub(crate) fn compiled_for(cpu: Cpu) -> bool {
    ALL_KERNELS || !matches!(cpu, Cpu::Portable(_))
}

/// True if bit g of `rows` is set.
pub(crate) fn has(rows: u64, g: usize) -> bool {
    // A plan may name any g, and a shift by 64 or more would overflow.
    g < 64 && rows >> g & 1 == 1
}

/// Runs a kernel in lanes; on the portable backend only where all kernels are compiled.
#[inline]
pub(crate) fn call<K: Kernel>(cpu: Cpu, kernel: K) -> K::Out {
    if ALL_KERNELS && let Cpu::Portable(backend) = cpu {
        return backend.call(kernel);
    }
    cpu.without_ifma().call(kernel, words_only)
}

/// Runs a kernel that needs 52-bit multiply-add, on a backend that has it.
#[inline]
pub(crate) fn call_ifma<K: IfmaKernel>(cpu: Cpu, kernel: K) -> K::Out {
    if ALL_KERNELS && let Cpu::Portable(backend) = cpu {
        return backend.call_ifma(kernel);
    }
    cpu.ifma().call(kernel, || unreachable!("a kernel with multiply-add on a backend without it"))
}
