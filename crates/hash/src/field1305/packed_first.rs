//! The first vecMult of papers 000 and 003, where few blocks of D_0 are in use: products without zeros
//! (000 section 4.4, 003 section 4.1).
//!
//! Limb k of h r is `h_0 K_(k+4) + h_1 K_(k+3) + .. + h_4 K_k` with the key laid out as
//!
//! ```text
//! K = 5r1 5r2 5r3 5r4 r0 r1 r2 r3 r4
//! ```
//!
//! For the last rho blocks of D_0 let result c = rho k + b be limb k of block b. Repeat each word of K rho times and the
//! rho values of each limb without end: factors of result c are then h_i[c] and K[rho (4 - i) + c], so that N results next
//! to each other are five products of vectors, with h permuted and K read from memory. Where fewer than N results
//! are left, their factors are put side by side first. In all
//!
//! ```text
//! ceil(25 rho / N) products:    N = 4:  7 13 19 25        N = 8:  4 7 10 13 16 19 22 25
//! ```
//!
//! instead of 25. Which word goes where depends on rho and N alone: `Case`, a constant.
use super::lanes26::{Fe, block_of_lane, lane_of_block};
use super::packed::PackedKey;
use carryless_lanes::{Lanes, Shuffle32};

/// Whether rho blocks on n lanes have a first product of their own: the papers take the usual one for three of four.
pub(crate) const fn pays(n: usize, rho: usize) -> bool {
    rho < n && !(n == 4 && rho == 3)
}

/// Where the words of rho blocks go.
struct Case {
    /// Halves of the lanes of blocks 0, 1, .. rho - 1, 0, 1, ..: from 2b on, for vectors that begin with block b.
    repeat: [u32; 32],
    /// Halves that bring rho words next to each other into the lanes of their blocks.
    spread: [u32; 16],
    /// All ones in those lanes.
    used: [u64; 8],
    /// N modulo rho: how many blocks further the next N results begin.
    step: usize,
}

impl Case {
    /// For blocks n - rho .. n of a row, here called 0 .. rho.
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

    /// For rho = 1, 2, 3, 4 and, on eight lanes, 5, 6, 7, 8.
    const fn all(n: usize) -> [Case; 8] {
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

/// Words of K repeated up to eight times, and a vector to spare.
const KEY: usize = 9 * 8 + 8;
/// Words of five limbs of eight blocks, and a vector to spare.
const RESULTS: usize = 5 * 8 + 8;

/// h r in the lanes of the last rho blocks, for limbs below 2^32; zero in the others.
#[inline(always)]
pub(crate) fn mul<S: Shuffle32>(s: S, h: Fe<S>, rho: usize, r: &PackedKey<S>) -> Fe<S> {
    let case = &const { Case::all(S::N) }[rho - 1];
    let key = repeated(s, r, rho);
    let mut results = [0; RESULTS];
    // Results c, .. are to come; b is the block of result c.
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

/// K, each word rho times; what follows is not used. Later words overwrite what was too much of earlier ones.
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

/// The limbs of blocks b, b + 1, .. rho - 1, 0, 1, .. in the lanes.
#[inline(always)]
fn repeat<S: Shuffle32>(s: S, h: Fe<S>, case: &Case, b: usize) -> Fe<S> {
    let index = case.repeat[2 * b..].first_chunk().expect("b is below rho");
    [
        s.permute32(h[0], index),
        s.permute32(h[1], index),
        s.permute32(h[2], index),
        s.permute32(h[3], index),
        s.permute32(h[4], index),
    ]
}

/// N results: the sum of x_i K_(4 - i), where K_j are rho words of the key further each.
#[inline(always)]
fn five_products<S: Lanes>(s: S, x: Fe<S>, key: &[u64], rho: usize) -> S::V {
    let d = product(s, x[0], &key[4 * rho..]);
    let d = s.add(d, product(s, x[1], &key[3 * rho..]));
    let d = s.add(d, product(s, x[2], &key[2 * rho..]));
    let d = s.add(d, product(s, x[3], &key[rho..]));
    s.add(d, product(s, x[4], key))
}

/// m results, fewer than N: the same factors, those of x_0 first, in ceil(5 m / N) vectors.
#[inline(always)]
fn last_products<S: Lanes>(s: S, x: Fe<S>, key: &[u64], rho: usize, m: usize) -> S::V {
    let (mut left, mut right, mut products) = ([0; RESULTS], [0; RESULTS], [0; RESULTS]);
    let mut i = 0;
    while i < 5 {
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

/// The first rho words in the lanes of their blocks, zero in the others.
#[inline(always)]
fn spread<S: Shuffle32>(s: S, words: &[u64], case: &Case) -> S::V {
    s.select(s.permute32(s.load_words(words), &case.spread), s.load_words(&case.used))
}
