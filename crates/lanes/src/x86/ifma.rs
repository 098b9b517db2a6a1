//! 52-bit multiply-add on 256 and on 512 bits.
//!
//! SAFETY, for every block in this file: as in [`x86`](super).
use super::{Avx512Ifma, Avx512VlIfma, align_frame};
use crate::kernel::IfmaKernel;
use crate::traits::Ifma;
use core::arch::x86_64::*;

/// Implements 52-bit multiply-add (`vpmadd52luq`, `vpmadd52huq`) and differences, for ymm and zmm.
macro_rules! ifma {
    ($M:ident, $feature:literal, $V:ident, $lo:ident, $hi:ident, $sub:ident) => {
        impl $M {
            /// Runs a kernel that needs 52-bit multiply-add.
            #[inline(always)]
            pub fn call_ifma<K: IfmaKernel>(self, kernel: K) -> K::Out {
                #[target_feature(enable = $feature)]
                fn go<K: IfmaKernel>(backend: $M, kernel: K) -> K::Out {
                    align_frame();
                    kernel.run(backend)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
        }

        impl Ifma for $M {
            #[inline(always)]
            fn madd52lo(self, acc: $V, a: $V, b: $V) -> $V {
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { $lo(acc, a, b) }
            }
            #[inline(always)]
            fn madd52hi(self, acc: $V, a: $V, b: $V) -> $V {
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { $hi(acc, a, b) }
            }
            #[inline(always)]
            fn sub(self, a: $V, b: $V) -> $V {
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { $sub(a, b) }
            }
        }
    };
}

ifma!(
    Avx512VlIfma,
    "avx512f,avx512vl,avx512ifma,avx512vbmi2",
    __m256i,
    _mm256_madd52lo_epu64,
    _mm256_madd52hi_epu64,
    _mm256_sub_epi64
);
ifma!(
    Avx512Ifma,
    "avx512f,avx512ifma,avx512vbmi,avx512vbmi2",
    __m512i,
    _mm512_madd52lo_epu64,
    _mm512_madd52hi_epu64,
    _mm512_sub_epi64
);
