//! What a message in pieces keeps of the rows that were absorbed.
use super::algorithm1::Stack;
use crate::field::Field;
use crate::lane_field::LaneField;

/// What is known of the rows that went before, and, unless this is the end, is to be known of all.
pub(crate) struct Before<'a, E: Field> {
    /// The stacks of Algorithm 1, carried: c elements for each entry.
    pub(crate) entries: &'a mut [E::Loose],
    /// Rows that went before, a multiple of 4.
    pub(crate) rows: u64,
    /// tau^(2^j), as far as it is known.
    pub(crate) squares: &'a [E::Loose],
    /// Whether the message ends here. Otherwise whole groups of four rows come, and there is no value yet.
    pub(crate) end: bool,
}

impl<E: Field> Before<'_, E> {
    /// The stack of the streams from number `stream` on, with one entry for each binary one in the number of groups; in both
    /// lanes of a stream if there are two runs of rows.
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
            for (limbs, element) in limbs[..F::N].iter_mut().zip(kept[stream..].iter().cycle()) {
                *limbs = F::from_loose(*element);
            }
            *entry = f.as_sums(f.arrange(&limbs));
        }
    }

    /// Carries the stack of these streams and keeps it.
    #[inline(always)]
    pub(super) fn keep<F: LaneField<Element = E>>(
        &mut self,
        f: F,
        c: usize,
        stream: usize,
        stack: &Stack<'_, F>,
    ) {
        for (entry, kept) in stack.entries.iter().zip(self.entries.chunks_exact_mut(c)).take(stack.top) {
            let lanes = f.scatter(f.carry(*entry));
            for (kept, lane) in kept[stream..].iter_mut().zip(&lanes[..F::N]) {
                *kept = *lane;
            }
        }
    }
}
