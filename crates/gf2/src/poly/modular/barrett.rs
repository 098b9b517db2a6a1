//! Reduction by two products by constants, for any f.
use super::{Reduce, cut, upper};
use crate::poly::kernel::leaf::{Leaf, add};
use crate::poly::kernel::row::blocks;
use carryless_lanes::Clmul;

/// The constants of f for elements of W words, n = 64 W; all of them are public.
#[derive(Clone, Copy)]
pub(crate) struct Barrett<'a> {
    /// X^(2n) div f X^(n - m), without its term X^n: W words.
    pub(crate) quotient: &'a [u64],
    /// f X^(n - m) without its term X^n: W words.
    pub(crate) tail: &'a [u64],
    /// n - m.
    pub(crate) unused: usize,
}

impl Reduce for Barrett<'_> {
    /// With H = c div X^n and M = X^(2n) div f', f' = f X^(n - m), the quotient c div f' is H M div X^n. M and f' have the degree n, and products by
    /// X^n are sums.
    #[inline(always)]
    fn reduce<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        l: L,
        c: [S::X; M],
    ) -> [S::X; N] {
        let high = upper::<S, N, M, ODD>(s, &c);
        let product = l.product(s, high, blocks::<S, N>(s, self.quotient));
        let quotient = add(s, upper::<S, N, M, ODD>(s, &product), high);
        let product = l.product(s, quotient, blocks::<S, N>(s, self.tail));
        let (mut out, mut i) = ([s.zero(); N], 0);
        while i < N {
            out[i] = s.xor(c[i], product[i]);
            i += 1;
        }
        cut::<S, N, ODD>(s, out)
    }

    /// x X^(n - m) modulo f X^(n - m) is the remainder times X^(n - m).
    #[inline(always)]
    fn canonical<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        l: L,
        x: [S::X; N],
    ) -> [S::X; N] {
        if self.unused == 0 {
            return x;
        }
        let mut c = [s.zero(); M];
        c[..N].copy_from_slice(&x);
        let mut rest = self.reduce::<S, L, N, M, ODD>(s, l, up(s, c, self.unused));
        let (words, bits) = (self.unused / 64, (self.unused % 64) as u32);
        for _ in 0..words {
            rest = down_a_word(s, rest);
        }
        if bits > 0 {
            let above = down_a_word(s, rest);
            let mut i = 0;
            while i < N {
                rest[i] = s.xor(s.shr(rest[i], bits), s.shl(above[i], 64 - bits));
                i += 1;
            }
        }
        rest
    }
}

/// x X^by.
#[inline(always)]
fn up<S: Clmul, const M: usize>(s: S, mut x: [S::X; M], by: usize) -> [S::X; M] {
    let bits = (by % 64) as u32;
    if bits > 0 {
        let below = up_a_word(s, x);
        let mut i = 0;
        while i < M {
            x[i] = s.xor(s.shl(x[i], bits), s.shr(below[i], 64 - bits));
            i += 1;
        }
    }
    for _ in 0..by / 64 {
        x = up_a_word(s, x);
    }
    x
}

#[inline(always)]
fn up_a_word<S: Clmul, const M: usize>(s: S, x: [S::X; M]) -> [S::X; M] {
    let (mut out, mut i) = (x, 0);
    while i < M {
        out[i] = s.straddle(if i == 0 { s.zero() } else { x[i - 1] }, x[i]);
        i += 1;
    }
    out
}

#[inline(always)]
fn down_a_word<S: Clmul, const N: usize>(s: S, x: [S::X; N]) -> [S::X; N] {
    let (mut out, mut i) = (x, 0);
    while i < N {
        out[i] = s.straddle(x[i], if i + 1 < N { x[i + 1] } else { s.zero() });
        i += 1;
    }
    out
}
