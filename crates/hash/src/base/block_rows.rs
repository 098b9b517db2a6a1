//! Rows: N blocks of a message, one per lane, loaded as two vectors of N words each (two words a block). `loads` of
//! each prime has the loads for its size of blocks.
//!
//! The two vectors hold the blocks in memory order. `unpack` of them puts the low words of all blocks in one vector
//! and the high words in the other. This interleaves the halves of the row: block b goes to lane [`lane_of_block`],
//! and no permutation is spent on memory order.
//!
//! A row that the message does not fill is loaded in place as well. Copying it to a buffer would write it in pieces
//! and read it as a vector, and such a load waits until all pieces are in the cache (book/src/adding-a-kernel.md, rule
//! 6).
use carryless_lanes::Lanes;

/// The lane of block `b` of a row of `n` blocks, in message order. Blocks 0 .. n/2 - 1 go to the even lanes, the
/// others to the odd lanes. Inverse of [`block_of_lane`].
pub(crate) const fn lane_of_block(n: usize, b: usize) -> usize {
    2 * (b % (n / 2)) + b / (n / 2)
}

/// The block, in message order, of lane `i` of a row of `n` blocks. Inverse of [`lane_of_block`].
pub(crate) const fn block_of_lane(n: usize, i: usize) -> usize {
    i / 2 + (i % 2) * (n / 2)
}

// The two are inverses of each other for every backend.
const _: () = {
    let mut n = 2;
    while n <= 8 {
        let mut b = 0;
        while b < n {
            assert!(block_of_lane(n, lane_of_block(n, b)) == b);
            b += 1;
        }
        n *= 2;
    }
};

/// `LANE[i]` is all ones in lane i and zero elsewhere.
const LANE: [[u64; 8]; 8] = {
    let (mut masks, mut i) = ([[0; 8]; 8], 0);
    while i < 8 {
        masks[i][i] = u64::MAX;
        i += 1;
    }
    masks
};

/// Masks by block number for backends of N lanes, computed at compile time.
struct Masks<S>(S);

impl<S: Lanes> Masks<S> {
    /// All ones in the lanes of blocks `from` to `to - 1`, zero elsewhere.
    const fn of(from: usize, to: usize) -> [u64; 8] {
        let (mut mask, mut b) = ([0; 8], from);
        while b < to {
            mask[lane_of_block(S::N, b)] = u64::MAX;
            b += 1;
        }
        mask
    }
    /// `FROM[i]` is all ones in the lanes of blocks i to N - 1.
    const FROM: [[u64; 8]; 8] = {
        let (mut masks, mut i) = ([[0; 8]; 8], 0);
        while i < S::N {
            masks[i] = Self::of(i, S::N);
            i += 1;
        }
        masks
    };
    /// All ones in the lanes of all blocks but block N - 1.
    const BUT_LAST: [u64; 8] = Self::of(0, S::N - 1);
}

/// `x` in one lane, zero in the others.
#[inline(always)]
pub(crate) fn word_in_lane<S: Lanes>(s: S, x: u64, lane: usize) -> S::V {
    // A mask from a table at a public index: the same instructions for every lane.
    s.select(s.splat(x), s.load_words(&LANE[lane]))
}

/// `x` in the lanes of blocks `from` to N - 1, zero elsewhere. Used for the pads of a row with zero blocks in front.
#[inline(always)]
pub(crate) fn from_block<S: Lanes>(s: S, x: u64, from: usize) -> S::V {
    // `from` follows from the length alone, so the index into the table is public.
    s.select(s.splat(x), s.load_words(&Masks::<S>::FROM[from]))
}

/// `x` in the lanes of all blocks but the last, zero there. A short last block carries its pad in its words.
#[inline(always)]
pub(crate) fn but_last_block<S: Lanes>(s: S, x: u64) -> S::V {
    s.select(s.splat(x), s.load_words(&Masks::<S>::BUT_LAST))
}
