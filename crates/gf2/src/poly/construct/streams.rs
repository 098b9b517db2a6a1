//! Single products in rows of schoolbook products, whose words are aligned once, at the end.
//!
//! They are for CPUs where moves of lanes take the port of carry-less products: Intel's from Ice Lake on compute one
//! of either in a cycle. Karatsuba's method at 128 bits saves a product of four, for moves of halves that take as long.
//! A vector of K blocks by as many takes 4 K products and K - 1 rotations. The sums stay apart as two *streams*, by the
//! place of a product in its lane:
//!
//! ```text
//! product = even + X^64 middle,    even = low low + X^128 high high,    middle = low high + high low
//! ```
//!
//! Sums of streams are streams, so that levels of Karatsuba's method join them before two moves align each vector of the
//! result.
use super::passes::{Lines, vector};
use super::single::{Partial, Single};
use carryless_lanes::Clmul;

/// The words of operands that fit: three vectors of four lanes.
const MAX_WORDS: usize = 24;

/// The streams of a product, in V vectors each: the even one, the middle.
type Streams<X, const V: usize> = [[X; V]; 2];

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
        let (mut all, mut high, mut before, mut i) = ([s.zero(); 2], [s.zero(); 2], s.zero(), 0);
        while i < S::K {
            // Block i of A in every lane. Lane p has block p - i of B modulo K, so that the product's place is lane p:
            // of the high vector, if p < i. The product of high halves with block i - 1 of A has the same place.
            let (block, rotated) = (s.load_lanes(&a[2 * i..], 0), s.permute_lanes(b, rotated::<S>(i)));
            let (low_low, high_high) = (s.mul_ll(block, rotated), s.mul_hh(before, rotated));
            let even = if i == 0 { low_low } else { s.xor(low_low, high_high) };
            let row = [even, s.xor(s.mul_lh(block, rotated), s.mul_hl(block, rotated))];
            let mut k = 0;
            while k < 2 {
                // Invariant: `all` has both vectors of the rows before, `high` the high ones. One mask serves both.
                high[k] = s.xor(high[k], s.first_lanes(i, row[k]));
                all[k] = s.xor(all[k], row[k]);
                k += 1;
            }
            before = block;
            i += 1;
        }
        let low = [s.xor(all[0], high[0]), s.xor(all[1], high[1])];
        [[low[0], s.xor(high[0], s.mul_hh(before, b))], [low[1], high[1]]]
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
        let mut sum = Lines([0; 8]);
        s.store(s.xor(s.load(a0), s.load(a1)), &mut sum.0);
        let (low, high) = (Square.streams(s, a0, [b0]), Square.streams(s, a1, [b1]));
        let middle = Square.streams(s, &sum.0, [s.xor(b0, b1)]);
        [join_two(s, low[0], high[0], middle[0]), join_two(s, low[1], high[1], middle[1])]
    }
}

/// A stream of a product by Karat2, out of those of the low and the high halves and of their sums.
#[inline(always)]
fn join_two<S: Clmul>(s: S, [l0, l1]: [S::X; 2], [h0, h1]: [S::X; 2], [m0, m1]: [S::X; 2]) -> [S::X; 4] {
    let shared = s.xor(l1, h0);
    [l0, s.xor(shared, s.xor(l0, m0)), s.xor(shared, s.xor(h1, m1)), h1]
}

/// Three vectors by three vectors: a level of Karat3 (paper 002, Algorithm 2) over [`Square`]. With R_i = A_i B_i, R_ij =
/// (A_i + A_j)(B_i + B_j) and Y = X^(128 K) the product is
///
/// R0 + (R01 + R0 + R1) Y + (R02 + R0 + R1 + R2) Y^2 + (R12 + R1 + R2) Y^3 + R2 Y^4.
#[derive(Clone, Copy, Default)]
pub(crate) struct Triple;

