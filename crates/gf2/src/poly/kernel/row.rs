//! Rows: a short operand of 1 to 10 words times a long one, the short one in registers.
//!
//! The long operand is cut into pieces of as many blocks as the short one has. A piece times the short operand has
//! twice as many blocks. Its lower half, plus the upper half of the product before, is final. Consecutive pieces
//! fill the lanes of a vector.
use super::leaf::Leaf;
use carryless_lanes::{Clmul, SliceKernel};
use core::marker::PhantomData;

/// The product of an operand of N blocks, the last of which may be half, by one of any length. `M = 2 N`.
pub(crate) struct Row<L, const N: usize, const M: usize>(PhantomData<L>);

/// One block times a block whose upper half is zero: two products of words instead of three.
#[derive(Clone, Copy, Default)]
pub(crate) struct ByWord;

impl Leaf<1, 2> for ByWord {
    #[inline(always)]
    fn product<S: Clmul>(self, s: S, [a]: [S::X; 1], [b]: [S::X; 1]) -> [S::X; 2] {
        let (low, middle) = (s.mul_ll(a, b), s.mul_hl(a, b));
        [s.xor(low, s.straddle(s.zero(), middle)), s.straddle(middle, s.zero())]
    }
}

impl<L: Leaf<N, M> + Default, const N: usize, const M: usize> SliceKernel for Row<L, N, M> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
        // An odd number of words gets a zero on top. The product then ends in zeros, for which `out` has no room.
        let short = blocks(s.one(), short);
        // Whole vectors of K pieces first, then the rest on one lane. Lengths are public.
        let whole = long.len() - long.len() % (2 * N * S::K);
        let (done, rest) = out.split_at_mut(whole);
        let above = pieces::<S, L, N, M>(s, &long[..whole], short, done);
        last_pieces::<S::One, L, N, M>(s.one(), &long[whole..], short, above, rest);
    }
}

/// Multiplies whole vectors of pieces. Returns the upper half of the last product, which belongs above `out`.
#[inline(always)]
fn pieces<S: Clmul, L: Leaf<N, M> + Default, const N: usize, const M: usize>(
    s: S,
    long: &[u64],
    short: [<S::One as Clmul>::X; N],
    out: &mut [u64],
) -> [<S::One as Clmul>::X; N] {
    let (mut every, mut upper, mut above) = ([s.zero(); N], [s.zero(); N], [s.one().zero(); N]);
    if long.is_empty() {
        return above;
    }
    let mut i = 0;
    // The short operand stays in registers of all lanes for the whole row.
    while i < N {
        every[i] = in_all_lanes(s, short[i]);
        i += 1;
    }
    let step = 2 * N * S::K;
    for (long, out) in long.chunks_exact(step).zip(out.chunks_exact_mut(step)) {
        // Lane j has piece j of this vector of pieces, and all lanes the same short operand.
        // Invariant: `out` is final up to here, and `upper` has the upper halves of the previous products in
        // their lanes.
        let product = L::default().product(s, s.load_blocks(long, 2 * N), every);
        let mut lower = [s.zero(); N];
        let mut i = 0;
        while i < N {
            // Each lower half meets the upper half of the piece before: one lane down in this vector, or for lane 0
            // the last lane of the previous one, which `upper` keeps.
            lower[i] = s.xor(product[i], s.lanes_from(S::K - 1, upper[i], product[N + i]));
            upper[i] = product[N + i];
            i += 1;
        }
        s.store_blocks(lower, out, 2 * N);
    }
    let mut i = 0;
    while i < N {
        // The last lane has the last piece, whose upper half is all that is still missing.
        above[i] = last_lane(s, upper[i]);
        i += 1;
    }
    above
}

/// Multiplies the pieces that fill no vector, one by one, and writes what belongs above the last one. `above`
/// enters as the upper half of the product before.
#[inline(always)]
fn last_pieces<S: Clmul, L: Leaf<N, M> + Default, const N: usize, const M: usize>(
    s: S,
    long: &[u64],
    short: [S::X; N],
    mut above: [S::X; N],
    mut out: &mut [u64],
) {
    for long in long.chunks(2 * N) {
        let product = L::default().product(s, blocks(s, long), short);
        // Invariant: `above` is the upper half of the previous product, at the place of this piece.
        let (now, rest) = out.split_at_mut(out.len().min(2 * N));
        let mut i = 0;
        while i < N {
            above[i] = s.xor(above[i], product[i]);
            i += 1;
        }
        store_words(s, above, now);
        let mut i = 0;
        while i < N {
            above[i] = product[N + i];
            i += 1;
        }
        out = rest;
    }
    // Above the last piece: words of the product beyond `out` are zero, as blocks were padded with zeros.
    store_words(s, above, out);
}

/// Loads words into N blocks, with zeros after the last word. Words beyond 2N are not read.
#[inline(always)]
pub(crate) fn blocks<S: Clmul, const N: usize>(s: S, words: &[u64]) -> [S::X; N] {
    let (mut blocks, mut i) = ([s.zero(); N], 0);
    while i < N {
        let rest = &words[words.len().min(2 * i)..];
        blocks[i] = s.load_part(&rest[..rest.len().min(2)]);
        i += 1;
    }
    blocks
}

/// Stores as many of the 2N words as `out` has room for.
#[inline(always)]
pub(crate) fn store_words<S: Clmul, const N: usize>(s: S, blocks: [S::X; N], out: &mut [u64]) {
    let mut i = 0;
    while i < N {
        if 2 * i + 2 <= out.len() {
            s.store_lanes(blocks[i], &mut out[2 * i..], 0);
        } else if let Some(last) = out.get_mut(2 * i) {
            // Half a block: through a buffer, so that nothing is written past `out`.
            let mut words = [0; 2];
            s.store_lanes(blocks[i], &mut words, 0);
            *last = words[0];
        }
        i += 1;
    }
}

/// Copies a block to every lane: through memory, once for each row, so it does not matter.
#[inline(always)]
fn in_all_lanes<S: Clmul>(s: S, x: <S::One as Clmul>::X) -> S::X {
    let mut words = [0; 2];
    s.one().store_lanes(x, &mut words, 0);
    s.load_lanes(&words, 0)
}

/// The block in the last lane, through memory: once for each row.
#[inline(always)]
fn last_lane<S: Clmul>(s: S, x: S::X) -> <S::One as Clmul>::X {
    let mut words = [0; 8];
    s.store(x, &mut words);
    s.one().load(&words[2 * S::K - 2..])
}
