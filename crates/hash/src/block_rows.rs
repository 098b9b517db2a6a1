//! Loads rows: N blocks of a message, one per lane, as two vectors of N words each (two words a block).
//!
//! The two vectors hold the blocks in memory order. `unpack` of them puts the low words of all blocks in one vector
//! and the high words in the other. This interleaves the halves of the row: block b goes to lane [`lane_of_block`],
//! and no permutation is spent on memory order.
//!
//! A row that the message does not fill is loaded in place as well. Copying it to a buffer would write it in pieces
//! and read it as a vector, and such a load waits until all pieces are in the cache (docs/adding-a-kernel.md, rule
//! 6).
use crate::blocks::pad_partial;
use crate::field::Field;
use carryless_lanes::Lanes;

/// Bytes of the longest row: 8 blocks of 16 bytes.
const MAX_ROW: usize = 16 * 8;

/// The lane of block `b` of a row of `n` blocks, in message order. Blocks 0 .. n/2 - 1 go to the even lanes, the
/// others to the odd lanes. Inverse of [`block_of_lane`].
pub(crate) const fn lane_of_block(n: usize, b: usize) -> usize {
    2 * (b % (n / 2)) + b / (n / 2)
}

/// The block, in message order, of lane `i` of a row of `n` blocks. Inverse of [`lane_of_block`].
pub(crate) const fn block_of_lane(n: usize, i: usize) -> usize {
    i / 2 + (i % 2) * (n / 2)
}

// The two are inverses of each other for every machine.
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

/// Loads blocks of a field's size as two vectors in memory order, before `unpack` distributes them by
/// [`lane_of_block`]. Branches and addresses depend on lengths only.
pub(crate) trait BlockRows: Field {
    /// N / 2 whole blocks from the front of `bytes`, and N / 2 from byte `odd_offset` on. Panics if `bytes` is
    /// shorter.
    fn halves<S: Lanes>(s: S, bytes: &[u8], odd_offset: usize) -> [S::V; 2];
    /// A row that ends with the whole blocks of `head`, fewer than N; the blocks before them are zero.
    #[inline(always)]
    fn first<S: Lanes>(s: S, head: &[u8]) -> [S::V; 2] {
        let mut buffer = [0; MAX_ROW];
        // The default methods go through a buffer; a field whose blocks are whole words loads in place instead.
        let row = &mut buffer[..Self::BLOCK * S::N];
        let empty = row.len() - head.len();
        row[empty..].copy_from_slice(head);
        Self::halves(s, row, Self::BLOCK * S::N / 2)
    }
    /// A row of N blocks, of which the last has 1 to BLOCK - 1 bytes and is padded with a one bit and zeros.
    #[inline(always)]
    fn last<S: Lanes>(s: S, last: &[u8]) -> [S::V; 2] {
        let (whole, tail) = last.split_at(Self::BLOCK * (S::N - 1));
        let mut buffer = [0; MAX_ROW];
        buffer[..whole.len()].copy_from_slice(whole);
        buffer[whole.len()..whole.len() + Self::BLOCK].copy_from_slice(&pad_partial(tail)[..Self::BLOCK]);
        Self::halves(s, &buffer, Self::BLOCK * S::N / 2)
    }
    /// [`halves`](BlockRows::halves) at the end of a message: bytes past the end of `rest` are zero.
    #[inline(always)]
    fn short<S: Lanes>(s: S, rest: &[u8], odd_offset: usize) -> [S::V; 2] {
        let mut buffer = [0; MAX_ROW];
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Self::halves(s, &buffer, odd_offset)
    }
}

/// `LANE[i]` is all ones in lane i and zero elsewhere.
const LANE: [[u64; 8]; 8] = {
    let (mut masks, mut i) = ([[0; 8]; 8], 0);
    while i < 8 {
        masks[i][i] = u64::MAX;
        i += 1;
    }
    masks
};

/// Masks by block number for machines of N lanes, computed at compile time.
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

/// `x` in the lanes of blocks `from` to N - 1, zero elsewhere. Used for the pads of a row with zero blocks in
/// front.
#[inline(always)]
pub(crate) fn from_block<S: Lanes>(s: S, x: u64, from: usize) -> S::V {
    s.select(s.splat(x), s.load_words(&Masks::<S>::FROM[from]))
}

/// `x` in the lanes of all blocks but the last, zero there. A short last block carries its pad in its words.
#[inline(always)]
pub(crate) fn but_last_block<S: Lanes>(s: S, x: u64) -> S::V {
    s.select(s.splat(x), s.load_words(&Masks::<S>::BUT_LAST))
}
