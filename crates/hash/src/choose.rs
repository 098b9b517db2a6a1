//! Dispatch: the message lengths at which another kernel becomes faster, one table per class of CPU, and the choice
//! itself.
//!
//! Thresholds affect speed only; all kernels compute the same value. Each table was measured on the CPU that its
//! comment names, by `carryless-bench` with forced kernels (book/src/laboratory.md). The choice depends on the CPU, the
//! length and the kind of key, never on secret data.
mod kernels;
pub(crate) mod plan;

use crate::field::groups::{LONG_G, MAX_G};
use carryless_lanes::{Cpu, CpuClass};
use core::ops::Range;
pub use kernels::{Choice, KERNEL_CHANGES, kernel_for};
pub(crate) use kernels::{NO_TABLE_TO, WORDS_EVERYWHERE_TO, WORDS_EVERYWHERE_TO_ANY_KEY};

/// A threshold that no length reaches.
const NEVER: usize = usize::MAX;

/// Thresholds [`rows_from`](Horner::rows_from) for groups of sixteen rows at every length.
const LONG_GROUPS: [usize; 5] = [NEVER, NEVER, NEVER, NEVER, 0];

/// The thresholds of one class of CPU. Lengths are in bytes unless stated otherwise.
pub(crate) struct Thresholds {
    /// On a backend of eight lanes, the table of the same backend restricted to
    /// [four lanes](Cpu::at_most_four_lanes), for shorter messages.
    pub(crate) four_lanes: Option<&'static Thresholds>,
    /// Horner's rule modulo 2^130 - 5 under a clamped key (Poly1305).
    pub(crate) clamped: Horner,
    /// Horner's rule modulo 2^130 - 5 under any key (polyHash1305).
    pub(crate) unclamped: Horner,
    /// Horner's rule modulo 2^127 - 1 (polyHash1271).
    pub(crate) horner1271: Horner,
    /// From this length on a table of key powers pays for itself within one message.
    pub(crate) table_from: usize,
    /// The lengths at which a table that is already built beats every other kernel, under any key.
    pub(crate) ready_table: Range<usize>,
    /// The same under a clamped key, for which words are faster.
    pub(crate) ready_table_clamped: Range<usize>,
    /// On a backend of eight lanes: whether such a table is made for four
    /// lanes, as [`at_most_four_lanes`](Cpu::at_most_four_lanes) returns them.
    pub(crate) table_on_four_lanes: bool,
    /// c-decBRWHash modulo 2^130 - 5.
    pub(crate) brw1305: Brw,
    /// c-decBRWHash modulo 2^127 - 1.
    pub(crate) brw1271: Brw,
}

/// Thresholds of a polynomial by Horner's rule.
pub(crate) struct Horner {
    /// Up to and including this length 64-bit words are fastest.
    pub(crate) words_to: usize,
    /// In words: from this length on two blocks share a carry chain.
    pub(crate) word_pairs_from: usize,
    /// From this length on eight lanes are faster than four. Shorter messages use the
    /// thresholds of the four-lane table.
    pub(crate) eight_lanes_from: usize,
    /// In lanes: the lengths from which two, three, four, eight and sixteen rows share a carry chain.
    pub(crate) rows_from: [usize; 5],
}

/// Thresholds of a BRW hash.
pub(crate) struct Brw {
    /// Rows from which streams that fill the lanes are faster in lanes than in words: for up to
    /// four, eight and sixteen streams.
    pub(crate) lanes_from_rows: [usize; 3],
    /// For up to four streams: the length from which eight lanes, two runs of rows side by side, are faster than four.
    pub(crate) eight_lanes_from: usize,
    /// In lanes: t, where a leaf of the product tree has 2^t - 1 blocks.
    pub(crate) t_in_lanes: usize,
    /// In words: leaves have three blocks (t = 2) below this length, and seven (t = 3) from there on.
    pub(crate) seven_in_words_from: usize,
    /// From this length on an update of a stream is faster in lanes than in words.
    pub(crate) update_in_lanes_from: usize,
}

