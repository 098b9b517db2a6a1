//! Evaluates a polynomial modulo 2^130 - 5 at a point, by the kernel that [`choose`](crate::choose) selects.
//!
//! Every kernel computes the same value from h and the blocks C_1 .. C_l, padded to elements of the field:
//!
//! ```text
//! h tau^l + C_1 tau^l + C_2 tau^(l-1) + ... + C_l tau
//! ```
//!
//! Which kernel runs depends on the CPU, the length and whether the key is clamped, all of which are public.
use super::horner::InLongGroups;
use super::powers::Base;
use super::ready::{LongTable44, ReadyTable};
use super::window::{Prepare, Table, Window};
use crate::base::blocks::{BLOCK, tail_words, words};
use crate::base::tag::Tag;
use crate::base::wipe::wiped_on_drop;
use crate::choose::{
    Kernel, Thresholds, WORDS_EVERYWHERE_TO, WORDS_EVERYWHERE_TO_ANY_KEY, choose, thresholds,
};
use crate::eval::bits::{self, WrongBitLength};
use crate::eval::dispatch::{call_ifma, words_only};
use crate::eval::horner::Horner;
use crate::field::Field;
use crate::field::groups::LONG_G;
use crate::field::one_lane::SCALAR;
use crate::field::p1305::element::{Element, freeze_plus, reduce};
use crate::field::p1305::word44::{self, Multiplier};
use crate::field::p1305::word64::{self, Clamped};
use carryless_lanes::Cpu;
use core::borrow::{Borrow, BorrowMut};
use core::mem::ManuallyDrop;

/// A key ready for evaluation: the point tau, and the backend on which to evaluate.
#[derive(Clone)]
pub(crate) struct Point {
    base: Base,
    cpu: Cpu,
}

wiped_on_drop!([] Point { base; cpu });

impl Point {
    /// A point from any key.
    #[inline]
    pub(crate) fn new(cpu: Cpu, tau: Element) -> Point {
        Point { base: Base { tau, clamped: false }, cpu }
    }

    /// A point from the r of Poly1305, clamped here as RFC 8439, section 2.5 requires.
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

    /// The table of key powers, if the backend has vectors. It is filled in place in `table`.
    pub(crate) fn prepare<W, L>(&self, table: &mut Option<ReadyTable<W, L>>)
    where
        W: From<ManuallyDrop<Table>> + BorrowMut<ManuallyDrop<Table>>,
        L: From<LongTable44> + BorrowMut<LongTable44>,
    {
        if !matches!(self.cpu, Cpu::Portable(_)) {
            let cpu = self.table_cpu(thresholds(self.cpu));
            table.insert(ReadyTable::empty(self.cpu)).fill(cpu, &self.base);
        }
    }

    /// The backend for which tables are made.
    #[inline(always)]
    fn table_cpu(&self, thresholds: &Thresholds) -> Cpu {
        if thresholds.table_on_four_lanes { self.cpu.at_most_four_lanes() } else { self.cpu }
    }

    /// Absorbs all of `msg` into `h`, or into zero if `h` is `None`. The last block may be short.
    /// The result is below 2p.
    ///
    /// h is a reference wherever a call may pass it through memory: the copy of a value that was just stored would wait
    /// until it has reached the cache, and all calls behind it would wait, too.
    #[inline(always)]
    pub(crate) fn evaluate(&self, h: Option<&Element>, msg: &[u8]) -> Element {
        // No table of thresholds takes lanes at these lengths, so short messages do not read one.
        if msg.len() <= WORDS_EVERYWHERE_TO_ANY_KEY {
            return self.words(h.map_or(Element::ZERO, |h| h.copied()), msg);
        }
        self.by(choose(thresholds(self.cpu), self.base.clamped, msg.len()), h, msg)
    }

