//! Long messages: a window of blocks against a table of key powers, in two radices at once.
//!
//! A message block is four words of 32 bits, m = m_0 + 2^32 m_1 + 2^64 m_2 + 2^96 m_3. It is used uncut: the
//! multiplier reads the low half of each 64-bit lane, and one shift brings the high half down. The key carries the
//! weights instead. With P = tau^j and P_i = 2^(32 i) P mod p in five limbs of radix 2^26,
//!
//! ```text
//! m P = m_0 P_0 + m_1 P_1 + m_2 P_2 + m_3 P_3         20 products instead of 25, and no unpacking
//! ```
//!
//! A vector holds N/2 blocks in memory order (one *row*: low word, high word, low word, ...). A window is [`rows`]
//! rows, each with its own powers, so that its lanes may simply be added up:
//!
//! ```text
//! A <- A tau^B + sum over the B = rows N/2 blocks b of the window of m_b tau^(B-b)
//! ```
//!
//! One carry chain serves a window, and the rows do not wait for it. A row takes one load, one shift, 10 products
//! and 10 sums: 21 operations for 16 N/2 bytes. The decimated Horner of `horner` takes 31.5 plus its carries.
//!
//! The pad bits 2^128 of whole blocks are constants of the key for whole windows. The first window may start at any
//! row, which has the effect of zero blocks in front. The table is read at addresses that depend on the length
//! only.
mod rows;

use super::powers::Base;
use crate::base::blocks::BLOCK;
use crate::base::loads16;
use crate::eval::powers::Powers;
use crate::field::LaneField;
use crate::field::lane_sums::store_pairs;
use crate::field::one_lane::SCALAR;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::{self, Fe, KEY_LIMBS, Key, Limbs, Radix26};
use carryless_lanes::{Kernel, Lanes};
pub(crate) use rows::{load_columns, load_row, shifted};
use rows::{store_columns, store_row, unpack_hi, unpack_lo};
use zeroize::{Zeroize, optimization_barrier};

/// Rows of a window on a backend of `n` lanes: 16, or 8 on eight lanes.
///
/// A column grows by two products below 2^32 (2^26 + 2^24) per row. With the pads and the state the columns of 16
/// rows stay below 2^63.25, the limit of [`lanes26::carry`].
pub(crate) const fn rows(n: usize) -> usize {
    if n < 8 { 16 } else { 8 }
}

/// Multiplicands of a row: five columns for the low 32 bits of each lane, five for the high ones.
const ROW_LIMBS: usize = 10;

/// Lanes of the widest backend, for the size of arrays.
const WIDEST: usize = 8;

/// Words of all rows of a table: 16 rows of four lanes or 8 rows of eight.
const ROW_WORDS: usize = 64 * ROW_LIMBS;

/// Powers of tau for one backend, in that backend's layout: 6.1 KiB. As secret as the key; wiped on drop.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct Table {
    /// [`rows`] times [`ROW_LIMBS`] multiplicands, the row with the highest powers first.
    pub(crate) rows: [u64; ROW_WORDS],
    /// The sum of all pads times their powers, as columns: of a whole window, and of a window whose last row is set
    /// aside because its last block is short.
    pub(crate) pads: [[u64; 5 * WIDEST]; 2],
    /// tau^B in every lane, as a stored [`Key`]: it multiplies the state once per window of B blocks.
    pub(crate) step: [u64; KEY_LIMBS * WIDEST],
}

impl Table {
    /// A table of zeros, to be filled by [`Prepare`].
    pub(crate) const EMPTY: Table =
        Table { rows: [0; ROW_WORDS], pads: [[0; 5 * WIDEST]; 2], step: [0; KEY_LIMBS * WIDEST] };
}

impl Zeroize for Table {
    /// Clears all fields by `memset`, then hides them from the optimiser so that the writes are kept. Word by word
    /// would cost more than hashing 4 KiB.
    fn zeroize(&mut self) {
        self.rows.fill(0);
        self.pads.as_flattened_mut().fill(0);
        self.step.fill(0);
        optimization_barrier(self);
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        self.zeroize();
    }
}

