//! The first vecMult of papers 000 and 003, where few blocks of D_0 are in use: products without zeros (000 section
//! 4.4, 003 section 4.1).
//!
//! With the last rho blocks of D_0 in use there are 5 rho results of five products each, which take
//!
//! ```text
//! ceil(25 rho / N) products of vectors:    N = 4:  7 13 19 25        N = 8:  4 7 10 13 16 19 22 25
//! ```
//!
//! instead of 25. Limb k of h r is `h_0 K_(k+4) + h_1 K_(k+3) + .. + h_4 K_k` with
//!
//! ```text
//! K = 5r1 5r2 5r3 5r4 r0 r1 r2 r3 r4
//! ```
//!
//! So neighbouring limbs k, for one h_i in all lanes, take neighbouring words of K. `few` does that in registers
//! where a half or a quarter of the row is in use (the papers' cases 1 and 2 for four lanes). `packed_one` serves a
//! single block of eight, and `any` goes through memory. The position of every word depends on rho and N alone and
//! is a compile-time constant, so no index is secret.
use super::packed::{self, PackedKey, pack};
use super::packed_one::one_of_eight;
use crate::base::block_rows::{block_of_lane, lane_of_block};
use crate::choose::plan::FirstProduct;
use crate::field::p1305::lanes26::{Fe, Limbs};
use carryless_lanes::{Lanes, Shuffle32};

/// h r by the product that `first` names, not carried, for limbs below 2^32. The last rho blocks of h are in use
/// and the others are zero.
#[inline(always)]
pub(crate) fn first_product<S: Shuffle32>(
    s: S,
    h: Fe<S>,
    rho: usize,
    r: &PackedKey<S>,
    first: FirstProduct,
) -> Fe<S> {
    match first {
        FirstProduct::InRegisters if in_registers_pays(S::N, rho) => in_registers(s, h, rho, r),
        FirstProduct::Fewest if rho < S::N => fewest(s, h, rho, r),
        _ => packed::mul(s, pack(s, h), r),
    }
}

/// True if at most half of n lanes are in use. With more, at least 16 of the 25 products remain, and the moves
/// cost more than is saved.
pub(crate) const fn in_registers_pays(n: usize, rho: usize) -> bool {
    2 * rho <= n
}

/// h r for at most half of the row, by moves in registers. Three of eight blocks cost as much as four.
#[inline(always)]
pub(crate) fn in_registers<S: Shuffle32>(s: S, h: Fe<S>, rho: usize, r: &PackedKey<S>) -> Fe<S> {
    if S::N == 8 && rho == 1 {
        one_of_eight(s, h, r)
    } else if S::N == 4 * rho {
        few::<S, 4>(s, h, r)
    } else {
        few::<S, 2>(s, h, r)
    }
}

/// h r in ceil(25 rho / N) products: in registers if rho is a power of two and at most N / 2, else through memory.
/// Lanes not in use become zero, whatever they held.
#[inline(always)]
pub(crate) fn fewest<S: Shuffle32>(s: S, h: Fe<S>, rho: usize, r: &PackedKey<S>) -> Fe<S> {
    if in_registers_pays(S::N, rho) && rho.is_power_of_two() {
        in_registers(s, h, rho, r)
    } else {
        any(s, h, rho, r)
    }
}

/// Indices of 32-bit halves for [`few`], where W rho = N. The lanes form W groups of rho: lane l is lane `l % rho`
/// of group `l / rho`.
struct Few {
    /// For lane l, the lane of block `l % rho`: each block repeated once per group.
    repeat: [u32; 16],
    /// Position in g0 of word 4 - i + vW + l / rho of K, for limb h_i and limbs vW to vW + W - 1 of the result.
    key: [[[u32; 16]; 2]; 5],
    /// All ones in the lanes that take 5r1, which is not in g0; and in the lanes that do not.
    has_s1: [u64; 8],
    has_no_s1: [u64; 8],
    /// In odd lanes packed as `h0 + h2 2^32, h1 + h3 2^32, ..`: h_i of block `l % rho`, for i = uW + l /
    /// rho. And r_(4-i) in g0.
    last: [[u32; 16]; 2],
    last_key: [[u32; 16]; 2],
    /// Exchanges the lower and the upper half of the lanes.
    turn: [u32; 16],
    /// Group g moved to the lanes of its blocks, lane 0 elsewhere; and a mask of the lanes that have blocks.
    place: [[u32; 16]; 4],
    used: [u64; 8],
}

