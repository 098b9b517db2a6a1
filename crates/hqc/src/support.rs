//! Equal positions in supports, found and replaced in constant time.
//!
//! Every position is compared with every other one, in vectors. Sorting or a hash table would be faster in
//! theory, but their branches and addresses depend on the positions. About w^2 / 2 comparisons are cheap: w
//! is at most 149.
use carryless_lanes::{Clmul, Portable, Words};
use zeroize::optimization_barrier;

/// Marks a place that holds no position. Larger than any position.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Most positions of a support; a multiple of 64.
const MAX_POSITIONS: usize = 192;

/// Words for [`MAX_POSITIONS`] positions, two in a word.
const WORDS: usize = MAX_POSITIONS / 2;

/// Most words in a vector of `Clmul::Wide`.
const WIDE: usize = 8;

/// Row k has all ones in its first k halves of words, and zeros in the others.
const BEFORE: [[u64; WIDE]; 2 * WIDE] = {
    let (mut rows, mut k) = ([[0; WIDE]; 2 * WIDE], 0);
    while k < 2 * WIDE {
        let mut half = 0;
        while half < k {
            rows[k][half / 2] |= 0xffff_ffff << (32 * (half % 2));
            half += 1;
        }
        k += 1;
    }
    rows
};

/// Positions, and a mask for each that tells whether it equals a later one. Secret; [`wipe`](Self::wipe) clears it.
struct Marked {
    /// Each position in both halves of a word, so that one comparison of words covers two positions.
    twice: [u64; MAX_POSITIONS],
    /// First the positions, two in a word, the earlier one in the low half. Comparison replaces them by
    /// masks: all ones for a position that equals a later one, otherwise zero.
    pairs: [u64; WORDS],
}

impl Marked {
    const EMPTY: Marked = Marked { twice: [0; MAX_POSITIONS], pairs: [0; WORDS] };

    /// Computes the masks of `positions`, of which there are at most [`MAX_POSITIONS`]. Constant time.
    #[inline(always)]
    fn mark<S: Clmul>(&mut self, s: S, positions: &[u32]) {
        for (twice, &position) in self.twice.iter_mut().zip(positions) {
            *twice = u64::from(position) << 32 | u64::from(position);
        }
        let (pairs, last) = positions.as_chunks::<2>();
        for (word, pair) in self.pairs.iter_mut().zip(pairs) {
            *word = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        }
        if let [last] = last {
            self.pairs[pairs.len()] = u64::from(*last);
        }
        // An odd last position has a zero beside it. Its mask is never read.
        self.compare(s, positions.len());
    }

    /// Replaces the `count` positions in `pairs` by their masks, a vector at a time.
    #[inline(always)]
    fn compare<S: Clmul>(&mut self, s: S, count: usize) {
        let twice = &self.twice[..count];
        let mut first = 0;
        while first < count {
            let these = s.load_wide(&self.pairs[first / 2..]);
            let (mut found, mut i) = (s.splat_wide(0), 0);
            // Earlier positions need no comparison: a mask tells about later ones only. That halves the work,
            // to about w^2 / (4 WIDE) comparisons of vectors of 2 WIDE positions.
            let (near, far) = twice[first..].split_at(twice[first..].len().min(2 * S::WIDE));
            // A position in the same vector is later than a part of that vector only: `BEFORE` masks out the
            // others.
            for &position in near {
                let same = s.equal_wide(these, s.splat_wide(position));
                found = s.or_wide(found, s.and_wide(same, s.load_wide(&BEFORE[i])));
                i += 1;
            }
            for &position in far {
                found = s.or_wide(found, s.equal_wide(these, s.splat_wide(position)));
            }
            // These positions are done and no later step reads them, so their masks can replace them.
            s.store_wide(found, &mut self.pairs[first / 2..]);
            first += 2 * S::WIDE;
        }
    }

    /// Returns all ones if position `i` equals a later one, otherwise zero.
    #[inline(always)]
    fn mask(&self, i: usize) -> u32 {
        (self.pairs[i / 2] >> (32 * (i % 2))) as u32
    }

    /// Wipes everything at once: word by word takes as long as the comparisons.
    #[inline(always)]
    fn wipe(&mut self) {
        *self = Marked::EMPTY;
        optimization_barrier(self);
    }
}

