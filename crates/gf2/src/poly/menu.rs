//! The chains that are worth having, by size.
//!
//! Measured by `examples/tune.rs` on a Zen 3 processor (two lanes, and one lane with AVX2). Wider machines take the table of two lanes
//! and others that of one until somebody measures them: a table that does not fit costs speed, nothing else.
use super::construct::{Chain, Step, ToomWord};

/// Toom3^`tooms`(odd(Karat2^`karats`(`leaf`))), odd being nothing, Karat3, Karat5 or Karat3 of Karat3 for 1, 3, 5, 9.
#[derive(Clone, Copy)]
struct Entry {
    words: usize,
    tooms: u8,
    odd: u8,
    karats: u8,
    leaf: u8,
}

const fn entry(words: usize, tooms: u8, odd: u8, karats: u8, leaf: u8) -> Entry {
    Entry { words, tooms, odd, karats, leaf }
}

/// x of Toom3: wide enough for vectors, and a part is little longer than a third.
const TOOM: Step = Step::Toom3(ToomWord::W128);

/// On one lane.
#[rustfmt::skip]
const NARROW: &[Entry] = &[
    entry(2, 0, 1, 0, 2),
    entry(4, 0, 1, 0, 4),
    entry(6, 0, 1, 0, 6),
    entry(8, 0, 1, 0, 8),
    entry(12, 0, 1, 1, 6),
    entry(16, 0, 1, 1, 8),
    entry(24, 0, 1, 2, 6),
    entry(32, 0, 1, 2, 8),
    entry(36, 0, 3, 1, 6),
    entry(48, 0, 1, 3, 6),
    entry(64, 0, 1, 3, 8),
    entry(72, 0, 3, 2, 6),
    entry(80, 0, 5, 1, 8),
    entry(88, 1, 1, 2, 8),
    entry(96, 0, 3, 2, 8),
    entry(128, 0, 1, 4, 8),
    entry(136, 1, 1, 3, 6),
    entry(144, 0, 3, 3, 6),
    entry(160, 0, 5, 2, 8),
    entry(184, 1, 1, 3, 8),
    entry(192, 0, 3, 3, 8),
    entry(208, 1, 3, 2, 6),
    entry(256, 0, 1, 5, 8),
    entry(280, 1, 3, 2, 8),
    entry(288, 0, 9, 2, 8),
    entry(320, 0, 5, 3, 8),
    entry(376, 1, 1, 4, 8),
    entry(384, 0, 3, 4, 8),
    entry(400, 2, 1, 3, 6),
    entry(424, 1, 3, 3, 6),
    entry(512, 0, 1, 6, 8),
    entry(544, 2, 1, 3, 8),
    entry(568, 1, 3, 3, 8),
    entry(576, 0, 9, 3, 8),
    entry(616, 2, 3, 2, 6),
    entry(640, 0, 5, 4, 8),
    entry(760, 1, 1, 5, 8),
    entry(768, 0, 3, 5, 8),
    entry(832, 2, 3, 2, 8),
    entry(856, 1, 9, 2, 8),
    entry(952, 1, 5, 3, 8),
    entry(1024, 0, 1, 7, 8),
    entry(1120, 2, 1, 4, 8),
    entry(1144, 1, 3, 4, 8),
    entry(1192, 3, 1, 3, 6),
    entry(1264, 2, 9, 1, 8),
    entry(1280, 0, 5, 5, 8),
    entry(1528, 1, 1, 6, 8),
    entry(1624, 3, 1, 3, 8),
    entry(1696, 2, 3, 3, 8),
    entry(1720, 1, 9, 3, 8),
    entry(1840, 3, 3, 2, 6),
    entry(1912, 1, 5, 4, 8),
    entry(2048, 0, 1, 8, 8),
    entry(2272, 2, 1, 5, 8),
    entry(2296, 1, 3, 5, 8),
    entry(2304, 0, 9, 5, 8),
];

