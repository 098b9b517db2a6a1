//! Products of all elements of slices.
use super::Small;
use super::units::{Job, MOST, Unit, exceeds, load_at, or, store_at};
use carryless_lanes::{Bytes, ClmulCpu};
use zeroize::Zeroize;

impl Small {
    /// Sets `out[i]` to `a[i] b[i]`; if `b` has one element, to `a[i] b[0]`. Results are canonical.
    ///
    /// Returns false, and leaves `out` meaningless, if an operand has bits from z^m on. The time is the same in
    /// both cases, but the answer is public.
    pub(in super::super) fn products<T: Unit>(&self, cpu: ClmulCpu, a: &[T], b: &[T], out: &mut [T]) -> bool {
        let one = b.len() == T::of(self);
        let mut repeated = [T::default(); MOST];
        if one {
            repeated.iter_mut().zip(b.iter().cycle()).for_each(|(unit, &b)| *unit = b);
        }
        let reduced = T::run(self, cpu, Products { field: self, a, b, by: one.then_some(&repeated), out });
        repeated.zeroize();
        reduced
    }
}

/// The kernel for all products. Returns whether all operands are below z^m.
struct Products<'a, T> {
    field: &'a Small,
    a: &'a [T],
    b: &'a [T],
    /// A vector of the one factor, instead of `b`.
    by: Option<&'a [T; MOST]>,
    out: &'a mut [T],
}

impl<T: Unit> Job<T> for Products<'_, T> {
    type Out = bool;
    #[inline(always)]
    fn run<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(self, s: S) -> bool {
        let Products { field, a, b, by, out } = self;
        let one = if let Some(by) = by { T::load(s, by) } else { s.zero() };
        // The OR of all operands is collected on the way, and tested once at the end: no early exit, so the time shows
        // nothing, only the answer does.
        let mut bits = one;
        // The last units, fewer than a vector, go through a zero-padded one.
        for at in (0..a.len()).step_by(S::K * T::LANE) {
            let x = load_at(s, a, at);
            let y = if by.is_some() { one } else { load_at(s, b, at) };
            bits = or(s, bits, or(s, x, y));
            store_at(s, field.mul::<S, BITS, BY_MATRIX>(s, x, y), out, at);
        }
        !exceeds::<S, BITS>(s, field, bits)
    }
}
