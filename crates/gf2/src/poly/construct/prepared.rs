//! Prepared operands: for an operand of several products, the top levels of a chain compute their sums and values
//! once.
//!
//! Karat3, Karat5 and Toom3 at the top of a chain turn an operand into operands of their products (sums of parts,
//! values at points), and those in turn. A prepared operand has the lowest of these, one after the other. Levels of
//! Karat2 below are not prepared: their sums are as quick as a load.
use super::chain::{Chain, Levels, Step};
use super::karat::parts;
use super::toom::evaluate;
use carryless_lanes::ClmulCpu;

/// The second operand of a product: its words, or those that [`prepare`] made of them.
#[derive(Clone, Copy)]
pub(super) struct Operand<'a> {
    pub(super) words: &'a [u64],
    pub(super) prepared: bool,
}

impl<'a> Operand<'a> {
    pub(super) fn words(words: &'a [u64]) -> Operand<'a> {
        Operand { words, prepared: false }
    }

    /// The operands of the products of one level: already prepared, or made now in `room`.
    pub(super) fn level(self, room: &'a mut [u64], make: impl FnOnce(&[u64], &mut [u64])) -> Operand<'a> {
        // All operands of the level lie there already, in the order in which `make` would write them.
        if self.prepared {
            self
        } else {
            make(self.words, room);
            Operand::words(room)
        }
    }

    /// The operand of product `i` among operands of `n` words, which are multiplied by `levels`.
    pub(super) fn product(self, i: usize, levels: Levels<'_>, n: usize) -> Operand<'a> {
        // Prepared operands are longer than operands where the levels below prepare, too; all of them have
        // equal size.
        let size = if self.prepared { prepared_words(levels, n) } else { n };
        Operand { words: &self.words[i * size..][..size], ..self }
    }
}

/// The step that prepares operands at the top of these levels, and the levels below it. `None` for Karat2 and leaves.
pub(super) fn top(levels: Levels<'_>) -> Option<(Step, Levels<'_>)> {
    match levels.0 {
        [] | [Step::Karat2, ..] => None,
        [step, rest @ ..] => Some((*step, (rest, levels.1))),
    }
}

/// The number of words of a prepared operand of `n` words.
pub(super) fn prepared_words(levels: Levels<'_>, n: usize) -> usize {
    match top(levels) {
        Some((step, below)) => step.products() * prepared_words(below, step.part(n)),
        None => n,
    }
}

/// Prepares `b` for these levels: `out` has [`prepared_words`] words. Scratch holds the points of each level.
fn prepare(cpu: ClmulCpu, levels: Levels<'_>, b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
    let Some((step, below)) = top(levels) else {
        // Karat2 and leaves read an operand as it is.
        out.copy_from_slice(b);
        return;
    };
    let e = step.part(b.len());
    // The points of this level, each prepared for the levels below: in the order in which `Operand::product` finds
    // them.
    let (points, scratch) = scratch.split_at_mut(step.products() * e);
    match step {
        Step::Karat5 => parts::<5>(cpu, b, points),
        Step::Toom3(word) => evaluate(cpu, word.words(), b, points),
        _ => parts::<3>(cpu, b, points),
    }
    let size = prepared_words(below, e);
    for (point, out) in points.chunks_exact(e).zip(out.chunks_exact_mut(size)) {
        prepare(cpu, below, point, out, scratch);
    }
}

impl Chain {
    /// The number of words of a prepared operand of the chain's size.
    pub(crate) fn prepared_words(&self) -> usize {
        prepared_words((self.steps(), self.leaf()), self.words())
    }

    /// Prepares an operand of the chain's size. Takes no more scratch than [`mul`](Chain::mul). The result is
    /// as secret as the operand.
    pub(crate) fn prepare(&self, cpu: ClmulCpu, b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        prepare(cpu, (self.steps(), self.leaf()), b, out, scratch);
    }
}
