//! Operations of the algebra on slices of words, least significant first.
use super::Poly;
use crate::poly;
use crate::poly::modular::MAX_WORDS;
use alloc::vec;
use alloc::vec::Vec;
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::mem;
use smallvec::{SmallVec, smallvec};

/// How many words a [`Poly`](super::Poly) holds without an allocation, which takes as long as a product of this size:
/// those of a remainder for which there are kernels.
pub(super) const INLINE: usize = MAX_WORDS;

/// The words of a polynomial.
pub(super) type Words = SmallVec<[u64; INLINE]>;

/// The words of a product, in place: on the stack if both factors fit into a [`Poly`](super::Poly) without an allocation.
pub(super) struct Buffer {
    /// Words above those in use are zero.
    short: [u64; 2 * INLINE],
    /// Used instead of `short` for more words.
    long: Vec<u64>,
    len: usize,
}

impl Buffer {
    /// A buffer of `len` words, all zero.
    // In the caller's frame: a copy takes as long as a short product.
    #[inline(always)]
    pub(super) fn zeros(len: usize) -> Buffer {
        let mut long = Vec::new();
        if len > 2 * INLINE {
            // Not `vec![0; len]`: glibc's `calloc` does not use the cache that makes `malloc` fast.
            long.reserve_exact(len);
            long.resize(len, 0);
        }
        Buffer { short: [0; 2 * INLINE], long, len }
    }

    /// A buffer for the product of these, all zero.
    #[inline(always)]
    pub(super) fn for_product(a: &[u64], b: &[u64]) -> Buffer {
        Buffer::zeros(a.len() + b.len())
    }

    /// All words: on the stack up to 2 `INLINE` of them, else on the heap.
    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        if self.len <= 2 * INLINE { &mut self.short[..self.len] } else { &mut self.long }
    }

    /// Makes a polynomial of the words, which may have zeros on top. The words are undefined afterwards.
    #[inline]
    pub(super) fn take(&mut self) -> Poly {
        if self.len > 2 * INLINE {
            return Poly::from(mem::take(&mut self.long));
        }
        let len = trimmed(&self.short[..self.len]);
        match self.short.first_chunk() {
            // The number of words to copy is a constant.
            Some(low) if len <= INLINE => Poly { words: Words::from_buf_and_len(*low, len) },
            _ => Poly { words: Words::from_slice(&self.short[..len]) },
        }
    }
}

/// The number of words without the zeros on top.
pub(super) fn trimmed(words: &[u64]) -> usize {
    words.iter().rposition(|&word| word != 0).map_or(0, |i| i + 1)
}

/// Removes zero words from the top.
pub(super) fn trim(words: &mut Words) {
    words.truncate(trimmed(words));
}

/// `out += a`, for as many words as the shorter has.
pub(super) fn add_to(out: &mut [u64], a: &[u64]) {
    for (out, a) in out.iter_mut().zip(a) {
        *out ^= a;
    }
}

/// The product a X^n, one word longer than it may need; no words for no words.
pub(super) fn shl(a: &[u64], n: usize) -> Words {
    if a.is_empty() {
        return Words::new();
    }
    let (zeros, shift) = (n / 64, n % 64);
    let mut out: Words = smallvec![0; zeros + a.len() + 1];
    for (i, &word) in a.iter().enumerate() {
        // As two words, so that a shift by 0 needs no case: the upper word is 0.
        let shifted = u128::from(word) << shift;
        out[zeros + i] |= shifted as u64;
        out[zeros + i + 1] |= (shifted >> 64) as u64;
    }
    out
}

/// The quotient of a by X^n, `a.len() - n / 64` words.
pub(super) fn shr(a: &[u64], n: usize) -> Words {
    let a = a.get(n / 64..).unwrap_or_default();
    let above = a.iter().skip(1).copied().chain([0]);
    let shifted = a.iter().zip(above).map(|(&low, high)| {
        // As two words, because a shift by 0 would take the upper one by 64 bits, which is not allowed.
        let both = u128::from(high) << 64 | u128::from(low);
        (both >> (n % 64)) as u64
    });
    shifted.collect()
}

/// The 128 coefficients from X^n on, with zeros above the last word.
pub(super) fn window(a: &[u64], n: usize) -> u128 {
    let word = |i| u128::from(a.get(n / 64 + i).copied().unwrap_or(0));
    // Three words, because a window of 128 bits may begin within the first one.
    let low = word(1) << 64 | word(0);
    // Shifts by 128 are not allowed, so whole words are apart.
    match n % 64 {
        0 => low,
        shift => low >> shift | word(2) << (128 - shift),
    }
}

/// The product a b, as many words as both together.
pub(super) fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    multiply(a, b, &mut out);
    out
}

/// `out = a b` in as many words as both together, which are zero before. A single word times many is a row. Kernels for
/// short operands need no [`poly::Plan`], which takes longer to make than they run.
pub(super) fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    match short {
        [] => {}
        [word] => {
            let (top, low) = out.split_last_mut().expect("two words at least");
            *top = add_row(*word, long, low);
        }
        _ if poly::product_by_kernel(ClmulCpu::detect(), long, short, out) => {}
        _ => {
            let plan = poly::Plan::new(long.len(), short.len());
            plan.mul(long, short, out, &mut vec![0; plan.scratch_words()]);
        }
    }
}

