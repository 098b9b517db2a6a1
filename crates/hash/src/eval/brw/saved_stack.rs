//! The state of Algorithm 1 between two calls, for a message that comes in pieces.
use super::algorithm1::Stack;
use crate::field::{Field, LaneField};

/// The rows absorbed by earlier calls: the kernel starts from them and, unless the message ends, updates them.
pub(crate) struct SavedStack<'a, E: Field> {
    /// The stacks of Algorithm 1, carried, lowest entry first: c elements for each entry, one per stream.
    pub(crate) entries: &'a mut [E::Loose],
    /// Number of rows absorbed before, a multiple of 4.
    pub(crate) rows: u64,
    /// The squares tau^(2^j) that are already computed, j ascending.
    pub(crate) squares: &'a [E::Loose],
    /// True if the message ends with this call. Otherwise it brings whole groups of four rows,
    /// and no value is returned.
    pub(crate) end: bool,
}

impl<E: Field> SavedStack<'_, E> {
    /// Loads the stack of N streams from number `stream` on. It has one entry for each bit set in the number of
    /// groups. With two runs of rows both lanes of a stream receive the entry.
    #[inline(always)]
    pub(crate) fn restore<F: LaneField<Element = E>>(
        &self,
        f: F,
        c: usize,
        stream: usize,
        stack: &mut Stack<'_, F>,
    ) {
        stack.top = (self.rows / 4).count_ones() as usize;
        for (entry, kept) in stack.entries.iter_mut().zip(self.entries.chunks_exact(c)).take(stack.top) {
            let mut limbs = [F::limbs(E::from_word(0)); 8];
            // With half as many streams as lanes `cycle` starts again for the odd lanes.
            for (limbs, element) in limbs[..F::N].iter_mut().zip(kept[stream..].iter().cycle()) {
                *limbs = F::from_loose(*element);
            }
            *entry = f.as_sums(f.arrange(&limbs));
        }
    }

    /// Carries the stack of N streams from number `stream` on and stores it.
    #[inline(always)]
    pub(super) fn keep<F: LaneField<Element = E>>(
        &mut self,
        f: F,
        c: usize,
        stream: usize,
        stack: &Stack<'_, F>,
    ) {
        for (entry, kept) in stack.entries.iter().zip(self.entries.chunks_exact_mut(c)).take(stack.top) {
            // `scatter` takes carried limbs, and the next call may run in words or in another radix.
            let lanes = f.scatter(f.carry(*entry));
            // With two runs `kept` ends after N / 2 lanes; the others repeat these and are dropped.
            for (kept, lane) in kept[stream..].iter_mut().zip(&lanes[..F::N]) {
                *kept = *lane;
            }
        }
    }
}