/// The most rows that groups of sixteen rows serve, for four streams in four lanes. Longer messages gain more from leaves
/// of seven rows than they lose to clearing the stack.
pub(crate) const FEW_ROWS: u64 = 255;
/// Bytes after which a stream computes key powers for the rest of its message.
pub(crate) const STREAM_PREPARES_AFTER: u64 = 4096;
/// Blocks from which a message of a batch is hashed alone: kernels for one message are as fast from there on.
pub(crate) const BATCH_TO_BLOCKS: usize = 96;
/// Average number of blocks from which sorting the messages of a batch by length pays.
pub(crate) const BATCH_SORTED_FROM_BLOCKS: usize = 8;

/// The thresholds of Horner's rule, field by field.
const fn horner(
    words_to: usize,
    word_pairs_from: usize,
    eight_lanes_from: usize,
    rows_from: [usize; 5],
) -> Horner {
    Horner { words_to, word_pairs_from, eight_lanes_from, rows_from }
}

/// Four lanes (AVX2), measured on Zen 3. Two lanes (NEON, WebAssembly) take the same.
const FOUR_LANES: Thresholds = Thresholds {
    four_lanes: None,
    clamped: horner(287, NEVER, 0, [0, NEVER, 3000, NEVER, NEVER]),
    unclamped: horner(127, 64, 0, [0, NEVER, 3000, NEVER, NEVER]),
    // Eight rows save carries, and powers of them take longer to make.
    horner1271: horner(500, 46, 0, [0, NEVER, 3000, 28_000, NEVER]),
    table_from: 10240,
    ready_table: 65..NEVER,
    ready_table_clamped: 177..NEVER,
    table_on_four_lanes: false,
    brw1305: Brw {
        lanes_from_rows: [2, 6, 6],
        eight_lanes_from: 0,
        // Small leaves, because the stack costs less than long loops.
        t_in_lanes: 2,
        seven_in_words_from: 0,
        update_in_lanes_from: 512,
    },
    brw1271: Brw {
        lanes_from_rows: [8; 3],
        eight_lanes_from: 0,
        t_in_lanes: 2,
        seven_in_words_from: NEVER,
        update_in_lanes_from: 512,
    },
};

/// Words only: the portable backend.
const WORDS: Thresholds = Thresholds {
    clamped: Horner { words_to: NEVER, ..FOUR_LANES.clamped },
    unclamped: Horner { words_to: NEVER, ..FOUR_LANES.unclamped },
    horner1271: Horner { words_to: NEVER, ..FOUR_LANES.horner1271 },
    ready_table: NEVER..NEVER,
    ready_table_clamped: NEVER..NEVER,
    ..FOUR_LANES
};

/// Horner's rule modulo 2^127 - 1 in eight lanes, measured on Emerald Rapids.
const HORNER_1271: Horner = horner(500, 46, 0, [0, NEVER, 3000, 8000, NEVER]);

/// Eight lanes (AVX-512F), measured on Emerald Rapids.
const EIGHT_LANES: Thresholds = Thresholds {
    four_lanes: Some(&FOUR_LANES),
    brw1305: Brw { eight_lanes_from: 4000, ..FOUR_LANES.brw1305 },
    clamped: Horner { eight_lanes_from: 1300, ..FOUR_LANES.clamped },
    unclamped: Horner { eight_lanes_from: 1300, ..FOUR_LANES.unclamped },
    horner1271: HORNER_1271,
    ..FOUR_LANES
};

/// Four lanes with 52-bit multiply-add, measured on Zen 4.
const IFMA_FOUR_LANES: Thresholds = Thresholds {
    clamped: horner(176, NEVER, 0, [0, 640, NEVER, NEVER, 2850]),
    unclamped: horner(64, 64, 0, [0, 640, NEVER, NEVER, 2850]),
    table_from: NEVER,
    ready_table_clamped: 65..NEVER,
    brw1305: Brw { t_in_lanes: 3, ..FOUR_LANES.brw1305 },
    ..FOUR_LANES
};

