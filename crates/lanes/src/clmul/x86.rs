//! PCLMULQDQ and VPCLMULQDQ.
//!
//! SAFETY, for every block in this file: the token `self` exists only where the CPU features were detected (or the
//! caller of the `unsafe` constructor vouched for them), and pointers come from slices whose length was checked.
use super::{Clmul, ClmulFn, ClmulKernel, ClmulMachine, ClmulProduct};
use crate::x86::{load_part_ymm, load_part_zmm};
use core::arch::x86_64::*;

/// Proof that the CPU has PCLMULQDQ and SSSE3: one lane, two-operand instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pclmul(());

/// Proof that the CPU has PCLMULQDQ and AVX2: one lane, three-operand instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx2(());

/// Proof that the CPU has PCLMULQDQ, AVX2 and AVX-512VL: one lane, 32 registers, sums of three in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx512Vl(());

/// Proof that the CPU has PCLMULQDQ, VPCLMULQDQ and AVX2: two lanes. AVX-512 is not needed (Zen 3, Alder Lake).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulYmm(());

/// Proof that the CPU has PCLMULQDQ, VPCLMULQDQ, AVX2 and AVX-512F, BW and VL: four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulZmm(());

impl VpclmulZmm {
    /// The machine with two lanes that this CPU has as well.
    #[inline(always)]
    pub(super) fn two_lanes(self) -> VpclmulYmm {
        VpclmulYmm(())
    }
}

/// The words that `K` lanes at that distance reach over.
#[inline(always)]
const fn reach(lanes: usize, stride: usize) -> usize {
    (lanes - 1) * stride + 2
}

