//! The leaves of constructions: straight-line kernels, one product in each lane of the backend.
use super::level::Above;
use super::single::{Alone, Apart, Halves, OneByOne, OneLane, Rows};
use crate::poly::kernel::layout::{Interleaved, Job};
use crate::poly::kernel::leaf::{Karat, Mul, Products};
use carryless_lanes::ClmulCpu;

/// Karatsuba's method at all levels. It has the fewest products, which are what takes longest
/// with VPCLMULQDQ and on Zen.
pub(crate) type Method = Mul<true, true, true>;

/// The value of the type [`Method`]: Karatsuba's method at all levels.
pub(crate) const METHOD: Method = Mul;

/// Karatsuba's method at all levels for a single product, on one lane.
pub(crate) const ONE: OneLane<Method> = OneLane(METHOD);

/// One product of `words` words (2, 4, 6 or 8) in each lane: 3, 9, 18 or 27 products of words.
#[inline]
pub(super) fn leaf(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    match words {
        2 => cpu.call_clmul(Products::<_, _, 1, 2>(METHOD, job)),
        4 => cpu.call_clmul(Products::<_, _, 2, 4>(METHOD, job)),
        6 => cpu.call_clmul(Products::<_, _, 3, 6>(METHOD, job)),
        8 => cpu.call_clmul(Products::<_, _, 4, 8>(METHOD, job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// One product of `2 words` words in each lane: one level of KaratRec over such a leaf, in one kernel.
#[inline]
pub(super) fn karat(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    // Leaves of 4 and 8 words are a level over leaves of half the size already, and stay in registers.
    match words {
        2 => cpu.call_clmul(Products::<_, _, 2, 4>(METHOD, job)),
        4 => cpu.call_clmul(Products::<_, _, 4, 8>(METHOD, job)),
        6 => cpu.call_clmul(Products::<_, _, 6, 12>(Karat::<_, 3>(METHOD), job)),
        8 => cpu.call_clmul(Products::<_, _, 8, 16>(Karat::<_, 4>(METHOD), job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// One product of `4 words` words in each lane: two levels over a leaf, operands and results interleaved. `scratch`
/// has twice the words of all operands on a side.
#[inline]
pub(super) fn karat_karat(cpu: ClmulCpu, words: usize, job: Job<'_, Interleaved>, scratch: &mut [u64]) {
    match words {
        2 => cpu.call_clmul(Products::<_, _, 4, 8>(METHOD, job)),
        4 => cpu.call_clmul(Products::<_, _, 8, 16>(Karat::<_, 4>(METHOD), job)),
        6 => cpu.call_clmul(Above::<_, 6, 12> { method: Karat::<_, 3>(METHOD), job, scratch }),
        8 => cpu.call_clmul(Above::<_, 8, 16> { method: Karat::<_, 4>(METHOD), job, scratch }),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// Whether [`alone`] has a kernel for operands of this many words.
pub(super) const fn is_alone(words: usize) -> bool {
    matches!(words, 4 | 8 | 12 | 16 | 24 | 32)
}

/// One product of `words` words on two lanes, or on four where the backend has them. 256 bits on two lanes and 512
/// on four are multiplied in rows; larger sizes have levels of Karatsuba's method above them.
#[inline]
pub(super) fn alone(cpu: ClmulCpu, words: usize, a: &[u64], b: &[u64], out: &mut [u64]) {
    let two = cpu.with_lanes(2);
    macro_rules! alone {
        ($n:literal, $method:expr) => {
            alone!($n, $method, two)
        };
        ($n:literal, $method:expr, $cpu:ident) => {
            $cpu.call_clmul(Alone::<_, $n, { 2 * $n }> { method: $method, a, b, out })
        };
    }
    match words {
        // On four lanes 512 bits are four rows; above, the three products of a level come one after the other.
        8 if cpu.lanes() == 4 => alone!(4, Rows, cpu),
        16 if cpu.lanes() == 4 => alone!(8, OneByOne::<_, 4>(Rows), cpu),
        32 if cpu.lanes() == 4 => alone!(16, OneByOne::<_, 8>(OneByOne::<_, 4>(Rows)), cpu),
        // On two lanes the outer products of a level come at once, and the product of the sums after them.
        4 => alone!(2, Rows),
        8 => alone!(4, Halves::<_, _, 2>(METHOD, Rows)),
        12 => alone!(6, Halves::<_, _, 3>(METHOD, ONE)),
        16 => alone!(8, Halves::<_, _, 4>(METHOD, Halves::<_, _, 2>(METHOD, Rows))),
        24 => {
            let third = Halves::<_, _, 3>(METHOD, ONE);
            alone!(12, Halves::<_, _, 6>(Apart(Karat::<_, 3>(METHOD)), third));
        }
        32 => {
            let third = Halves::<_, _, 4>(METHOD, Halves::<_, _, 2>(METHOD, Rows));
            alone!(16, Halves::<_, _, 8>(Apart(Karat::<_, 4>(METHOD)), third));
        }
        _ => unreachable!("sizes are those of `is_alone`"),
    }
}
