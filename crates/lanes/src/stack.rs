//! Clearing what functions leave on the stack and in vector registers.
use core::hint::black_box;

/// Overwrites the next `WORDS` words of 64 bits below the caller's frame with zeros, and vector registers.
///
/// There lie the frames of functions that have returned, with registers that a kernel spilled and copies that moves
/// left behind. No variable in use lies there, of any function. The registers are cleared because later code may
/// spill one that it never wrote: the payload of an `Option` that is `None` has no value, so the compiler stores
/// whatever its register holds.
///
/// On x86-64 and AArch64 this clears the registers that a function need not preserve, on other targets none. Cost:
/// some ten cycles, and one for each 32 bytes of the stack.
///
/// The language promises nothing about the stack, so this is best effort. Tests look at what is left.
#[inline(never)]
pub fn clear_stack<const WORDS: usize>() {
    // Not inlined, the array lies where the frames of earlier calls were; inlined, it would lie beside them.
    // `black_box` keeps a fill whose result nothing reads.
    black_box(&mut [0_u64; WORDS]);
    clear_registers();
}

/// Runs `work` in a frame of its own, then clears `WORDS` words from that frame on downwards ([`clear_stack`]).
#[inline(always)]
pub fn cleared<const WORDS: usize, T>(work: impl FnOnce() -> T) -> T {
    #[inline(never)]
    // `cleared` is inlined, so the frames of `below` and of `clear_stack` begin at the same place: below that of
    // the caller.
    fn below<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    let result = below(work);
    clear_stack::<WORDS>();
    result
}

/// Sets vector registers to zero; see [`clear_stack`].
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
fn clear_registers() {
    /// The registers that only AVX-512 has.
    #[target_feature(enable = "avx512f")]
    fn upper() {
        // SAFETY: the template writes the registers that it declares.
        unsafe {
            core::arch::asm!(
                "vpxord zmm16, zmm16, zmm16", "vpxord zmm17, zmm17, zmm17", "vpxord zmm18, zmm18, zmm18",
                "vpxord zmm19, zmm19, zmm19", "vpxord zmm20, zmm20, zmm20", "vpxord zmm21, zmm21, zmm21",
                "vpxord zmm22, zmm22, zmm22", "vpxord zmm23, zmm23, zmm23", "vpxord zmm24, zmm24, zmm24",
                "vpxord zmm25, zmm25, zmm25", "vpxord zmm26, zmm26, zmm26", "vpxord zmm27, zmm27, zmm27",
                "vpxord zmm28, zmm28, zmm28", "vpxord zmm29, zmm29, zmm29", "vpxord zmm30, zmm30, zmm30",
                "vpxord zmm31, zmm31, zmm31",
                out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _, out("zmm20") _, out("zmm21") _,
                out("zmm22") _, out("zmm23") _, out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
                out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
    // SAFETY: the templates write the registers that they declare.
    unsafe {
        // Functions that use AVX end with `vzeroupper`, so the lower halves are what is left.
        core::arch::asm!(
            "xorps xmm0, xmm0", "xorps xmm1, xmm1", "xorps xmm2, xmm2", "xorps xmm3, xmm3",
            "xorps xmm4, xmm4", "xorps xmm5, xmm5",
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _,
            options(nomem, nostack, preserves_flags),
        );
        // Windows' functions must preserve these: the compiler would first store them on the stack.
        if cfg!(not(windows)) {
            core::arch::asm!(
                "xorps xmm6, xmm6", "xorps xmm7, xmm7", "xorps xmm8, xmm8", "xorps xmm9, xmm9",
                "xorps xmm10, xmm10", "xorps xmm11, xmm11", "xorps xmm12, xmm12", "xorps xmm13, xmm13",
                "xorps xmm14, xmm14", "xorps xmm15, xmm15",
                out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }
    if crate::detect::cpu_has!("avx512f") {
        // SAFETY: the CPU has AVX-512F.
        unsafe { upper() }
    }
}

/// Sets vector registers to zero; see [`clear_stack`].
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
fn clear_registers() {
    // SAFETY: the template writes the registers that it declares.
    unsafe {
        // Not v8 to v15: the compiler would first store their lower halves, which it must preserve, on the stack.
        core::arch::asm!(
            "movi v0.2d, #0", "movi v1.2d, #0", "movi v2.2d, #0", "movi v3.2d, #0",
            "movi v4.2d, #0", "movi v5.2d, #0", "movi v6.2d, #0", "movi v7.2d, #0",
            "movi v16.2d, #0", "movi v17.2d, #0", "movi v18.2d, #0", "movi v19.2d, #0",
            "movi v20.2d, #0", "movi v21.2d, #0", "movi v22.2d, #0", "movi v23.2d, #0",
            "movi v24.2d, #0", "movi v25.2d, #0", "movi v26.2d, #0", "movi v27.2d, #0",
            "movi v28.2d, #0", "movi v29.2d, #0", "movi v30.2d, #0", "movi v31.2d, #0",
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _,
            out("v7") _, out("v16") _, out("v17") _, out("v18") _, out("v19") _, out("v20") _, out("v21") _,
            out("v22") _, out("v23") _, out("v24") _, out("v25") _, out("v26") _, out("v27") _, out("v28") _,
            out("v29") _, out("v30") _, out("v31") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

/// Vector registers stay as they are: Miri interprets no assembly, and other targets have none that is known here.
#[cfg(any(
    miri,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ))
))]
fn clear_registers() {}

#[cfg(all(test, target_arch = "x86_64", not(windows), not(miri)))]
mod tests {
    use super::clear_stack;

    /// A value in a register before the call, and what the register holds after it.
    macro_rules! after_clearing {
        ($($register:tt),+) => {{
            let (before, mut after) = (0x0123_4567_89ab_cdef_u64, 0_u64);
            $(
                let left: u64;
                // SAFETY: `clear` has no arguments and no result, and what it may change is declared.
                unsafe {
                    core::arch::asm!(
                        concat!("vmovq ", $register, ", rax"),
                        "call {clear}",
                        concat!("vmovq rax, ", $register),
                        inout("rax") before => left,
                        clear = sym clear,
                        clobber_abi("C"),
                    );
                }
                after |= left;
            )+
            after
        }};
    }

    extern "C" fn clear() {
        clear_stack::<8>();
    }

    #[test]
    fn registers_are_zero() {
        if crate::detect::cpu_has!("avx") {
            // SAFETY: the CPU has AVX.
            assert_eq!(unsafe { lower() }, 0);
        }
        if crate::detect::cpu_has!("avx512f") {
            // SAFETY: the CPU has AVX-512F.
            assert_eq!(unsafe { upper() }, 0);
        }
    }

    #[target_feature(enable = "avx")]
    fn lower() -> u64 {
        after_clearing!("xmm0", "xmm1", "xmm7", "xmm8", "xmm15")
    }

    #[target_feature(enable = "avx512f")]
    fn upper() -> u64 {
        after_clearing!("xmm16", "xmm23", "xmm25", "xmm31")
    }
}