/// `out += q a` in `a.len()` words; returns the word that lies above them.
#[inline(always)]
fn row<S: Clmul>(s: S, q: u64, a: &[u64], out: &mut [u64]) -> u64 {
    let q = s.load(&[q, 0]);
    let mut odd = s.zero();
    let (pairs, mut out) = (a.chunks_exact(2), out.chunks_exact_mut(2));
    let last = pairs.remainder();
    for (a, out) in pairs.zip(&mut out) {
        let a = s.load(a);
        // Two words of a at a time. The product with the odd word straddles this pair and the next: invariant,
        // `odd` is the one of the pair before.
        let next = s.mul_lh(q, a);
        let sum = s.xor(s.mul_ll(q, a), s.straddle(odd, next));
        s.store(s.xor(s.load(out), sum), out);
        odd = next;
    }
    let (mut top, above) = ([0; 2], s.straddle(odd, s.zero()));
    if let ([last], [out]) = (last, out.into_remainder()) {
        s.store(s.xor(s.mul_ll(q, s.load(&[*last, 0])), above), &mut top);
        *out ^= top[0];
        return top[1];
    }
    s.store(above, &mut top);
    top[0]
}

/// The kernel of [`row`]: fields are q, a and out.
struct Row<'a>(u64, &'a [u64], &'a mut [u64]);

impl ClmulKernel for Row<'_> {
    type Out = u64;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> u64 {
        row(s, self.0, self.1, self.2)
    }
}

/// `out += q a`, for as many words as `a` has; returns the word that lies above them.
fn add_row(q: u64, a: &[u64], out: &mut [u64]) -> u64 {
    ClmulCpu::detect().with_lanes(1).call(Row(q, a, out))
}

/// The kernel for division by X^(64 n) + `low`, of n words, one word of the quotient after the other.
///
/// With t the top word of `low` and inverse = floor(X^128 / (X^64 + t)) + X^64, the word u at the top has the
/// quotient q = u + floor(u inverse / X^64). What `inverse` leaves out only contributes terms of degree below 0.
struct Schoolbook<'a> {
    low: &'a [u64],
    inverse: u64,
    r: &'a mut [u64],
}

impl ClmulKernel for Schoolbook<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Schoolbook { low, inverse, r } = self;
        let n = low.len();
        for i in (n..r.len()).rev() {
            // n + 1 products of words for each word of the quotient: one for q, n for q times `low`.
            let (rest, top) = r.split_at_mut(i);
            let (u, mut product) = (s.load(&[top[0], inverse]), [0; 2]);
            s.store(s.mul_lh(u, u), &mut product);
            // Now `top` is q: the product with the leading term of the divisor would cancel u, so the place is free
            // for q.
            top[0] ^= product[1];
            row(s, top[0], low, &mut rest[i - n..]);
        }
    }
}

/// Divides `r` by X^(64 n) + `low`, of n words: the remainder replaces the first n words of
/// `r`, the quotient the others.
pub(super) fn schoolbook(low: &[u64], inverse: u64, r: &mut [u64]) {
    ClmulCpu::detect().with_lanes(1).call(Schoolbook { low, inverse, r });
}

/// The kernel that turns (a, b) into (p a + q b, r a + s b), for a matrix p, q, r, s of words. Both have
/// room for one more word.
struct Turn<'a> {
    matrix: [u64; 4],
    a: &'a mut [u64],
    b: &'a mut [u64],
}

impl ClmulKernel for Turn<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Turn { matrix, a, b } = self;
        let (pq, rs) = (s.load(&matrix[..2]), s.load(&matrix[2..]));
        let (mut odd_a, mut odd_b) = (s.zero(), s.zero());
        for (a, b) in a.chunks_exact_mut(2).zip(b.chunks_exact_mut(2)) {
            let (x, y) = (s.load(a), s.load(b));
            // As in `row`, products with odd words straddle two pairs. Eight products of words for each pair of a
            // and b.
            let next_a = s.xor(s.mul_lh(pq, x), s.mul_hh(pq, y));
            let even_a = s.xor(s.mul_ll(pq, x), s.mul_hl(pq, y));
            s.store(s.xor(even_a, s.straddle(odd_a, next_a)), a);
            let next_b = s.xor(s.mul_lh(rs, x), s.mul_hh(rs, y));
            let even_b = s.xor(s.mul_ll(rs, x), s.mul_hl(rs, y));
            s.store(s.xor(even_b, s.straddle(odd_b, next_b)), b);
            (odd_a, odd_b) = (next_a, next_b);
        }
    }
}

/// Turns (a, b) into (p a + q b, r a + s b), for a matrix p, q, r, s of words.
pub(super) fn turn(matrix: [u64; 4], a: &mut Words, b: &mut Words) {
    // Room for one word more, rounded up to whole pairs.
    let size = (a.len().max(b.len()) + 1).next_multiple_of(2);
    a.resize(size, 0);
    b.resize(size, 0);
    ClmulCpu::detect().with_lanes(1).call(Turn { matrix, a, b });
    trim(a);
    trim(b);
}
