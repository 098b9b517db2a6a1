//! The levels of a plan, from whole products down to leaves.
use super::construct::{Chain, Step};
use super::fft::Ring;

/// A level of a [`Plan`](super::Plan): so many products of two operands of the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// What computes each of them from those of the next level.
    pub method: Method,
    /// How many.
    pub count: usize,
    /// The words of an operand, padding included.
    pub words: usize,
}

/// What computes the products of a [`Level`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// A step of a chain.
    Step(Step),
    /// An additive Fourier transform over this ring.
    Transform(Ring),
    /// A kernel: this is the last level.
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

/// The levels of so many products by a chain.
pub(super) fn chain_levels(count: usize, chain: Chain) -> impl Iterator<Item = Level> {
    (0..=chain.steps().len()).map(move |depth| {
        let (above, below) = chain.steps().split_at(depth);
        Level {
            method: below.first().map_or(Method::Leaf, |&step| Method::Step(step)),
            count: above.iter().fold(count, |count, step| count * step.products()),
            words: below.iter().rev().fold(chain.leaf(), |words, step| step.words(words)),
        }
    })
}