/// Eight lanes with 52-bit multiply-add (Ice Lake to Granite Rapids): rows and leaves measured on Emerald Rapids.
/// Four lanes serve shorter messages; where they end is modelled from measurements of both on Granite Rapids and Zen 4,
/// and was not measured. So is where groups of sixteen rows begin: with 27 operations for a row instead of 31, on two
/// ports, they win back their longer set-up within 45 rows.
const IFMA: Thresholds = Thresholds {
    four_lanes: Some(&IFMA_FOUR_LANES),
    clamped: Horner { words_to: 144, eight_lanes_from: 900, rows_from: IFMA_ROWS, ..IFMA_FOUR_LANES.clamped },
    unclamped: Horner { eight_lanes_from: 900, rows_from: IFMA_ROWS, ..IFMA_FOUR_LANES.unclamped },
    horner1271: horner(330, 46, 0, IFMA_ROWS),
    table_from: NEVER,
    // A message of up to eight blocks is one row.
    ready_table: 33..NEVER,
    ready_table_clamped: 65..NEVER,
    table_on_four_lanes: false,
    // Leaves of seven rows take the fewest operations, by 3 % at 16 KiB and more.
    brw1305: Brw { t_in_lanes: 3, eight_lanes_from: 3800, ..FOUR_LANES.brw1305 },
    brw1271: Brw { t_in_lanes: 3, ..FOUR_LANES.brw1271 },
};

/// Rows per carry chain in eight lanes with 52-bit multiply-add.
const IFMA_ROWS: [usize; 5] = [0, NEVER, 3000, NEVER, 6000];

/// Eight lanes with 52-bit multiply-add on Zen 5 (an EPYC of family 1Ah, model 2). It follows from measurements of
/// the kernels there before this table existed; the table itself was not measured.
///
/// Groups of sixteen rows begin where a model of the ports says.
const IFMA_ZEN5: Thresholds = Thresholds {
    clamped: Horner { eight_lanes_from: 700, rows_from: ZEN5_ROWS, ..IFMA_FOUR_LANES.clamped },
    unclamped: Horner { eight_lanes_from: 700, rows_from: ZEN5_ROWS, ..IFMA.unclamped },
    horner1271: horner(500, 46, 0, IFMA_ROWS),
    brw1305: Brw { lanes_from_rows: [2, 6, 4], eight_lanes_from: 1700, ..IFMA.brw1305 },
    brw1271: Brw { seven_in_words_from: 1024, ..IFMA.brw1271 },
    ..IFMA
};

/// Rows per carry chain on Zen 5.
const ZEN5_ROWS: [usize; 5] = [0, 1024, 3584, NEVER, 8000];

/// Eight lanes on Zen 4 (an EPYC of family 19h, model 11h), measured there.
///
/// An operation on 512 bits takes two passes of 256. Four lanes with multiply-add therefore have the same
/// throughput and fewer powers to compute, and serve all but long messages. Hashes modulo 2^127 - 1 have no code for
/// four lanes with multiply-add; they run AVX2's.
const IFMA_ZEN4: Thresholds = Thresholds {
    four_lanes: Some(&IFMA_FOUR_LANES),
    clamped: Horner { eight_lanes_from: 13_000, rows_from: LONG_GROUPS, ..IFMA_FOUR_LANES.clamped },
    unclamped: Horner { eight_lanes_from: 13_000, rows_from: LONG_GROUPS, ..IFMA_FOUR_LANES.unclamped },
    horner1271: horner(500, 46, 0, [0, NEVER, 2048, NEVER, 4096]),
    // Eight lanes with powers of their own are faster from there on.
    ready_table: 65..32_000,
    ready_table_clamped: 65..32_000,
    table_on_four_lanes: true,
    // Rows of four blocks: eight lanes where groups of sixteen rows in four lanes end.
    brw1305: Brw {
        lanes_from_rows: [1, 3, 2],
        eight_lanes_from: 64 * (FEW_ROWS as usize + 1),
        ..IFMA.brw1305
    },
    brw1271: Brw {
        lanes_from_rows: [8, 4, 3],
        eight_lanes_from: 1400,
        seven_in_words_from: 480,
        ..IFMA.brw1271
    },
    ..IFMA
};

