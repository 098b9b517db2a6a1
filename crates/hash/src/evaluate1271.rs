//! Which kernel serves which length modulo 2^127 - 1, and the running value that streams share.
//!
//! Every kernel computes the same: from a value h and blocks C_1 .. C_l (padded elements of the field),
//! h tau^l + C_1 tau^l + C_2 tau^(l-1) + ... + C_l tau.
use crate::blocks::{tail_words, words15};
use crate::field1271::element::Element;
use crate::field1271::powers::{Base, Ready};
use crate::field1271::word64::{multiply, sum};
use crate::horner::{Horner, best_g};
use crate::wipe::wiped_on_drop;
use carryless_lanes::Cpu;

/// Bytes of a block.
pub(crate) const BLOCK: usize = 15;

/// Up to this length 64-bit words are best on every machine.
const SHORT: usize = 500;
/// From this length on words take two blocks per carry; more blocks gain nothing.
const WORD_PAIRS_FROM: usize = 46;
/// From this length on eight rows per carry chain pay.
const EIGHTS_FROM: usize = 8000;

/// A key for evaluation: the point tau, and the machine that evaluates there.
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

    /// Makes the powers that all longer messages take, if they are not there.
    pub(crate) fn prepare(&mut self) {
        self.base.ready.get_or_insert_with(|| Ready::new(self.base.tau));
    }

    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    pub(crate) fn tau(&self) -> Element {
        self.base.tau
    }

    /// The value of h and all of `msg`, whose last block may be short.
    pub(crate) fn evaluate(&self, h: Element, msg: &[u8]) -> Element {
        if msg.len() <= SHORT || matches!(self.cpu, Cpu::Portable(_)) {
            self.words(h, msg, words_g(msg.len()))
        } else {
            self.rows(h, msg)
        }
    }

    /// In 64-bit words, `g` blocks per carry chain.
    pub(crate) fn words(&self, h: Element, msg: &[u8], g: usize) -> Element {
        if msg.len() > BLOCK {
            return Horner { point: &self.base, h, msg, g }.in_words();
        }
        if msg.is_empty() { h } else { multiply(sum(h, padded(msg)), self.tau()) }
    }

    /// Decimated Horner. Blocks that do not fill a row go ahead in words.
    fn rows(&self, h: Element, msg: &[u8]) -> Element {
        let g = best_g(msg.len(), EIGHTS_FROM);
        let ahead = msg.len().div_ceil(BLOCK) % self.cpu.lanes();
        let (head, msg) = msg.split_at(ahead * BLOCK);
        let h = self.words(h, head, words_g(head.len()));
        let horner = Horner { point: &self.base, h, msg, g };
        self.cpu.call_ifma(horner).unwrap_or_else(|| self.cpu.call(horner))
    }
}

/// Blocks per carry chain that are best in words.
fn words_g(len: usize) -> usize {
    if len < WORD_PAIRS_FROM { 1 } else { 2 }
}

/// A block of 1 to 15 bytes with its pad: a one after its last byte.
pub(crate) fn padded(block: &[u8]) -> Element {
    Element(match block.first_chunk() {
        Some(whole) => {
            let [low, high] = words15(whole);
            [low, high | 1 << 56]
        }
        None => tail_words(block),
    })
}
