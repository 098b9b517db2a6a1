//! Aligns the blocks of 2N messages so that all messages end in the same step. Looks at lengths and bytes only, no
//! vectors.
use crate::base::block_rows::lane_of_block;
use crate::base::blocks::{BLOCK, pad_partial};

/// Messages in one call on the widest backend: two groups of eight lanes.
pub(crate) const WIDEST: usize = 16;

/// The steps of a batch of 2N messages that end together.
pub(crate) struct Plan {
    /// Number of steps: the blocks of the longest message.
    pub(crate) steps: usize,
    /// Steps that remain once every message has begun: the blocks of the shortest message.
    pub(crate) whole_from: usize,
    /// Steps from there on in which every lane has a whole block: all of them, or all but the last if a message
    /// ends in a short block.
    pub(crate) common: usize,
}

impl Plan {
    #[inline(always)]
    pub(crate) fn new(msgs: &[&[u8]]) -> Plan {
        // Equal lengths are the common case and need no search for the shortest.
        let len = msgs[0].len();
        let mut equal = true;
        for msg in msgs {
            equal &= msg.len() == len;
        }
        // All lanes then begin in the first step, and only the last step may have short blocks.
        if equal {
            return Plan { steps: len.div_ceil(BLOCK), whole_from: len.div_ceil(BLOCK), common: len / BLOCK };
        }
        let (mut steps, mut whole_from, mut any_short) = (0, usize::MAX, false);
        for msg in msgs {
            steps = steps.max(msg.len().div_ceil(BLOCK));
            whole_from = whole_from.min(msg.len().div_ceil(BLOCK));
            any_short |= msg.len() % BLOCK != 0;
        }
        // All short blocks are in the last step, which is then not common. An empty message leaves no common step.
        Plan { steps, whole_from, common: whole_from.saturating_sub(usize::from(any_short)) }
    }

    /// The whole blocks of each message in the steps that all lanes share.
    #[inline(always)]
    pub(crate) fn whole<'a>(&self, msgs: &[&'a [u8]]) -> [&'a [[u8; BLOCK]]; WIDEST] {
        let mut whole: [&[[u8; BLOCK]]; WIDEST] = [&[]; WIDEST];
        for (whole, msg) in whole.iter_mut().zip(msgs) {
            // Blocks before `from` belong to earlier steps, which went through `OddBlocks`.
            let from = msg.len().div_ceil(BLOCK) - self.whole_from;
            *whole = &msg.as_chunks().0[from..from + self.common];
        }
        whole
    }
}

/// The blocks of one step in which messages may differ: zero blocks, whole ones or short ones, already padded.
pub(crate) struct OddBlocks {
    blocks: [[[u8; BLOCK]; 1]; WIDEST],
    /// The pad bits 2^128 in the order of lanes: 1 for a whole block, else 0. Those of the second
    /// group follow after N lanes.
    pub(crate) pads: [u64; WIDEST],
}

impl OddBlocks {
    /// Zero blocks without pads, the field's zero, for messages that have not begun.
    pub(crate) const NONE: OddBlocks = OddBlocks { blocks: [[[0; BLOCK]]; WIDEST], pads: [0; WIDEST] };

    /// Fills in the blocks of the step with `left` steps to go, on a backend of `n` lanes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, msgs: &[&[u8]], left: usize, n: usize) {
        // `black_box` keeps LLVM from hoisting the preparation for short blocks to steps that have none.
        let msgs = core::hint::black_box(msgs);
        for (j, (msg, block)) in msgs.iter().zip(&mut self.blocks).enumerate() {
            let (whole, tail) = msg.as_chunks();
            let all = msg.len().div_ceil(BLOCK);
            // This message has not begun: its lane keeps the zero block.
            if left > all {
                continue;
            }
            // Block all - left of this message, counted from 0: its last one is in the step with one to go.
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
