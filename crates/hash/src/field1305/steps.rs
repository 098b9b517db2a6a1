//! Which blocks of 2N messages stand beside each other when all end together. Lengths and bytes only, no vectors.
use crate::block_rows::lane_of_block;
use crate::blocks::{BLOCK, pad_partial};

/// Messages that the widest machine takes at once: two groups of eight.
pub(crate) const WIDEST: usize = 16;

/// The steps of 2N messages, aligned at their ends.
pub(crate) struct Plan {
    /// Steps: the blocks of the longest message.
    pub(crate) steps: usize,
    /// The steps that are left when every message has begun.
    pub(crate) whole_from: usize,
    /// How many steps from there on have a whole block in every lane: all, or all but the last.
    pub(crate) common: usize,
}

impl Plan {
    #[inline(always)]
    pub(crate) fn new(msgs: &[&[u8]]) -> Plan {
        let len = msgs[0].len();
        let mut equal = true;
        for msg in msgs {
            equal &= msg.len() == len;
        }
        if equal {
            return Plan { steps: len.div_ceil(BLOCK), whole_from: len.div_ceil(BLOCK), common: len / BLOCK };
        }
        let (mut steps, mut whole_from, mut any_short) = (0, usize::MAX, false);
        for msg in msgs {
            steps = steps.max(msg.len().div_ceil(BLOCK));
            whole_from = whole_from.min(msg.len().div_ceil(BLOCK));
            any_short |= msg.len() % BLOCK != 0;
        }
        Plan { steps, whole_from, common: whole_from.saturating_sub(usize::from(any_short)) }
    }

    /// The whole blocks of each message from there on.
    #[inline(always)]
    pub(crate) fn whole<'a>(&self, msgs: &[&'a [u8]]) -> [&'a [[u8; BLOCK]]; WIDEST] {
        let mut whole: [&[[u8; BLOCK]]; WIDEST] = [&[]; WIDEST];
        for (whole, msg) in whole.iter_mut().zip(msgs) {
            let from = msg.len().div_ceil(BLOCK) - self.whole_from;
            *whole = &msg.as_chunks().0[from..from + self.common];
        }
        whole
    }
}

/// What the messages bring in one step: zero blocks, whole ones or short ones.
pub(crate) struct OddBlocks {
    blocks: [[[u8; BLOCK]; 1]; WIDEST],
    /// The pad bits 2^128, where the lanes want them; those of the second group after N lanes.
    pub(crate) pads: [u64; WIDEST],
}

impl OddBlocks {
    /// Nothing but zero blocks.
    pub(crate) const NONE: OddBlocks = OddBlocks { blocks: [[[0; BLOCK]]; WIDEST], pads: [0; WIDEST] };

    /// The step with `left` steps to go, on a machine of `n` lanes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, msgs: &[&[u8]], left: usize, n: usize) {
        // Else the compiler prepares for short blocks where there are none.
        let msgs = core::hint::black_box(msgs);
        for (j, (msg, block)) in msgs.iter().zip(&mut self.blocks).enumerate() {
            let (whole, tail) = msg.as_chunks();
            let all = msg.len().div_ceil(BLOCK);
            if left > all {
                continue;
            }
            if let Some(this) = whole.get(all - left) {
                *block = [*this];
                self.pads[j / n * n + lane_of_block(n, j % n)] = 1;
            } else {
                *block = [pad_partial(tail)];
            }
        }
    }

    #[inline(always)]
    pub(crate) fn each(&self) -> [&[[u8; BLOCK]]; WIDEST] {
        let mut each: [&[[u8; BLOCK]]; WIDEST] = [&[]; WIDEST];
        for (each, block) in each.iter_mut().zip(&self.blocks) {
            *each = block;
        }
        each
    }
}
