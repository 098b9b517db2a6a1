//! Loads of rows of 16-byte blocks as two vectors in memory order, before `unpack` distributes them
//! ([`block_rows`](crate::base::block_rows)). Branches and addresses depend on lengths only.
//!
//! A block is a pair of words, so nothing is copied: `load_part` reads exactly the words that the message has.
use crate::base::block_rows::word_in_lane;
use crate::base::blocks::{short_words, tail_words};
use carryless_lanes::Lanes;

/// N / 2 whole blocks from the front of `bytes`, and N / 2 from byte `odd_offset` on. Panics if `bytes` is shorter.
#[inline(always)]
pub(crate) fn halves<S: Lanes>(s: S, bytes: &[u8], odd_offset: usize) -> [S::V; 2] {
    [s.load(bytes), s.load(&bytes[odd_offset..])]
}

/// A row that ends with the whole blocks of `head`, fewer than N; the blocks before them are zero.
#[inline(always)]
pub(crate) fn first<S: Lanes>(s: S, head: &[u8]) -> [S::V; 2] {
    // A row has 2 N words in two vectors. The blocks go to its end: the last N words to `late`, the others to
    // `early`.
    let words = head.len() / 8;
    let late = words.min(S::N);
    let (early, late) = head.split_at(8 * (words - late));
    let [before_early, before_late] = [early, late].map(|words| S::N - words.len() / 8);
    [
        s.load_part(early, before_early, S::N - before_early),
        s.load_part(late, before_late, S::N - before_late),
    ]
}

/// A row that ends with the blocks of `msg`, at most N, of which the last has 1 to BLOCK - 1 bytes and is padded with a one
/// bit and zeros; the blocks before them are zero.
#[inline(always)]
pub(crate) fn short_end<S: Lanes>(s: S, msg: &[u8]) -> [S::V; 2] {
    let (whole, tail) = msg.split_at(msg.len() / 16 * 16);
    // The short block takes the last two of the 2 N words, the whole blocks those before it.
    let late = (whole.len() / 8).min(S::N - 2);
    let (early, late) = whole.split_at(whole.len() - 8 * late);
    let before = S::N - early.len() / 8;
    [s.load_part(early, before, S::N - before), before_tail(s, late, tail)]
}

/// A row of N blocks, of which the last has 1 to BLOCK - 1 bytes and is padded with a one bit and zeros.
#[inline(always)]
pub(crate) fn last<S: Lanes>(s: S, last: &[u8]) -> [S::V; 2] {
    let (early, late) = last.split_at(8 * S::N);
    [s.load(early), last_half(s, late)]
}

/// N / 2 blocks in memory order, of which the last has 1 to BLOCK - 1 bytes and is padded with a one bit and zeros.
#[inline(always)]
pub(crate) fn last_half<S: Lanes>(s: S, last: &[u8]) -> S::V {
    let (whole, tail) = last.split_at(8 * S::N - 16);
    before_tail(s, whole, tail)
}

/// The blocks of `whole`, fewer than N / 2, and the padded block of `tail` in the last lanes; the lanes before them are
/// zero.
#[inline(always)]
fn before_tail<S: Lanes>(s: S, whole: &[u8], tail: &[u8]) -> S::V {
    // The short block takes the last two lanes; its words are set in registers, not in memory.
    let [low, high] = tail_words(tail);
    let padded = s.concat(word_in_lane(s, low, S::N - 2), word_in_lane(s, high, S::N - 1));
    let words = whole.len() / 8;
    s.concat(s.load_part(whole, S::N - 2 - words, words), padded)
}

/// [`halves`] at the end of a message: bytes past the end of `rest` are zero.
#[inline(always)]
pub(crate) fn short<S: Lanes>(s: S, rest: &[u8], odd_offset: usize) -> [S::V; 2] {
    // A message may end before the blocks of the odd lanes begin; they are zero then.
    [front(s, rest), front(s, rest.get(odd_offset..).unwrap_or(&[]))]
}

/// The first 8 N bytes of `bytes`, with zeros past its end. Nothing beyond it is read.
#[inline(always)]
fn front<S: Lanes>(s: S, bytes: &[u8]) -> S::V {
    let words = bytes.len() / 8;
    if words >= S::N {
        return s.load(bytes);
    }
    // Whole words by a load of a part, and the last bytes in registers: nothing past the end is read.
    let (whole, rest) = bytes.split_at(8 * words);
    let whole = s.load_part(whole, 0, words);
    if rest.is_empty() { whole } else { s.concat(whole, word_in_lane(s, short_words(rest)[0], words)) }
}
