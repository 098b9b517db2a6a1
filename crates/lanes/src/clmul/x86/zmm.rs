//! Backends with four lanes of 128 bits: VPCLMULQDQ on zmm registers.
use super::*;

/// Transposes a 4 x 4 matrix of lanes: row i of the result has lane i of all four vectors. Eight shuffles;
/// it is its own inverse.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn transpose([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // First lanes 0 and 1 of two vectors, and lanes 2 and 3; of those, the even and the odd ones.
    // SAFETY: the caller's CPU has AVX-512F.
    unsafe {
        let (ab01, ab23) = (_mm512_shuffle_i32x4::<0x44>(a, b), _mm512_shuffle_i32x4::<0xee>(a, b));
        let (cd01, cd23) = (_mm512_shuffle_i32x4::<0x44>(c, d), _mm512_shuffle_i32x4::<0xee>(c, d));
        [
            _mm512_shuffle_i32x4::<0x88>(ab01, cd01),
            _mm512_shuffle_i32x4::<0xdd>(ab01, cd01),
            _mm512_shuffle_i32x4::<0x88>(ab23, cd23),
            _mm512_shuffle_i32x4::<0xdd>(ab23, cd23),
        ]
    }
}

/// The even lanes of `a` and `b`, then their odd lanes: two shuffles.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn even_and_odd(a: __m512i, b: __m512i) -> [__m512i; 2] {
    // 0x88 takes lanes 0 and 2 of either operand, 0xdd lanes 1 and 3.
    // SAFETY: the caller's CPU has AVX-512F.
    unsafe { [_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xdd>(a, b)] }
}

/// The lanes of `a` and `b` in turn: the inverse of [`even_and_odd`].
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn in_turn(a: __m512i, b: __m512i) -> [__m512i; 2] {
    // SAFETY: the caller's CPU has AVX-512F.
    unsafe {
        // Numbers of words, highest first: 0 to 7 are those of `a`, 8 to 15 those of `b`.
        let low = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let high = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        [_mm512_permutex2var_epi64(a, low, b), _mm512_permutex2var_epi64(a, high, b)]
    }
}

/// `x`, hidden from the optimiser. It costs no instruction.
#[inline]
#[target_feature(enable = "avx512f")]
fn hide(mut x: __m512i) -> __m512i {
    if !cfg!(miri) {
        // SAFETY: the template is a comment; the register comes out as it went in.
        unsafe {
            core::arch::asm!("/* {0} */", inout(zmm_reg) x, options(pure, nomem, nostack, preserves_flags));
        }
    }
    x
}

/// `words`, whose place is hidden from the optimiser.
#[inline(always)]
fn in_memory(words: &[u64]) -> &[u64] {
    let mut start = words.as_ptr();
    if !cfg!(miri) {
        // SAFETY: the template is a comment. It may read memory for all that LLVM knows, so that stores come before.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) start, options(readonly, nostack, preserves_flags));
        }
    }
    // SAFETY: the pointer comes out as it went in, that of a slice as long.
    unsafe { core::slice::from_raw_parts(start, words.len()) }
}

