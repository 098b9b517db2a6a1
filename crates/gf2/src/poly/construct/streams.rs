//! Single products in rows of schoolbook products, whose words are aligned once, at the end.
//!
//! They are for CPUs where moves of lanes take the port of carry-less products: Intel's from Ice Lake on compute one
//! of either in a cycle. Karatsuba's method at 128 bits saves a product of four, for moves of halves that take as long.
//! Here a vector of K blocks by as many takes 4 K products and K - 1 rotations. The sums stay apart as *streams*, by
//! the halves that were multiplied:
//!
//! ```text
//! product = low low + X^64 (low high + high low) + X^128 high high
//! ```
//!
//! Sums of streams are streams, so that levels of Karatsuba's method join them before two moves align each vector of the
//! result.
use super::single::{Padded, Partial, Single};
use carryless_lanes::Clmul;

/// The words of operands that fit: two vectors of four lanes.
const MAX_WORDS: usize = 16;

/// The three streams of a product of V vectors: low low, the middle, high high.
type Streams<X, const V: usize> = [[X; V]; 3];

/// A method for products of V vectors by V vectors, `W = 2 V`, as streams.
pub(crate) trait Streamed<const V: usize, const W: usize>: Copy {
    /// The product of the words of `a`, whole vectors in memory, by `b`.
    fn streams<S: Clmul>(self, s: S, a: &[u64], b: [S::X; V]) -> Streams<S::X, W>;
}

/// One vector by one vector: K rows.
#[derive(Clone, Copy, Default)]
pub(crate) struct Square;

impl Streamed<1, 2> for Square {
    #[inline(always)]
    fn streams<S: Clmul>(self, s: S, a: &[u64], [b]: [S::X; 1]) -> Streams<S::X, 2> {
        // Loads take no port of products; moves of blocks would.
        let a = s.in_memory(&a[..2 * S::K]);
        let (mut all, mut high, mut i) = ([s.zero(); 3], [s.zero(); 3], 0);
        while i < S::K {
            // Block i of A in every lane, a load. Lane p has block p - i of B modulo K, so that the product's place is
            // lane p: of the high vector, if p < i.
            let (a, b) = (s.load_lanes(&a[2 * i..], 0), s.permute_lanes(b, rotated::<S>(i)));
            let row = [s.mul_ll(a, b), s.xor(s.mul_lh(a, b), s.mul_hl(a, b)), s.mul_hh(a, b)];
            let mut k = 0;
            while k < 3 {
                // Invariant: `all` has both vectors of the rows before, `high` the high ones. One mask serves both.
                high[k] = s.xor(high[k], s.first_lanes(i, row[k]));
                all[k] = s.xor(all[k], row[k]);
                k += 1;
            }
            i += 1;
        }
        let stream = |k: usize| [s.xor(all[k], high[k]), high[k]];
        [stream(0), stream(1), stream(2)]
    }
}

/// The order of lanes that moves each up by i, around.
#[inline(always)]
const fn rotated<S: Clmul>(i: usize) -> [usize; 4] {
    let (mut order, mut p) = ([0; 4], 0);
    while p < S::K {
        order[p] = (p + S::K - i) % S::K;
        p += 1;
    }
    order
}

/// Two vectors by two vectors: a level of Karat2 over [`Square`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Pair;

impl Streamed<2, 4> for Pair {
    #[inline(always)]
    fn streams<S: Clmul>(self, s: S, a: &[u64], [b0, b1]: [S::X; 2]) -> Streams<S::X, 4> {
        let (a0, a1) = a.split_at(2 * S::K);
        // In memory, as rows load blocks from there.
        let mut sum = [0; MAX_WORDS / 2];
        s.store(s.xor(s.load(a0), s.load(a1)), &mut sum);
        let (low, high) = (Square.streams(s, a0, [b0]), Square.streams(s, a1, [b1]));
        let middle = Square.streams(s, &sum, [s.xor(b0, b1)]);
        let join = |k: usize| {
            let ([l0, l1], [h0, h1], [m0, m1]) = (low[k], high[k], middle[k]);
            let shared = s.xor(l1, h0);
            [l0, s.xor(shared, s.xor(l0, m0)), s.xor(shared, s.xor(h1, m1)), h1]
        };
        [join(0), join(1), join(2)]
    }
}

