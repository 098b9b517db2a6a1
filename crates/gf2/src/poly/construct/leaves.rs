//! The leaves of constructions: straight-line kernels, one product in each lane of the backend.
use super::level::Above;
use super::single::OneLane;
use crate::poly::kernel::KARATSUBA;
use crate::poly::kernel::layout::{Interleaved, Job};
use crate::poly::kernel::leaf::{Karat, Mul, Products};
use carryless_lanes::ClmulCpu;

/// Karatsuba's method at all levels. It has the fewest products, which are what takes longest
/// with VPCLMULQDQ and on Zen.
pub(crate) type Method = Mul<KARATSUBA, KARATSUBA, KARATSUBA>;

/// The value of the type [`Method`]: Karatsuba's method at all levels.
pub(crate) const METHOD: Method = Mul;

/// Karatsuba's method at all levels for a single product, on one lane.
pub(crate) const ONE: OneLane<Method> = OneLane(METHOD);

/// One product of `words` words (2, 4, 6 or 8) in each lane: 3, 9, 18 or 27 products of words.
#[inline]
pub(super) fn leaf(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    match words {
        2 => cpu.call(Products::<_, _, 1, 2>(METHOD, job)),
        4 => cpu.call(Products::<_, _, 2, 4>(METHOD, job)),
        6 => cpu.call(Products::<_, _, 3, 6>(METHOD, job)),
        8 => cpu.call(Products::<_, _, 4, 8>(METHOD, job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// One product of `2 words` words in each lane: one level of KaratRec over such a leaf, in one kernel.
#[inline]
pub(super) fn karat(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    // Leaves of 4 and 8 words are a level over leaves of half the size already, and stay in registers.
    match words {
        2 => cpu.call(Products::<_, _, 2, 4>(METHOD, job)),
        4 => cpu.call(Products::<_, _, 4, 8>(METHOD, job)),
        6 => cpu.call(Products::<_, _, 6, 12>(Karat::<_, 3>(METHOD), job)),
        8 => cpu.call(Products::<_, _, 8, 16>(Karat::<_, 4>(METHOD), job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// One product of `4 words` words in each lane: two levels over a leaf, operands and results interleaved. `scratch`
/// has twice the words of all operands on a side.
#[inline]
pub(super) fn karat_karat(cpu: ClmulCpu, words: usize, job: Job<'_, Interleaved>, scratch: &mut [u64]) {
    match words {
        // Two levels over a leaf of two words are the leaf of eight words; over one of four they are a level above
        // that.
        2 => cpu.call(Products::<_, _, 4, 8>(METHOD, job)),
        4 => cpu.call(Products::<_, _, 8, 16>(Karat::<_, 4>(METHOD), job)),
        6 => cpu.call(Above::<_, 6, 12> { method: Karat::<_, 3>(METHOD), job, scratch }),
        8 => cpu.call(Above::<_, 8, 16> { method: Karat::<_, 4>(METHOD), job, scratch }),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}
