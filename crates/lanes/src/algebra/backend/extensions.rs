//! The operations of [`Algebra`] that not every backend has: multiply-add, and moves of 32-bit halves.
use super::{Algebra, Term};
use crate::traits::{Ifma, Shuffle32};

impl<const N: usize> Ifma for Algebra<'_, N> {
    #[track_caller]
    #[inline(never)]
    fn madd52lo(self, acc: [Term; N], a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, acc, i => self.arena.madd52(acc[i], a[i], b[i], false))
    }
    #[track_caller]
    #[inline(never)]
    fn madd52hi(self, acc: [Term; N], a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, acc, i => self.arena.madd52(acc[i], a[i], b[i], true))
    }
    #[track_caller]
    #[inline(never)]
    fn sub(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.sub(a[i], b[i]))
    }
}

impl<const N: usize> Algebra<'_, N> {
    /// Half number `h` of all lanes, as a low half; even numbers are low halves, as for [`Shuffle32::permute32`].
    #[track_caller]
    #[inline(never)]
    fn half(self, lanes: &[Term; N], h: u32) -> Term {
        let lane = lanes[h as usize / 2];
        if h.is_multiple_of(2) { self.arena.low_bits(lane, 32) } else { self.arena.shr(lane, 32) }
    }
}

impl<const N: usize> Shuffle32 for Algebra<'_, N> {
    #[track_caller]
    #[inline(never)]
    fn permute32(self, a: [Term; N], index: &[u32; 16]) -> [Term; N] {
        each!(N, a, i => {
            let (low, high) = (self.half(&a, index[2 * i]), self.half(&a, index[2 * i + 1]));
            self.arena.side_by_side(low, self.arena.shl(high, 32))
        })
    }
    #[track_caller]
    #[inline(never)]
    fn blend32(self, a: [Term; N], b: [Term; N]) -> [Term; N] {
        each!(N, a, i => self.arena.side_by_side(a[i], b[i]))
    }
}
