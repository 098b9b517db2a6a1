//! The leaves of constructions: straight-line kernels, one product in each lane of the backend.
use super::level::Above;
use super::single::OneLane;
use crate::poly::kernel::layout::{Interleaved, Job};
use crate::poly::kernel::leaf::{Karat, Mul, Products};
use crate::poly::kernel::{KARATSUBA, SCHOOLBOOK};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, CpuClass};

/// Karatsuba's method at all levels. It has the fewest products, which are what takes longest
/// with VPCLMULQDQ and on Zen.
pub(crate) type Method = Mul<KARATSUBA, KARATSUBA, KARATSUBA>;

/// The value of the type [`Method`]: Karatsuba's method at all levels.
pub(crate) const METHOD: Method = Mul;

/// Karatsuba's method at all levels for a single product, on one lane.
pub(crate) const ONE: OneLane<Method> = OneLane(METHOD);

/// Karatsuba's method above blocks, which take four products of words instead of three, and fewer moves of halves.
const BLOCKS_SCHOOLBOOK: Mul<KARATSUBA, KARATSUBA, SCHOOLBOOK> = Mul;

/// A kernel that is compiled for four lanes alone.
struct OnFour<K>(K);

impl<K: ClmulKernel<Out = ()>> ClmulKernel for OnFour<K> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        if S::K == 4 {
            self.0.run(s);
        }
    }
}

/// Runs a kernel by the best method for blocks on this CPU.
macro_rules! call {
    ($cpu:expr, |$method:ident| $kernel:expr) => {
        if moves_take_products_port($cpu) {
            let $method = BLOCKS_SCHOOLBOOK;
            $cpu.call(OnFour($kernel))
        } else {
            let $method = METHOD;
            $cpu.call($kernel)
        }
    };
}

/// Whether a move of lanes or halves takes the port of carry-less products, as with 512 bits on Intel's CPUs.
#[inline]
pub(super) fn moves_take_products_port(cpu: ClmulCpu) -> bool {
    cpu.lanes() == 4 && !matches!(CpuClass::detect(), CpuClass::Zen4 | CpuClass::Zen5)
}

/// One product of `words` words (2, 4, 6 or 8) in each lane: 3, 9, 18 or 27 products of words.
#[inline]
pub(super) fn leaf(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    match words {
        2 => call!(cpu, |method| Products::<_, _, 1, 2>(method, job)),
        4 => call!(cpu, |method| Products::<_, _, 2, 4>(method, job)),
        6 => call!(cpu, |method| Products::<_, _, 3, 6>(method, job)),
        8 => call!(cpu, |method| Products::<_, _, 4, 8>(method, job)),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}

/// One product of `2 words` words in each lane: one level of KaratRec over such a leaf, in one kernel.
#[inline]
pub(super) fn karat(cpu: ClmulCpu, words: usize, job: Job<'_>) {
    // Leaves of 4 and 8 words are a level over leaves of half the size already, and stay in registers.
    match words {
        2 => call!(cpu, |method| Products::<_, _, 2, 4>(method, job)),
        4 => call!(cpu, |method| Products::<_, _, 4, 8>(method, job)),
        6 => call!(cpu, |method| Products::<_, _, 6, 12>(Karat::<_, 3>(method), job)),
        8 => call!(cpu, |method| Products::<_, _, 8, 16>(Karat::<_, 4>(method), job)),
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
        2 => call!(cpu, |method| Products::<_, _, 4, 8>(method, job)),
        4 => call!(cpu, |method| Products::<_, _, 8, 16>(Karat::<_, 4>(method), job)),
        6 => call!(cpu, |method| Above::<_, 6, 12> { method: Karat::<_, 3>(method), job, scratch }),
        8 => call!(cpu, |method| Above::<_, 8, 16> { method: Karat::<_, 4>(method), job, scratch }),
        _ => unreachable!("chains end in leaves of 2, 4, 6 or 8 words"),
    }
}