impl Few {
    const fn new(n: usize, w: usize) -> Few {
        let rho = n / w;
        let mut few = Few {
            repeat: [0; 16],
            key: [[[0; 16]; 2]; 5],
            has_s1: [0; 8],
            has_no_s1: [0; 8],
            last: [[0; 16]; 2],
            last_key: [[0; 16]; 2],
            turn: [0; 16],
            place: [[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]; 4],
            used: [0; 8],
        };
        let mut l = 0;
        while l < n {
            let (group, block) = (l / rho, l % rho);
            let lane = lane_of_block(n, n - rho + block);
            set(&mut few.repeat, l, 2 * lane);
            set(&mut few.turn, l, 2 * ((l + n / 2) % n));
            set(&mut few.place[group], lane, 2 * l);
            few.used[lane] = u64::MAX;
            *(if group == 0 { &mut few.has_s1[l] } else { &mut few.has_no_s1[l] }) = u64::MAX;
            let mut v = 0;
            while v < 4 / w {
                let mut i = 0;
                while i < 5 {
                    // 5r2 5r3 5r4 and r0 .. r3 are halves 5 .. 8 and 0 .. 4 of g0.
                    few.key[i][v][2 * l] = ((4 - i + v * w + group + 4) % 8) as u32;
                    i += 1;
                }
                let i = v * w + group;
                few.last[v][2 * l] = (2 * (lane - 1 + i % 2) + i / 2) as u32;
                few.last_key[v][2 * l] = (4 - i) as u32;
                v += 1;
            }
            l += 1;
        }
        few
    }
}

/// Sets lane `to` to be read from halves `from` and `from + 1`.
const fn set(index: &mut [u32; 16], to: usize, from: usize) {
    (index[2 * to], index[2 * to + 1]) = (from as u32, from as u32 + 1);
}

/// h r for the last N / W blocks of a row: 7 products for W = 4, 13 for W = 2.
///
/// Limbs 0 to 3 come W at a time from five products of one h_i each. Limb 4 comes from products of h0 .. h3 next to
/// each other, whose groups are then added, and from a product of h4.
#[inline(always)]
fn few<S: Shuffle32, const W: usize>(s: S, h: Fe<S>, r: &PackedKey<S>) -> Fe<S> {
    // All indices are constants of the compiled function: permutations have no secret index.
    let at = const { &Few::new(S::N, W) };
    let [h0, h1, h2, h3, h4] = h;
    let x = [
        s.limb(s.permute32(h0, &at.repeat)),
        s.limb(s.permute32(h1, &at.repeat)),
        s.limb(s.permute32(h2, &at.repeat)),
        s.limb(s.permute32(h3, &at.repeat)),
        s.limb(s.permute32(h4, &at.repeat)),
    ];
    // g0 has only eight of the nine words of K. Word 0, 5r1, is in g1 and is merged in for h4.
    let first = s.permute32(r.g0, &at.key[4][0]);
    let s1 = s.concat(s.select(first, s.load_words(&at.has_no_s1)), s.select(r.g1, s.load_words(&at.has_s1)));
    let d01 = four_of_five(s, x, r, at, 0);
    let d01 = s.add(d01, s.mul32(x[4], s.low32(s1)));
    let d23 = if W == 2 {
        let d = four_of_five(s, x, r, at, 1);
        s.add(d, s.mul32(x[4], s.low32(s.permute32(r.g0, &at.key[4][1]))))
    } else {
        d01
    };

    // The blocks in use are at the end of the row, and so in odd lanes. This packs their h0 .. h3 into one vector.
    let odd = s.blend32(s.unpack_hi(h0, h1), s.shl(s.unpack_hi(h2, h3), 32));
    let p = side_by_side(s, odd, r, at, 0);
    let p =
        if W == 2 { s.add(p, side_by_side(s, odd, r, at, 1)) } else { s.add(p, s.permute32(p, &at.turn)) };
    let d4 = s.add(s.permute32(p, &at.place[0]), s.permute32(p, &at.place[1]));
    let d4 = s.add(d4, s.mul32(s.limb(h4), s.low32(s.permute32(r.g0, &[0; 16]))));

    // Lanes without a block hold products of other groups and must become zero.
    let used = s.load_words(&at.used);
    [
        s.select(s.permute32(d01, &at.place[0]), used),
        s.select(s.permute32(d01, &at.place[1]), used),
        s.select(s.permute32(d23, &at.place[2 % W]), used),
        s.select(s.permute32(d23, &at.place[3 % W]), used),
        s.select(d4, used),
    ]
}

