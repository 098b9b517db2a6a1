//! The sum of all lanes of an element, limb by limb, as the last step of an evaluation.
//!
//! Neighbouring lanes are added while they are in vectors, two limbs at a time:
//!
//! ```text
//! unpack_lo(a, b) + unpack_hi(a, b) = [a0 + a1, b0 + b1, a2 + a3, b2 + b3, ..]
//! ```
//!
//! The pairs are added in words, which can be loaded one by one as soon as the vectors are stored.
use carryless_lanes::{Lanes, Words};

/// Stores the sums of neighbouring lanes: limb j of lanes i and i + 1 in `[j / 2][i + j % 2]`, for even i. Places beyond
/// the lanes of the backend are 0. `P` must be K / 2, rounded up, and the sum of two limbs below 2^64.
#[inline(always)]
pub(crate) fn store_pairs<S: Lanes, const K: usize, const P: usize>(s: S, limbs: [S::V; K]) -> [[u64; 8]; P] {
    let (mut pairs, mut j) = ([[0; 8]; P], 0);
    while j < K {
        // The last limb of an odd number meets itself, and its sums are in the even lanes.
        let (a, b) = (limbs[j], limbs[if j + 1 < K { j + 1 } else { j }]);
        s.store(s.add(s.unpack_lo(a, b), s.unpack_hi(a, b)), &mut pairs[j / 2]);
        j += 2;
    }
    pairs
}

/// The sum of the first `n` lanes that [`store_pairs`] wrote, and of `more`, limb by limb and without a carry. `n` is
/// even, the number of lanes of the backend. No sum may reach 2^64.
#[inline(always)]
pub(crate) fn sum<W: Words, const K: usize, const P: usize>(
    s: W,
    pairs: &[[u64; 8]; P],
    n: usize,
    more: Option<[u64; K]>,
) -> [W::W; K] {
    let (mut sums, mut j) = ([s.word(0); K], 0);
    while j < K {
        let (pair, mut i) = (&pairs[j / 2], 2 + j % 2);
        sums[j] = s.word(pair[j % 2]);
        while i < n {
            sums[j] = s.add_word(sums[j], s.word(pair[i]));
            i += 2;
        }
        if let Some(more) = more {
            sums[j] = s.add_word(sums[j], s.word(more[j]));
        }
        j += 1;
    }
    sums
}