/// Fills a table with the powers of tau, from tau^B down to tau.
pub(crate) struct Prepare<'a> {
    pub(crate) point: &'a Base,
    pub(crate) table: &'a mut Table,
}

impl Kernel for Prepare<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) {
        let low = self.point.lane_powers(Radix26(s));
        let gamma = Key::new(s, Radix26(s).lane0(low));
        prepare(s, low, times(s, gamma), self.table);
    }
}

/// Multiplication of every lane by gamma, here tau^N: the step of [`prepare`] from N powers to the next
/// N. The products are carried.
#[inline(always)]
pub(crate) fn times<S: Lanes>(s: S, gamma: Key<S>) -> impl Fn(Fe<S>) -> Fe<S> {
    move |p| lanes26::mul_carry(s, p, &gamma)
}

/// Fills the table from the lane powers tau^N .. tau, two rows at a time, last rows first. `climb` multiplies all
/// lanes by tau^N; proofs return symbolic names instead. Costs one vector product for each two rows after the first.
#[inline(always)]
pub(crate) fn prepare<S: Lanes>(s: S, mut p: Fe<S>, climb: impl Fn(Fe<S>) -> Fe<S>, table: &mut Table) {
    let mut row = rows(S::N);
    loop {
        row -= 2;
        // The N powers in the lanes serve two rows of N/2 blocks each.
        store_two_rows(s, p, row, table);
        // The loop ends here, because no row would use another product.
        if row == 0 {
            break;
        }
        p = climb(p);
    }
    store_pads(s, table);
    // Block 0 of the window, in lane 0, has tau^B.
    let t = lanes26::store(s, p);
    Key::<S>::splat(s, [t[0][0], t[1][0], t[2][0], t[3][0], t[4][0]]).store(s, &mut table.step);
}

/// Computes the pad columns of all rows. The pad of the last block is kept apart, because a short block has none there.
#[inline(always)]
pub(crate) fn store_pads<S: Lanes>(s: S, table: &mut Table) {
    let (row_blocks, last_row) = (S::N / 2, rows(S::N) - 1);
    let low_words = block_ones(s, 0, row_blocks);
    let (last, _) = load_row(s, &table.rows, last_row);
    // The sum is not carried: 16 products below 2^54 per lane and column stay far below 2^63.
    let mut pads = pad_products(s, last, block_ones(s, 0, row_blocks - 1));
    for row in 0..last_row {
        pads = lanes26::add(s, pads, pad_products(s, load_row(s, &table.rows, row).0, low_words));
    }
    let last = pad_products(s, last, block_ones(s, row_blocks - 1, 1));
    store_columns(s, lanes26::add(s, pads, last), &mut table.pads[0]);
    store_columns(s, pads, &mut table.pads[1]);
}

/// Writes rows `row` and `row + 1` from the powers in the lanes of `p`, each with its multiples by 2^32, 2^64 and 2^96.
#[inline(always)]
pub(crate) fn store_two_rows<S: Lanes>(s: S, p: Fe<S>, row: usize, table: &mut Table) {
    let [p0, p1, p2, p3, p4] = p;
    let (wrap4, wrap3, wrap2) = (lanes26::times5(s, p4), lanes26::times5(s, p3), lanes26::times5(s, p2));
    // 2^32 = 2^6 2^26, 2^64 = 2^12 2^52, 2^96 = 2^18 2^78: limbs move up by one, two, three places, times 5 where
    // they wrap. `shifted` bounds the multiples by 2^26 + 2^24, which is what the columns of a window allow.
    let q1 = shifted(s, [wrap4, p0, p1, p2, p3], 6);
    let q2 = shifted(s, [wrap3, wrap4, p0, p1, p2], 12);
    let q3 = shifted(s, [wrap2, wrap3, wrap4, p0, p1], 18);
    // A lane of a row holds the low or the high word of a block, so P and 2^64 P alternate; for high halves 2^32 P
    // and 2^96 P.
    let upper = lanes26::limbs(s, unpack_lo(s, p, q2));
    let lower = lanes26::limbs(s, unpack_hi(s, p, q2));
    store_row(s, upper, lanes26::limbs(s, unpack_lo(s, q1, q3)), &mut table.rows, row);
    store_row(s, lower, lanes26::limbs(s, unpack_hi(s, q1, q3)), &mut table.rows, row + 1);
}

