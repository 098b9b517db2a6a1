//! The product of a bit matrix and an element on one backend, in constant time: the whole table is read for
//! every element.
use super::super::shape::{BlockArray as _, Shape};
use super::super::unroll::unroll;
use super::layout::SUM_WORDS;
use carryless_lanes::Clmul;

/// One element on the backend with one lane.
pub(in super::super) type Single<H, S> = <H as Shape>::Blocks<<<S as Clmul>::One as Clmul>::X>;

/// The image of `x` by a table of the backend's [`Layout`](super::layout::Layout). `x` may have 64 W bits; the
/// image is canonical, because the columns of the table are.
#[inline(always)]
pub(in super::super) fn apply<H: Shape, S: Clmul>(s: S, x: Single<H, S>, table: &[u64]) -> Single<H, S> {
    if !S::AFFINE {
        return by_masks::<H, S, 1>(s, [x], H::WORDS, table)[0];
    }
    let (mut out, images) = (x, by_matrices::<H, S>(s, x, 1, table));
    unroll!(i < H::BLOCKS, {
        out.as_mut()[i] = s.first_lane(images.as_ref()[i]);
    });
    out
}

/// The images of P parts of `x` by one table, image p in lane p, for P = `parts` = 1 or K. Part p has the bytes
/// p, p + P, p + 2 P, ... of `x`. If P is 1, all lanes have the same image.
#[inline(always)]
pub(super) fn by_matrices<H: Shape, S: Clmul>(
    s: S,
    x: Single<H, S>,
    parts: usize,
    table: &[u64],
) -> H::Blocks<S::X> {
    match S::K {
        4 => sums_of_products::<H, S, 2>(s, x, parts, table),
        2 => sums_of_products::<H, S, 4>(s, x, parts, table),
        _ => sums_of_products::<H, S, 8>(s, x, parts, table),
    }
}

/// [`by_matrices`] with N = 8 / K vectors of sums for each block of the image.
///
/// Each step repeats P bytes of `x`, one for each part, throughout a vector, and multiplies them by the 8 x 8
/// bit matrices of their column. Byte p of each half of a sum thus belongs to part p, and to one of the 16
/// bytes of a block of the image, as [`Layout`](super::layout::Layout) places them. In the end every lane holds
/// its bytes of the images of all parts; a transposition sends them to the lanes of their parts.
///
/// Costs ceil(W / 2) 8 W N / P matrices.
#[inline(always)]
fn sums_of_products<H: Shape, S: Clmul, const N: usize>(
    s: S,
    x: Single<H, S>,
    parts: usize,
    table: &[u64],
) -> H::Blocks<S::X> {
    let mut sums = [H::blocks(s.zero()); N];
    let (repeated, mut columns) =
        (s.splat([repetition(parts); 2]), table.chunks_exact(2 * S::K * N * H::BLOCKS));
    let mut word = 0;
    while word < H::WORDS {
        // `rest` has the bytes of word `word` from the next column on in its low half; the shuffle reads that
        // half only.
        let pair = s.repeat_lane(x.as_ref()[word / 2]);
        let mut rest = if word % 2 == 0 { pair } else { s.swap(pair) };
        for matrices in columns.by_ref().take(8 / parts) {
            // The P bytes are repeated in each half, so that every matrix of the column multiplies all of them.
            let bytes = s.shuffle(rest, repeated);
            unroll!(block < H::BLOCKS, {
                unroll!(i < N, {
                    // Each half of a lane has the matrix for one byte of the image: K lanes of N vectors make
                    // a block of 16.
                    let product = s.affine(bytes, s.load(&matrices[2 * S::K * (block * N + i)..]));
                    sums[i].as_mut()[block] = s.xor(sums[i].as_ref()[block], product);
                });
            });
            rest = s.shr(rest, 8 * parts as u32);
        }
        word += 1;
    }
    let mut images = H::blocks(s.zero());
    unroll!(block < H::BLOCKS, {
        let mut of_block = [s.zero(); N];
        unroll!(i < N, {
            of_block[i] = sums[i].as_ref()[block];
        });
        images.as_mut()[block] = gathered(s, of_block);
    });
    images
}

/// A block of the images from its N = 8 / K sums, the image of part p in lane p.
///
/// Sum i holds two bytes of the image, one in each half, for every part p at byte p. Gathering brings all bytes of one
/// part together, 16 / K of them in each lane; the transposition completes blocks of 16 bytes.
#[inline(always)]
pub(super) fn gathered<S: Clmul, const N: usize>(s: S, sums: [S::X; N]) -> S::X {
    let mut sum = s.zero();
    unroll!(i < N, {
        sum = s.xor(sum, s.shuffle(sums[i], s.splat(by_image(N, i))));
    });
    s.transpose(sum)
}

/// Shuffle indices that repeat the lowest P bytes throughout a half.
const fn repetition(parts: usize) -> u64 {
    match parts {
        1 => 0,
        2 => 0x0100_0100_0100_0100,
        _ => 0x0302_0100_0302_0100,
    }
}

/// Shuffle indices that gather the results of part p, byte p of both halves, in bytes 2 N p + 2 i and 2 N p + 2
/// i + 1. All other bytes become zero.
const fn by_image(vectors: usize, i: usize) -> [u64; 2] {
    let (mut indices, mut at) = ([0; 2], 0);
    while at < 16 {
        let index = if at / 2 % vectors == i { at % 2 * 8 + at / (2 * vectors) } else { 0x80 };
        indices[at / 8] |= (index as u64) << (8 * (at % 8));
        at += 1;
    }
    indices
}

