//! Reduction by two products by constants (Barrett), for any f of one word or two.
use super::{Reduce, cut, upper};
use crate::poly::kernel::leaf::{Leaf, add};
use crate::poly::kernel::row::blocks;
use carryless_lanes::Clmul;

/// The constants of f for elements of W words, n = 64 W. All of them are public.
#[derive(Clone, Copy)]
pub(crate) struct ByConstants<'a> {
    /// The quotient M = X^(2n) div f', f' = f X^(n - m), without its term X^n: W words.
    pub(crate) quotient: &'a [u64],
    /// The multiple f' = f X^(n - m) without its term X^n: W words.
    pub(crate) tail: &'a [u64],
    /// The number n - m of unused bits in the last word, below 64.
    pub(crate) unused: u32,
}

impl Reduce for ByConstants<'_> {
    /// Reduces c below X^n first, to x. Then x X^(n - m) modulo f X^(n - m) is the remainder times X^(n - m).
    #[inline(always)]
    fn reduce<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        l: L,
        c: [S::X; M],
    ) -> [S::X; N] {
        let x = self.remainder::<S, L, N, M, ODD>(s, l, c);
        if self.unused == 0 {
            return x;
        }
        let (mut raised, mut below, mut i) = ([s.zero(); M], s.zero(), 0);
        while i <= N {
            // A shift of all blocks up by n - m bits: what leaves a half enters the next one.
            let block = if i < N { x[i] } else { s.zero() };
            raised[i] = s.xor(s.shl(block, self.unused), s.shr(s.straddle(below, block), 64 - self.unused));
            below = block;
            i += 1;
        }
        let rest = self.remainder::<S, L, N, M, ODD>(s, l, raised);
        let mut out = rest;
        i = 0;
        while i < N {
            // The shift down again; it is exact.
            let above = s.straddle(rest[i], if i + 1 < N { rest[i + 1] } else { s.zero() });
            out[i] = s.xor(s.shr(rest[i], self.unused), s.shl(above, 64 - self.unused));
            i += 1;
        }
        out
    }
}

impl ByConstants<'_> {
    /// The remainder of c modulo f' = f X^(n - m). With H = c div X^n and M = X^(2n) div f', the quotient c div
    /// f' is H M div X^n: exact over F2, as no carry reaches it. M and f' have degree n, and their terms X^n
    /// make sums instead of products.
    #[inline(always)]
    fn remainder<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        l: L,
        c: [S::X; M],
    ) -> [S::X; N] {
        // Two leaf products instead of a division. `reduce` comes here twice if f leaves bits of the last
        // word unused.
        let high = upper::<S, N, M, ODD>(s, &c);
        let product = l.product(s, high, blocks::<S, N>(s, self.quotient));
        // H M div X^n, the term X^n of M giving H itself.
        let quotient = add(s, upper::<S, N, M, ODD>(s, &product), high);
        let product = l.product(s, quotient, blocks::<S, N>(s, self.tail));
        let (mut out, mut i) = ([s.zero(); N], 0);
        while i < N {
            // c + Q f' below X^n: the term X^n of f' only cancels what lies above.
            out[i] = s.xor(c[i], product[i]);
            i += 1;
        }
        cut::<S, N, ODD>(s, out)
    }
}
