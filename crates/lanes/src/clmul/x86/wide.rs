//! The operations on wide vectors for each register width, with the instructions of AVX-512 and without.
//!
//! The macros expand inside `impl Clmul` of the macro `clmul_backend`, which calls one of them.

/// The operations that differ between widths in the names of the intrinsics only.
macro_rules! wide {
    (
        $words:literal, $W:ident, $loadu:ident, $storeu:ident, $xor:ident, $and:ident, $or:ident, $set1:ident,
        |$a:ident, $b:ident| $equal:expr
    ) => {
        const WIDE: usize = $words;
        type Wide = $W;
        #[inline(always)]
        fn load_wide(self, src: &[u64]) -> $W {
            let src = &src[..$words];
            unsafe { $loadu(src.as_ptr().cast()) }
        }
        #[inline(always)]
        fn store_wide(self, x: $W, out: &mut [u64]) {
            let out = &mut out[..$words];
            unsafe { $storeu(out.as_mut_ptr().cast(), x) }
        }
        #[inline(always)]
        fn xor_wide(self, a: $W, b: $W) -> $W {
            unsafe { $xor(a, b) }
        }
        #[inline(always)]
        fn and_wide(self, a: $W, b: $W) -> $W {
            unsafe { $and(a, b) }
        }
        #[inline(always)]
        fn or_wide(self, a: $W, b: $W) -> $W {
            unsafe { $or(a, b) }
        }
        #[inline(always)]
        fn splat_wide(self, word: u64) -> $W {
            unsafe { $set1(word as i64) }
        }
        #[inline(always)]
        fn equal_wide(self, $a: $W, $b: $W) -> $W {
            // Halves of 32 bits, as SSE2 compares no 64 bits at once (PCMPEQQ is SSE4.1).
            unsafe { $equal }
        }
    };
}

/// Operations without AVX-512: a rotation is two shifts and an OR, logic has two operands.
macro_rules! composed {
    ($W:ident, $xor:ident, $andnot:ident, $or:ident, $shl:ident, $shr:ident) => {
        #[inline(always)]
        fn xor_andnot_wide(self, a: $W, b: $W, c: $W) -> $W {
            // ANDN inverts its first operand: !b & c.
            unsafe { $xor(a, $andnot(b, c)) }
        }
        // For `bits` = 0 the right shift is by 64, which gives zero on x86.
        #[inline(always)]
        fn rotl_wide(self, a: $W, bits: u32) -> $W {
            let (left, right) = (bits as i32, 64 - bits as i32);
            unsafe { $or($shl(a, _mm_cvtsi32_si128(left)), $shr(a, _mm_cvtsi32_si128(right))) }
        }
    };
}

/// Operations of AVX-512: VPTERNLOGQ, whose constant is the truth table of its three operands, and VPROLVQ, which
/// the compiler turns into VPROLQ for a constant.
macro_rules! avx512 {
    ($W:ident, $set1:ident, $ternary:ident, $rolv:ident) => {
        const ROTATES: bool = true;
        #[inline(always)]
        fn xor3_wide(self, a: $W, b: $W, c: $W) -> $W {
            // Bit 4a + 2b + c of the constant is a ^ b ^ c.
            unsafe { $ternary::<0x96>(a, b, c) }
        }
        #[inline(always)]
        fn xor_andnot_wide(self, a: $W, b: $W, c: $W) -> $W {
            // Bit 4a + 2b + c of the constant is a ^ (!b & c).
            unsafe { $ternary::<0xd2>(a, b, c) }
        }
        #[inline(always)]
        fn rotl_wide(self, a: $W, bits: u32) -> $W {
            // VPROLQ takes an immediate, which would have to be a constant parameter of this method.
            unsafe { $rolv(a, $set1(bits.into())) }
        }
    };
}

// Two words, SSE2 and SSSE3.
macro_rules! xmm {
    () => {
        wide!(
            2,
            __m128i,
            _mm_loadu_si128,
            _mm_storeu_si128,
            _mm_xor_si128,
            _mm_and_si128,
            _mm_or_si128,
            _mm_set1_epi64x,
            |a, b| _mm_cmpeq_epi32(a, b)
        );
        composed!(__m128i, _mm_xor_si128, _mm_andnot_si128, _mm_or_si128, _mm_sll_epi64, _mm_srl_epi64);
    };
}

// Four words, AVX2.
macro_rules! ymm {
    () => {
        wide!(
            4,
            __m256i,
            _mm256_loadu_si256,
            _mm256_storeu_si256,
            _mm256_xor_si256,
            _mm256_and_si256,
            _mm256_or_si256,
            _mm256_set1_epi64x,
            |a, b| _mm256_cmpeq_epi32(a, b)
        );
        composed!(
            __m256i,
            _mm256_xor_si256,
            _mm256_andnot_si256,
            _mm256_or_si256,
            _mm256_sll_epi64,
            _mm256_srl_epi64
        );
    };
}

// Four words, AVX-512VL.
macro_rules! ymm_avx512 {
    () => {
        wide!(
            4,
            __m256i,
            _mm256_loadu_si256,
            _mm256_storeu_si256,
            _mm256_xor_si256,
            _mm256_and_si256,
            _mm256_or_si256,
            _mm256_set1_epi64x,
            |a, b| _mm256_cmpeq_epi32(a, b)
        );
        avx512!(__m256i, _mm256_set1_epi64x, _mm256_ternarylogic_epi64, _mm256_rolv_epi64);
    };
}

// Eight words, AVX-512F. A comparison gives a mask register; all ones are written where it has a one.
macro_rules! zmm_avx512 {
    () => {
        wide!(
            8,
            __m512i,
            _mm512_loadu_si512,
            _mm512_storeu_si512,
            _mm512_xor_si512,
            _mm512_and_si512,
            _mm512_or_si512,
            _mm512_set1_epi64,
            |a, b| _mm512_maskz_set1_epi32(_mm512_cmpeq_epi32_mask(a, b), -1)
        );
        avx512!(__m512i, _mm512_set1_epi64, _mm512_ternarylogic_epi64, _mm512_rolv_epi64);
    };
}

pub(super) use {avx512, composed, wide, xmm, ymm, ymm_avx512, zmm_avx512};