/// From the last position down, replaces p_i by i if it equals a later position, replacements included.
/// Requires `p_i >= i` and at most 192 positions. Constant time.
///
/// A later position is p_j or j. So p_i is replaced in two cases: it equals some p_j of the input (a later
/// place keeps that value), or it equals some j whose p_j is replaced. The first case takes comparisons of
/// all positions with all, which are independent of each other. The second takes one bit for each place, set
/// from the last one down.
#[inline(always)]
pub(crate) fn replace_repeated<S: Clmul>(s: S, positions: &mut [u32]) {
    let mut marked = Marked::EMPTY;
    marked.mark(s, positions);
    // Bit i, counted over all words: p_i is replaced.
    let mut known = [0; MAX_POSITIONS / 64];
    for block in (0..positions.len().div_ceil(64)).rev() {
        let (first, end) = (64 * block, positions.len().min(64 * block + 64));
        let positions = &mut positions[first..end];
        let mut bits = 0;
        for (i, &position) in positions.iter().enumerate() {
            // The second case for later blocks, whose bits are in `known`, and the first case for all
            // positions.
            bits |= (bit_of(&known, position) | u64::from(marked.mask(first + i) & 1)) << i;
        }
        // The second case within this block, from the last position down, as bit i may depend on higher bits.
        // `here` selects bit p_i if p_i is in this block; the rotation moves it to place i. Shift counts are
        // secret, addresses are not.
        for (i, &position) in (0..positions.len() as u32).zip(positions.iter()).rev() {
            let here = all_ones_if_equal(position / 64, block as u32) & settled(1 << (position % 64));
            bits |= (bits & here).rotate_right(position.wrapping_sub(i) % 64);
        }
        for (i, position) in (0..).zip(positions) {
            // A masked exchange: p_i ^ (p_i ^ i) is i.
            let replaced = (settled(bits >> i & 1) as u32).wrapping_neg();
            *position ^= (*position ^ (first as u32 + i)) & replaced;
        }
        known[block] = bits;
    }
    marked.wipe();
    known.fill(0);
    optimization_barrier(&known);
}

/// Replaces each position that equals an earlier one by [`NOWHERE`]. Returns the number of places that hold a
/// position. At most 192 positions; constant time.
#[inline(always)]
pub(crate) fn remove_repeated<S: Clmul>(s: S, positions: &mut [u32]) -> u32 {
    let mut marked = Marked::EMPTY;
    // `Marked` finds positions equal to later ones. Reversed, these are the earlier ones.
    positions.reverse();
    marked.mark(s, positions);
    let mut count = 0;
    // Or with a mask of all ones makes NOWHERE. Places that held NOWHERE before keep it.
    for (i, position) in positions.iter_mut().enumerate() {
        *position |= marked.mask(i);
        // The lowest bit of the mask is one for a place without a position: a count without a branch.
        count += 1 - (all_ones_if_equal(*position, NOWHERE) & 1) as u32;
    }
    positions.reverse();
    marked.wipe();
    count
}

/// Puts `position` into the first place that holds [`NOWHERE`], unless `accepted` is zero or the position is
/// present. `accepted` is a mask.
///
/// Returns all ones if it was inserted, otherwise zero. Constant time: it visits every place twice.
#[inline(always)]
pub(crate) fn insert(positions: &mut [u32], position: u32, accepted: u32) -> u32 {
    // A rejected candidate passes through both loops too: `missing` is zero for it from the start.
    let mut missing = accepted;
    for &mut other in positions.iter_mut() {
        missing &= !(all_ones_if_equal(other, position) as u32);
    }
    // `waiting` is all ones until the position has found its place, so that only the first free place is
    // written. `here` is zero at all others, and they are written back as they are.
    let mut waiting = missing;
    for place in positions {
        let here = all_ones_if_equal(*place, NOWHERE) as u32 & waiting;
        *place ^= (*place ^ position) & here;
        waiting &= !here;
    }
    missing & !waiting
}

/// Returns `word`, of which the optimiser then knows nothing. It turns masks that depend on one bit into branches.
#[inline(always)]
pub(crate) fn settled(word: u64) -> u64 {
    Portable::<1>.settle_word(word)
}

/// Returns bit `place` of all words together, or zero beyond the last one. Reads all words, so that
/// no address depends on `place`.
#[inline(always)]
fn bit_of(words: &[u64; MAX_POSITIONS / 64], place: u32) -> u64 {
    let (mut word, mut i) = (0, 0);
    while i < MAX_POSITIONS / 64 {
        word |= words[i] & all_ones_if_equal(place / 64, i as u32);
        i += 1;
    }
    settled(word >> (place % 64)) & 1
}