/// Every table, for constants that must hold for all of them.
const TABLES: [&Thresholds; 7] =
    [&WORDS, &FOUR_LANES, &EIGHT_LANES, &IFMA_FOUR_LANES, &IFMA, &IFMA_ZEN4, &IFMA_ZEN5];

/// The tables of eight lanes with 52-bit multiply-add.
const IFMA_TABLES: [&Thresholds; 3] = [&IFMA, &IFMA_ZEN4, &IFMA_ZEN5];

/// True if kernels are compiled that no table selects, so that [`Plan`] can name them.
pub(crate) const ALL_KERNELS: bool = cfg!(feature = "research-kernels");

/// The numbers of rows per carry chain for which a kernel is compiled: bit g is set for g rows.
///
/// Modulo 2^130 - 5 bits 0 to 31 are for eight lanes and bits 32 to 63 for fewer ([`rows_on`]); modulo 2^127 - 1
/// one set serves all. Separate sets exist for multiply-add and for words.
pub(crate) const ROWS_1305: u64 =
    compiled_rows(&[&FOUR_LANES, &EIGHT_LANES], false, SHORT_GROUPS) * 0x1_0000_0001;
pub(crate) const ROWS_1305_IFMA: u64 = compiled_rows(&IFMA_TABLES, false, ALL_GROUPS)
    | compiled_rows(&[&IFMA_FOUR_LANES], false, ALL_GROUPS) << 32;
pub(crate) const ROWS_1271: u64 = compiled_rows(&[&FOUR_LANES, &EIGHT_LANES], true, SHORT_GROUPS);
pub(crate) const ROWS_1271_IFMA: u64 = compiled_rows(&IFMA_TABLES, true, ALL_GROUPS);
// Bits 1 and 2, because `word_blocks` returns no other number.
pub(crate) const WORD_BLOCKS_1271: u64 = if ALL_KERNELS { SHORT_GROUPS } else { 0b110 };

/// Every g for which a kernel exists, without multiply-add and with it.
const SHORT_GROUPS: u64 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << MAX_G;
const ALL_GROUPS: u64 = SHORT_GROUPS | 1 << LONG_G;

/// The set for a backend of eight lanes (bits 0 to 31) or of fewer (bits 32 to 63).
pub(crate) const fn rows_on(lanes: usize, rows: u64) -> u64 {
    if lanes == 8 { rows & 0xffff_ffff } else { rows >> 32 }
}

/// The numbers of rows that some table selects, or all of them: bit g for g rows.
const fn compiled_rows(tables: &[&Thresholds], prime1271: bool, all: u64) -> u64 {
    // Evaluated at compile time: a number of rows that no table selects costs no code.
    let (mut rows, mut i) = (if ALL_KERNELS { all } else { 0 }, 0);
    while i < tables.len() {
        let table = tables[i];
        rows |= if prime1271 {
            table.horner1271.rows_between(NEVER)
        } else {
            table.clamped.rows_between(table.table_from) | table.unclamped.rows_between(table.table_from)
        };
        i += 1;
    }
    rows
}

/// The table of thresholds for a backend, by its lanes, its 52-bit multiply-add and its class.
#[inline(always)]
pub(crate) fn thresholds(cpu: Cpu) -> &'static Thresholds {
    // The portable backend has lanes in software only, so its table selects words at every length.
    if matches!(cpu, Cpu::Portable(_)) {
        return &WORDS;
    }
    match (cpu.lanes(), cpu.has_ifma(), cpu.class()) {
        (8, true, CpuClass::Zen4) => &IFMA_ZEN4,
        (8, true, CpuClass::Zen5) => &IFMA_ZEN5,
        (8, true, _) => &IFMA,
        (8, false, _) => &EIGHT_LANES,
        (_, true, _) => &IFMA_FOUR_LANES,
        _ => &FOUR_LANES,
    }
}

