//! Bytes and 16-bit numbers on SSSE3, AVX2, AVX-512BW and GFNI.
//!
//! SAFETY, for every block in this file: the token `self` exists only where the CPU features were detected (or the
//! caller of the `unsafe` constructor vouched for them), and pointers come from slices whose length was checked.
use super::{Bytes, BytesBackend, BytesKernel, Factor};
use crate::clmul::x86::{
    AFFINE_SUMMAND, Pclmul, PclmulAvx2, PclmulAvx512Vl, VpclmulYmm, VpclmulYmmGfni, VpclmulZmm,
    VpclmulZmmGfni,
};
use core::arch::x86_64::*;

/// Bit e of byte e is one, all others are zero; for every half of a lane.
const DIAGONAL: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// Defines one backend. For all widths the operations differ in the names of the intrinsics only.
macro_rules! bytes_backend {
    (
        $M:ident, $feature:literal, $bytes:literal, $X:ident,
        [
            $loadu:ident, $storeu:ident, $set1:ident, $unpacklo:ident, $unpackhi:ident, $add8:ident, $sub8:ident, $add16:ident, $sub16:ident,
            $max16:ident, $min16:ident, $sra16:ident, $pshufb:ident, $set1_64:ident, $set_64:ident
        ],
        |$first:ident| $first_byte:expr,
        |$down:ident, $next:ident| $bytes_down:expr,
        |$zeros:ident| $zero_bytes:expr,
        |$signs:ident| $sign_bytes:expr,
        |$bits:ident, $diagonal:ident| $any_bit:expr,
        { $($more:tt)* }
    ) => {
        // SAFETY of all blocks: see the module's SAFETY paragraph.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Bytes for $M {
            #[inline(always)]
            fn load_bytes(self, src: &[u8]) -> $X {
                let src = &src[..$bytes];
                unsafe { $loadu(src.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store_bytes(self, x: $X, out: &mut [u8]) {
                let out = &mut out[..$bytes];
                unsafe { $storeu(out.as_mut_ptr().cast(), x) }
            }
            #[inline(always)]
            fn splat_byte(self, byte: u8) -> $X {
                unsafe { $set1(byte as i8) }
            }
            #[inline(always)]
            fn first_byte(self, $first: $X) -> $X {
                unsafe { $first_byte }
            }
            #[inline(always)]
            fn bytes_down(self, $down: $X, $next: $X) -> $X {
                unsafe { $bytes_down }
            }
            #[inline(always)]
            fn low_halves(self, a: $X, b: $X) -> $X {
                unsafe { $unpacklo(a, b) }
            }
            #[inline(always)]
            fn high_halves(self, a: $X, b: $X) -> $X {
                unsafe { $unpackhi(a, b) }
            }
            #[inline(always)]
            fn zero_bytes(self, $zeros: $X) -> $X {
                unsafe { $zero_bytes }
            }
            #[inline(always)]
            fn sign_bytes(self, $signs: $X) -> $X {
                unsafe { $sign_bytes }
            }
            #[inline(always)]
            fn spread_bits(self, a: $X, i: usize) -> $X {
                let byte = 0x0101_0101_0101_0101 * i as i64;
                // Byte i of the low half eight times, then byte i of the high half.
                let ($diagonal, $bits) = unsafe {
                    let places = $set_64!(byte, byte + 0x0808_0808_0808_0808);
                    ($set1_64(DIAGONAL), $pshufb(a, places))
                };
                unsafe { $any_bit }
            }
            #[inline(always)]
            fn add_bytes(self, a: $X, b: $X) -> $X {
                unsafe { $add8(a, b) }
            }
            #[inline(always)]
            fn sub_bytes(self, a: $X, b: $X) -> $X {
                unsafe { $sub8(a, b) }
            }
            #[inline(always)]
            fn add_words(self, a: $X, b: $X) -> $X {
                unsafe { $add16(a, b) }
            }
            #[inline(always)]
            fn sub_words(self, a: $X, b: $X) -> $X {
                unsafe { $sub16(a, b) }
            }
            #[inline(always)]
            fn max_words(self, a: $X, b: $X) -> $X {
                unsafe { $max16(a, b) }
            }
            #[inline(always)]
            fn min_words(self, a: $X, b: $X) -> $X {
                unsafe { $min16(a, b) }
            }
            // The compiler turns a count in a register that is a constant into an immediate.
            #[inline(always)]
            fn sar_words(self, a: $X, bits: u32) -> $X {
                unsafe { $sra16(a, _mm_cvtsi32_si128(bits as i32)) }
            }
            $($more)*
        }

        impl BytesBackend for $M {
            #[inline(always)]
            fn call<K: BytesKernel>(self, kernel: K) -> K::Out {
                #[target_feature(enable = $feature)]
                fn go<K: BytesKernel>(backend: $M, kernel: K) -> K::Out {
                    kernel.run(backend)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
        }
    };
}

/// The operations that GFNI has instructions for, in the field of AES. A factor is the byte itself.
macro_rules! gfni {
    ($X:ident, $mul:ident, $inverse:ident, $affine:ident, $set1_64:ident) => {
        #[inline(always)]
        fn factor(self, a: $X) -> Factor<$X> {
            // `scale` reads `low` alone.
            Factor { low: a, high: a }
        }
        #[inline(always)]
        fn scale(self, x: $X, factor: Factor<$X>) -> $X {
            self.mul_bytes(x, factor.low)
        }
        #[inline(always)]
        fn map_bytes<const MATRIX: u64>(self, x: $X) -> $X {
            unsafe { $affine::<AFFINE_SUMMAND>(x, $set1_64(MATRIX as i64)) }
        }
        #[inline(always)]
        fn mul_bytes(self, a: $X, b: $X) -> $X {
            unsafe { $mul(a, b) }
        }
        #[inline(always)]
        fn inv_bytes(self, a: $X) -> $X {
            // The instruction multiplies the inverse by a matrix; this is the identity matrix.
            unsafe { $inverse::<AFFINE_SUMMAND>(a, $set1_64(0x0102_0408_1020_4080)) }
        }
    };
}

// The same two words in every lane, low half first.
macro_rules! set_xmm {
    ($low:expr, $high:expr) => {
        _mm_set_epi64x($high, $low)
    };
}
macro_rules! set_ymm {
    ($low:expr, $high:expr) => {
        _mm256_set_epi64x($high, $low, $high, $low)
    };
}
macro_rules! set_zmm {
    ($low:expr, $high:expr) => {
        _mm512_set_epi64($high, $low, $high, $low, $high, $low, $high, $low)
    };
}

// One lane. A comparison of signed bytes with zero gives the sign; AND and a comparison give the bit of the
// diagonal.
macro_rules! xmm {
    ($M:ident, $feature:literal) => {
        bytes_backend!(
            $M,
            $feature,
            16,
            __m128i,
            [
                _mm_loadu_si128,
                _mm_storeu_si128,
                _mm_set1_epi8,
                _mm_unpacklo_epi64,
                _mm_unpackhi_epi64,
                _mm_add_epi8,
                _mm_sub_epi8,
                _mm_add_epi16,
                _mm_sub_epi16,
                _mm_max_epi16,
                _mm_min_epi16,
                _mm_sra_epi16,
                _mm_shuffle_epi8,
                _mm_set1_epi64x,
                set_xmm
            ],
            |a| _mm_shuffle_epi8(a, _mm_setzero_si128()),
            |a, next| _mm_alignr_epi8::<1>(next, a),
            |a| _mm_cmpeq_epi8(a, _mm_setzero_si128()),
            |a| _mm_cmpgt_epi8(_mm_setzero_si128(), a),
            |a, diagonal| _mm_cmpeq_epi8(_mm_and_si128(a, diagonal), diagonal),
            {}
        );
    };
}

// Two lanes. `bytes_down` first makes a register with lane 1 of `a` and lane 0 of `next`: VPALIGNR shifts lanes
// apart.
macro_rules! ymm {
    ($M:ident, $feature:literal, |$bits:ident, $diagonal:ident| $any_bit:expr, { $($gfni:tt)* }) => {
        bytes_backend!(
            $M,
            $feature,
            32,
            __m256i,
            [
                _mm256_loadu_si256,
                _mm256_storeu_si256,
                _mm256_set1_epi8,
                _mm256_unpacklo_epi64,
                _mm256_unpackhi_epi64,
                _mm256_add_epi8,
                _mm256_sub_epi8,
                _mm256_add_epi16,
                _mm256_sub_epi16,
                _mm256_max_epi16,
                _mm256_min_epi16,
                _mm256_sra_epi16,
                _mm256_shuffle_epi8,
                _mm256_set1_epi64x,
                set_ymm
            ],
            |a| _mm256_broadcastb_epi8(_mm256_castsi256_si128(a)),
            |a, next| _mm256_alignr_epi8::<1>(_mm256_permute2x128_si256::<0x21>(a, next), a),
            |a| _mm256_cmpeq_epi8(a, _mm256_setzero_si256()),
            |a| _mm256_cmpgt_epi8(_mm256_setzero_si256(), a),
            |$bits, $diagonal| $any_bit,
            { $($gfni)* }
        );
    };
}

// Four lanes. Comparisons give mask registers, which VPMOVM2B turns into bytes.
// For `bytes_down` VALIGNQ by two words makes the register of the next lanes, as VPERM2I128 does for ymm.
macro_rules! zmm {
    ($M:ident, $feature:literal, |$bits:ident, $diagonal:ident| $any_bit:expr, { $($gfni:tt)* }) => {
        bytes_backend!(
            $M,
            $feature,
            64,
            __m512i,
            [
                _mm512_loadu_si512,
                _mm512_storeu_si512,
                _mm512_set1_epi8,
                _mm512_unpacklo_epi64,
                _mm512_unpackhi_epi64,
                _mm512_add_epi8,
                _mm512_sub_epi8,
                _mm512_add_epi16,
                _mm512_sub_epi16,
                _mm512_max_epi16,
                _mm512_min_epi16,
                _mm512_sra_epi16,
                _mm512_shuffle_epi8,
                _mm512_set1_epi64,
                set_zmm
            ],
            |a| _mm512_broadcastb_epi8(_mm512_castsi512_si128(a)),
            |a, next| _mm512_alignr_epi8::<1>(_mm512_alignr_epi64::<2>(next, a), a),
            |a| _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, _mm512_setzero_si512())),
            |a| _mm512_movm_epi8(_mm512_movepi8_mask(a)),
            |$bits, $diagonal| $any_bit,
            { $($gfni)* }
        );
    };
}

xmm!(Pclmul, "pclmulqdq,ssse3");
xmm!(PclmulAvx2, "pclmulqdq,avx2");
xmm!(PclmulAvx512Vl, "pclmulqdq,avx2,avx512f,avx512vl");
ymm!(
    VpclmulYmm,
    "pclmulqdq,avx2,vpclmulqdq",
    |a, diagonal| _mm256_cmpeq_epi8(_mm256_and_si256(a, diagonal), diagonal),
    {}
);
// `spread_bits` in one instruction. The matrix has the byte in all rows, so all bits of the result are the parity
// of its AND with the diagonal's byte, which has one bit.
ymm!(
    VpclmulYmmGfni,
    "pclmulqdq,avx2,vpclmulqdq,gfni",
    |a, diagonal| _mm256_gf2p8affine_epi64_epi8::<AFFINE_SUMMAND>(diagonal, a),
    {
        gfni!(
            __m256i,
            _mm256_gf2p8mul_epi8,
            _mm256_gf2p8affineinv_epi64_epi8,
            _mm256_gf2p8affine_epi64_epi8,
            _mm256_set1_epi64x
        );
    }
);
zmm!(
    VpclmulZmm,
    "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq",
    |a, diagonal| _mm512_movm_epi8(_mm512_test_epi8_mask(a, diagonal)),
    {}
);
zmm!(
    VpclmulZmmGfni,
    "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq,gfni",
    |a, diagonal| _mm512_gf2p8affine_epi64_epi8::<AFFINE_SUMMAND>(diagonal, a),
    {
        gfni!(
            __m512i,
            _mm512_gf2p8mul_epi8,
            _mm512_gf2p8affineinv_epi64_epi8,
            _mm512_gf2p8affine_epi64_epi8,
            _mm512_set1_epi64
        );
    }
);
