//! The operations of [`Interval`] that not every backend has: multiply-add, and moves of 32-bit halves.
use super::{Interval, expect, zip};
use crate::range::Range;
use crate::traits::{Ifma, Shuffle32};

impl<const N: usize> Ifma for Interval<'_, N> {
    #[track_caller]
    #[inline(never)]
    fn madd52lo(self, acc: [Range; N], a: [Range; N], b: [Range; N]) -> [Range; N] {
        self.madd52(acc, a, b, false)
    }
    #[track_caller]
    #[inline(never)]
    fn madd52hi(self, acc: [Range; N], a: [Range; N], b: [Range; N]) -> [Range; N] {
        self.madd52(acc, a, b, true)
    }
    #[track_caller]
    #[inline(never)]
    fn mul52(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        zip(a, b, |a, b| match Range::constant(0).madd52(a, b, true)?.as_constant() {
            Some(0) => Range::constant(0).madd52(a, b, false),
            _ => Err("the product may exceed 52 bits"),
        })
    }
    #[track_caller]
    #[inline(never)]
    fn sub(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        zip(a, b, Range::sub)
    }
}

impl<const N: usize> Interval<'_, N> {
    #[track_caller]
    #[inline(never)]
    fn madd52(self, acc: [Range; N], a: [Range; N], b: [Range; N], high: bool) -> [Range; N] {
        let mut r = acc;
        for i in 0..N {
            r[i] = expect(acc[i].madd52(a[i], b[i], high), || (i, acc[i], a[i], b[i]));
        }
        r
    }
}

impl<const N: usize> Shuffle32 for Interval<'_, N> {
    #[inline(never)]
    fn permute32(self, a: [Range; N], index: &[u32; 16]) -> [Range; N] {
        core::array::from_fn(|i| {
            let half = |h: u32| a[h as usize / 2].shr(32 * (h % 2)).low_bits(32);
            let (low, high) = (half(index[2 * i]), half(index[2 * i + 1]));
            // The shift cannot fail: `half` leaves 32 bits.
            low.with_high_of(expect(high.shl(32), || high))
        })
    }
    #[inline(never)]
    fn blend32(self, a: [Range; N], b: [Range; N]) -> [Range; N] {
        core::array::from_fn(|i| a[i].with_high_of(b[i]))
    }
}
