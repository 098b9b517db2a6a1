//! The chains that are worth having, by size.
//!
//! Measured by `examples/tune.rs` on a Zen 3 processor (two lanes, and one lane with AVX2). Wider machines take the table of two lanes
//! and others that of one until somebody measures them: a table that does not fit costs speed, nothing else.
use super::construct::{Chain, Step, ToomWord};

/// Toom3^`tooms`(odd(Karat2^`karats`(`leaf`))), Toom3 with x of `x` bits, odd being nothing, Karat3, Karat5 or Karat3 of Karat3
/// for 1, 3, 5, 9.
#[derive(Clone, Copy)]
struct Entry {
    words: usize,
    tooms: u8,
    x: u8,
    odd: u8,
    karats: u8,
    leaf: u8,
}

const fn entry(words: usize, tooms: u8, x: u8, odd: u8, karats: u8, leaf: u8) -> Entry {
    Entry { words, tooms, x, odd, karats, leaf }
}

/// Toom3 above the table.
const TOOM: Step = Step::Toom3(ToomWord::W128);

/// On one lane.
#[rustfmt::skip]
const NARROW: &[Entry] = &[
    entry(2, 0, 0, 1, 0, 2),
    entry(4, 0, 0, 1, 0, 4),
    entry(6, 0, 0, 1, 0, 6),
    entry(8, 0, 0, 1, 0, 8),
    entry(12, 0, 0, 1, 1, 6),
    entry(16, 0, 0, 1, 1, 8),
    entry(24, 0, 0, 1, 2, 6),
    entry(32, 0, 0, 1, 2, 8),
    entry(36, 0, 0, 3, 1, 6),
    entry(48, 0, 0, 1, 3, 6),
    entry(64, 0, 0, 1, 3, 8),
    entry(68, 1, 64, 1, 2, 6),
    entry(72, 0, 0, 3, 2, 6),
    entry(80, 0, 0, 5, 1, 8),
    entry(92, 1, 64, 1, 2, 8),
    entry(96, 0, 0, 3, 2, 8),
    entry(128, 0, 0, 1, 4, 8),
    entry(140, 1, 64, 1, 3, 6),
    entry(144, 0, 0, 3, 3, 6),
    entry(160, 0, 0, 5, 2, 8),
    entry(184, 1, 128, 1, 3, 8),
    entry(188, 1, 64, 1, 3, 8),
    entry(192, 0, 0, 3, 3, 8),
    entry(200, 2, 64, 1, 2, 6),
    entry(212, 1, 64, 3, 2, 6),
    entry(256, 0, 0, 1, 5, 8),
    entry(272, 2, 64, 1, 2, 8),
    entry(280, 1, 128, 3, 2, 8),
    entry(284, 1, 64, 3, 2, 8),
    entry(288, 0, 0, 9, 2, 8),
    entry(320, 0, 0, 5, 3, 8),
    entry(376, 1, 128, 1, 4, 8),
    entry(380, 1, 64, 1, 4, 8),
    entry(384, 0, 0, 3, 4, 8),
    entry(400, 2, 128, 1, 3, 6),
    entry(416, 2, 64, 1, 3, 6),
    entry(424, 1, 128, 3, 3, 6),
    entry(428, 1, 64, 3, 3, 6),
    entry(512, 0, 0, 1, 6, 8),
    entry(544, 2, 128, 1, 3, 8),
    entry(560, 2, 64, 1, 3, 8),
    entry(568, 1, 128, 3, 3, 8),
    entry(572, 1, 64, 3, 3, 8),
    entry(576, 0, 0, 9, 3, 8),
    entry(596, 3, 64, 1, 2, 6),
    entry(640, 0, 0, 5, 4, 8),
    entry(760, 1, 128, 1, 5, 8),
    entry(764, 1, 64, 1, 5, 8),
    entry(768, 0, 0, 3, 5, 8),
    entry(812, 3, 64, 1, 2, 8),
    entry(832, 2, 128, 3, 2, 8),
    entry(848, 2, 64, 3, 2, 8),
    entry(860, 1, 64, 9, 2, 8),
    entry(956, 1, 64, 5, 3, 8),
    entry(1024, 0, 0, 1, 7, 8),
    entry(1120, 2, 128, 1, 4, 8),
    entry(1136, 2, 64, 1, 4, 8),
    entry(1144, 1, 128, 3, 4, 8),
    entry(1148, 1, 64, 3, 4, 8),
    entry(1152, 0, 0, 9, 4, 8),
    entry(1192, 3, 128, 1, 3, 6),
    entry(1244, 3, 64, 1, 3, 6),
    entry(1264, 2, 128, 3, 3, 6),
    entry(1280, 2, 64, 3, 3, 6),
    entry(1528, 1, 128, 1, 6, 8),
    entry(1532, 1, 64, 1, 6, 8),
    entry(1624, 3, 128, 1, 3, 8),
    entry(1676, 3, 64, 1, 3, 8),
    entry(1696, 2, 128, 3, 3, 8),
    entry(1712, 2, 64, 3, 3, 8),
    entry(1720, 1, 128, 9, 3, 8),
    entry(1724, 1, 64, 9, 3, 8),
    entry(1916, 1, 64, 5, 4, 8),
    entry(2272, 2, 128, 1, 5, 8),
    entry(2288, 2, 64, 1, 5, 8),
    entry(2296, 1, 128, 3, 5, 8),
    entry(2300, 1, 64, 3, 5, 8),
    entry(2304, 0, 0, 9, 5, 8),
];

