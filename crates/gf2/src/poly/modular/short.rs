//! Reduction by few products, for an f whose terms below X^m are far below it.
use super::{Reduce, cut, upper};
use crate::poly::kernel::leaf::Leaf;
use carryless_lanes::Clmul;

/// The words of the longest elements that have kernels.
pub(crate) const MAX_WORDS: usize = 10;

/// A modulus f = X^m + t with a short T = t X^(n - m). It is public.
///
/// Aligned, so that it is copied in whole vectors: a load that joins two stores waits for them, and with
/// them for all products before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Short {
    /// The tail t of f, two words, low word first.
    tail: [u64; 2],
    /// The shifted tail T = t X^(n - m), two words: X^n is T modulo f X^(n - m).
    shifted: [u64; 2],
    /// The number n - m of unused bits in the last word of an element, below 64.
    unused: u32,
    /// Whether the second step stays below X^m. Then the bits from X^m on are known before it, and both are
    /// multiplied at the same time.
    is_apart: bool,
}

impl Short {
    /// The constants for X^m plus the sum of X^e, if T has at most two words and two
    /// steps are enough; otherwise `None`.
    ///
    /// Let c be below X^(2n), H = c div X^n, and k the degree of T. The first step leaves low(c) + H T, below X^(n +
    /// k). With G the part of that from X^n on, the second step adds G T, below X^(2k), which must have no more than n
    /// bits. The bits from X^m on are fewer than 64; times t they are below X^k, which must have no more than m bits.
    pub(crate) const fn new(degree: usize, tail: &[usize]) -> Option<Short> {
        let n = degree.next_multiple_of(64);
        // The degree k of T.
        let top = if tail.is_empty() { 0 } else { tail[0] + n - degree };
        if n > 64 * MAX_WORDS || top > 127 || 2 * top > n || top > degree {
            return None;
        }
        let (mut sum, mut i) = (0, 0);
        while i < tail.len() {
            sum ^= 1_u128 << tail[i];
            i += 1;
        }
        let shifted = sum << (n - degree);
        Some(Short {
            tail: [sum as u64, (sum >> 64) as u64],
            shifted: [shifted as u64, (shifted >> 64) as u64],
            unused: (n - degree) as u32,
            is_apart: 2 * top <= degree,
        })
    }

    /// The number of words of T, one or two: products by T take as many.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        if self.shifted[1] == 0 { 1 } else { 2 }
    }
}

/// The reduction by [`Short`] constants whose T has one word, or two if `TWO`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByTail<'a, const TWO: bool>(pub(crate) &'a Short);

impl<const TWO: bool> Reduce for ByTail<'_, TWO> {
    #[inline(always)]
    fn reduce<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        _: L,
        c: [S::X; M],
    ) -> [S::X; N] {
        // First step: low(c) + H T, from the lowest block up. A block's product is `low` at its place, `odd`
        // 64 bits above it, and `up` 128 bits above.
        // Products of words, for a T of one word: W here, 1 for the second step, 1 for the bits from X^m on.
        // For two words: 2 W, 4 and 2.
        let t = s.splat(self.0.shifted);
        let (mut out, high) = ([s.zero(); N], upper::<S, N, M, ODD>(s, &c));
        // The parts of a block's product that lie above the block: from its middle on, and from its end on. They
        // are added to the next block.
        let (mut middle, mut end) = (s.zero(), s.zero());
        let mut i = 0;
        while i < N {
            let last = ODD && i + 1 == N;
            let [low, odd, up] = by_tail::<S, TWO>(s, high[i], t, last);
            let sum = s.xor(s.xor(low, end), s.straddle(middle, odd));
            out[i] = sum;
            (middle, end) = (odd, up);
            i += 1;
        }
        let above = s.xor(end, s.straddle(middle, s.zero()));
        // G, what H T has from X^n on: two words.
        let rest = if ODD { s.straddle(out[N - 1], above) } else { above };
        i = 0;
        while i < N {
            out[i] = s.xor(out[i], c[i]);
            i += 1;
        }
        out = cut::<S, N, ODD>(s, out);
        // Before the second step, so that both products by tails can run at the same time; otherwise after it.
        if self.0.is_apart {
            out = self.canonical::<S, N, ODD>(s, out);
        }
        // Second step: G T at the bottom. G has one word if T has one, so its upper half is then zero.
        let [low, odd, up] = by_tail::<S, TWO>(s, rest, t, !TWO);
        out[0] = s.xor(out[0], low);
        if TWO {
            out[0] = s.xor(out[0], s.straddle(s.zero(), odd));
            // With one block the bound of `new` keeps G T below X^128.
            if N > 1 {
                out[1] = s.xor(out[1], s.xor(up, s.straddle(odd, s.zero())));
            }
        }
        if self.0.is_apart { out } else { self.canonical::<S, N, ODD>(s, out) }
    }
}

impl<const TWO: bool> ByTail<'_, TWO> {
    /// The remainder of x mod f, for x of n bits: its fewer than 64 bits from X^m on, times t.
    #[inline(always)]
    fn canonical<S: Clmul, const N: usize, const ODD: bool>(self, s: S, mut x: [S::X; N]) -> [S::X; N] {
        let unused = self.0.unused;
        if unused == 0 {
            return x;
        }
        let (t, above) = (s.splat(self.0.tail), s.shr(x[N - 1], 64 - unused));
        // The high bits were copied to `above`; clear them here.
        let used = !0 >> unused;
        x[N - 1] = s.and(x[N - 1], s.splat(if ODD { [used, 0] } else { [!0, used] }));
        // `above` is in the half that X^m lies in: the low one if `ODD`.
        let low = if ODD { s.mul_ll(above, t) } else { s.mul_hl(above, t) };
        x[0] = s.xor(x[0], low);
        if TWO {
            let odd = if ODD { s.mul_lh(above, t) } else { s.mul_hh(above, t) };
            x[0] = s.xor(x[0], s.straddle(s.zero(), odd));
        }
        x
    }
}

/// The product x T in three overlapping blocks, at 1, X^64 and X^128. `word`: the upper half of x is zero. 1
/// to 4 products of words.
#[inline(always)]
fn by_tail<S: Clmul, const TWO: bool>(s: S, x: S::X, t: S::X, word: bool) -> [S::X; 3] {
    let low = s.mul_ll(x, t);
    let odd = if word { s.zero() } else { s.mul_hl(x, t) };
    if !TWO {
        return [low, odd, s.zero()];
    }
    [low, s.xor(odd, s.mul_lh(x, t)), if word { s.zero() } else { s.mul_hh(x, t) }]
}
