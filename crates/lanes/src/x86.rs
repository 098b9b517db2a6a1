//! The integer backends of x86-64: AVX2, AVX-512F, and AVX-512 IFMA on 256 bits and, with VBMI, on 512.
//!
//! SAFETY, for every block in this file: the token `self` exists only where the CPU feature was detected (or the
//! caller of the `unsafe` constructor vouched for it), and pointers come from slices whose length was checked.
mod ifma;
mod loads;

use crate::avx512::{Avx512Proof, assume_avx512};
use crate::kernel::{Backend, Kernel, ShuffleKernel};
use crate::traits::{Lanes, Shuffle32};
use core::arch::x86_64::*;
use loads::{load_part_vl, load15_vbmi, load15_ymm, load15_zmm};
pub(crate) use loads::{load_part_ymm, load_part_zmm, store_part_ymm, store_part_zmm};

/// Proof that the CPU has AVX2: four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

/// Proof that the CPU has AVX-512F: eight lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(Avx512Proof);

/// Proof that the CPU has AVX-512F, VL, IFMA and VBMI2: four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512VlIfma(Avx512Proof);

/// Proof that the CPU has AVX-512F, VL, IFMA, VBMI and VBMI2: eight lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512Ifma(Avx512Proof);

/// Makes the stack frame of the function into which it is inlined begin at a multiple of 64 bytes.
///
/// Spilled vectors then lie within one cache line. LLVM aligns them to 16 bytes only, and one that crosses a line is
/// read back late: short messages took up to a fifth longer, depending on where the caller's stack was.
#[inline(always)]
fn align_frame() {
    #[repr(align(64))]
    struct Line(#[expect(dead_code, reason = "only its place counts")] [u8; 64]);
    if cfg!(miri) {
        return;
    }
    let line = core::mem::MaybeUninit::<Line>::uninit();
    // SAFETY: the template is a comment; the address is not used.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) &line, options(nostack, preserves_flags));
    }
}