// The transposition moves parts of 32 bits: dword 4i + j goes to 4j + i. `lanes_from` shifts two registers by 2, 4
// or 6 words.
macro_rules! four_lanes {
    ($M:ident, $name:literal, $feature:literal, { $($affine:tt)* }) => {
        clmul_backend!(
            $M,
            assume_avx512(),
            $name,
            $feature,
            4,
            __m512i,
            PclmulAvx512Vl,
            $M,
            _mm512_setzero_si512,
            _mm512_loadu_si512,
            _mm512_storeu_si512,
            _mm512_xor_si512,
            _mm512_clmulepi64_epi128,
            _mm512_shuffle_epi32,
            _mm512_alignr_epi8,
            [
                _mm512_and_si512,
                _mm512_sll_epi64,
                _mm512_srl_epi64,
                _mm512_sll_epi32,
                _mm512_srai_epi32,
                _mm512_shuffle_epi8,
                _mm512_unpacklo_epi8,
                _mm512_unpackhi_epi8
            ],
            |x| _mm512_castsi512_si128(x),
            |words| _mm512_broadcast_i32x4(words),
            |x, order| {
                // A constant order is a constant vector of indices.
                let [a, b, c, d] = order.map(|lane| {
                    assert!(lane < 4, "there are four lanes");
                    2 * lane as i64
                });
                unsafe { _mm512_permutexvar_epi64(_mm512_set_epi64(d + 1, d, c + 1, c, b + 1, b, a + 1, a), x) }
            },
            |x| unsafe {
                let places = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0);
                _mm512_permutexvar_epi32(places, x)
            },
            |src, count| load_part_zmm(src.cast(), 0, count),
            |x, out, count| store_part_zmm(x, out, count),
            |src, stride| {
                let first = _mm512_castsi128_si512(_mm_loadu_si128(src.cast()));
                let two = _mm512_inserti32x4::<1>(first, _mm_loadu_si128(src.add(stride).cast()));
                let three = _mm512_inserti32x4::<2>(two, _mm_loadu_si128(src.add(2 * stride).cast()));
                _mm512_inserti32x4::<3>(three, _mm_loadu_si128(src.add(3 * stride).cast()))
            },
            |x, out, stride| {
                _mm_storeu_si128(out.cast(), _mm512_castsi512_si128(x));
                _mm_storeu_si128(out.add(stride).cast(), _mm512_extracti32x4_epi32::<1>(x));
                _mm_storeu_si128(out.add(2 * stride).cast(), _mm512_extracti32x4_epi32::<2>(x));
                _mm_storeu_si128(out.add(3 * stride).cast(), _mm512_extracti32x4_epi32::<3>(x));
            },
            |from, low, high| match from {
                0 => low,
                1 => unsafe { _mm512_alignr_epi64::<2>(high, low) },
                2 => unsafe { _mm512_alignr_epi64::<4>(high, low) },
                3 => unsafe { _mm512_alignr_epi64::<6>(high, low) },
                _ => high,
            },
            zmm_avx512,
            {
                #[inline(always)]
                fn first_lanes(self, count: usize, a: __m512i) -> __m512i {
                    let [zero, ones] = [self.zero(), self.splat([!0; 2])];
                    if count == 0 {
                        return zero;
                    }
                    // LLVM would make a move between lanes of an AND by a constant.
                    self.and(a, unsafe { hide(self.lanes_from(4 - count, ones, zero)) })
                }
                #[inline(always)]
                fn in_memory(self, words: &[u64]) -> &[u64] {
                    in_memory(words)
                }
                #[inline(always)]
                fn load_blocks<const N: usize>(self, src: &[u64], stride: usize) -> [__m512i; N] {
                    let (mut blocks, mut i) = ([self.zero(); N], 0);
                    // Neighbouring lanes are one or two whole registers. Strides are constant in callers, so the
                    // other paths vanish.
                    if const { N == 1 } && stride == 2 {
                        return [self.load(src); N];
                    }
                    if const { N == 2 } && stride == 4 {
                        let pair = unsafe { even_and_odd(self.load(src), self.load(&src[8..])) };
                        blocks.copy_from_slice(&pair);
                        return blocks;
                    }
                    while i + 4 <= N {
                        // Four blocks of a lane fill a register: four loads and a transposition instead of sixteen
                        // loads.
                        let (mut rows, mut lane) = ([self.zero(); 4], 0);
                        while lane < 4 {
                            rows[lane] = self.load(&src[lane * stride + 2 * i..]);
                            lane += 1;
                        }
                        let four = unsafe { transpose(rows) };
                        blocks[i..i + 4].copy_from_slice(&four);
                        i += 4;
                    }
                    while i < N {
                        blocks[i] = self.load_lanes(&src[2 * i..], stride);
                        i += 1;
                    }
                    blocks
                }
                #[inline(always)]
                fn store_blocks<const N: usize>(self, blocks: [__m512i; N], out: &mut [u64], stride: usize) {
                    let mut i = 0;
                    if const { N == 1 } && stride == 2 {
                        return self.store(blocks[0], out);
                    }
                    if const { N == 2 } && stride == 4 {
                        let [low, high] = unsafe { in_turn(blocks[0], blocks[1]) };
                        self.store(low, out);
                        return self.store(high, &mut out[8..]);
                    }
                    while i + 4 <= N {
                        // As in `load_blocks`: four whole stores, for which later loads of registers need not wait
                        // long.
                        let rows = unsafe { transpose([blocks[i], blocks[i + 1], blocks[i + 2], blocks[i + 3]]) };
                        let mut lane = 0;
                        while lane < 4 {
                            self.store(rows[lane], &mut out[lane * stride + 2 * i..]);
                            lane += 1;
                        }
                        i += 4;
                    }
                    while i < N {
                        self.store_lanes(blocks[i], &mut out[2 * i..], stride);
                        i += 1;
                    }
                }
                $($affine)*
            }
        );
    };
}

four_lanes!(VpclmulZmm, "vpclmul-zmm", "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq", {});
four_lanes!(
    VpclmulZmmGfni,
    "vpclmul-zmm-gfni",
    "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq,gfni",
    {
        const AFFINE: bool = true;
        #[inline(always)]
        fn affine(self, x: __m512i, matrices: __m512i) -> __m512i {
            unsafe { _mm512_gf2p8affine_epi64_epi8::<AFFINE_SUMMAND>(x, matrices) }
        }
    }
);
