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

/// Sets registers to zero, by the instruction that `$zero!` gives for each.
#[cfg(all(
    any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ),
    not(miri)
))]
macro_rules! clear {
    ($zero:ident: $($register:tt)+) => {
        // SAFETY: the template writes the registers that it declares.
        unsafe {
            core::arch::asm!(
                $($zero!($register),)+
                $(out($register) _,)+
                options(nomem, nostack, preserves_flags),
            );
        }
    };
}

/// Sets vector registers to zero; see [`clear_stack`].
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
fn clear_registers() {
    macro_rules! xorps {
        ($register:tt) => {
            concat!("xorps ", $register, ", ", $register)
        };
    }
    macro_rules! vpxord {
        ($register:tt) => {
            concat!("vpxord ", $register, ", ", $register, ", ", $register)
        };
    }
    /// The registers that only AVX-512 has.
    #[target_feature(enable = "avx512f")]
    fn upper() {
        clear!(vpxord: "zmm16" "zmm17" "zmm18" "zmm19" "zmm20" "zmm21" "zmm22" "zmm23");
        clear!(vpxord: "zmm24" "zmm25" "zmm26" "zmm27" "zmm28" "zmm29" "zmm30" "zmm31");
    }
    // Functions that use AVX end with `vzeroupper`, so the lower halves are what is left.
    clear!(xorps: "xmm0" "xmm1" "xmm2" "xmm3" "xmm4" "xmm5");
    // Windows' functions must preserve these: the compiler would first store them on the stack.
    if cfg!(not(windows)) {
        clear!(xorps: "xmm6" "xmm7" "xmm8" "xmm9" "xmm10" "xmm11" "xmm12" "xmm13" "xmm14" "xmm15");
    }
    if crate::detect::cpu_has!("avx512f") {
        // SAFETY: the CPU has AVX-512F.
        unsafe { upper() }
    }
}

/// Sets vector registers to zero; see [`clear_stack`].
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
fn clear_registers() {
    macro_rules! movi {
        ($register:tt) => {
            concat!("movi ", $register, ".2d, #0")
        };
    }
    // Not v8 to v15: the compiler would first store their lower halves, which it must preserve, on the stack.
    clear!(movi: "v0" "v1" "v2" "v3" "v4" "v5" "v6" "v7");
    clear!(movi: "v16" "v17" "v18" "v19" "v20" "v21" "v22" "v23");
    clear!(movi: "v24" "v25" "v26" "v27" "v28" "v29" "v30" "v31");
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
        after_clearing!(
            "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
            "xmm12", "xmm13", "xmm14", "xmm15"
        )
    }

    #[target_feature(enable = "avx512f")]
    fn upper() -> u64 {
        after_clearing!(
            "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
            "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31"
        )
    }
}