    /// [`evaluate`](Point::evaluate) by this kernel, which [`choose`] returned.
    #[inline(always)]
    fn by(&self, kernel: Kernel, h: Option<&Element>, msg: &[u8]) -> Element {
        match kernel {
            Kernel::Words => self.words(h.map_or(Element::ZERO, |h| h.copied()), msg),
            // Only tables of backends with multiply-add select long groups, which need it.
            Kernel::Rows { four_lanes, g: LONG_G } => self.long_rows(four_lanes, h, msg),
            Kernel::Rows { four_lanes: true, g } => self.rows(self.cpu.at_most_four_lanes(), h, msg, g),
            Kernel::Rows { g, .. } => self.rows(self.cpu, h, msg, g),
            Kernel::Table => self.windows(h, msg),
        }
    }

    /// The value of the first `bits` bits of `msg`, as in [`bits::evaluate`].
    pub(crate) fn evaluate_bits(&self, msg: &[u8], bits: u64) -> Result<Element, WrongBitLength> {
        bits::evaluate(self.tau(), msg, bits, |msg| self.evaluate(None, msg))
    }

    /// The backend of tables, if a ready one is the fastest choice for a message of `len` bytes.
    #[inline(always)]
    pub(crate) fn table_serves(&self, len: usize) -> Option<Cpu> {
        let thresholds = thresholds(self.cpu);
        let lengths =
            if self.base.clamped { &thresholds.ready_table_clamped } else { &thresholds.ready_table };
        lengths.contains(&len).then(|| self.table_cpu(thresholds))
    }

    /// Builds a table of key powers for this message only, evaluates with it and wipes it.
    #[inline(never)]
    fn windows(&self, h: Option<&Element>, msg: &[u8]) -> Element {
        // Never inlined: the table takes 6 KiB of stack, which other kernels should not reserve.
        let mut table = Table::EMPTY;
        // Both calls take the same backend, because the layout of the table depends on it.
        self.cpu.without_ifma().call(Prepare { point: &self.base, table: &mut table }, || ());
        self.cpu.without_ifma().call(Window { table: &table, h, msg }, words_only)
    }

    /// Decimated Horner on `cpu` with `g` rows per carry chain; radix 2^44 if `cpu` has
    /// 52-bit multiply-add, else radix 2^26.
    #[inline(always)]
    fn rows(&self, cpu: Cpu, h: Option<&Element>, msg: &[u8], g: usize) -> Element {
        cpu.vectors().call(Horner { point: &self.base, h, msg, g }, words_only)
    }

    /// [`rows`](Point::rows) for long groups. Never inlined, so that the frame of shorter messages stays small.
    #[inline(never)]
    fn long_rows(&self, four_lanes: bool, h: Option<&Element>, msg: &[u8]) -> Element {
        let cpu = if four_lanes { self.cpu.at_most_four_lanes() } else { self.cpu };
        call_ifma(cpu, InLongGroups(Horner { point: &self.base, h, msg, g: LONG_G }))
    }

    /// True if `msg` is short enough, and the key clamped, for [`short`](Point::short).
    #[inline(always)]
    pub(crate) fn is_short(&self, msg: &[u8]) -> bool {
        self.base.clamped && msg.len() <= WORDS_EVERYWHERE_TO
    }

    /// Absorbs a short message under a clamped key, inlined into the caller so that h stays in registers.
    #[inline(always)]
    pub(crate) fn short(&self, h: Option<Element>, msg: &[u8]) -> Element {
        block_by_block_clamped(self.base.tau, h, msg)
    }

    /// The tag of a short message under a clamped key, or of its end after the value h, as a number.
    #[inline(always)]
    pub(crate) fn short_tag(&self, h: Option<Element>, msg: &[u8], s: &[u8; 16]) -> u128 {
        frozen_plus(last_product(self.base.tau, h, msg), s)
    }

    /// Evaluates in 64-bit words, without vectors. A clamped key takes 4 wide multiplications a block in radix
    /// 2^64, any other key 9 in radix 2^44.
    pub(crate) fn words(&self, h: Element, msg: &[u8]) -> Element {
        if self.base.clamped {
            block_by_block_clamped(self.base.tau, Some(h), msg)
        } else if thresholds(self.cpu).unclamped.word_blocks(msg.len()) == 1 {
            block_by_block(self.base.tau, h, msg)
        } else {
            two_by_two(self.base.tau, h, msg)
        }
    }

