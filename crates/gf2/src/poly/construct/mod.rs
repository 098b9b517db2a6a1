//! Constructions over slices of words: how a long product becomes short ones.
//!
//! Recursion runs over plain slices; every pass and every leaf is dispatched to the backend by `call`. All of
//! it is constant time: the operations depend on sizes only. Functions take scratch from the caller, overwrite it,
//! and leave secrets in it.
pub(super) mod alone;
mod chain;
mod descent;
mod interleaved;
pub(crate) mod karat;
mod leaves;
mod level;
mod passes;
mod prepared;
#[cfg(test)]
mod proofs;
mod single;
mod streams;
mod thirds;
mod toom;

use carryless_lanes::ClmulCpu;
pub(super) use chain::{Chain, LEVELS};
pub use chain::{Step, ToomWord};
pub(super) use leaves::ONE;
pub(crate) use leaves::{METHOD, Method};
pub(super) use passes::{add_to, copy, copy_both};
use prepared::Operand;
pub(super) use single::{Halves, Partial, Rows, Single};

impl Chain {
    /// `out = a b`, for operands of [`words`](Chain::words) words. Overwrites all of `out`, twice as many words.
    pub(super) fn mul(&self, cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64], scratch: &mut [u64]) {
        descent::product(cpu, (self.steps(), self.leaf()), a, Operand::words(b), out, scratch);
    }

    /// `out = a b`, for a second operand that [`prepare`](Chain::prepare) prepared. Otherwise as [`mul`](Chain::mul).
    pub(super) fn mul_prepared(
        &self,
        cpu: ClmulCpu,
        a: &[u64],
        prepared: &[u64],
        out: &mut [u64],
        scratch: &mut [u64],
    ) {
        let b = Operand { words: prepared, prepared: true };
        descent::product(cpu, (self.steps(), self.leaf()), a, b, out, scratch);
    }

    /// The words of scratch that [`mul`](Chain::mul) takes on a backend of `k` lanes.
    pub(super) const fn scratch_words(&self, k: usize) -> usize {
        descent::product_scratch((self.steps(), self.leaf()), self.words(), k)
    }
}

/// `out_i = a_i b_i`, for operands of the chain's size, one after the other in all three slices. Several at once in
/// lanes, where the chain allows it.
pub(super) fn products(
    chain: &Chain,
    cpu: ClmulCpu,
    a: &[u64],
    b: &[u64],
    out: &mut [u64],
    scratch: &mut [u64],
) {
    let levels = (chain.steps(), chain.leaf());
    descent::batch(cpu, levels, chain.words(), a, Operand::words(b), out, scratch);
}

/// The words of scratch that [`products`] takes on a backend of `k` lanes.
pub(super) const fn products_scratch(chain: &Chain, k: usize) -> usize {
    descent::batch_scratch((chain.steps(), chain.leaf()), chain.words(), k)
}
