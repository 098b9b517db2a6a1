//! Rows: as many blocks of a message as a machine has lanes, as they lie in two vectors, two words a block.
//!
//! A row that the message does not fill is loaded in place as well. A copy of it would be written in pieces and read as a
//! vector, and such a load waits until the pieces are in the cache (docs/adding-a-kernel.md, rule 6).
use crate::blocks::pad_partial;
use crate::field::Field;
use carryless_lanes::Lanes;

/// The longest row.
const MAX_ROW: usize = 16 * 8;

/// Which lane gets block `b` of `n` consecutive ones: the inverse of [`block_of_lane`].
pub(crate) const fn lane_of_block(n: usize, b: usize) -> usize {
    2 * (b % (n / 2)) + b / (n / 2)
}

/// Which of `n` consecutive blocks lane `i` gets from two vectors of them: the halves interleave.
#[cfg(any(feature = "plans", test))]
pub(crate) const fn block_of_lane(n: usize, i: usize) -> usize {
    i / 2 + (i % 2) * (n / 2)
}

/// Loads blocks of a field's size. The vectors hold the blocks in order; what `unpack` of two vectors makes of them is
/// [`lane_of_block`].
pub(crate) trait BlockRows: Field {
    /// N / 2 blocks at the front of `bytes`, N / 2 from byte `odd_offset` on.
    fn halves<S: Lanes>(s: S, bytes: &[u8], odd_offset: usize) -> [S::V; 2];
    /// Zero blocks, then the whole ones of `head`, which are fewer than N.
    #[inline(always)]
    fn first<S: Lanes>(s: S, head: &[u8]) -> [S::V; 2] {
        let mut buffer = [0; MAX_ROW];
        let row = &mut buffer[..Self::BLOCK * S::N];
        let empty = row.len() - head.len();
        row[empty..].copy_from_slice(head);
        Self::halves(s, row, Self::BLOCK * S::N / 2)
    }
    /// N blocks, of which the last is short and gets its pad.
    #[inline(always)]
    fn last<S: Lanes>(s: S, last: &[u8]) -> [S::V; 2] {
        let (whole, tail) = last.split_at(Self::BLOCK * (S::N - 1));
        let mut buffer = [0; MAX_ROW];
        buffer[..whole.len()].copy_from_slice(whole);
        buffer[whole.len()..whole.len() + Self::BLOCK].copy_from_slice(&pad_partial(tail)[..Self::BLOCK]);
        Self::halves(s, &buffer, Self::BLOCK * S::N / 2)
    }
    /// [`halves`](BlockRows::halves) of what is left of a message, zeros after its end.
    #[inline(always)]
    fn short<S: Lanes>(s: S, rest: &[u8], odd_offset: usize) -> [S::V; 2] {
        let mut buffer = [0; MAX_ROW];
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        Self::halves(s, &buffer, odd_offset)
    }
}

/// All ones in lane i.
const LANE: [[u64; 8]; 8] = {
    let (mut masks, mut i) = ([[0; 8]; 8], 0);
    while i < 8 {
        masks[i][i] = u64::MAX;
        i += 1;
    }
    masks
};

/// The lanes of blocks, on machines like `S`.
struct Masks<S>(S);

impl<S: Lanes> Masks<S> {
    /// All ones in the lanes of blocks `from .. to`.
    const fn of(from: usize, to: usize) -> [u64; 8] {
        let (mut mask, mut b) = ([0; 8], from);
        while b < to {
            mask[lane_of_block(S::N, b)] = u64::MAX;
            b += 1;
        }
        mask
    }
    /// Those of all blocks from number i on.
    const FROM: [[u64; 8]; 8] = {
        let (mut masks, mut i) = ([[0; 8]; 8], 0);
        while i < S::N {
            masks[i] = Self::of(i, S::N);
            i += 1;
        }
        masks
    };
    /// Those of all blocks but the last.
    const BUT_LAST: [u64; 8] = Self::of(0, S::N - 1);
}

/// `x` in one lane, zero in the others.
#[inline(always)]
pub(crate) fn word_in_lane<S: Lanes>(s: S, x: u64, lane: usize) -> S::V {
    s.select(s.splat(x), s.load_words(&LANE[lane]))
}

/// `x` in the lanes of the blocks from number `from` on.
#[inline(always)]
pub(crate) fn from_block<S: Lanes>(s: S, x: u64, from: usize) -> S::V {
    s.select(s.splat(x), s.load_words(&Masks::<S>::FROM[from]))
}

/// `x` in the lanes of all blocks but the last.
#[inline(always)]
pub(crate) fn but_last_block<S: Lanes>(s: S, x: u64) -> S::V {
    s.select(s.splat(x), s.load_words(&Masks::<S>::BUT_LAST))
}