    /// The value by the powers of `table` where it is present and pays for this length.
    #[inline(always)]
    pub(crate) fn with_table<W, L>(
        &self,
        table: Option<&ReadyTable<W, L>>,
        h: Option<&Element>,
        msg: &[u8],
    ) -> Option<Element>
    where
        W: Borrow<ManuallyDrop<Table>>,
        L: Borrow<LongTable44>,
    {
        // The table has the layout of the backend for which it was made, so that one must evaluate.
        let (table, cpu) = (table?, self.table_serves(msg.len())?);
        Some(table.evaluate(cpu, h, msg))
    }
}

/// Clears the 22 bits of r that RFC 8439, section 2.5 requires to be zero.
#[inline(always)]
pub(crate) fn clamp(r: &[u8; 16]) -> Element {
    // The top four bits of each 32-bit word, and the low two of the upper three words.
    let r = u128::from_le_bytes(*r) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
    Element([r as u64, (r >> 64) as u64, 0])
}

/// Horner's rule one block at a time in radix 2^64, for clamped keys: four wide multiplications a block. A new message
/// has no `h`, and its first block is not added to anything.
#[inline(always)]
pub(crate) fn block_by_block_clamped(r: Element, h: Option<Element>, msg: &[u8]) -> Element {
    Element(reduce(SCALAR, last_product(r, h, msg)))
}

/// [`block_by_block_clamped`] with the last product not reduced: the upper word is below 2^63.
#[inline(always)]
fn last_product(r: Element, h: Option<Element>, msg: &[u8]) -> [u64; 3] {
    let k = Clamped::new(SCALAR, [r.0[0], r.0[1]]);
    let (blocks, tail) = msg.as_chunks::<BLOCK>();
    let absorb = |h: Option<Element>, [m0, m1]: [u64; 2], pad| match h {
        Some(h) => word64::absorb(SCALAR, h.0, [m0, m1], pad),
        None => [m0, m1, pad],
    };
    let mut last = h.map(|h| h.0);
    // The loop is rotated: each step multiplies what is absorbed so far and adds the next block to the product. So
    // the addition runs before the last carry is known; see `word64::step`.
    if let Some((first, rest)) = blocks.split_first() {
        let mut sum = absorb(h, words(first), 1);
        for block in rest {
            sum = word64::step(SCALAR, sum, &k, words(block), 1);
        }
        last = Some(word64::product(SCALAR, sum, &k));
    }
    if !tail.is_empty() {
        // Reduced, h2 <= 4 for the absorb. The words of a short block contain its pad, hence 0 for the bit 2^128.
        let h = last.map(|h| Element(reduce(SCALAR, h)));
        last = Some(word64::product(SCALAR, absorb(h, tail_words(tail), 0), &k));
    }
    last.unwrap_or([0; 3])
}

