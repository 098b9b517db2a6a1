//! The leaves of constructions: straight-line kernels, as many products at once as the machine has lanes.
use crate::poly::kernel::leaf::{Karat, Mul, Products, Strided};
use carryless_lanes::ClmulCpu;

/// Karatsuba's method at all levels: fewest products, which are what VPCLMULQDQ and Zen take longest for.
const METHOD: Mul<true, true, true> = Mul;

/// Products of `words` words: 2, 4, 6 or 8.
#[inline]
pub(super) fn leaf(cpu: ClmulCpu, words: usize, job: Strided<'_>) {
    match words {
        2 => cpu.call_clmul(Products::<_, 1, 2>(METHOD, job)),
        4 => cpu.call_clmul(Products::<_, 2, 4>(METHOD, job)),
        6 => cpu.call_clmul(Products::<_, 3, 6>(METHOD, job)),
        8 => cpu.call_clmul(Products::<_, 4, 8>(METHOD, job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// Products of `2 words` words, one level of KaratRec over such leaves.
#[inline]
pub(super) fn karat(cpu: ClmulCpu, words: usize, job: Strided<'_>) {
    match words {
        2 => cpu.call_clmul(Products::<_, 2, 4>(METHOD, job)),
        4 => cpu.call_clmul(Products::<_, 4, 8>(METHOD, job)),
        6 => cpu.call_clmul(Karat::<_, 3, 6>(METHOD, job)),
        8 => cpu.call_clmul(Karat::<_, 4, 8>(METHOD, job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}
