//! Products and remainders modulo f in the registers of one kernel, for an f that is not known at compile time. All
//! kernels are constant time; f is public.
//!
//! Let f = X^m + t and let operands have W words, n = 64 W. Reduction is by f X^(n - m), of degree n. Then what a
//! product has from X^n on is whole words, and X^n = T with T = t X^(n - m).
//!
//! There is one kernel for each W up to ten and for each of two ways to reduce: a short T, of one word or of two,
//! is multiplied by what lies above X^n, twice. For W of one and two there is a third way for any f: two products
//! by constants give quotient and remainder (Barrett). More kernels would cost minutes of compilation.
#[cfg(feature = "alloc")]
mod constants;
mod kernel;
mod short;

#[cfg(feature = "alloc")]
pub(crate) use constants::ByConstants;
pub(crate) use kernel::{Product, Remainder, Task, run};
#[cfg(feature = "alloc")]
pub(crate) use kernel::{Squarings, run_short};
pub(crate) use short::{ByTail, MAX_WORDS, Short};

use super::kernel::leaf::Leaf;
use carryless_lanes::Clmul;

/// A way to reduce polynomials of 2N blocks, or of 4N - 2 words if `ODD`, by kernels whose products are `L`.
pub(crate) trait Reduce {
    /// The remainder c mod f, for `c` of degree below 2n. Its bits from X^m on are zero.
    fn reduce<S: Clmul, L: Leaf<N, M>, const N: usize, const M: usize, const ODD: bool>(
        &self,
        s: S,
        l: L,
        c: [S::X; M],
    ) -> [S::X; N];
}

/// The coefficients of `c` from X^n on, in N blocks: c div X^n. If `ODD`, n is in the middle of a block.
#[inline(always)]
fn upper<S: Clmul, const N: usize, const M: usize, const ODD: bool>(s: S, c: &[S::X; M]) -> [S::X; N] {
    let (mut high, mut i) = ([s.zero(); N], 0);
    while i < N {
        high[i] = if ODD { s.straddle(c[N - 1 + i], c[N + i]) } else { c[N + i] };
        i += 1;
    }
    high
}

/// The lowest n bits of N blocks. If `ODD`, that clears the upper half of the last block.
#[inline(always)]
fn cut<S: Clmul, const N: usize, const ODD: bool>(s: S, mut x: [S::X; N]) -> [S::X; N] {
    if ODD {
        x[N - 1] = s.and(x[N - 1], s.splat([!0, 0]));
    }
    x
}