/// Horner's rule one block at a time in radix 2^44, for any key: nine wide multiplications and one carry chain a block.
fn block_by_block(tau: Element, h: Element, msg: &[u8]) -> Element {
    let k = Multiplier::new(SCALAR, tau.loose());
    // `step` returns h within the bounds it takes, so the loop may have any length (`proofs/bounds.md`).
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

/// Horner's rule two blocks at a time in radix 2^44, for any key: 18 wide multiplications and one carry for two
/// blocks. The product of the second block does not wait for the first.
fn two_by_two(tau: Element, h: Element, msg: &[u8]) -> Element {
    let r1 = Multiplier::new(SCALAR, tau.loose());
    // r^2 costs one product per message. Every pair of blocks then saves one of two reductions.
    let r2 = Multiplier::new(SCALAR, word44::carry_twice(SCALAR, word44::mul_wide(SCALAR, r1.r, &r1)));
    let mut h = h.loose();
    let (pairs, rest) = msg.as_chunks::<{ 2 * BLOCK }>();
    for pair in pairs {
        // A pair always has two blocks, so nothing is skipped. The pattern spares an index that could panic.
        let ([a, b], _) = pair.as_chunks::<BLOCK>() else { continue };
        let (a, b) = (word44::split(SCALAR, words(a), 1), word44::split(SCALAR, words(b), 1));
        h = word44::step_two(SCALAR, h, a, b, &r1, &r2);
    }
    // At most one whole block and a short one are left.
    let (blocks, tail) = rest.as_chunks::<BLOCK>();
    for block in blocks {
        h = word44::step(SCALAR, h, word44::split(SCALAR, words(block), 1), &r1);
    }
    if !tail.is_empty() {
        h = word44::step(SCALAR, h, word44::split(SCALAR, tail_words(tail), 0), &r1);
    }
    Element(word44::pack(SCALAR, h))
}

/// The tag: the canonical residue of `h` plus s, modulo 2^128, little-endian (RFC 8439, section 2.5).
#[inline(always)]
pub(crate) fn add_mask(h: Element, s: &[u8; 16]) -> Tag {
    tag_of(masked(h, s))
}

/// The canonical residue of `h` plus s as a number. The sum is taken modulo 2^128, not modulo p: its carry is dropped.
#[inline(always)]
pub(crate) fn masked(h: Element, s: &[u8; 16]) -> u128 {
    frozen_plus(h.0, s)
}

/// [`masked`] of three words of which the upper one is below 2^63.
#[inline(always)]
fn frozen_plus(h: [u64; 3], s: &[u8; 16]) -> u128 {
    let [t0, t1] = freeze_plus(SCALAR, h, words(s));
    u128::from(t0) | u128::from(t1) << 64
}

/// The tag that is this number, little-endian.
#[inline(always)]
pub(crate) fn tag_of(number: u128) -> Tag {
    Tag::from(number.to_le_bytes())
}

/// The tag of one message of at most [`WORDS_EVERYWHERE_TO`] bytes as a number. All tables use words up to this length,
/// so it needs no CPU detection. Never inlined, so that one copy serves all callers.
///
/// A number is returned in two registers. A [`Tag`] would be returned through memory as two words, and the caller
/// would copy it by a load of 16 bytes, which waits for both stores to reach the cache: some 15 cycles.
#[inline(never)]
pub(crate) fn mac_in_words(key: &[u8; 32], msg: &[u8]) -> u128 {
    let (r, s) = split(key);
    frozen_plus(last_product(clamp(r), None, msg), s)
}

/// The tag of one message on the best backend of this CPU, as [`mac_in_words`] returns it.
#[inline(never)]
pub(crate) fn mac_detected(key: &[u8; 32], msg: &[u8]) -> u128 {
    mac_chosen(Cpu::detect(), key, msg)
}

/// [`mac_detected`] on a backend of the caller's choice.
#[inline(never)]
pub(crate) fn mac_of_one(cpu: Cpu, key: &[u8; 32], msg: &[u8]) -> u128 {
    mac_chosen(cpu, key, msg)
}

/// The tag by the kernel that the length and the CPU choose.
#[inline(always)]
fn mac_chosen(cpu: Cpu, key: &[u8; 32], msg: &[u8]) -> u128 {
    match choose(thresholds(cpu), true, msg.len()) {
        // Called, so that this code is in the program once.
        Kernel::Words => mac_in_words(key, msg),
        kernel => {
            let (r, s) = split(key);
            masked(Point::clamped(cpu, r).by(kernel, None, msg), s)
        }
    }
}

/// Splits a one-time key into r and s, 16 bytes each (RFC 8439, section 2.5).
#[inline(always)]
pub(crate) fn split(key: &[u8; 32]) -> (&[u8; 16], &[u8; 16]) {
    // 32 bytes are two chunks and no rest; indices of an array need no check.
    let (halves, _) = key.as_chunks::<16>();
    (&halves[0], &halves[1])
}