impl Streamed<3, 6> for Triple {
    #[inline(always)]
    fn streams<S: Clmul>(self, s: S, a: &[u64], [b0, b1, b2]: [S::X; 3]) -> Streams<S::X, 6> {
        let [a0, a1, a2] = [s.load(a), s.load(&a[2 * S::K..]), s.load(&a[4 * S::K..])];
        let mut sums = Lines([0; MAX_WORDS]);
        s.store(s.xor(a0, a1), &mut sums.0);
        s.store(s.xor(a0, a2), &mut sums.0[2 * S::K..]);
        s.store(s.xor(a1, a2), &mut sums.0[4 * S::K..]);
        let r0 = Square.streams(s, a, [b0]);
        let r1 = Square.streams(s, &a[2 * S::K..], [b1]);
        let r01 = Square.streams(s, &sums.0, [s.xor(b0, b1)]);
        let r2 = Square.streams(s, &a[4 * S::K..], [b2]);
        let r02 = Square.streams(s, &sums.0[2 * S::K..], [s.xor(b0, b2)]);
        let r12 = Square.streams(s, &sums.0[4 * S::K..], [s.xor(b1, b2)]);
        let (even, middle) = ([r01[0], r02[0], r12[0]], [r01[1], r02[1], r12[1]]);
        [join_three(s, [r0[0], r1[0], r2[0]], even), join_three(s, [r0[1], r1[1], r2[1]], middle)]
    }
}

/// A stream of a product by Karat3, out of those of R0, R1, R2 and of R01, R02, R12.
#[inline(always)]
fn join_three<S: Clmul>(s: S, [r0, r1, r2]: [[S::X; 2]; 3], [r01, r02, r12]: [[S::X; 2]; 3]) -> [S::X; 6] {
    let mut c = [s.zero(); 6];
    let mut i = 0;
    while i < 2 {
        let (low, high) = (s.xor(r0[i], r1[i]), s.xor(r1[i], r2[i]));
        c[i] = s.xor(c[i], r0[i]);
        c[i + 1] = s.xor(c[i + 1], s.xor(r01[i], low));
        c[i + 2] = s.xor(c[i + 2], s.xor(r02[i], s.xor(low, r2[i])));
        c[i + 3] = s.xor(c[i + 3], s.xor(r12[i], high));
        c[i + 4] = s.xor(c[i + 4], r2[i]);
        i += 1;
    }
    c
}

/// A product by a method of streams T, for operands of V vectors on four lanes; `W = 2 V`.
#[derive(Clone, Copy, Default)]
pub(crate) struct Aligned<T, const V: usize, const W: usize>(T);

impl<T: Streamed<V, W>, const V: usize, const W: usize> Aligned<T, V, W> {
    /// The vectors of the product. `SHORT` operands have at most V vectors and more than half of them: as if they had zeros
    /// on top.
    #[inline(always)]
    fn vectors<S: Clmul, const SHORT: bool>(self, s: S, a: &[u64], b: &[u64]) -> [S::X; W] {
        let (mut padded, mut vectors, mut i) = (Lines([0; MAX_WORDS]), [s.zero(); V], 0);
        // One mask for both.
        let b = &b[..a.len()];
        while i < V {
            let (a, b, full) = (vector::<S>(a, i), vector::<S>(b, i), !SHORT || i < V / 2);
            vectors[i] = if full { s.load(b) } else { s.load_part(b) };
            if SHORT {
                // Blocks of A are loaded from whole vectors: their loads wait long for a store by a mask.
                s.store(if full { s.load(a) } else { s.load_part(a) }, &mut padded.0[2 * S::K * i..]);
            }
            i += 1;
        }
        let [even, middle] = self.0.streams(s, if SHORT { &padded.0 } else { a }, vectors);
        let (mut out, mut before, mut i) = ([s.zero(); W], s.zero(), 0);
        while i < W {
            // The middle moves up by half a lane, out of the vector before.
            let moved = s.straddle(s.lanes_from(S::K - 1, before, middle[i]), middle[i]);
            out[i] = s.xor(even[i], moved);
            before = middle[i];
            i += 1;
        }
        out
    }
}

impl<T, const V: usize, const W: usize, const N: usize, const M: usize> Single<N, M> for Aligned<T, V, W>
where
    T: Streamed<V, W>,
{
    const LANES: usize = N / V;

    #[inline(always)]
    fn product<S: Clmul>(self, s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        // Lengths are checked first: a branch between a load and its broadcast makes the broadcast a move.
        let (a, b, out) = (&a[..2 * N], &b[..2 * N], &mut out[..2 * M]);
        store(s, self.vectors::<S, false>(s, a, b), out);
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
