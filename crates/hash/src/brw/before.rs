//! What a message in pieces keeps of the rows that were absorbed.
use super::algorithm1::{Stack, zero};
use crate::field::Field;
use crate::lane_field::LaneField;

/// What is known of the rows that went before.
pub(crate) struct Before<'a, E: Field> {
    /// The stacks of Algorithm 1.
    pub(crate) entries: Entries<'a, E>,
    /// Rows that went before, a multiple of 4.
    pub(crate) rows: u64,
    /// tau^(2^j), as far as it is known.
    pub(crate) squares: &'a [E::Loose],
}

/// The stacks of Algorithm 1 between two calls, carried: c elements for each entry. A stack has one entry for each binary
/// one in the number of groups. Those of the lowest ones, up to the first zero, leave it together, so they are kept as one
/// sum, and nothing is kept for the others.
pub(crate) enum Entries<'a, E: Field> {
    /// Whole groups of four rows come, after which the stacks are kept there; there is no value yet.
    Keep(&'a mut [E::Loose]),
    /// The message ends here.
    End(&'a [E::Loose]),
}

/// The entries of a stack after `rows` rows, and those among them that are kept.
#[inline(always)]
fn entries_after(rows: u64) -> (usize, usize) {
    let groups = rows / 4;
    let (all, together) = (groups.count_ones() as usize, groups.trailing_ones() as usize);
    (all, all - together.saturating_sub(1))
}

impl<E: Field> Before<'_, E> {
    /// The stack of the streams from number `stream` on; in both lanes of a stream if there are two runs of rows.
    #[inline(always)]
    pub(crate) fn restore<F: LaneField<Element = E>>(
        &self,
        f: F,
        c: usize,
        stream: usize,
        stack: &mut Stack<'_, F>,
    ) {
        let (top, kept) = entries_after(self.rows);
        let entries: &[E::Loose] = match &self.entries {
            Entries::Keep(entries) => entries,
            Entries::End(entries) => entries,
        };
        stack.top = top;
        stack.entries[kept..top].fill(zero(f));
        for (entry, kept) in stack.entries.iter_mut().zip(entries.chunks_exact(c)).take(kept) {
            let mut limbs = [F::limbs(E::from_word(0)); 8];
            for (limbs, element) in limbs[..F::N].iter_mut().zip(kept[stream..].iter().cycle()) {
                *limbs = F::from_loose(*element);
            }
            *entry = f.as_sums(f.arrange(&limbs));
        }
    }

    /// Keeps the stack of these streams after `rows` rows. False if there is nothing to keep, because the message ends here.
    #[inline(always)]
    pub(super) fn keep<F: LaneField<Element = E>>(
        &mut self,
        f: F,
        (c, stream): (usize, usize),
        rows: u64,
        stack: &mut Stack<'_, F>,
    ) -> bool {
        let Entries::Keep(entries) = &mut self.entries else { return false };
        let (top, kept) = entries_after(rows);
        if kept < top {
            let sum = stack.pop(f, zero(f), top - kept + 1);
            stack.push(sum);
        }
        for (entry, kept) in stack.entries.iter().zip(entries.chunks_exact_mut(c)).take(kept) {
            let lanes = f.scatter(f.carry(*entry));
            for (kept, lane) in kept[stream..].iter_mut().zip(&lanes[..F::N]) {
                *kept = *lane;
            }
        }
        true
    }
}
