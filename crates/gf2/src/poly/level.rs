//! The levels of a plan, from whole products down to leaves.
use super::construct::{Chain, Step};
use super::ring::Ring;

/// A level of a [`Plan`](super::Plan): a number of products of two operands of equal size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// The method that makes each of them from products of the next level.
    pub method: Method,
    /// The number of products at this level.
    pub count: usize,
    /// The number of words of an operand, padding included.
    pub words: usize,
}

/// The method that computes the products of a [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// A step of a chain, which splits operands into parts.
    Step(Step),
    /// An additive Fourier transform over this ring.
    Transform(Ring),
    /// A kernel; this is the last level.
    Leaf,
}

impl core::fmt::Display for Method {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Method::Step(step) => step.fmt(f),
            Method::Transform(ring) => write!(f, "additive Fourier transform over {ring:?}"),
            Method::Leaf => f.write_str("leaf"),
        }
    }
}

/// The levels of `count` products by a chain, from the top down to the leaf.
pub(super) fn chain_levels(count: usize, chain: Chain) -> impl Iterator<Item = Level> {
    (0..=chain.steps().len()).map(move |depth| {
        // The steps above multiply the number of products, the steps below give the size of operands.
        let (above, below) = chain.steps().split_at(depth);
        Level {
            method: below.first().map_or(Method::Leaf, |&step| Method::Step(step)),
            count: above.iter().fold(count, |count, step| count * step.products()),
            words: below.iter().rev().fold(chain.leaf(), |words, step| step.words(words)),
        }
    })
}
