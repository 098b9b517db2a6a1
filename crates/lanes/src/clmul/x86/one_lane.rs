//! Backends with one lane of 128 bits: PCLMULQDQ in SSE, VEX and EVEX encoding.
use super::*;

// With one lane no operation moves lanes: strides and orders are ignored. A part of a vector is two words or one,
// and `movq` reads one word only.
macro_rules! one_lane {
    ($M:ident, $proof:expr, $name:literal, $feature:literal, $Compact:ident, $wide:ident, $compact:literal) => {
        clmul_backend!(
            $M,
            $proof,
            $name,
            $feature,
            1,
            __m128i,
            $M,
            $Compact,
            _mm_setzero_si128,
            _mm_loadu_si128,
            _mm_storeu_si128,
            _mm_xor_si128,
            _mm_clmulepi64_si128,
            _mm_shuffle_epi32,
            _mm_alignr_epi8,
            [
                _mm_and_si128,
                _mm_sll_epi64,
                _mm_srl_epi64,
                _mm_sll_epi32,
                _mm_srai_epi32,
                _mm_shuffle_epi8,
                _mm_unpacklo_epi8,
                _mm_unpackhi_epi8
            ],
            |x| x,
            |words| words,
            |x, _order| x,
            |x| x,
            |src, count| if count == 2 { _mm_loadu_si128(src.cast()) } else { _mm_loadl_epi64(src.cast()) },
            |x, out, count| {
                if count == 2 { _mm_storeu_si128(out.cast(), x) } else { _mm_storel_epi64(out.cast(), x) }
            },
            |src, _stride| _mm_loadu_si128(src.cast()),
            |x, out, _stride| _mm_storeu_si128(out.cast(), x),
            |from, low, high| if from == 0 { low } else { high },
            $wide,
            {
                const COMPACT: bool = $compact;
                #[inline(always)]
                fn call_part<P: ClmulPart<Self>>(self, part: P) -> P::Out {
                    // rustc 1.95 asks for no inlining only where caller and callee have the same features.
                    #[target_feature(enable = $feature)]
                    #[inline(never)]
                    fn run<P: ClmulPart<$M>>(backend: $M, part: P) -> P::Out {
                        part.run(backend)
                    }
                    #[target_feature(enable = $feature)]
                    fn call<P: ClmulPart<$M>>(backend: $M, part: P) -> P::Out {
                        run(backend, part)
                    }
                    // `call` has the features and is inlined into the kernel; only `run` remains a function.
                    unsafe { call(self, part) }
                }
            }
        );
    };
}

one_lane!(Pclmul, (), "pclmul", "pclmulqdq,ssse3", Pclmul, xmm, true);
one_lane!(PclmulAvx2, (), "pclmul-avx2", "pclmulqdq,avx2", PclmulAvx2Compact, ymm, false);
one_lane!(PclmulAvx2Compact, (), "pclmul-avx2", "pclmulqdq,avx2", PclmulAvx2Compact, ymm, true);
one_lane!(
    PclmulAvx512Vl,
    assume_avx512(),
    "pclmul-avx512vl",
    "pclmulqdq,avx2,avx512f,avx512vl",
    PclmulAvx512VlCompact,
    ymm_avx512,
    false
);
one_lane!(
    PclmulAvx512VlCompact,
    assume_avx512(),
    "pclmul-avx512vl",
    "pclmulqdq,avx2,avx512f,avx512vl",
    PclmulAvx512VlCompact,
    ymm_avx512,
    true
);
