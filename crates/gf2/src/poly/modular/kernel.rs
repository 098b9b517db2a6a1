//! The kernels, one for each number of words.
use super::Reduce;
use crate::poly::kernel::leaf::{Leaf, Odd};
use crate::poly::kernel::row::{blocks, store_words};
use crate::poly::{Karatsuba, METHOD};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// What is computed modulo f.
pub(crate) trait Task {
    /// The result, below X^m.
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>;
}

/// a b, for operands of at most W words.
pub(crate) struct Product<'a>(pub(crate) &'a [u64], pub(crate) &'a [u64]);

/// c, of at most 2W words.
pub(crate) struct Remainder<'a>(pub(crate) &'a [u64]);

impl Task for Product<'_> {
    #[inline(always)]
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>,
    {
        let (a, b) = (sized::<N, ODD>(self.0), sized::<N, ODD>(self.1));
        let product = l.product(s, blocks::<S, N>(s, a), blocks::<S, N>(s, b));
        r.reduce::<S, L, N, M, ODD>(s, l, product)
    }
}

impl Task for Remainder<'_> {
    #[inline(always)]
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>,
    {
        r.reduce::<S, L, N, M, ODD>(s, l, blocks::<S, M>(s, self.0))
    }
}

/// Exactly W words, a length that the compiler knows.
#[inline(always)]
fn sized<const N: usize, const ODD: bool>(words: &[u64]) -> &[u64] {
    &words[..2 * N - ODD as usize]
}

/// The task on N blocks: as many words of the result as `out` has.
struct Kernel<'a, T, R, L, const N: usize, const M: usize, const ODD: bool> {
    task: T,
    reduction: R,
    leaf: L,
    out: &'a mut [u64],
}

impl<T, R, L, const N: usize, const M: usize, const ODD: bool> ClmulKernel for Kernel<'_, T, R, L, N, M, ODD>
where
    T: Task,
    R: Reduce,
    L: Leaf<N, M>,
{
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let x = self.task.compute::<S, R, L, N, M, ODD>(s, &self.reduction, self.leaf);
        store_words(s, x, &mut self.out[..2 * N - ODD as usize]);
    }
}

/// Computes a task modulo f, for elements of `words` words, 1 to 10: `out` has as many, all bits from X^m on being zero.
#[inline(always)]
pub(crate) fn run<T: Task, R: Reduce>(cpu: ClmulCpu, words: usize, task: T, reduction: R, out: &mut [u64]) {
    macro_rules! by_words {
        ($($words:pat => $leaf:ident: $L:ty, $n:literal, $odd:literal;)*) => {
            match words {
                $($words => cpu.call_on_one_lane(Kernel::<T, R, $L, $n, { 2 * $n }, $odd> {
                    task,
                    reduction,
                    leaf: $leaf,
                    out,
                }),)*
            }
        };
    }
    by_words! {
        0 | 1 => Odd: Odd, 1, true;
        2 => METHOD: Karatsuba, 1, false;
        3 => Odd: Odd, 2, true;
        4 => METHOD: Karatsuba, 2, false;
        5 => Odd: Odd, 3, true;
        6 => METHOD: Karatsuba, 3, false;
        7 => Odd: Odd, 4, true;
        8 => METHOD: Karatsuba, 4, false;
        9 => Odd: Odd, 5, true;
        _ => METHOD: Karatsuba, 5, false;
    }
}
