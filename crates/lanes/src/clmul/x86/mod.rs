//! The carry-less backends of x86-64: PCLMULQDQ on one lane, VPCLMULQDQ on two and four.
//!
//! SAFETY, for every block in this file: the token `self` exists only where the CPU features were detected (or the
//! caller of the `unsafe` constructor vouched for them), and pointers come from slices whose length was checked.
#![cfg_attr(
    carryless_no_avx512,
    allow(unreachable_code, unused_variables, reason = "functions of backends that cannot be made")
)]
use super::{Clmul, ClmulBackend, ClmulKernel, ClmulPart, Compiled, KernelFn, Pointer, SliceKernel};
use crate::avx512::{Avx512Proof, assume_avx512};
use crate::x86::{load_part_ymm, load_part_zmm, store_part_ymm, store_part_zmm};
use core::arch::x86_64::*;
use wide::{avx512, composed, wide, xmm, ymm, ymm_avx512, zmm_avx512};

/// Proof that the CPU has PCLMULQDQ and SSSE3: one lane, instructions of two operands (SSE encoding).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pclmul(());

/// Proof that the CPU has PCLMULQDQ and AVX2: one lane, instructions of three operands (VEX encoding).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx2(());

/// Proof that the CPU has PCLMULQDQ, AVX2 and AVX-512VL: one lane, 32 registers, sums of three in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx512Vl(Avx512Proof);

/// The backend [`PclmulAvx2`] with [`COMPACT`](Clmul::COMPACT): parts of kernels are calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx2Compact(());

/// The backend [`PclmulAvx512Vl`] with [`COMPACT`](Clmul::COMPACT): parts of kernels are calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PclmulAvx512VlCompact(Avx512Proof);

/// Proof that the CPU has PCLMULQDQ, VPCLMULQDQ and AVX2: two lanes. AVX-512 is not needed (Zen 3, Alder Lake).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulYmm(());

/// Proof that the CPU has what [`VpclmulZmm`] needs: two lanes, 32 registers, sums of three in one instruction.
/// [`ClmulCpu::two_lanes`](super::ClmulCpu::two_lanes) runs kernels on it;
/// [`ClmulCpu`](super::ClmulCpu) does not name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulYmmAvx512Vl(Avx512Proof);

/// Proof that the CPU has PCLMULQDQ, VPCLMULQDQ, AVX2 and AVX-512F, BW and VL: four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulZmm(Avx512Proof);

/// Proof that the CPU has what [`VpclmulYmm`] needs, and GFNI: two lanes, and products by
/// bit matrices in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulYmmGfni(());

/// Proof that the CPU has what [`VpclmulZmm`] needs, and GFNI: four lanes, and products by
/// bit matrices in one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VpclmulZmmGfni(Avx512Proof);

impl VpclmulZmm {
    /// The backend with two lanes on the same CPU, which keeps the instructions of AVX-512.
    #[inline(always)]
    pub(super) fn two_lanes(self) -> VpclmulYmmAvx512Vl {
        VpclmulYmmAvx512Vl(self.0)
    }
    /// The backend with two lanes that needs no AVX-512: the one that [`ClmulCpu`](super::ClmulCpu) names.
    #[inline(always)]
    pub(super) fn ymm(self) -> VpclmulYmm {
        VpclmulYmm(())
    }
}

impl VpclmulYmmGfni {
    /// The backend with as many lanes for kernels that have no use for bit matrices.
    #[inline(always)]
    pub(super) fn without_gfni(self) -> VpclmulYmm {
        VpclmulYmm(())
    }
}

impl VpclmulZmmGfni {
    /// The backend with as many lanes for kernels that have no use for bit matrices.
    #[inline(always)]
    pub(super) fn without_gfni(self) -> VpclmulZmm {
        VpclmulZmm(self.0)
    }
}

/// The constant that GF2P8AFFINEQB and GF2P8AFFINEINVQB add to each byte: zero. Bochs before 2.8 returns the
/// complement of what a CPU returns; `cargo xtask bochs` builds with this cfg, which undoes it.
pub(super) const AFFINE_SUMMAND: i32 = if cfg!(carryless_bochs_complements) { 0xff } else { 0 };

/// The number of words from the first word of lane 0 to the last one of the last lane, for lanes `stride` words apart.
#[inline(always)]
const fn reach(lanes: usize, stride: usize) -> usize {
    (lanes - 1) * stride + 2
}

