//! The powers that the streams meet at the end.
use super::dec::MAX_C;
use crate::field::{Field, Loose, product, square};

/// tau^2 D^(c-1) .. tau^2 D, tau^2, in as few steps after each other as there are bits in c - 1.
///
/// Not inlined, as [`Squares::extend`](super::squares::Squares) is not.
#[inline(never)]
pub(crate) fn weights<E: Field>(tau_squared: Loose<E>, d: Loose<E>, c: usize) -> [Loose<E>; MAX_C] {
    let mut all = [tau_squared; MAX_C];
    let (mut known, mut step) = (1, d);
    while known < c {
        // The next `known` weights are those that are known times D^known.
        for i in known..c.min(2 * known) {
            all[c - 1 - i] = product::<E>(all[c - 1 + known - i], step);
        }
        known *= 2;
        if known < c {
            step = square::<E>(step);
        }
    }
    all
}