/// The sum of the products of h0 .. h3 that belong to limbs vW to vW + W - 1.
#[inline(always)]
fn four_of_five<S: Shuffle32>(
    s: S,
    [x0, x1, x2, x3, _]: Limbs<S>,
    r: &PackedKey<S>,
    at: &Few,
    v: usize,
) -> S::V {
    let d = s.mul32(x0, s.low32(s.permute32(r.g0, &at.key[0][v])));
    let d = s.add(d, s.mul32(x1, s.low32(s.permute32(r.g0, &at.key[1][v]))));
    let d = s.add(d, s.mul32(x2, s.low32(s.permute32(r.g0, &at.key[2][v]))));
    s.add(d, s.mul32(x3, s.low32(s.permute32(r.g0, &at.key[3][v]))))
}

/// The products h_i r_(4-i) for i = uW to uW + W - 1, one group of lanes each: summands of limb 4.
#[inline(always)]
fn side_by_side<S: Shuffle32>(s: S, odd: S::V, r: &PackedKey<S>, at: &Few, u: usize) -> S::V {
    let (h, r) = (s.permute32(odd, &at.last[u]), s.permute32(r.g0, &at.last_key[u]));
    s.mul32(s.low32(h), s.low32(r))
}

/// Positions of the words of rho blocks in [`any`].
struct Case {
    /// Halves of the lanes of blocks 0, 1, .. rho - 1, 0, 1, ..; a vector that begins with block b
    /// reads from index 2b on.
    repeat: [u32; 32],
    /// Halves that move rho neighbouring words to the lanes of their blocks.
    spread: [u32; 16],
    /// All ones in the lanes of the rho blocks.
    used: [u64; 8],
    /// N modulo rho: by how many blocks the next N results begin later.
    step: usize,
}

impl Case {
    /// The positions for blocks n - rho to n - 1 of a row, called 0 to rho - 1 here.
    const fn new(n: usize, rho: usize) -> Case {
        let mut case = Case { repeat: [0; 32], spread: [0; 16], used: [0; 8], step: n % rho };
        let mut i = 0;
        while i < 16 {
            let lane = lane_of_block(n, n - rho + i % rho) as u32;
            (case.repeat[2 * i], case.repeat[2 * i + 1]) = (2 * lane, 2 * lane + 1);
            i += 1;
        }
        let mut lane = 0;
        while lane < n {
            let block = block_of_lane(n, lane);
            if block + rho >= n {
                let word = (block + rho - n) as u32;
                (case.spread[2 * lane], case.spread[2 * lane + 1]) = (2 * word, 2 * word + 1);
                case.used[lane] = u64::MAX;
            }
            lane += 1;
        }
        case
    }

    /// The positions for rho = 1 to 4 and, on eight lanes, 5 to 8.
    const fn all(n: usize) -> [Case; 8] {
        // On four lanes the last four entries repeat the first four, and nothing reads them.
        let upper = n - 4;
        [
            Case::new(n, 1),
            Case::new(n, 2),
            Case::new(n, 3),
            Case::new(n, 4),
            Case::new(n, 1 + upper),
            Case::new(n, 2 + upper),
            Case::new(n, 3 + upper),
            Case::new(n, 4 + upper),
        ]
    }
}

/// Words of K, each up to eight times, and one vector of slack for stores past the end.
const KEY: usize = 9 * 8 + 8;
/// Words of five limbs of eight blocks, and one vector of slack.
const RESULTS: usize = 5 * 8 + 8;

