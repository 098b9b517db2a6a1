//! A polynomial modulo 2^130 - 5 at a point, by the kernel that [`choose`](crate::choose) picks.
//!
//! Every kernel computes the same: from a value h and blocks C_1 .. C_l (padded elements of the field),
//! h tau^l + C_1 tau^l + C_2 tau^(l-1) + ... + C_l tau.
use crate::bits::{self, WrongBitLength};
use crate::blocks::{BLOCK, tail_words, words};
use crate::choose::{Kernel, WORDS_EVERYWHERE_TO, WORDS_EVERYWHERE_TO_ANY_KEY, choose, thresholds};
use crate::field::Field;
use crate::field1305::element::Element;
use crate::field1305::powers::Base;
use crate::field1305::window::{Prepare, Table, Window};
use crate::field1305::word44::{self, Multiplier};
use crate::field1305::word64::{self, Clamped};
use crate::horner::Horner;
use crate::one_lane::SCALAR;
use crate::wipe::wiped_on_drop;
use carryless_lanes::Cpu;
use core::mem::ManuallyDrop;

/// What the portable machine would run in lanes: no threshold chooses that.
#[cold]
pub(crate) fn words_only<T>() -> T {
    unreachable!("the portable machine takes words")
}

/// A key for evaluation: the point tau, and the machine that evaluates there.
#[derive(Clone)]
pub(crate) struct Point {
    base: Base,
    cpu: Cpu,
}

wiped_on_drop!([] Point { base; cpu });

impl Point {
    /// Any 128-bit key.
    pub(crate) fn new(cpu: Cpu, key: &[u8; 16]) -> Point {
        Point { base: Base { tau: Element::from_bytes(key), clamped: false }, cpu }
    }

    /// The clamped r of Poly1305.
    #[inline]
    pub(crate) fn clamped(cpu: Cpu, r: &[u8; 16]) -> Point {
        Point { base: Base { tau: clamp(r), clamped: true }, cpu }
    }

    pub(crate) fn base(&self) -> &Base {
        &self.base
    }

    pub(crate) fn tau(&self) -> Element {
        self.base.tau
    }

    /// Makes the table of powers for this machine in its place, if the machine has vectors.
    pub(crate) fn prepare(&self, table: &mut Option<ManuallyDrop<Table>>) {
        if !matches!(self.cpu, Cpu::Portable(_)) {
            self.fill(table.insert(ManuallyDrop::new(Table::EMPTY)));
        }
    }

    /// The powers for this machine, which has vectors.
    pub(crate) fn fill(&self, table: &mut Table) {
        self.cpu.call_lanes(Prepare { point: &self.base, table }, || ());
    }

    /// The value of h (zero if there is none) and all of `msg`, whose last block may be short.
    #[inline(always)]
    pub(crate) fn evaluate(&self, h: Option<Element>, msg: &[u8]) -> Element {
        // Within the limit of every table, so that short messages read none.
        if msg.len() <= WORDS_EVERYWHERE_TO_ANY_KEY {
            return self.words(h.unwrap_or(Element::ZERO), msg);
        }
        match choose(thresholds(self.cpu), self.base.clamped, msg.len()) {
            Kernel::Words => self.words(h.unwrap_or(Element::ZERO), msg),
            Kernel::Rows { four_lanes: true, g } => self.rows(self.cpu.at_most_four_lanes(), h, msg, g),
            Kernel::Rows { g, .. } => self.rows(self.cpu, h, msg, g),
            Kernel::Table => self.windows(h, msg),
        }
    }

    /// The value of the first `bits` bits of `msg`: a one follows the last of them, and zeros fill its block.
    pub(crate) fn evaluate_bits(&self, msg: &[u8], bits: u64) -> Result<Element, WrongBitLength> {
        bits::check(msg, bits)?;
        if bits.is_multiple_of(8) {
            return Ok(self.evaluate(None, msg));
        }
        let (whole, tail) = msg.split_at((msg.len() - 1) / BLOCK * BLOCK);
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        block[tail.len() - 1] |= 1 << (bits % 8);
        let h = self.evaluate(None, whole).sum(Element::from_bytes(&block));
        Ok(h.product(self.tau()))
    }

    /// Whether a ready table serves `len` bytes.
    fn table_serves(&self, len: usize) -> bool {
        thresholds(self.cpu).ready_table.contains(&len)
    }

    /// Whether a stream that absorbed so many bytes makes a table, which serves what follows too, for a piece of `len` bytes.
    #[cfg(feature = "alloc")]
    pub(crate) fn table_pays(&self, absorbed: u64, len: usize) -> bool {
        absorbed >= crate::choose::STREAM_PREPARES_AFTER && self.table_serves(len)
    }

    /// With a table of powers that serves this message only.
    #[inline(never)]
    fn windows(&self, h: Option<Element>, msg: &[u8]) -> Element {
        let mut table = Table::EMPTY;
        self.cpu.call_without_ifma(Prepare { point: &self.base, table: &mut table }, || ());
        self.cpu.call_without_ifma(Window { table: &table, h, msg }, words_only)
    }

