//! The time of products on a backend, and the choice of chains by it.
use super::construct::{Chain, LEVELS, Step, ToomWord};
use super::ring::Ring;

/// A chain and its measured time: Toom3^`tooms`(odd(Karat2^`karats`(leaf))), where odd is nothing, Karat3,
/// Karat5 or Karat3 of Karat3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredChain {
    words: usize,
    tooms: u8,
    /// The size of the x of Toom3 in words: 1, 2, 4 or 8; 0 without Toom3.
    x: u8,
    odd: u8,
    karats: u8,
    leaf: u8,
    picoseconds: u64,
}

/// The time of transforms over a ring: `point` for each point, and `level` for each point and
/// level. There are log2(points) levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredTransform {
    /// Picoseconds for each point: its product.
    pub point: u64,
    /// Picoseconds for each point and level, for all transforms of a product together.
    pub level: u64,
}

/// The times by which [`Plan::on`](super::Plan::on) chooses, as measured on one CPU. `carryless-lab
/// tune` measures them on another.
#[derive(Clone, Copy, Debug)]
pub struct Costs<'a> {
    chains: &'a [MeasuredChain],
    transforms: [MeasuredTransform; 4],
}

/// The step for operands longer than those of the table: Toom3 with x of 128 bits.
const TOOM: Step = Step::Toom3(ToomWord::W128);

/// Picoseconds of a word that is copied or added: for padding, and for steps without a measurement.
const WORD: u64 = 250;

/// Picoseconds of a carry-less product of words, for leaves without a measurement.
const PRODUCT: u64 = 1000;

impl MeasuredChain {
    /// The chain of these steps with this time. x is the word of Toom3 in bits: 64, 128, 256 or 512, and 0
    /// without Toom3. odd is 1, 3, 5 or 9, and a leaf has 2, 4, 6 or 8 words. `None` if there is no such chain
    /// of less than 2^32 words.
    #[must_use]
    pub const fn new(
        tooms: u8,
        x: u16,
        odd: u8,
        karats: u8,
        leaf: u8,
        picoseconds: u64,
    ) -> Option<MeasuredChain> {
        let word = match (tooms, x) {
            (0, 0) => 0,
            (1.., 64 | 128 | 256 | 512) => (x / 64) as u8,
            _ => return None,
        };
        // With at most 12 levels of Karat2 and 6 of Toom3 a chain has less than 72 2^12 3^6 words, so no size
        // overflows 32 bits.
        if !matches!(odd, 1 | 3 | 5 | 9) || !matches!(leaf, 2 | 4 | 6 | 8) || karats > 12 || tooms > 6 {
            return None;
        }
        let (mut words, mut i) = ((odd as usize * leaf as usize) << karats, 0);
        while i < tooms {
            if words <= 2 * word as usize {
                return None;
            }
            (words, i) = (3 * words - 4 * word as usize, i + 1);
        }
        Some(MeasuredChain { words, tooms, x: word, odd, karats, leaf, picoseconds })
    }

    /// The number of words of an operand of the chain.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }

    /// The measured time of one product, in picoseconds.
    #[must_use]
    pub const fn picoseconds(&self) -> u64 {
        self.picoseconds
    }

    /// The same chain with another time.
    #[must_use]
    pub const fn taking(self, picoseconds: u64) -> MeasuredChain {
        MeasuredChain { picoseconds, ..self }
    }

    /// The steps and the leaf as a chain.
    pub(super) fn chain(&self) -> Chain {
        let middle: &[Step] = match self.odd {
            3 => &[Step::Karat3],
            5 => &[Step::Karat5],
            9 => &[Step::Karat3, Step::Karat3],
            _ => &[],
        };
        let word = match self.x {
            1 => ToomWord::W64,
            2 => ToomWord::W128,
            4 => ToomWord::W256,
            _ => ToomWord::W512,
        };
        let mut steps = [Step::Karat2; 20];
        let (tooms, karats) = (usize::from(self.tooms), usize::from(self.karats));
        steps[..tooms].fill(Step::Toom3(word));
        steps[tooms..][..middle.len()].copy_from_slice(middle);
        let len = tooms + middle.len() + karats;
        Chain::new(&steps[..len], self.leaf.into()).expect("`new` lets chains pass only")
    }
}

