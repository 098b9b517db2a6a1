//! Evaluates a polynomial modulo 2^127 - 1 at a point, by the kernel that [`choose`](crate::choose) selects.
//!
//! Every kernel computes the same value from h and the blocks C_1 .. C_l, padded to elements of the field:
//!
//! ```text
//! h tau^l + C_1 tau^l + C_2 tau^(l-1) + ... + C_l tau
//! ```
use super::powers::{Base, Ready};
use crate::base::blocks::{tail_words, words15};
use crate::base::loads15::BLOCK;
use crate::base::wipe::wiped_on_drop;
use crate::choose::{Horner as Thresholds, thresholds};
use crate::eval::bits::{self, WrongBitLength};
use crate::eval::dispatch::words_only;
use crate::eval::horner::Horner;
use crate::field::p1271::element::Element;
use crate::field::p1271::word64::{multiply, sum};
use carryless_lanes::Cpu;

/// A key ready for evaluation: the point tau, and the backend on which to evaluate.
#[derive(Clone)]
pub(crate) struct Point {
    base: Base,
    cpu: Cpu,
}

wiped_on_drop!([] Point { base; cpu });

impl Point {
    pub(crate) fn new(cpu: Cpu, tau: Element) -> Point {
        Point { base: Base { tau, ready: None }, cpu }
    }

    /// Computes tau^1 to tau^32 if they are not there yet: 31 products. All later evaluations in lanes use them.
    pub(crate) fn prepare(&mut self) {
        self.base.ready.get_or_insert_with(|| Ready::new(self.base.tau));
    }

    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    pub(crate) fn tau(&self) -> Element {
        self.base.tau
    }

    /// Absorbs all of `msg` into `h`. The last block may be short. The result is below 2p.
    pub(crate) fn evaluate(&self, h: Element, msg: &[u8]) -> Element {
        let horner = &thresholds(self.cpu).horner1271;
        if msg.len() <= horner.words_to {
            self.words(h, msg, horner.word_blocks(msg.len()))
        } else {
            self.rows(h, msg, horner)
        }
    }

    /// The value of the first `bits` bits of `msg`, as in [`bits::evaluate`].
    pub(crate) fn evaluate_bits(&self, msg: &[u8], bits: u64) -> Result<Element, WrongBitLength> {
        bits::evaluate(self.tau(), msg, bits, |msg| self.evaluate(Element::ZERO, msg))
    }

    /// Evaluates in 64-bit words with one carry for `g` blocks: four wide multiplications a block.
    pub(crate) fn words(&self, h: Element, msg: &[u8], g: usize) -> Element {
        if msg.len() > BLOCK {
            return Horner { point: &self.base, h: Some(&h), msg, g }.in_words();
        }
        // A single block needs no key beyond tau and no loop: one product.
        if msg.is_empty() { h } else { multiply(sum(h, padded(msg)), self.tau()) }
    }

    /// Decimated Horner in lanes. The first l mod N blocks, which do not fill a row, go through the scalar kernel,
    /// so that no lane is idle.
    fn rows(&self, h: Element, msg: &[u8], thresholds: &Thresholds) -> Element {
        let g = thresholds.rows(msg.len());
        // The number of blocks after them is a multiple of N, so the first row is full.
        let ahead = msg.len().div_ceil(BLOCK) % self.cpu.lanes();
        let (head, msg) = msg.split_at(ahead * BLOCK);
        let h = self.words(h, head, thresholds.word_blocks(head.len()));
        self.cpu.eight_lane_ifma().call(Horner { point: &self.base, h: Some(&h), msg, g }, words_only)
    }
}

/// An element from a block of 1 to 15 bytes: its bytes, little-endian, and a one bit after the last.
pub(crate) fn padded(block: &[u8]) -> Element {
    Element(match block.first_chunk() {
        Some(whole) => {
            // The block has 56 bits in its upper word, so its pad 2^120 is bit 56 there.
            let [low, high] = words15(whole);
            [low, high | 1 << 56]
        }
        None => tail_words(block),
    })
}