impl Horner {
    /// Rows per carry chain for a message of `len` bytes in lanes. Of the numbers whose threshold is reached, the largest
    /// serves.
    #[inline(always)]
    pub(crate) const fn rows(&self, len: usize) -> usize {
        let [two, three, four, eight, sixteen] = self.rows_from;
        match len {
            _ if len >= sixteen => LONG_G,
            _ if len >= eight => MAX_G,
            _ if len >= four => 4,
            _ if len >= three => 3,
            _ if len >= two => 2,
            _ => 1,
        }
    }

    /// All values that [`rows`](Horner::rows) returns for lengths in lanes below `end`: bit g is set for g rows.
    const fn rows_between(&self, end: usize) -> u64 {
        let [two, three, four, eight, sixteen] = self.rows_from;
        let first = self.words_to.saturating_add(1);
        // `rows` is a step function, so its value at every threshold, and at the first length in lanes, is all
        // there is.
        let (lengths, mut rows, mut i) = ([first, two, three, four, eight, sixteen], 0, 0);
        while i < lengths.len() {
            if lengths[i] >= first && lengths[i] < end {
                rows |= 1 << self.rows(lengths[i]);
            }
            i += 1;
        }
        rows
    }

    /// Blocks per carry chain, 1 or 2, for a message of `len` bytes in words.
    #[inline(always)]
    pub(crate) fn word_blocks(&self, len: usize) -> usize {
        if len < self.word_pairs_from { 1 } else { 2 }
    }
}

impl Thresholds {
    /// The thresholds of Horner's rule modulo 2^130 - 5, for clamped keys or for any key.
    #[inline(always)]
    pub(crate) const fn horner1305(&self, clamped: bool) -> &Horner {
        if clamped { &self.clamped } else { &self.unclamped }
    }
}

impl Brw {
    /// True if a message of `rows` rows is faster in lanes than in words, for a number of streams that fills the lanes.
    pub(crate) fn lanes(&self, streams: usize, rows: usize) -> bool {
        let [to_four, eight, sixteen] = self.lanes_from_rows;
        rows >= match streams {
            0..=4 => to_four,
            5..=8 => eight,
            _ => sixteen,
        }
    }

    /// True if streams that fill eight lanes, as two runs of rows, are faster in four.
    pub(crate) fn four_lanes(&self, streams: usize, len: usize) -> bool {
        streams <= 4 && len < self.eight_lanes_from
    }

    /// t for leaves in words, 2 or 3: a leaf has 2^t - 1 blocks.
    pub(crate) fn t_in_words(&self, len: usize) -> usize {
        if len < self.seven_in_words_from { 2 } else { 3 }
    }
}

/// The kernel for one polynomial modulo 2^130 - 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// Scalar 64-bit words, no vectors.
    Words,
    /// Decimated Horner with `g` rows per carry chain, on all lanes or on [four](Cpu::at_most_four_lanes).
    Rows { four_lanes: bool, g: usize },
    /// A window of blocks against a table of key powers.
    Table,
}

/// The kernel for a message of `len` bytes under a clamped or any key. Nothing else, and
/// nothing secret, enters the choice.
#[inline(always)]
pub(crate) fn choose(table: &Thresholds, clamped: bool, len: usize) -> Kernel {
    let horner = table.horner1305(clamped);
    // Short messages first: one comparison decides about words.
    if len <= horner.words_to {
        Kernel::Words
    } else if len >= table.table_from {
        Kernel::Table
    } else if len < horner.eight_lanes_from {
        // A table without `four_lanes` has `eight_lanes_from` 0, so the fallback is never taken.
        let four = table.four_lanes.unwrap_or(table);
        Kernel::Rows { four_lanes: true, g: four.horner1305(clamped).rows(len) }
    } else {
        Kernel::Rows { four_lanes: false, g: horner.rows(len) }
    }
}

#[cfg(test)]
mod tests;
