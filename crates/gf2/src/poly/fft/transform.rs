//! The additive transform: values on the first points of a subspace from coefficients, and back, for any number of points.
//!
//! A block of 2^(k+1) points, v the first: f = l + s_k h has on its first half, where s_k is t = s_k(v), the values of
//! l + t h, and on the second, where it is t + 1, those of l + (t + 1) h.
use super::butterfly::{Element, Level, Step};
use super::field::{Cantor, Field};
use crate::poly::construct::add_to;
use carryless_lanes::ClmulCpu;

/// Blocks of at most so many words are transformed level by level, larger ones half by half: half of a first-level cache.
const WORDS_AT_ONCE: usize = 2048;

/// A transform on a machine.
#[derive(Clone, Copy)]
pub(super) struct Transform<const G: usize, const W: usize>(pub(super) ClmulCpu);

impl<const G: usize, const W: usize> Transform<G, W>
where
    Cantor: Field<G>,
{
    /// The coefficients in `f`, a power of two, become values on the block of that number among those of its size; what
    /// is after the first `count` has no meaning.
    pub(super) fn evaluate(self, block: usize, f: &mut [Element<G, W>], count: usize) {
        if count == 0 || f.len() == 1 {
            return;
        }
        let half = f.len() / 2;
        if f.as_flattened().as_flattened().as_flattened().len() <= WORDS_AT_ONCE {
            for level in (0..f.len().ilog2()).rev() {
                self.level(Step::Evaluate, (block * half) >> level, 1 << level, 0, f);
            }
            return;
        }
        self.level(if count > half { Step::Evaluate } else { Step::Multiply }, block, half, 0, f);
        let (low, high) = f.split_at_mut(half);
        self.evaluate(2 * block, low, count.min(half));
        self.evaluate(2 * block + 1, high, count.saturating_sub(half));
    }

    /// Back: the first `count` of `f` are values, the others are coefficients; all become coefficients.
    pub(super) fn interpolate(self, block: usize, f: &mut [Element<G, W>], count: usize) {
        if count == 0 || f.len() == 1 {
            return;
        }
        let half = f.len() / 2;
        if count == f.len() && f.as_flattened().as_flattened().as_flattened().len() <= WORDS_AT_ONCE {
            for level in 0..f.len().ilog2() {
                self.level(Step::Interpolate, (block * half) >> level, 1 << level, 0, f);
            }
        } else if count < half {
            // h is known, so l + t h is where l is; then l where it is not.
            self.level(Step::Multiply, block, half, count, f);
            self.interpolate(2 * block, &mut f[..half], count);
            self.level(Step::Multiply, block, half, 0, f);
        } else {
            // All of l + t h, and so l + (t + 1) h where h is known.
            let (low, high) = f.split_at_mut(half);
            self.interpolate(2 * block, low, half);
            let known = count - half;
            let words = |f| <[Element<G, W>]>::as_flattened(f).as_flattened().as_flattened();
            let sums = high[known..].as_flattened_mut().as_flattened_mut().as_flattened_mut();
            add_to(self.0, sums, words(&low[known..]));
            self.interpolate(2 * block + 1, high, known);
            self.level(Step::Interpolate, block, half, 0, f);
        }
    }

    /// One step on all blocks of 2 `half` elements of `points`, the first being that number `block`.
    fn level(self, step: Step, block: usize, half: usize, from: usize, points: &mut [Element<G, W>]) {
        // A row of W words has room for W / 2 lanes.
        let cpu = self.0.narrow(self.0.lanes().min(W / 2));
        cpu.call_clmul(Level { step, block, half, from, points });
    }
}