    /// Decimated Horner, with 52-bit multiply-add where `cpu` has it.
    #[inline(always)]
    fn rows(&self, cpu: Cpu, h: Option<Element>, msg: &[u8], g: usize) -> Element {
        let h = h.unwrap_or(Element::ZERO);
        cpu.call_vectors(Horner { point: &self.base, h, msg, g }, words_only)
    }

    /// Whether [`short`](Point::short) serves a message.
    #[inline(always)]
    pub(crate) fn is_short(&self, msg: &[u8]) -> bool {
        self.base.clamped && msg.len() <= WORDS_EVERYWHERE_TO
    }

    /// The value of h and a short message under a clamped key, without a call.
    #[inline(always)]
    pub(crate) fn short(&self, h: Element, msg: &[u8]) -> Element {
        block_by_block_clamped(self.base.tau, h, msg)
    }

    /// In 64-bit words.
    pub(crate) fn words(&self, h: Element, msg: &[u8]) -> Element {
        if self.base.clamped {
            block_by_block_clamped(self.base.tau, h, msg)
        } else if thresholds(self.cpu).unclamped.word_blocks(msg.len()) == 1 {
            block_by_block(self.base.tau, h, msg)
        } else {
            two_by_two(self.base.tau, h, msg)
        }
    }

    /// [`evaluate`](Point::evaluate) with powers at hand.
    pub(crate) fn evaluate_with(&self, table: Option<&Table>, h: Option<Element>, msg: &[u8]) -> Element {
        match table {
            Some(table) if self.table_serves(msg.len()) => {
                self.cpu.call_lanes(Window { table, h, msg }, words_only)
            }
            _ => self.evaluate(h, msg),
        }
    }
}

/// RFC 8439 clears 22 bits of r.
#[inline(always)]
pub(crate) fn clamp(r: &[u8; 16]) -> Element {
    let r = u128::from_le_bytes(*r) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    Element([r as u64, (r >> 64) as u64, 0])
}

/// A block of 1 to 16 bytes with its pad: a one after its last byte.
#[cfg(any(feature = "plans", test))]
#[inline(always)]
pub(crate) fn padded(block: &[u8]) -> Element {
    let ([low, high], pad) = match block.first_chunk() {
        Some(whole) => (words(whole), 1),
        None => (tail_words(block), 0),
    };
    Element([low, high, pad])
}

/// One block at a time, radix 2^64: clamped keys.
#[inline(always)]
pub(crate) fn block_by_block_clamped(r: Element, h: Element, msg: &[u8]) -> Element {
    let k = Clamped::new(SCALAR, [r.0[0], r.0[1]]);
    let (blocks, tail) = msg.as_chunks::<BLOCK>();
    let mut h = h.0;
    if let Some((first, rest)) = blocks.split_first() {
        h = word64::absorb(SCALAR, h, words(first), 1);
        for block in rest {
            h = word64::step(SCALAR, h, &k, words(block), 1);
        }
        h = word64::step(SCALAR, h, &k, [0; 2], 0);
    }
    if !tail.is_empty() {
        h = word64::absorb(SCALAR, h, tail_words(tail), 0);
        h = word64::step(SCALAR, h, &k, [0; 2], 0);
    }
    Element(h)
}

/// One block at a time, radix 2^44: any key.
fn block_by_block(tau: Element, h: Element, msg: &[u8]) -> Element {
    let k = Multiplier::new(SCALAR, tau.loose());
    let mut h = h.loose();
    let (blocks, tail) = msg.as_chunks::<BLOCK>();
    for block in blocks {
        h = word44::step(SCALAR, h, word44::split(SCALAR, words(block), 1), &k);
    }
    if !tail.is_empty() {
        h = word44::step(SCALAR, h, word44::split(SCALAR, tail_words(tail), 0), &k);
    }
    Element(word44::pack(SCALAR, h))
}

/// Two blocks at a time, radix 2^44: any key.
fn two_by_two(tau: Element, h: Element, msg: &[u8]) -> Element {
    let r1 = Multiplier::new(SCALAR, tau.loose());
    let r2 = Multiplier::new(SCALAR, word44::carry_twice(SCALAR, word44::mul_wide(SCALAR, r1.r, &r1)));
    let mut h = h.loose();
    let (pairs, rest) = msg.as_chunks::<{ 2 * BLOCK }>();
    for pair in pairs {
        let ([a, b], _) = pair.as_chunks::<BLOCK>() else { continue };
        let (a, b) = (word44::split(SCALAR, words(a), 1), word44::split(SCALAR, words(b), 1));
        h = word44::step_two(SCALAR, h, a, b, &r1, &r2);
    }
    let (blocks, tail) = rest.as_chunks::<BLOCK>();
    for block in blocks {
        h = word44::step(SCALAR, h, word44::split(SCALAR, words(block), 1), &r1);
    }
    if !tail.is_empty() {
        h = word44::step(SCALAR, h, word44::split(SCALAR, tail_words(tail), 0), &r1);
    }
    Element(word44::pack(SCALAR, h))
}

/// The two halves of a one-time key.
#[inline(always)]
pub(crate) fn split(key: &[u8; 32]) -> (&[u8; 16], &[u8; 16]) {
    let (halves, _) = key.as_chunks::<16>();
    (&halves[0], &halves[1])
}