/// Defines one backend. For ymm and zmm the operations differ in the names of the intrinsics only.
macro_rules! x86_backend {
    (
        $M:ident, $proof:expr, $name:literal, $feature:literal, $n:literal, $V:ident, $reg:ident, $barrier:literal,
        $set1:ident, $loadu:ident, $load_part:ident, $storeu:ident, $add:ident, $mul:ident, $srl:ident, $sll:ident,
        $and:ident, $or:ident, $unpack_lo:ident, $unpack_hi:ident, $load15:ident
    ) => {
        impl $M {
            /// Makes the token without checking the CPU.
            ///
            /// # Safety
            /// The CPU must have the features that the type's documentation names.
            pub const unsafe fn assume() -> Self {
                Self($proof)
            }

            /// Returns `v` unchanged, hidden from the optimiser (book/src/adding-a-kernel.md, rule
            /// 3). It costs no instruction.
            #[inline(always)]
            fn hide(self, v: $V) -> $V {
                // Miri interprets no assembly, and has no optimiser to hide from.
                if cfg!(miri) {
                    return v;
                }
                #[inline]
                #[target_feature(enable = $feature)]
                fn inner(mut v: $V) -> $V {
                    // SAFETY: the template is a comment; the register comes out as it went in.
                    unsafe {
                        core::arch::asm!($barrier, inout($reg) v, options(pure, nomem, nostack, preserves_flags));
                    }
                    v
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { inner(v) }
            }
        }

        // SAFETY of all blocks: see the module's SAFETY paragraph.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Lanes for $M {
            const N: usize = $n;
            // VPMULUDQ reads the low half of each lane, so multiplicands are not packed.
            const LIMB_WORDS: usize = $n;
            type V = $V;
            // The same registers hold both. Kernels see two types, so only three conversions make a multiplicand.
            type L = $V;

            #[inline(always)]
            fn splat(self, x: u64) -> $V {
                unsafe { $set1(x as i64) }
            }
            #[inline(always)]
            fn load(self, src: &[u8]) -> $V {
                let src = &src[..8 * $n];
                unsafe { $loadu(src.as_ptr().cast()) }
            }
            #[inline(always)]
            fn load_part(self, src: &[u8], from: usize, count: usize) -> $V {
                // `from + count` could wrap, so the second test subtracts.
                assert!(from <= $n && count <= $n - from, "a vector has {} lanes", $n);
                let src = &src[..8 * count];
                // A mask without a one takes hundreds of cycles where nothing is mapped, as at the address of an
                // empty slice.
                if count == 0 { self.splat(0) } else { unsafe { $load_part(src.as_ptr(), from, count) } }
            }
            #[inline(always)]
            fn load_words(self, src: &[u64]) -> $V {
                // Unaligned loads throughout: a slice of words is aligned to 8 bytes, a vector to 32 or 64.
                let src = &src[..$n];
                unsafe { $loadu(src.as_ptr().cast()) }
            }
            #[inline(always)]
            fn load15(self, src: &[u8]) -> $V {
                let src = &src[..15 * $n / 2];
                unsafe { $load15(src.as_ptr()) }
            }
            #[inline(always)]
            fn store(self, v: $V, out: &mut [u64]) {
                let out = &mut out[..$n];
                unsafe { $storeu(out.as_mut_ptr().cast(), v) }
            }
            #[inline(always)]
            fn limb(self, v: $V) -> $V {
                // A limb is below 2^32 and stays in its lane as it is: the multiplication reads the low 32 bits of
                // each lane.
                self.hide(v)
            }
            #[inline(always)]
            fn low32(self, v: $V) -> $V {
                // Nothing to clear: the multiplication ignores the high 32 bits of each lane.
                self.hide(v)
            }
            #[inline(always)]
            fn high32(self, v: $V) -> $V {
                self.hide(self.shr(v, 32))
            }
            #[inline(always)]
            fn store_limb(self, l: $V, out: &mut [u64]) {
                self.store(l, out);
            }
            #[inline(always)]
            fn load_limb(self, src: &[u64]) -> $V {
                // Not hidden: then the multiplication can read its operand from memory, of which the optimiser
                // knows nothing anyway.
                self.load_words(src)
            }
            #[inline(always)]
            fn mul32(self, a: $V, b: $V) -> $V {
                unsafe { $mul(a, b) }
            }
            #[inline(always)]
            fn add(self, a: $V, b: $V) -> $V {
                unsafe { $add(a, b) }
            }
            #[inline(always)]
            fn settle(self, a: $V) -> $V {
                self.hide(a)
            }
            #[inline(always)]
            fn shr(self, a: $V, k: u32) -> $V {
                // The compiler turns a count that is a constant into an immediate.
                unsafe { $srl(a, _mm_cvtsi32_si128(k as i32)) }
            }
            #[inline(always)]
            fn shl(self, a: $V, k: u32) -> $V {
                unsafe { $sll(a, _mm_cvtsi32_si128(k as i32)) }
            }
            #[inline(always)]
            fn low_bits(self, a: $V, k: u32) -> $V {
                unsafe { $and(a, self.splat((1 << k) - 1)) }
            }
            #[inline(always)]
            fn select(self, a: $V, mask: $V) -> $V {
                unsafe { $and(a, mask) }
            }
            #[inline(always)]
            fn concat(self, a: $V, b: $V) -> $V {
                unsafe { $or(a, b) }
            }
            #[inline(always)]
            fn straddle(self, low: $V, high: $V, k: u32, bits: u32) -> $V {
                // The mask comes last: LLVM then makes one funnel shift (`vpshldq`) of the rest where there is VBMI2.
                self.low_bits(unsafe { $or(self.shr(low, k), self.shl(high, 64 - k)) }, bits)
            }
            #[inline(always)]
            fn unpack_lo(self, a: $V, b: $V) -> $V {
                unsafe { $unpack_lo(a, b) }
            }
            #[inline(always)]
            fn unpack_hi(self, a: $V, b: $V) -> $V {
                unsafe { $unpack_hi(a, b) }
            }
        }

        impl Backend for $M {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn call<K: Kernel>(self, kernel: K) -> K::Out {
                #[target_feature(enable = $feature)]
                // The only function with these target features. The kernel and all it calls are
                // `#[inline(always)]`, so they are compiled as a part of it and get the features.
                fn go<K: Kernel>(backend: $M, kernel: K) -> K::Out {
                    align_frame();
                    kernel.run(backend)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
        }
    };
}

/// Defines a backend with eight lanes, in zmm registers.
macro_rules! avx512_backend {
    ($M:ident, $name:literal, $feature:literal, $load15:ident) => {
        x86_backend!(
            $M,
            assume_avx512(),
            $name,
            $feature,
            8,
            __m512i,
            zmm_reg,
            "/* {0} */",
            _mm512_set1_epi64,
            _mm512_loadu_si512,
            load_part_zmm,
            _mm512_storeu_si512,
            _mm512_add_epi64,
            _mm512_mul_epu32,
            _mm512_srl_epi64,
            _mm512_sll_epi64,
            _mm512_and_si512,
            _mm512_or_si512,
            _mm512_unpacklo_epi64,
            _mm512_unpackhi_epi64,
            $load15
        );
    };
}

/// Defines a backend with four lanes, in ymm registers.
macro_rules! ymm_backend {
    ($M:ident, $proof:expr, $name:literal, $feature:literal, $load_part:ident) => {
        x86_backend!(
            $M,
            $proof,
            $name,
            $feature,
            4,
            __m256i,
            ymm_reg,
            "/* {0} */",
            _mm256_set1_epi64x,
            _mm256_loadu_si256,
            $load_part,
            _mm256_storeu_si256,
            _mm256_add_epi64,
            _mm256_mul_epu32,
            _mm256_srl_epi64,
            _mm256_sll_epi64,
            _mm256_and_si256,
            _mm256_or_si256,
            _mm256_unpacklo_epi64,
            _mm256_unpackhi_epi64,
            load15_ymm
        );
    };
}

ymm_backend!(Avx2, (), "avx2", "avx2", load_part_ymm);
ymm_backend!(
    Avx512VlIfma,
    assume_avx512(),
    "avx512vlifma",
    "avx512f,avx512vl,avx512ifma,avx512vbmi2",
    load_part_vl
);
avx512_backend!(Avx512, "avx512", "avx512f", load15_zmm);
avx512_backend!(Avx512Ifma, "avx512ifma", "avx512f,avx512ifma,avx512vbmi,avx512vbmi2", load15_vbmi);

impl Avx512Ifma {
    /// The backend without 52-bit multiply-add, whose features this one implies.
    #[must_use]
    pub const fn without_ifma(self) -> Avx512 {
        Avx512(self.0)
    }

    /// The backend of four lanes, whose features this one implies.
    #[must_use]
    pub const fn on_four_lanes(self) -> Avx512VlIfma {
        Avx512VlIfma(self.0)
    }
}

impl Avx512VlIfma {
    /// The backend without 52-bit multiply-add, whose features this one implies.
    #[must_use]
    pub const fn without_ifma(self) -> Avx2 {
        Avx2(())
    }
}

/// Implements moves of 32-bit halves, for ymm and zmm.
macro_rules! shuffles {
    (
        $M:ident, $feature:literal, $V:ident, $loadu:ident,
        |$a:ident, $index:ident| $permute:expr, |$low:ident, $high:ident| $blend:expr
    ) => {
        impl $M {
            /// Runs a kernel that moves 32-bit halves across lanes.
            #[inline(always)]
            pub fn call_shuffle<K: ShuffleKernel>(self, kernel: K) -> K::Out {
                #[target_feature(enable = $feature)]
                fn go<K: ShuffleKernel>(backend: $M, kernel: K) -> K::Out {
                    kernel.run(backend)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
        }

        impl Shuffle32 for $M {
            #[inline(always)]
            fn permute32(self, $a: $V, index: &[u32; 16]) -> $V {
                // SAFETY: see the module's SAFETY paragraph; sixteen `u32` are at least as long as a vector.
                unsafe {
                    let $index = $loadu(index.as_ptr().cast());
                    $permute
                }
            }
            #[inline(always)]
            fn blend32(self, $low: $V, $high: $V) -> $V {
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { $blend }
            }
        }
    };
}

// Blends have one mask bit for each half of 32 bits: 0xaa.. takes the odd ones, which are the high halves, from the
// second operand.
macro_rules! avx512_shuffles {
    ($M:ident, $feature:literal) => {
        shuffles!(
            $M,
            $feature,
            __m512i,
            _mm512_loadu_si512,
            |a, index| _mm512_permutexvar_epi32(index, a),
            |low, high| _mm512_mask_blend_epi32(0xaaaa, low, high)
        );
    };
}

shuffles!(
    Avx2,
    "avx2",
    __m256i,
    _mm256_loadu_si256,
    |a, index| _mm256_permutevar8x32_epi32(a, index),
    |low, high| _mm256_blend_epi32::<0xaa>(low, high)
);
avx512_shuffles!(Avx512, "avx512f");
avx512_shuffles!(Avx512Ifma, "avx512f,avx512ifma,avx512vbmi,avx512vbmi2");
