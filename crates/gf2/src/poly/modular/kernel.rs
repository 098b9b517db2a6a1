//! The kernels modulo f, one for each number of words. Each computes one result or many, one after the other.
use super::Reduce;
use crate::poly::kernel::leaf::{Leaf, Odd};
use crate::poly::kernel::row::{blocks, store_words};
use crate::poly::kernel::{HALF_LAST, WHOLE_LAST};
use crate::poly::{Karatsuba, METHOD};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};

/// A computation modulo f: which result a kernel computes.
pub(crate) trait Task {
    /// Computes result number `i`, a polynomial of degree below m.
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
        i: usize,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>;
}

/// The products a b of operands of W words: of many pairs, or of many a by one b if that does not `advance`.
pub(crate) struct Product<'a> {
    a: &'a [u64],
    b: &'a [u64],
    advance: bool,
}

impl<'a> Product<'a> {
    /// One product for each element of `a` and the element of `b` at the same place.
    #[inline(always)]
    pub(crate) fn each(a: &'a [u64], b: &'a [u64]) -> Self {
        Product { a, b, advance: true }
    }

    /// The products of all elements of `a` by the one element in `b`.
    #[inline(always)]
    #[cfg(feature = "alloc")]
    pub(crate) fn by_one(a: &'a [u64], b: &'a [u64]) -> Self {
        Product { a, b, advance: false }
    }
}

/// The remainder of c, of up to 2W words: one result.
pub(crate) struct Remainder<'a>(pub(crate) &'a [u64]);

/// One result: a^(2^k) for an element a of W words, by k squarings in registers. k is public.
#[cfg(feature = "alloc")]
pub(crate) struct Squarings<'a> {
    pub(crate) a: &'a [u64],
    pub(crate) k: usize,
}

impl Task for Product<'_> {
    #[inline(always)]
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
        i: usize,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>,
    {
        // Elements follow each other without gaps, W words each.
        let at = i * element::<N, ODD>();
        let (a, b) =
            (sized::<N, ODD>(&self.a[at..]), sized::<N, ODD>(&self.b[if self.advance { at } else { 0 }..]));
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
        _: usize,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>,
    {
        r.reduce::<S, L, N, M, ODD>(s, l, blocks::<S, M>(s, self.0))
    }
}

#[cfg(feature = "alloc")]
impl Task for Squarings<'_> {
    #[inline(always)]
    fn compute<S, R, L, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        r: &R,
        l: L,
        _: usize,
    ) -> [S::X; N]
    where
        S: Clmul,
        R: Reduce,
        L: Leaf<N, M>,
    {
        // Also without a squaring the element is reduced: it may have bits from X^m on.
        if self.k == 0 {
            return r.reduce::<S, L, N, M, ODD>(s, l, blocks::<S, M>(s, sized::<N, ODD>(self.a)));
        }
        let (mut x, mut done) = (blocks::<S, N>(s, sized::<N, ODD>(self.a)), 0);
        while done < self.k {
            let (mut square, mut i) = ([s.zero(); M], 0);
            while i < N {
                (square[2 * i], square[2 * i + 1]) = (s.square_l(x[i]), s.square_h(x[i]));
                i += 1;
            }
            x = r.reduce::<S, L, N, M, ODD>(s, l, square);
            done += 1;
        }
        x
    }
}

/// The first W words, a length that the compiler knows: so loads need no further check.
#[inline(always)]
fn sized<const N: usize, const ODD: bool>(words: &[u64]) -> &[u64] {
    &words[..element::<N, ODD>()]
}

/// The number W of words of an element: 2N, or 2N - 1 if `ODD`.
const fn element<const N: usize, const ODD: bool>() -> usize {
    2 * N - ODD as usize
}

/// The kernel for a task on elements of N blocks. It computes as many results as `out` has elements.
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
        for (i, out) in self.out.chunks_exact_mut(element::<N, ODD>()).enumerate() {
            let x = self.task.compute::<S, R, L, N, M, ODD>(s, &self.reduction, self.leaf, i);
            store_words(s, x, &mut out[..element::<N, ODD>()]);
        }
    }
}

/// Computes a task modulo f, for elements of `words` words, 1 to 10. `out` has that many for each result; all are
/// written, and bits from X^m on are zero.
#[inline(always)]
pub(crate) fn run<T: Task, R: Reduce>(cpu: ClmulCpu, words: usize, task: T, reduction: R, out: &mut [u64]) {
    // One lane: elements are too short to fill more, and fewer kernels are compiled.
    macro_rules! by_words {
        ($($words:pat => $leaf:ident: $L:ty, $n:literal, $last:ident;)*) => {
            match words {
                $($words => cpu.one_lane().call(Kernel::<T, R, $L, $n, { 2 * $n }, $last> {
                    task,
                    reduction,
                    leaf: $leaf,
                    out,
                }),)*
            }
        };
    }
    // An odd number of words leaves out the products with the empty half of the last block.
    // The match must be total: 0 goes with 1, and above 9 only 10 occurs.
    by_words! {
        0 | 1 => Odd: Odd, 1, HALF_LAST;
        2 => METHOD: Karatsuba, 1, WHOLE_LAST;
        3 => Odd: Odd, 2, HALF_LAST;
        4 => METHOD: Karatsuba, 2, WHOLE_LAST;
        5 => Odd: Odd, 3, HALF_LAST;
        6 => METHOD: Karatsuba, 3, WHOLE_LAST;
        7 => Odd: Odd, 4, HALF_LAST;
        8 => METHOD: Karatsuba, 4, WHOLE_LAST;
        9 => Odd: Odd, 5, HALF_LAST;
        _ => METHOD: Karatsuba, 5, WHOLE_LAST;
    }
}

/// Computes a task as [`run`] does, for elements of one or two words, with a reduction that is compiled for them only.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn run_short<T: Task, R: Reduce>(
    cpu: ClmulCpu,
    words: usize,
    task: T,
    reduction: R,
    out: &mut [u64],
) {
    match words {
        0 | 1 => {
            cpu.one_lane().call(Kernel::<T, R, Odd, 1, 2, HALF_LAST> { task, reduction, leaf: Odd, out })
        }
        _ => cpu.one_lane().call(Kernel::<T, R, Karatsuba, 1, 2, WHOLE_LAST> {
            task,
            reduction,
            leaf: METHOD,
            out,
        }),
    }
}