/// On two lanes and more.
#[rustfmt::skip]
const WIDE: &[Entry] = &[
    entry(2, 0, 1, 0, 2),
    entry(4, 0, 1, 0, 4),
    entry(6, 0, 1, 0, 6),
    entry(8, 0, 1, 0, 8),
    entry(12, 0, 1, 1, 6),
    entry(16, 0, 1, 1, 8),
    entry(24, 0, 1, 2, 6),
    entry(32, 0, 1, 2, 8),
    entry(36, 0, 3, 1, 6),
    entry(48, 0, 3, 1, 8),
    entry(64, 0, 1, 3, 8),
    entry(72, 0, 3, 2, 6),
    entry(80, 0, 5, 1, 8),
    entry(96, 0, 3, 2, 8),
    entry(128, 0, 1, 4, 8),
    entry(136, 1, 1, 3, 6),
    entry(144, 0, 3, 3, 6),
    entry(160, 0, 5, 2, 8),
    entry(184, 1, 1, 3, 8),
    entry(192, 0, 3, 3, 8),
    entry(256, 0, 1, 5, 8),
    entry(280, 1, 3, 2, 8),
    entry(288, 0, 3, 4, 6),
    entry(320, 0, 5, 3, 8),
    entry(376, 1, 1, 4, 8),
    entry(384, 0, 3, 4, 8),
    entry(400, 2, 1, 3, 6),
    entry(424, 1, 3, 3, 6),
    entry(432, 0, 9, 3, 6),
    entry(512, 0, 1, 6, 8),
    entry(544, 2, 1, 3, 8),
    entry(568, 1, 3, 3, 8),
    entry(576, 0, 9, 3, 8),
    entry(640, 0, 5, 4, 8),
    entry(760, 1, 1, 5, 8),
    entry(768, 0, 3, 5, 8),
    entry(832, 2, 1, 4, 6),
    entry(856, 1, 3, 4, 6),
    entry(1024, 0, 1, 7, 8),
    entry(1120, 2, 1, 4, 8),
    entry(1144, 1, 3, 4, 8),
    entry(1152, 0, 9, 4, 8),
    entry(1192, 3, 1, 3, 6),
    entry(1264, 2, 3, 3, 6),
    entry(1280, 0, 5, 5, 8),
    entry(1528, 1, 1, 6, 8),
    entry(1536, 0, 3, 6, 8),
    entry(1624, 3, 1, 3, 8),
    entry(1696, 2, 1, 5, 6),
    entry(1720, 1, 3, 5, 6),
    entry(1912, 1, 5, 4, 8),
    entry(2272, 2, 1, 5, 8),
    entry(2296, 1, 3, 5, 8),
    entry(2304, 0, 9, 5, 8),
];

impl Entry {
    fn chain(self) -> Chain {
        let middle: &[Step] = match self.odd {
            3 => &[Step::Karat3],
            5 => &[Step::Karat5],
            9 => &[Step::Karat3, Step::Karat3],
            _ => &[],
        };
        let mut steps = [Step::Karat2; 16];
        let (tooms, karats) = (usize::from(self.tooms), usize::from(self.karats));
        steps[..tooms].fill(TOOM);
        steps[tooms..][..middle.len()].copy_from_slice(middle);
        let len = tooms + middle.len() + karats;
        Chain::new(&steps[..len], self.leaf.into()).expect("the table has chains only")
    }
}

/// The chain for operands of `n` words on a machine of `k` lanes: the shortest of the table that is long enough, as longer
/// ones cost more; above the table, Toom3 over what a third needs.
pub(super) fn chain(k: usize, n: usize) -> Chain {
    let table = if k == 1 { NARROW } else { WIDE };
    let (mut part, mut tooms) = (n, 0);
    loop {
        if let Some(entry) = table.get(table.partition_point(|entry| entry.words < part)) {
            let under = |chain: Chain, _| chain.under(TOOM).expect("fewer levels than memory has room for");
            return (0..tooms).fold(entry.chain(), under);
        }
        part = (part + 4 * 2).div_ceil(3);
        tooms += 1;
    }
}

/// What a chain costs, in carry-less products and words passed over at every level: to compare plans that cut operands
/// differently, not to choose chains.
pub(super) fn cost(chain: &Chain) -> usize {
    let mut cost = 3 * Chain::leaf_of(chain.leaf()).clmuls();
    let mut words = chain.leaf();
    for step in chain.steps().iter().rev() {
        words = step.words(words);
        cost = step.products() * cost + 4 * words + 20;
    }
    cost + 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_ascend_and_say_what_they_mean() {
        for table in [NARROW, WIDE] {
            assert!(table.is_sorted_by(|a, b| a.words < b.words));
            for entry in table {
                assert_eq!(entry.chain().words(), entry.words);
            }
        }
    }

    #[test]
    fn every_size_has_a_chain() {
        for k in [1, 2, 4] {
            for n in (0..5000).chain([1 << 16, 1 << 20]) {
                assert!(chain(k, n).words() >= n, "{n} words");
            }
        }
    }
}