/// One in the low-word lanes of blocks `from` to `from + count - 1` of a row, zero elsewhere.
#[inline(always)]
pub(crate) fn block_ones<S: Lanes>(s: S, from: usize, count: usize) -> S::V {
    let mut w = [0; WIDEST];
    let mut block = from;
    while block < from + count {
        w[2 * block] = 1;
        block += 1;
    }
    s.load_words(&w)
}

/// `ONES_FROM[i]` is one in the low-word lanes of blocks i and later of a row, as [`block_ones`], but for an i that is not a
/// constant: words set one by one would be loaded before they have reached the cache.
const ONES_FROM: [[u64; WIDEST]; WIDEST / 2] = {
    let (mut ones, mut i) = ([[0; WIDEST]; WIDEST / 2], 0);
    while i < WIDEST / 2 {
        let mut block = i;
        while block < WIDEST / 2 {
            ones[i][2 * block] = 1;
            block += 1;
        }
        i += 1;
    }
    ones
};

/// 2^128 P in the lanes where `ones` is one, zero elsewhere. 2^128 = 2^24 2^104, so limbs move up by four places,
/// all but limb 0 times 5.
#[inline(always)]
pub(crate) fn pad_products<S: Lanes>(s: S, p: Limbs<S>, ones: S::V) -> Fe<S> {
    let one = s.limb(s.shl(ones, 24));
    let five = s.limb(s.shl(lanes26::times5(s, ones), 24));
    [s.mul32(p[1], five), s.mul32(p[2], five), s.mul32(p[3], five), s.mul32(p[4], five), s.mul32(p[0], one)]
}

/// Evaluates h tau^l + C_1 tau^l + ... + C_l tau with a prepared table, for l >= N blocks.
pub(crate) struct Window<'a> {
    /// The table, filled on the same backend: its layout differs between backends.
    pub(crate) table: &'a Table,
    /// The value of the blocks before, or `None` for zero, which saves a product.
    pub(crate) h: Option<&'a Element>,
    /// The message. A short last block is padded while it is loaded.
    pub(crate) msg: &'a [u8],
}

impl Kernel for Window<'_> {
    type Out = Element;

    #[inline(always)]
    fn run<S: Lanes>(self, s: S) -> Element {
        let pairs = evaluate(s, self.table, self.h.map(|h| h.limbs26()), self.msg);
        Element(lanes26::fold(SCALAR, &pairs, S::N, None))
    }
}

/// Absorbs all windows. Returns sums of carried lanes in memory, in pairs, as the fold needs them.
#[inline(always)]
pub(crate) fn evaluate<S: Lanes>(s: S, table: &Table, h: Option<[u64; 5]>, msg: &[u8]) -> [[u64; 8]; 3] {
    let (row_blocks, row_bytes) = (S::N / 2, 8 * S::N);
    let window_blocks = rows(S::N) * row_blocks;
    // A row that ends in a short block is set aside. It always is the last row of the last window, so the blocks
    // fill windows from the end.
    let short = msg.len() % BLOCK;
    let aside = if short == 0 { 0 } else { row_bytes - BLOCK + short };
    let first_blocks = (msg.len().div_ceil(BLOCK) - 1) % window_blocks + 1;
    let (msg, last) = msg.split_at(msg.len() - aside);
    // A row set aside may belong to the first window, whose blocks then end with `msg`.
    let (first, windows) = msg.split_at(msg.len().min(first_blocks * BLOCK));

    // `d` is not carried between calls: each window carries it before its own rows, at the latest possible time.
    let mut d = first_window(s, table, h, first, first_blocks);
    let step = Key::<S>::load(s, &table.step);
    for window in windows.chunks(window_blocks * BLOCK) {
        d = next_window(s, table, &step, d, window);
    }
    if !last.is_empty() {
        let keys = load_row(s, &table.rows, rows(S::N) - 1);
        d = add_row(s, d, keys, loads16::last_half(s, last));
        if windows.is_empty() {
            // A first window adds no precomputed pads, so those of the row set aside are still missing; the short
            // block has its own.
            d = lanes26::add(s, d, pad_products(s, keys.0, block_ones(s, 0, row_blocks - 1)));
        }
    }
    store_pairs(s, lanes26::carry(s, d))
}