/// A product by a method of streams T, for operands of V vectors on four lanes; `W = 2 V`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Aligned<T, const V: usize, const W: usize>(T);

impl<T: Streamed<V, W>, const V: usize, const W: usize> Aligned<T, V, W> {
    /// The vectors of the product. `SHORT` operands may have less than V vectors: as if they had zeros on top.
    #[inline(always)]
    fn vectors<S: Clmul, const SHORT: bool>(self, s: S, a: &[u64], b: &[u64]) -> [S::X; W] {
        let (mut padded, mut vectors, mut i) = ([0; MAX_WORDS], [s.zero(); V], 0);
        while i < V {
            // Blocks of A are loaded from whole vectors: their loads wait long for a store by a mask.
            if SHORT {
                s.store(s.load_part(vector::<S>(a, i)), &mut padded[2 * S::K * i..]);
                vectors[i] = s.load_part(vector::<S>(b, i));
            } else {
                vectors[i] = s.load(&b[2 * S::K * i..]);
            }
            i += 1;
        }
        let [low, middle, high] = self.0.streams(s, if SHORT { &padded } else { a }, vectors);
        let (mut out, mut before, mut i) = ([s.zero(); W], [s.zero(); 2], 0);
        while i < W {
            // The middle moves up by half a lane and the high stream by a lane, out of the vector before.
            let middle_before = s.lanes_from(S::K - 1, before[0], middle[i]);
            let high_before = s.lanes_from(S::K - 1, before[1], high[i]);
            out[i] = s.xor(low[i], s.xor(s.straddle(middle_before, middle[i]), high_before));
            before = [middle[i], high[i]];
            i += 1;
        }
        out
    }
}

/// The words of vector i; fewer or none at the end.
#[inline(always)]
fn vector<S: Clmul>(words: &[u64], i: usize) -> &[u64] {
    let n = words.len();
    &words[n.min(2 * S::K * i)..n.min(2 * S::K * (i + 1))]
}

impl<T, const V: usize, const W: usize, const N: usize, const M: usize> Single<N, M> for Aligned<T, V, W>
where
    T: Streamed<V, W>,
{
    const LANES: usize = N / V;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        store(s, self.vectors::<S, false>(s, &a[..2 * N], &b[..2 * N]), &mut out[..2 * M]);
    }
}

impl<T, const V: usize, const W: usize, const N: usize, const M: usize> Padded<N, M> for Aligned<T, V, W>
where
    T: Streamed<V, W>,
{
    #[inline(always)]
    fn padded<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        store(s, self.vectors::<S, true>(s, a, b), &mut out[..2 * M]);
    }
}

impl<T, const V: usize, const W: usize, const N: usize, const M: usize> Partial<N, M> for Aligned<T, V, W>
where
    T: Streamed<V, W>,
{
    const LANES: usize = N / V;

    #[inline(always)]
    fn partial<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        store(s, self.vectors::<S, true>(s, a, b), out);
    }
}

/// Stores as many words of the vectors as `out` has.
#[inline(always)]
fn store<S: Clmul, const W: usize>(s: S, vectors: [S::X; W], out: &mut [u64]) {
    let mut i = 0;
    while i < W {
        let (from, to) = (out.len().min(2 * S::K * i), out.len().min(2 * S::K * (i + 1)));
        if to - from == 2 * S::K {
            s.store(vectors[i], &mut out[from..to]);
        } else {
            s.store_part(vectors[i], &mut out[from..to]);
        }
        i += 1;
    }
}