/// One machine: the operations are the same for xmm, ymm and zmm up to the names of the intrinsics.
macro_rules! clmul_machine {
    (
        $M:ident, $name:literal, $feature:literal, $k:literal, $X:ident, $One:ident,
        $zero:ident, $loadu:ident, $storeu:ident, $xor:ident, $clmul:ident, $shuffle:ident, $alignr:ident,
        [$and:ident, $shl:ident, $shr:ident, $pshufb:ident, $unpacklo:ident, $unpackhi:ident],
        |$words:ident| $splat:expr,
        |$permuted:ident, $order:ident| $permute:expr,
        |$part:ident, $count:ident| $load_part:expr,
        |$src:ident, $load_stride:ident| $load_lanes:expr,
        |$x:ident, $out:ident, $store_stride:ident| $store_lanes:expr,
        |$from:ident, $low:ident, $high:ident| $lanes_from:expr,
        [$wide:literal, $Wide:ident, $loadu_wide:ident, $storeu_wide:ident, $xor_wide:ident],
        { $($store_blocks:tt)* }
    ) => {
        impl $M {
            /// The token, without looking at the CPU.
            ///
            /// # Safety
            /// The CPU must have the features that the type's documentation names.
            pub const unsafe fn assume() -> Self {
                Self(())
            }
        }

        // SAFETY of all blocks: see the module's SAFETY paragraph.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Clmul for $M {
            const K: usize = $k;
            type X = $X;
            type One = $One;

            #[inline(always)]
            fn one(self) -> $One {
                $One(())
            }
            #[inline(always)]
            fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out {
                self.call_clmul(kernel)
            }
            $($store_blocks)*
            #[inline(always)]
            fn zero(self) -> $X {
                unsafe { $zero() }
            }
            #[inline(always)]
            fn load(self, src: &[u64]) -> $X {
                let src = &src[..2 * $k];
                unsafe { $loadu(src.as_ptr().cast()) }
            }
            #[inline(always)]
            fn load_part(self, src: &[u64]) -> $X {
                let ($part, $count) = (src.as_ptr(), src.len());
                assert!($count <= 2 * $k, "a vector has {} words", 2 * $k);
                // A mask without a one takes hundreds of cycles where nothing is mapped, as at the address of an empty slice.
                if $count == 0 { self.zero() } else { unsafe { $load_part } }
            }
            #[inline(always)]
            fn load_lanes(self, src: &[u64], $load_stride: usize) -> $X {
                let $src = src[..reach($k, $load_stride)].as_ptr();
                unsafe { $load_lanes }
            }
            #[inline(always)]
            fn store(self, x: $X, out: &mut [u64]) {
                let out = &mut out[..2 * $k];
                unsafe { $storeu(out.as_mut_ptr().cast(), x) }
            }
            #[inline(always)]
            fn store_lanes(self, $x: $X, out: &mut [u64], $store_stride: usize) {
                let $out = out[..reach($k, $store_stride)].as_mut_ptr();
                unsafe { $store_lanes }
            }
            #[inline(always)]
            fn xor(self, a: $X, b: $X) -> $X {
                unsafe { $xor(a, b) }
            }
            #[inline(always)]
            fn mul_ll(self, a: $X, b: $X) -> $X {
                unsafe { $clmul::<0x00>(a, b) }
            }
            #[inline(always)]
            fn mul_lh(self, a: $X, b: $X) -> $X {
                unsafe { $clmul::<0x10>(a, b) }
            }
            #[inline(always)]
            fn mul_hl(self, a: $X, b: $X) -> $X {
                unsafe { $clmul::<0x01>(a, b) }
            }
            #[inline(always)]
            fn mul_hh(self, a: $X, b: $X) -> $X {
                unsafe { $clmul::<0x11>(a, b) }
            }
            #[inline(always)]
            fn square_l(self, a: $X) -> $X {
                self.mul_ll(a, a)
            }
            #[inline(always)]
            fn square_h(self, a: $X) -> $X {
                self.mul_hh(a, a)
            }
            #[inline(always)]
            fn swap(self, a: $X) -> $X {
                unsafe { $shuffle::<0x4e>(a) }
            }
            #[inline(always)]
            fn straddle(self, a: $X, b: $X) -> $X {
                unsafe { $alignr::<8>(b, a) }
            }
            #[inline(always)]
            fn splat(self, words: [u64; 2]) -> $X {
                let [low, high] = words;
                unsafe {
                    let $words = _mm_set_epi64x(high as i64, low as i64);
                    $splat
                }
            }
            #[inline(always)]
            fn and(self, a: $X, b: $X) -> $X {
                unsafe { $and(a, b) }
            }
            // The compiler turns a count in a register that is a constant into an immediate.
            #[inline(always)]
            fn shl(self, a: $X, bits: u32) -> $X {
                unsafe { $shl(a, _mm_cvtsi32_si128(bits as i32)) }
            }
            #[inline(always)]
            fn shr(self, a: $X, bits: u32) -> $X {
                unsafe { $shr(a, _mm_cvtsi32_si128(bits as i32)) }
            }
            #[inline(always)]
            fn shuffle(self, table: $X, indices: $X) -> $X {
                unsafe { $pshufb(table, indices) }
            }
            #[inline(always)]
            fn zip_low(self, a: $X, b: $X) -> $X {
                unsafe { $unpacklo(a, b) }
            }
            #[inline(always)]
            fn zip_high(self, a: $X, b: $X) -> $X {
                unsafe { $unpackhi(a, b) }
            }
            #[inline(always)]
            fn permute_lanes(self, $permuted: $X, $order: [usize; 4]) -> $X {
                $permute
            }
            #[inline(always)]
            fn lanes_from(self, $from: usize, $low: $X, $high: $X) -> $X {
                $lanes_from
            }

            const WIDE: usize = $wide;
            type Wide = $Wide;
            #[inline(always)]
            fn load_wide(self, src: &[u64]) -> $Wide {
                let src = &src[..$wide];
                unsafe { $loadu_wide(src.as_ptr().cast()) }
            }
            #[inline(always)]
            fn store_wide(self, x: $Wide, out: &mut [u64]) {
                let out = &mut out[..$wide];
                unsafe { $storeu_wide(out.as_mut_ptr().cast(), x) }
            }
            #[inline(always)]
            fn xor_wide(self, a: $Wide, b: $Wide) -> $Wide {
                unsafe { $xor_wide(a, b) }
            }
        }

        impl ClmulMachine for $M {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn call_clmul<K: ClmulKernel>(self, kernel: K) -> K::Out {
                #[target_feature(enable = $feature)]
                fn go<K: ClmulKernel>(machine: $M, kernel: K) -> K::Out {
                    kernel.run(machine)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
            #[inline]
            fn compile<P: ClmulProduct>(self) -> ClmulFn {
                #[target_feature(enable = $feature)]
                fn go<P: ClmulProduct>(a: &[u64], b: &[u64], out: &mut [u64]) {
                    // A `ClmulFn` can only be made from a token.
                    P::product($M(()), a, b, out)
                }
                ClmulFn(go::<P>)
            }
        }
    };
}

macro_rules! one_lane {
    ($M:ident, $name:literal, $feature:literal, $wide:tt) => {
        clmul_machine!(
            $M,
            $name,
            $feature,
            1,
            __m128i,
            $M,
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
                _mm_shuffle_epi8,
                _mm_unpacklo_epi8,
                _mm_unpackhi_epi8
            ],
            |words| words,
            |x, _order| x,
            |src, count| if count == 2 { _mm_loadu_si128(src.cast()) } else { _mm_loadl_epi64(src.cast()) },
            |src, _stride| _mm_loadu_si128(src.cast()),
            |x, out, _stride| _mm_storeu_si128(out.cast(), x),
            |from, low, high| if from == 0 { low } else { high },
            $wide,
            {}
        );
    };
}