/// Writes a line of a table: "chain(words, tooms, x, odd, karats, leaf, picoseconds)".
impl core::fmt::Display for MeasuredChain {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let MeasuredChain { words, tooms, x, odd, karats, leaf, picoseconds } = *self;
        let x = 64 * u16::from(x);
        write!(f, "chain({words}, {tooms}, {x}, {odd}, {karats}, {leaf}, {picoseconds})")
    }
}

impl<'a> Costs<'a> {
    /// A table of these chains, in ascending order of size and of time, and of transforms in the order of
    /// [`Ring::ALL`]. `None` if chains are in another order, or the longest has less than 24 words.
    #[must_use]
    pub const fn new(chains: &'a [MeasuredChain], transforms: [MeasuredTransform; 4]) -> Option<Costs<'a>> {
        let mut i = 1;
        while i < chains.len() {
            let (short, long) = (&chains[i - 1], &chains[i]);
            // A chain that is no faster than a longer one would never be chosen: the longer one serves its operands,
            // padded.
            if short.words >= long.words || short.picoseconds >= long.picoseconds {
                return None;
            }
            i += 1;
        }
        match chains {
            [.., MeasuredChain { words: 24.., .. }] => Some(Costs { chains, transforms }),
            _ => None,
        }
    }

    /// The chain for operands of `n` words: the shortest of the table that is long enough, as longer ones take
    /// longer. Above the table, it is Toom3 over the chain for a third.
    pub(super) fn chain(&self, n: usize) -> Chain {
        // Invariant: `tooms` steps of Toom3 above a chain of `part` words make at least n words.
        let (mut part, mut tooms) = (n, 0);
        loop {
            // Chains are in order of size, so this is a binary search.
            let place = self.chains.partition_point(|measured| measured.words < part);
            if let Some(measured) = self.chains.get(place) {
                let under =
                    |chain: Chain, _| chain.under(TOOM).expect("fewer levels than memory has room for");
                return (0..tooms).fold(measured.chain(), under);
            }
            // The inverse of `Step::words` for x of two words, rounded up.
            part = (part + 4 * 2).div_ceil(3);
            tooms += 1;
        }
    }

    /// Whether [`chain`](Costs::chain) has one for operands of `n` words. Above the table there may be as many
    /// levels of Toom3 as its deepest chain leaves of [`LEVELS`].
    pub(super) fn reach(&self, n: usize) -> bool {
        let mut words = self.chains.last().map_or(0, MeasuredChain::words);
        if n <= words {
            return true;
        }
        let deepest = self.chains.iter().map(|measured| measured.chain().steps().len()).max();
        // Above the deepest chain there is room for these levels of Toom3, each of which makes 3 n - 8 words of n.
        for _ in deepest.unwrap_or(LEVELS)..LEVELS {
            words = words.saturating_mul(3).saturating_sub(4 * 2);
        }
        n <= words
    }

    /// Picoseconds of a product by a chain: as measured, otherwise estimated from the products of the level below.
    pub(super) fn of_chain(&self, chain: &Chain) -> u64 {
        let words = chain.words();
        let place = self.chains.partition_point(|measured| measured.words < words);
        match self.chains.get(place).filter(|measured| measured.words == words) {
            Some(measured) if measured.chain() == *chain => measured.picoseconds,
            _ => match chain.below() {
                None => self.of_products(chain.clmuls()),
                Some((step, below)) => {
                    // The products of the level, and about four passes over an operand's words. Times are any
                    // numbers, so sums saturate.
                    let products = self.of_chain(&below).saturating_mul(step.products() as u64);
                    products.saturating_add(4 * WORD * words as u64)
                }
            },
        }
    }

    /// Picoseconds of copying or adding this many words.
    pub(super) fn of_copies(&self, words: usize) -> u64 {
        WORD * words as u64
    }

    /// Picoseconds of a product by a transform with this many points.
    pub(super) fn of_transform(&self, ring: Ring, points: usize) -> u64 {
        let MeasuredTransform { point, level } = self.transforms[ring as usize];
        let levels = u64::from(points.next_power_of_two().ilog2());
        level.saturating_mul(levels).saturating_add(point).saturating_mul(points as u64)
    }

    /// Picoseconds of one kernel with this many products of words.
    pub(super) fn of_products(&self, clmuls: usize) -> u64 {
        PRODUCT * clmuls as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::{Plan, measured};
    use carryless_lanes::{ClmulCpu, CpuClass};

    /// The library's table for backends with this many lanes.
    fn generic(lanes: usize) -> Costs<'static> {
        measured::of_class(measured::TABLES, CpuClass::Generic, lanes)
    }

    #[test]
    fn every_size_has_a_chain() {
        for costs in [1, 2, 4].map(generic) {
            for n in (0..5000).chain([1 << 16, 1 << 20]) {
                assert!(costs.chain(n).words() >= n, "{n} words");
            }
        }
    }

    #[test]
    fn chains_are_as_long_as_they_say() {
        let tables = [1, 2, 4].map(generic);
        for measured in tables.iter().flat_map(|table| table.chains) {
            assert_eq!(measured.chain().words(), measured.words);
        }
    }

    #[test]
    fn what_was_measured_is_predicted_and_the_rest_is_not_less_than_its_parts() {
        let costs = generic(2);
        for measured in costs.chains {
            assert_eq!(costs.of_chain(&measured.chain()), measured.picoseconds);
        }
        let strange = Chain::new(&[Step::Karat5, Step::Karat5], 8).expect("a chain");
        let part = Chain::new(&[Step::Karat5], 8).expect("a chain");
        assert!(costs.of_chain(&strange) > 15 * costs.of_chain(&part));
    }

    /// A table may hold any times: sums that do not fit in 64 bits are the largest number.
    #[test]
    fn huge_times_do_not_overflow() {
        let chain = |karats, time| MeasuredChain::new(0, 0, 1, karats, 8, time).expect("a chain");
        let chains = [chain(1, u64::MAX - 2), chain(2, u64::MAX - 1)];
        let costs = Costs::new(&chains, [MeasuredTransform { point: u64::MAX, level: u64::MAX }; 4]);
        let costs = costs.expect("a table");
        for [a, b] in [[1, 1], [40, 40], [100, 7], [100, 17], [1000, 1000], [1, 5000], [11, 5000]] {
            let predicted = Plan::by_costs(ClmulCpu::detect(), &costs, a, b).predicted(&costs);
            // Rows of up to ten words are no chain of the table.
            assert!(a.min(b) <= 10 || predicted >= u64::MAX - 2, "{a} x {b} words");
        }
    }

    #[test]
    fn tables_that_are_none() {
        let chain = |karats, time| MeasuredChain::new(0, 0, 1, karats, 8, time).expect("a chain");
        let transforms = generic(2).transforms;
        assert!(Costs::new(&[], transforms).is_none());
        assert!(Costs::new(&[chain(1, 9)], transforms).is_none(), "too short");
        assert!(Costs::new(&[chain(2, 9), chain(1, 10)], transforms).is_none(), "not ascending");
        assert!(Costs::new(&[chain(1, 9), chain(2, 9)], transforms).is_none(), "a shorter one is as slow");
        assert!(Costs::new(&[chain(1, 9), chain(2, 10)], transforms).is_some());
        for (tooms, x, odd, karats, leaf) in [
            (1, 0, 1, 1, 8),
            (0, 64, 1, 1, 8),
            (1, 65, 1, 1, 8),
            (0, 0, 7, 1, 8),
            (0, 0, 1, 1, 5),
            (0, 0, 1, 40, 8),
            (1, 512, 1, 1, 8),
        ] {
            assert_eq!(MeasuredChain::new(tooms, x, odd, karats, leaf, 1), None);
        }
    }
}