/// Absorbs a later window: carries d, multiplies it by tau^B and adds all rows. The last row may have been set aside.
#[inline(always)]
pub(crate) fn next_window<S: Lanes>(s: S, table: &Table, step: &Key<S>, d: Fe<S>, window: &[u8]) -> Fe<S> {
    let row_bytes = 8 * S::N;
    let a = lanes26::limbs(s, lanes26::carry(s, d));
    // A shorter window is the last one without its last row, whose pads the second set leaves out.
    let pads = &table.pads[usize::from(window.len() < rows(S::N) * row_bytes)];
    // The sum starts from the pads of all blocks, so whole blocks cost nothing for theirs.
    let mut d = load_columns(s, pads);
    for (row, bytes) in window.chunks_exact(row_bytes).enumerate() {
        d = add_row(s, d, load_row(s, &table.rows, row), s.load(bytes));
    }
    // The state comes last: the rows above do not wait for its carry chain.
    lanes26::mul_add(s, d, a, step)
}

/// Absorbs h and the whole blocks of the first window, of `blocks` blocks. Its first row may hold fewer than N/2.
/// Returns columns that are not carried.
#[inline(always)]
pub(crate) fn first_window<S: Lanes>(
    s: S,
    table: &Table,
    h: Option<[u64; 5]>,
    msg: &[u8],
    blocks: usize,
) -> Fe<S> {
    let (row_blocks, row_bytes) = (S::N / 2, 8 * S::N);
    // Starting at a later row is the same as zero blocks in front: rows before it would add nothing.
    let mut row = rows(S::N) - blocks.div_ceil(row_blocks);
    let missing = (rows(S::N) - row) * row_blocks - blocks;
    let mut d = [s.splat(0); 5];
    if let Some(h) = h {
        let lane = lanes26::in_lane(s, h, 2 * missing);
        // h joins the first block and takes that block's power P_0, which is in the block's low-word lane.
        d = lanes26::mul(s, load_row(s, &table.rows, row).0, &Key::new(s, lane));
    }
    // A row set aside is a whole row of N/2 blocks, so the remainder is that of all blocks.
    let (head, rest) = msg.split_at(msg.len() % row_bytes);
    if missing > 0 {
        // Zero blocks in front.
        let words = s.load_part(head, 2 * missing, S::N - 2 * missing);
        let keys = load_row(s, &table.rows, row);
        d = lanes26::add(s, d, pad_products(s, keys.0, s.load_words(&ONES_FROM[missing])));
        d = add_row(s, d, keys, words);
        row += 1;
    }
    let low_words = block_ones(s, 0, row_blocks);
    for bytes in rest.chunks_exact(row_bytes) {
        let keys = load_row(s, &table.rows, row);
        d = lanes26::add(s, d, pad_products(s, keys.0, low_words));
        d = add_row(s, d, keys, s.load(bytes));
        row += 1;
    }
    d
}

/// Adds a row to the columns: low halves times low keys plus high halves times high keys. 10 products, 10 sums.
#[inline(always)]
pub(crate) fn add_row<S: Lanes>(s: S, d: Fe<S>, (low, high): (Limbs<S>, Limbs<S>), words: S::V) -> Fe<S> {
    // Message words are used as they are in memory: no mask and no radix conversion, only a shift for the high
    // halves.
    let (m_low, m_high) = (s.low32(words), s.high32(words));
    [
        s.add(s.add(d[0], s.mul32(m_low, low[0])), s.mul32(m_high, high[0])),
        s.add(s.add(d[1], s.mul32(m_low, low[1])), s.mul32(m_high, high[1])),
        s.add(s.add(d[2], s.mul32(m_low, low[2])), s.mul32(m_high, high[2])),
        s.add(s.add(d[3], s.mul32(m_low, low[3])), s.mul32(m_high, high[3])),
        s.add(s.add(d[4], s.mul32(m_low, low[4])), s.mul32(m_high, high[4])),
    ]
}