one_lane!(
    Pclmul,
    "pclmul",
    "pclmulqdq,ssse3",
    [2, __m128i, _mm_loadu_si128, _mm_storeu_si128, _mm_xor_si128]
);
one_lane!(
    PclmulAvx2,
    "pclmul-avx2",
    "pclmulqdq,avx2",
    [4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_xor_si256]
);
one_lane!(
    PclmulAvx512Vl,
    "pclmul-avx512vl",
    "pclmulqdq,avx2,avx512f,avx512vl",
    [4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_xor_si256]
);

clmul_machine!(
    VpclmulYmm,
    "vpclmul-ymm",
    "pclmulqdq,avx2,vpclmulqdq",
    2,
    __m256i,
    PclmulAvx2,
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
        _mm256_shuffle_epi8,
        _mm256_unpacklo_epi8,
        _mm256_unpackhi_epi8
    ],
    |words| _mm256_broadcastsi128_si256(words),
    |x, order| match order {
        [0, 1, ..] => x,
        [0, 0, ..] => unsafe { _mm256_permute2x128_si256::<0x00>(x, x) },
        [1, 0, ..] => unsafe { _mm256_permute2x128_si256::<0x01>(x, x) },
        [1, 1, ..] => unsafe { _mm256_permute2x128_si256::<0x11>(x, x) },
        _ => panic!("there are two lanes"),
    },
    |src, count| load_part_ymm(src.cast(), 0, count),
    |src, stride| _mm256_loadu2_m128i(src.add(stride).cast(), src.cast()),
    |x, out, stride| _mm256_storeu2_m128i(out.add(stride).cast(), out.cast(), x),
    |from, low, high| match from {
        0 => low,
        1 => unsafe { _mm256_permute2x128_si256::<0x21>(low, high) },
        _ => high,
    },
    [4, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_xor_si256],
    {
        #[inline(always)]
        fn load_blocks<const N: usize>(self, src: &[u64], stride: usize) -> [__m256i; N] {
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
            let (low, high) = out.split_at_mut(stride);
            let (low, high) = (&mut low[..2 * N], &mut high[..2 * N]);
            let mut i = 0;
            while i + 2 <= N {
                let (x, y) = (blocks[i], blocks[i + 1]);
                self.store(unsafe { _mm256_permute2x128_si256::<0x20>(x, y) }, &mut low[2 * i..]);
                self.store(unsafe { _mm256_permute2x128_si256::<0x31>(x, y) }, &mut high[2 * i..]);
                i += 2;
            }
            if i < N {
                let (low, high) = (low[2 * i..2 * i + 2].as_mut_ptr(), high[2 * i..2 * i + 2].as_mut_ptr());
                unsafe { _mm256_storeu2_m128i(high.cast(), low.cast(), blocks[i]) };
            }
        }
    }
);

clmul_machine!(
    VpclmulZmm,
    "vpclmul-zmm",
    "pclmulqdq,avx2,avx512f,avx512bw,avx512vl,vpclmulqdq",
    4,
    __m512i,
    PclmulAvx512Vl,
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
        _mm512_shuffle_epi8,
        _mm512_unpacklo_epi8,
        _mm512_unpackhi_epi8
    ],
    |words| _mm512_broadcast_i32x4(words),
    |x, order| {
        // A constant order is a constant vector of indices.
        let [a, b, c, d] = order.map(|lane| {
            assert!(lane < 4, "there are four lanes");
            2 * lane as i64
        });
        unsafe { _mm512_permutexvar_epi64(_mm512_set_epi64(d + 1, d, c + 1, c, b + 1, b, a + 1, a), x) }
    },
    |src, count| load_part_zmm(src.cast(), 0, count),
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
    [8, __m512i, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_xor_si512],
    {
        #[inline(always)]
        fn store_blocks<const N: usize>(self, blocks: [__m512i; N], out: &mut [u64], stride: usize) {
            let mut i = 0;
            while i + 4 <= N {
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
    }
);

/// Row i has lane i of all four vectors.
///
/// # Safety
/// The CPU must have AVX-512F.
#[inline(always)]
unsafe fn transpose([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    // Lanes 0 and 1 of two vectors, then lanes 2 and 3; of those, the even and the odd ones.
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