/// Defines one backend. For xmm, ymm and zmm the operations differ in the names of the intrinsics only. Whatever
/// moves lanes is an expression of the caller.
macro_rules! clmul_backend {
    (
        $M:ident, $proof:expr, $name:literal, $feature:literal, $k:literal, $X:ident, $One:ident, $Compact:ident,
        $zero:ident, $loadu:ident, $storeu:ident, $xor:ident, $clmul:ident, $shuffle:ident, $alignr:ident,
        [
            $and:ident, $shl:ident, $shr:ident, $shl32:ident, $srai32:ident, $pshufb:ident, $unpacklo:ident,
            $unpackhi:ident
        ],
        |$wide_lane:ident| $first_lane:expr,
        |$words:ident| $splat:expr,
        |$permuted:ident, $order:ident| $permute:expr,
        |$rows:ident| $transpose:expr,
        |$part:ident, $count:ident| $load_part:expr,
        |$part_x:ident, $part_out:ident, $part_count:ident| $store_part:expr,
        |$src:ident, $load_stride:ident| $load_lanes:expr,
        |$x:ident, $out:ident, $store_stride:ident| $store_lanes:expr,
        |$from:ident, $low:ident, $high:ident| $lanes_from:expr,
        $wide:ident,
        { $($more:tt)* }
    ) => {
        impl $M {
            /// Makes the token without checking the CPU.
            ///
            /// # Safety
            /// The CPU must have the features that the type's documentation names.
            pub const unsafe fn assume() -> Self {
                Self($proof)
            }
        }

        // SAFETY of all blocks: see the module's SAFETY paragraph.
        #[allow(clippy::undocumented_unsafe_blocks)]
        impl Clmul for $M {
            const K: usize = $k;
            type X = $X;
            type One = $One;
            type Compact = $Compact;

            #[inline(always)]
            fn one(self) -> $One {
                // No new proof: the features of the backend with one lane are a part of this backend's.
                $One(self.0)
            }
            #[inline(always)]
            fn compact(self) -> $Compact {
                $Compact(self.0)
            }
            #[inline(always)]
            fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out {
                self.call(kernel)
            }
            $($more)*
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
                // A mask without a one takes hundreds of cycles where nothing is mapped, as at the address of an
                // empty slice.
                if $count == 0 { self.zero() } else { unsafe { $load_part } }
            }
            #[inline(always)]
            fn store_part(self, $part_x: $X, out: &mut [u64]) {
                let ($part_out, $part_count) = (out.as_mut_ptr(), out.len());
                assert!($part_count <= 2 * $k, "a vector has {} words", 2 * $k);
                // As in `load_part`, no mask without a one.
                if $part_count != 0 {
                    unsafe { $store_part }
                }
            }
            #[inline(always)]
            fn load_lanes(self, src: &[u64], $load_stride: usize) -> $X {
                // One check covers all lanes: the last lane reaches furthest.
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
                // Bit 0 of the immediate chooses the half of `a`, bit 4 that of `b`.
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
                // 0x4e: quarters 2, 3, 0, 1.
                unsafe { $shuffle::<0x4e>(a) }
            }
            #[inline(always)]
            fn straddle(self, a: $X, b: $X) -> $X {
                // Bytes 8 to 23 of `a` followed by `b`.
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
            fn bit_masks(self, a: $X, bit: u32) -> $X {
                // The bit becomes the sign, and an arithmetic shift copies the sign to all 32 bits.
                unsafe { $srai32::<31>($shl32(a, _mm_cvtsi32_si128(31 - bit as i32))) }
            }
            #[inline(always)]
            fn shuffle(self, table: $X, indices: $X) -> $X {
                // PSHUFB looks up in each lane alone. It ignores bits 4 to 6 of an index, and bit 7 gives
                // zero: what the trait defines.
                unsafe { $pshufb(table, indices) }
            }
            #[inline(always)]
            fn zip_low(self, a: $X, b: $X) -> $X {
                // The unpack instructions of AVX2 and AVX-512 act on each lane, too.
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
            fn transpose(self, $rows: $X) -> $X {
                $transpose
            }
            #[inline(always)]
            fn lanes_from(self, $from: usize, $low: $X, $high: $X) -> $X {
                $lanes_from
            }
            #[inline(always)]
            #[allow(unused_unsafe, reason = "one lane is lane 0 itself")]
            fn first_lane(self, $wide_lane: $X) -> __m128i {
                unsafe { $first_lane }
            }
            #[inline(always)]
            #[allow(unused_unsafe, reason = "one lane is lane 0 itself")]
            fn repeat_lane(self, $words: __m128i) -> $X {
                unsafe { $splat }
            }

            $wide!();
        }

        impl ClmulBackend for $M {
            const NAME: &'static str = $name;
            #[inline(always)]
            fn call<K: ClmulKernel>(self, kernel: K) -> K::Out {
                // `inline` places the kernel in the codegen unit of its caller. Otherwise rustc would compile the
                // kernels of all fields in one unit, that of this module (crates/gf2/Cargo.toml).
                #[inline]
                #[target_feature(enable = $feature)]
                // The only function with these target features. The kernel and all it calls are
                // `#[inline(always)]`, so they are compiled as a part of it and get the features.
                fn go<K: ClmulKernel>(backend: $M, kernel: K) -> K::Out {
                    kernel.run(backend)
                }
                // SAFETY: see the module's SAFETY paragraph.
                unsafe { go(self, kernel) }
            }
            #[inline]
            fn compile<P: SliceKernel>(self) -> KernelFn {
                <Compiled<$M, P> as Pointer>::POINTER
            }
        }

        impl<P: SliceKernel> Pointer for Compiled<$M, P> {
            const POINTER: KernelFn = {
                #[target_feature(enable = $feature)]
                fn go<P: SliceKernel>(a: &[u64], b: &[u64], out: &mut [u64]) {
                    // Whoever calls this has a token of the backend, so the CPU has the features.
                    P::run($M($proof), a, b, out)
                }
                KernelFn(go::<P>)
            };
        }
    };
}

mod one_lane;
mod wide;
mod ymm;
mod zmm;
