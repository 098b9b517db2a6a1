//! Messages of at most N blocks in one row with zero blocks in front, as in paper 001.
//!
//! 64-bit words are faster at these lengths, so only those who reproduce the paper's tables select it.
use crate::base::blocks::{tail_words, words};
use crate::eval::powers::{Powers, descending};
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::Radix26;
use crate::field::p1305::lanes44::Radix44;
use crate::field::{Field, LaneField};
use carryless_lanes::{Ifma, IfmaKernel, Kernel, Lanes};

/// Evaluates C_1 tau^l + ... + C_l tau for 1 to N blocks: one vector product and one carry chain.
pub(crate) struct OneRow<'a, P: Powers> {
    /// The point tau, with any precomputed powers.
    pub(crate) point: &'a P,
    /// The message, 1 to N blocks, of which the last may be short.
    pub(crate) msg: &'a [u8],
}

impl<P: Powers> OneRow<'_, P> {
    /// Evaluates over any arithmetic in lanes. `padded` makes an element from a block.
    #[inline(always)]
    pub(crate) fn in_field<F: LaneField<Element = P::Element>>(
        self,
        f: F,
        padded: impl Fn(&[u8]) -> P::Element,
    ) -> P::Element {
        let mut row = [P::Element::from_word(0); 8];
        let blocks = self.msg.chunks(P::Element::BLOCK);
        // Zero blocks in front, so that the last block always meets the lane of tau.
        let front = F::N - blocks.len().min(F::N);
        for (element, block) in row[front..].iter_mut().zip(blocks) {
            *element = padded(block);
        }
        // Zero blocks may meet any multiplier, so powers above tau^l are not computed.
        let powers = match self.point.ready() {
            [] => &self.point.chain((F::N - front).next_power_of_two())[..],
            ready => ready,
        };
        // `descending` gives the last block tau and the block before it tau^2, so the sum of the lanes is the
        // value.
        let d = f.mul(f.in_lanes(&row), &f.key(descending(f, powers)));
        f.fold(f.carry(d))
    }
}

impl<P: Powers<Element = Element>> Kernel for OneRow<'_, P> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        self.in_field(Radix26(s), padded)
    }
}

impl<P: Powers<Element = Element>> IfmaKernel for OneRow<'_, P> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Ifma>(self, s: S) -> Element {
        self.in_field(Radix44(s), padded)
    }
}

/// An element from a block of 1 to 16 bytes: its bytes, little-endian, and a one bit after the last.
#[inline(always)]
fn padded(block: &[u8]) -> Element {
    let ([low, high], pad) = match block.first_chunk() {
        Some(whole) => (words(whole), 1),
        None => (tail_words(block), 0),
    };
    Element([low, high, pad])
}
