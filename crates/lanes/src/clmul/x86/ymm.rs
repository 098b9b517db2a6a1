//! Backends with two lanes of 128 bits: VPCLMULQDQ on ymm registers.
use super::*;

// The transposition exchanges words 1 and 2: 2 x 2 parts of 64 bits. Lane orders are public, so matching on them is
// no leak; for a constant order one arm remains.
macro_rules! two_lanes {
    ($M:ident, $proof:expr, $name:literal, $feature:literal, $One:ident, $wide:ident, { $($affine:tt)* }) => {
        clmul_backend!(
            $M,
            $proof,
            $name,
            $feature,
            2,
            __m256i,
            $One,
            $M,
            _mm256_setzero_si256,
            _mm256_loadu_si256,
            _mm256_storeu_si256,
            _mm256_xor_si256,
            _mm256_clmulepi64_epi128,
            _mm256_shuffle_epi32,
            _mm256_alignr_epi8,
            [
                _mm256_and_si256,
                _mm256_sll_epi64,
                _mm256_srl_epi64,
                _mm256_sll_epi32,
                _mm256_srai_epi32,
                _mm256_shuffle_epi8,
                _mm256_unpacklo_epi8,
                _mm256_unpackhi_epi8
            ],
            |x| _mm256_castsi256_si128(x),
            |words| _mm256_broadcastsi128_si256(words),
            |x, order| match order {
                [0, 1, ..] => x,
                [0, 0, ..] => unsafe { _mm256_permute2x128_si256::<0x00>(x, x) },
                [1, 0, ..] => unsafe { _mm256_permute2x128_si256::<0x01>(x, x) },
                [1, 1, ..] => unsafe { _mm256_permute2x128_si256::<0x11>(x, x) },
                _ => panic!("there are two lanes"),
            },
            |x| unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(x) },
            |src, count| load_part_ymm(src.cast(), 0, count),
            |x, out, count| store_part_ymm(x, out, count),
            |src, stride| _mm256_loadu2_m128i(src.add(stride).cast(), src.cast()),
            |x, out, stride| _mm256_storeu2_m128i(out.add(stride).cast(), out.cast(), x),
            |from, low, high| match from {
                0 => low,
                // 0x21: lane 1 of `low`, then lane 0 of `high`.
                1 => unsafe { _mm256_permute2x128_si256::<0x21>(low, high) },
                _ => high,
            },
            $wide,
            {
                #[inline(always)]
                fn load_blocks<const N: usize>(self, src: &[u64], stride: usize) -> [__m256i; N] {
                    // One check of the length for each lane instead of one for each load.
                    let (low, high) = (&src[..2 * N], &src[stride..][..2 * N]);
                    let (mut blocks, mut i) = ([self.zero(); N], 0);
                    while i < N {
                        let (low, high) = (low[2 * i..2 * i + 2].as_ptr(), high[2 * i..2 * i + 2].as_ptr());
                        blocks[i] = unsafe { _mm256_loadu2_m128i(high.cast(), low.cast()) };
                        i += 1;
                    }
                    blocks
                }
                #[inline(always)]
                fn store_blocks<const N: usize>(self, blocks: [__m256i; N], out: &mut [u64], stride: usize) {
                    // Lanes do not overlap (the trait asks for it), so `low` and `high` are disjoint slices.
                    let (low, high) = out.split_at_mut(stride);
                    let (low, high) = (&mut low[..2 * N], &mut high[..2 * N]);
                    let mut i = 0;
                    // Blocks i and i + 1 of a lane are neighbours in memory: two registers are transposed to two
                    // stores of whole registers. A later load of a register then waits for one store.
                    while i + 2 <= N {
                        let (x, y) = (blocks[i], blocks[i + 1]);
                        // 0x20 joins lanes 0 of both, 0x31 lanes 1.
                        self.store(unsafe { _mm256_permute2x128_si256::<0x20>(x, y) }, &mut low[2 * i..]);
                        self.store(unsafe { _mm256_permute2x128_si256::<0x31>(x, y) }, &mut high[2 * i..]);
                        i += 2;
                    }
                    if i < N {
                        let (low, high) = (low[2 * i..2 * i + 2].as_mut_ptr(), high[2 * i..2 * i + 2].as_mut_ptr());
                        unsafe { _mm256_storeu2_m128i(high.cast(), low.cast(), blocks[i]) };
                    }
                }
                $($affine)*
            }
        );
    };
}

two_lanes!(VpclmulYmm, (), "vpclmul-ymm", "pclmulqdq,avx2,vpclmulqdq", PclmulAvx2, ymm, {});
two_lanes!(
    VpclmulYmmAvx512Vl,
    assume_avx512(),
    "vpclmul-ymm-avx512vl",
    "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq",
    PclmulAvx512Vl,
    ymm_avx512,
    {}
);
two_lanes!(VpclmulYmmGfni, (), "vpclmul-ymm-gfni", "pclmulqdq,avx2,vpclmulqdq,gfni", PclmulAvx2, ymm, {
    const AFFINE: bool = true;
    #[inline(always)]
    fn affine(self, x: __m256i, matrices: __m256i) -> __m256i {
        unsafe { _mm256_gf2p8affine_epi64_epi8::<AFFINE_SUMMAND>(x, matrices) }
    }
});