/// The sum of all lanes, in every lane: by rotations by half of the lanes, then by one.
#[inline(always)]
pub(super) fn sum_of_lanes<S: Clmul>(s: S, x: S::X) -> S::X {
    let x = if S::K == 4 { s.xor(x, s.lanes_from(2, x, x)) } else { x };
    if S::K > 1 { s.xor(x, s.lanes_from(1, x, x)) } else { x }
}

/// The images of P arguments of `words` words each, as sums of columns under the masks of their bits.
///
/// Blocks of the image are distributed over the lanes. A last block that would be alone runs on
/// the backend with one lane.
#[inline(always)]
pub(super) fn by_masks<H: Shape, S: Clmul, const P: usize>(
    s: S,
    x: [Single<H, S>; P],
    words: usize,
    table: &[u64],
) -> [Single<H, S>; P] {
    let mut wide = [H::blocks(s.zero()); P];
    unroll!(p < P, {
        unroll!(i < H::BLOCKS, {
            wide[p].as_mut()[i] = s.repeat_lane(x[p].as_ref()[i]);
        });
    });
    // Each pass computes K blocks of every image, and reads the part of the table for these blocks once.
    let (mut out, mut table, mut first) = (x, table, 0);
    while first < H::BLOCKS {
        if S::K > 1 && first + 1 == H::BLOCKS {
            let alone = sum_of_columns::<H, S::One, P>(s.one(), &x, words, table);
            unroll!(p < P, {
                out[p].as_mut()[first] = alone[p];
            });
            break;
        }
        let (columns, others) = table.split_at(SUM_WORDS * words * S::K);
        let blocks = sum_of_columns::<H, S, P>(s, &wide, words, columns);
        let mut lane = 0;
        while lane < S::K && first + lane < H::BLOCKS {
            unroll!(p < P, {
                out[p].as_mut()[first + lane] = s.first_lane(s.permute_lanes(blocks[p], [lane; 4]));
            });
            lane += 1;
        }
        (table, first) = (others, first + S::K);
    }
    out
}

/// One block of every image in every lane. Costs 64 `and` operations for each word of each argument.
///
/// Quarters (32 bits) of a block are the units of masks: `sums[t]` collects what bits of quarter p add to
/// quarter p + t mod 4.
#[inline(always)]
fn sum_of_columns<H: Shape, S: Clmul, const P: usize>(
    s: S,
    x: &[H::Blocks<S::X>; P],
    words: usize,
    table: &[u64],
) -> [S::X; P] {
    // Four sums for each argument, because a mask made from quarter p of a block covers quarter p only: it must
    // meet every quarter of the image. The four rotations are undone at the end, once for all columns.
    let (mut sums, mut table) = ([[s.zero(); 4]; P], table);
    let (full, half, mut bits) = (words / 2, words % 2, [s.zero(); P]);
    let mut block = 0;
    while block < full {
        let (columns, others) = table.split_at(SUM_WORDS * 2 * S::K);
        unroll!(p < P, {
            bits[p] = x[p].as_ref()[block];
        });
        sums = add_columns::<S, 4, P>(s, sums, bits, columns);
        (table, block) = (others, block + 1);
    }
    if half == 1 {
        // The last half block is there twice, in both halves. So its bits reach all four quarters of the image
        // by two vectors instead of four.
        unroll!(p < P, {
            let last = x[p].as_ref()[full];
            bits[p] = s.straddle(s.swap(last), last);
        });
        sums = add_columns::<S, 2, P>(s, sums, bits, table);
    }
    unroll!(p < P, {
        bits[p] = quarters_in_place(s, sums[p]);
    });
    bits
}

/// Adds N columns for each of the 32 bits of every quarter, under the mask of that bit, from the highest bit down.
#[inline(always)]
fn add_columns<S: Clmul, const N: usize, const P: usize>(
    s: S,
    sums: [[S::X; 4]; P],
    bits: [S::X; P],
    table: &[u64],
) -> [[S::X; 4]; P] {
    let (mut sums, mut bits) = (sums, bits);
    for columns in table.chunks_exact(2 * S::K * N) {
        unroll!(p < P, {
            // Shifting halves moves bits between their quarters, but within 31 steps never to the top place of
            // another.
            let mask = s.bit_masks(bits[p], 31);
            let mut i = 0;
            while i < N {
                sums[p][i] = s.xor(sums[p][i], s.and(mask, s.load(&columns[2 * S::K * i..])));
                i += 1;
            }
            bits[p] = s.shl(bits[p], 1);
        });
    }
    sums
}

/// The sum of four vectors, where the quarters of vector t must first move up by t places, cyclically.
#[inline(always)]
fn quarters_in_place<S: Clmul>(s: S, [a, b, c, d]: [S::X; 4]) -> S::X {
    // Each quarter moves up by one place, and quarter 3 to place 0.
    let one_up = s.splat([0x0302_0100_0f0e_0d0c, 0x0b0a_0908_0706_0504]);
    let (even, odd) = (s.xor(a, s.swap(c)), s.xor(b, s.swap(d)));
    s.xor(even, s.shuffle(odd, one_up))
}