/// On two lanes and more.
#[rustfmt::skip]
const WIDE: &[Entry] = &[
    entry(2, 0, 0, 1, 0, 2),
    entry(4, 0, 0, 1, 0, 4),
    entry(6, 0, 0, 1, 0, 6),
    entry(8, 0, 0, 1, 0, 8),
    entry(12, 0, 0, 1, 1, 6),
    entry(16, 0, 0, 1, 1, 8),
    entry(24, 0, 0, 1, 2, 6),
    entry(32, 0, 0, 1, 2, 8),
    entry(36, 0, 0, 3, 1, 6),
    entry(48, 0, 0, 1, 3, 6),
    entry(64, 0, 0, 1, 3, 8),
    entry(72, 0, 0, 3, 2, 6),
    entry(80, 0, 0, 5, 1, 8),
    entry(96, 0, 0, 1, 4, 6),
    entry(128, 0, 0, 1, 4, 8),
    entry(136, 1, 128, 1, 3, 6),
    entry(140, 1, 64, 1, 3, 6),
    entry(144, 0, 0, 3, 3, 6),
    entry(160, 0, 0, 5, 2, 8),
    entry(184, 1, 128, 1, 3, 8),
    entry(188, 1, 64, 1, 3, 8),
    entry(192, 0, 0, 3, 3, 8),
    entry(256, 0, 0, 1, 5, 8),
    entry(280, 1, 128, 1, 4, 6),
    entry(284, 1, 64, 1, 4, 6),
    entry(288, 0, 0, 3, 4, 6),
    entry(320, 0, 0, 5, 3, 8),
    entry(376, 1, 128, 1, 4, 8),
    entry(380, 1, 64, 1, 4, 8),
    entry(384, 0, 0, 3, 4, 8),
    entry(400, 2, 128, 1, 3, 6),
    entry(416, 2, 64, 1, 3, 6),
    entry(424, 1, 128, 3, 3, 6),
    entry(428, 1, 64, 3, 3, 6),
    entry(512, 0, 0, 1, 6, 8),
    entry(544, 2, 128, 1, 3, 8),
    entry(560, 2, 64, 1, 3, 8),
    entry(568, 1, 128, 3, 3, 8),
    entry(572, 1, 64, 3, 3, 8),
    entry(576, 0, 0, 9, 3, 8),
    entry(640, 0, 0, 5, 4, 8),
    entry(760, 1, 128, 1, 5, 8),
    entry(764, 1, 64, 1, 5, 8),
    entry(768, 0, 0, 3, 5, 8),
    entry(832, 2, 128, 1, 4, 6),
    entry(848, 2, 64, 1, 4, 6),
    entry(856, 1, 128, 3, 4, 6),
    entry(860, 1, 64, 3, 4, 6),
    entry(1024, 0, 0, 1, 7, 8),
    entry(1120, 2, 128, 1, 4, 8),
    entry(1136, 2, 64, 1, 4, 8),
    entry(1148, 1, 64, 3, 4, 8),
    entry(1152, 0, 0, 9, 4, 8),
    entry(1192, 3, 128, 1, 3, 6),
    entry(1244, 3, 64, 1, 3, 6),
    entry(1264, 2, 128, 3, 3, 6),
    entry(1280, 2, 64, 3, 3, 6),
    entry(1532, 1, 64, 1, 6, 8),
    entry(1536, 0, 0, 3, 6, 8),
    entry(1624, 3, 128, 1, 3, 8),
    entry(1676, 3, 64, 1, 3, 8),
    entry(1696, 2, 128, 3, 3, 8),
    entry(1712, 2, 64, 3, 3, 8),
    entry(1724, 1, 64, 9, 3, 8),
    entry(2048, 0, 0, 1, 8, 8),
    entry(2272, 2, 128, 1, 5, 8),
    entry(2288, 2, 64, 1, 5, 8),
    entry(2296, 1, 128, 3, 5, 8),
    entry(2300, 1, 64, 3, 5, 8),
    entry(2304, 0, 0, 9, 5, 8),
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
        let word = if self.x == 64 { ToomWord::W64 } else { ToomWord::W128 };
        steps[..tooms].fill(Step::Toom3(word));
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