/// Returns all ones if a = b, otherwise zero. Constant time.
#[inline(always)]
fn all_ones_if_equal(a: u32, b: u32) -> u64 {
    // Of all differences d below 2^32, only d = 0 makes d - 1 negative.
    settled((u64::from(a ^ b).wrapping_sub(1) >> 63).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_lanes::{ClmulCpu, ClmulKernel};
    use std::vec::Vec;

    struct Replace<'a>(&'a mut [u32]);

    impl ClmulKernel for Replace<'_> {
        type Out = ();
        #[inline(always)]
        fn run<S: Clmul>(self, s: S) {
            replace_repeated(s, self.0);
        }
    }

    struct Remove<'a>(&'a mut [u32]);

    impl ClmulKernel for Remove<'_> {
        type Out = u32;
        #[inline(always)]
        fn run<S: Clmul>(self, s: S) -> u32 {
            remove_repeated(s, self.0)
        }
    }

    /// The generator xorshift64: fast and repeatable, for tests only.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (((self.0 >> 32) * u64::from(n)) >> 32) as u32
        }
    }

    /// Replaces positions by the loop of the specification, for comparison.
    fn replaced(mut positions: Vec<u32>) -> Vec<u32> {
        for i in (0..positions.len()).rev() {
            if positions[i + 1..].contains(&positions[i]) {
                positions[i] = i as u32;
            }
        }
        positions
    }

    fn check_replaced(positions: &[u32]) {
        let wanted = replaced(positions.to_vec());
        for cpu in ClmulCpu::available() {
            let mut found = positions.to_vec();
            cpu.call(Replace(&mut found));
            assert_eq!(found, wanted, "{} of {positions:?}", cpu.name());
        }
    }

    fn check_removed(positions: &[u32]) {
        let mut wanted: Vec<u32> = Vec::new();
        for &position in positions {
            wanted.push(if wanted.contains(&position) { NOWHERE } else { position });
        }
        let count = wanted.iter().filter(|&&position| position != NOWHERE).count();
        for cpu in ClmulCpu::available() {
            let mut found = positions.to_vec();
            assert_eq!(cpu.call(Remove(&mut found)), count as u32);
            assert_eq!(found, wanted, "{} of {positions:?}", cpu.name());
        }
    }

    /// With few different values many positions are equal, and many replacements collide with other places.
    #[test]
    fn random_positions() {
        let mut random = Random(1);
        let counts =
            [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 66, 75, 100, 114, 128, 131, 149, 191, 192];
        for count in counts.into_iter().take(if cfg!(miri) { 10 } else { counts.len() }) {
            for n in [count.max(1), count + 1, count + 5, 2 * count + 1, 10 * count + 1, 57637] {
                for _ in 0..if cfg!(miri) { 1 } else { 20 } {
                    let positions: Vec<u32> = (0..count).map(|i| i + random.below(n - i)).collect();
                    check_replaced(&positions);
                    let mut positions: Vec<u32> = (0..count).map(|_| random.below(n)).collect();
                    check_removed(&positions);
                    positions.iter_mut().for_each(|p| *p |= if *p % 3 == 0 { NOWHERE } else { 0 });
                    check_removed(&positions);
                }
            }
        }
    }

    #[test]
    fn missing_positions() {
        let mut positions = [5, NOWHERE, 9, NOWHERE];
        assert_eq!(insert(&mut positions, 5, !0), 0);
        assert_eq!(insert(&mut positions, 7, 0), 0);
        assert_eq!(positions, [5, NOWHERE, 9, NOWHERE]);
        assert_eq!(insert(&mut positions, 7, !0), !0);
        assert_eq!(insert(&mut positions, 7, !0), 0);
        assert_eq!(insert(&mut positions, 0, !0), !0);
        assert_eq!(positions, [5, 7, 9, 0]);
        assert_eq!(insert(&mut positions, 8, !0), 0);
        assert_eq!(positions, [5, 7, 9, 0]);
    }

    /// Each pair of places alone, and chains: p_i = i + 1 for all i below one that is repeated.
    #[test]
    fn pairs_and_chains() {
        let counts: &[usize] = if cfg!(miri) { &[70] } else { &[75, 149] };
        for &count in counts {
            let mut random = Random(count as u64);
            let apart: Vec<u32> = (0..count as u32).map(|i| 1000 + i).collect();
            for j in (1..count).step_by(if cfg!(miri) { 37 } else { 1 }) {
                for i in (0..j).step_by(1 + 7 * usize::from(j % 16 != 0)) {
                    let mut positions = apart.clone();
                    positions[i] = positions[j];
                    check_replaced(&positions);
                    check_removed(&positions);
                }
                let mut positions = apart.clone();
                positions[j - 1] = positions[j];
                let mut end = j - 1;
                for i in (0..j - 1).rev() {
                    // Through every place or past some.
                    if j % 2 == 0 || random.below(3) == 0 {
                        positions[i] = end as u32;
                        end = i;
                    }
                }
                check_replaced(&positions);
            }
        }
    }
}