/// h r for any rho, through memory.
///
/// Let result c = rho k + b be limb k of block b. Repeat each word of K rho times, and the rho values of each limb
/// without end. Then the factors of result c are h_i[c] and K[rho (4 - i) + c]. So N neighbouring results are five
/// products of vectors, with h permuted and K read from memory. Where fewer than N results remain, their factors
/// are first put next to each other.
#[inline(always)]
fn any<S: Shuffle32>(s: S, h: Fe<S>, rho: usize, r: &PackedKey<S>) -> Fe<S> {
    let case = &const { Case::all(S::N) }[rho - 1];
    // Unaligned loads and stores do the moves: for other rho no permutation of whole lanes does.
    let key = repeated(s, r, rho);
    let mut results = [0; RESULTS];
    // Invariant: results before c are stored, and b = c mod rho is the block of result c.
    let (mut c, mut b) = (0, 0);
    while c + S::N <= 5 * rho {
        let x = repeat(s, h, case, b);
        s.store(five_products(s, x, &key[c..], rho), &mut results[c..]);
        c += S::N;
        b += case.step;
        if b >= rho {
            b -= rho;
        }
    }
    if c < 5 * rho {
        let x = repeat(s, h, case, b);
        s.store(last_products(s, x, &key[c..], rho, 5 * rho - c), &mut results[c..]);
    }
    [
        spread(s, &results, case),
        spread(s, &results[rho..], case),
        spread(s, &results[2 * rho..], case),
        spread(s, &results[3 * rho..], case),
        spread(s, &results[4 * rho..], case),
    ]
}

/// K with each word repeated rho times; the words after that are unspecified. Stores overlap, and each overwrites
/// the excess of the one before.
#[inline(always)]
fn repeated<S: Shuffle32>(s: S, r: &PackedKey<S>, rho: usize) -> [u64; KEY] {
    let mut key = [0; KEY];
    let mut j = 0;
    while j < 9 {
        s.store(s.splat(r.words[j]), &mut key[rho * j..]);
        j += 1;
    }
    key
}

/// The limbs of blocks b, b + 1, .., rho - 1, 0, 1, .. in lanes 0, 1, ..
#[inline(always)]
fn repeat<S: Shuffle32>(s: S, h: Fe<S>, case: &Case, b: usize) -> Fe<S> {
    let index = &case.repeat[2 * b..].as_chunks().0[0];
    [
        s.permute32(h[0], index),
        s.permute32(h[1], index),
        s.permute32(h[2], index),
        s.permute32(h[3], index),
        s.permute32(h[4], index),
    ]
}

/// N results: the sum of x_i K_(4 - i), where K_j starts rho j words into the key.
#[inline(always)]
fn five_products<S: Lanes>(s: S, x: Fe<S>, key: &[u64], rho: usize) -> S::V {
    let d = product(s, x[0], &key[4 * rho..]);
    let d = s.add(d, product(s, x[1], &key[3 * rho..]));
    let d = s.add(d, product(s, x[2], &key[2 * rho..]));
    let d = s.add(d, product(s, x[3], &key[rho..]));
    s.add(d, product(s, x[4], key))
}

/// The last m results, fewer than N: the same factors side by side, those of x_0 first, in ceil(5 m / N) products.
#[inline(always)]
fn last_products<S: Lanes>(s: S, x: Fe<S>, key: &[u64], rho: usize, m: usize) -> S::V {
    let (mut left, mut right, mut products) = ([0; RESULTS], [0; RESULTS], [0; RESULTS]);
    let mut i = 0;
    while i < 5 {
        // Only the first m words of each vector are factors of results; the next store overwrites the others.
        s.store(x[i], &mut left[m * i..]);
        s.store(s.load_words(&key[rho * (4 - i)..]), &mut right[m * i..]);
        i += 1;
    }
    let mut q = 0;
    while q < 5 * m {
        s.store(product(s, s.load_words(&left[q..]), &right[q..]), &mut products[q..]);
        q += S::N;
    }
    let d = s.add(s.load_words(&products), s.load_words(&products[m..]));
    let d = s.add(d, s.load_words(&products[2 * m..]));
    let d = s.add(d, s.load_words(&products[3 * m..]));
    s.add(d, s.load_words(&products[4 * m..]))
}

#[inline(always)]
fn product<S: Lanes>(s: S, x: S::V, key: &[u64]) -> S::V {
    s.mul32(s.limb(x), s.limb(s.load_words(key)))
}

/// The first rho of `words` in the lanes of their blocks, zero in the others.
#[inline(always)]
fn spread<S: Shuffle32>(s: S, words: &[u64], case: &Case) -> S::V {
    s.select(s.permute32(s.load_words(words), &case.spread), s.load_words(&case.used))
}
