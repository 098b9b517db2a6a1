//! Shortened Reed-Solomon codes over GF(2^8), narrow sense, parity symbols first.
//!
//! The decoder solves the key equation without inversions by the reformulated algorithm of Berlekamp and Massey (Sarwate and Shanbhag, "High-speed
//! architectures for Reed-Solomon decoders", 2001): each of 2 delta rounds is two products of a vector with one element, so every step of encoding and
//! decoding but the last division is. Which round does what is decided by masks. Number of errors, their places and their values decide no branch and no
//! address.
use super::gf256::ISOMORPHISM;
use super::tables::{POINTS, Row};
use crate::secret::SecretBytes;
use crate::set::ParameterSet;
use carryless_lanes::{Bytes, BytesKernel, ClmulCpu};

/// Vectors of a row, at most: those of 16 bytes.
const ROW: usize = POINTS / 16;
/// Vectors for the 3 delta + 1 elements of the algorithm, at most.
const STATE: usize = 6;
/// Bytes of buffers: two rows.
const BUFFER: usize = 2 * POINTS;

/// Bytes that are wiped when they are dropped.
type Buffer = SecretBytes<[u8; BUFFER]>;

/// The codeword of a message of `S::K` symbols: `S::N1` symbols, the last ones being the message.
///
/// # Panics
/// If a slice has another length.
pub fn encode<S: ParameterSet>(cpu: ClmulCpu, message: &[u8], codeword: &mut [u8]) {
    assert_eq!((message.len(), codeword.len()), (S::K, S::N1), "symbols of a message and of a codeword");
    let mut symbols = Buffer::zeroed();
    symbols[..S::K].copy_from_slice(message);
    cpu.call_bytes(Encode::<S> { symbols: &mut symbols, of: core::marker::PhantomData });
    let (parity, rest) = codeword.split_at_mut(2 * S::DELTA);
    parity.copy_from_slice(&symbols[..2 * S::DELTA]);
    rest.copy_from_slice(message);
}

/// The message whose codeword differs from `received` in `S::DELTA` symbols at most. Where there is none, `message` gets any symbols: that is no error, and nobody
/// learns of it here.
///
/// # Panics
/// If a slice has another length.
pub fn decode<S: ParameterSet>(cpu: ClmulCpu, received: &[u8], message: &mut [u8]) {
    assert_eq!((received.len(), message.len()), (S::N1, S::K), "symbols of a codeword and of a message");
    let mut symbols = Buffer::zeroed();
    symbols[..S::N1].copy_from_slice(received);
    let mut state = Buffer::zeroed();
    let of = core::marker::PhantomData;
    cpu.call_bytes(Decode::<S> { symbols: &mut symbols, state: &mut state, of });
    message.copy_from_slice(&symbols[2 * S::DELTA..S::N1]);
}

/// Vectors for so many bytes.
#[inline(always)]
const fn vectors<B: Bytes>(bytes: usize) -> usize {
    bytes.div_ceil(16 * B::K)
}

/// Maps the first `bytes` bytes from one field to the other, in whole vectors.
#[inline(always)]
fn change_field<B: Bytes>(b: B, buffer: &mut [u8; BUFFER], bytes: usize) {
    let mut i = 0;
    while i < vectors::<B>(bytes) {
        let x = b.load_bytes(&buffer[16 * B::K * i..]);
        b.store_bytes(b.map_bytes::<ISOMORPHISM>(x), &mut buffer[16 * B::K * i..]);
        i += 1;
    }
}

/// The sum of `rows[i]` times `elements[i]`, for every `step`-th i from `first` on. Of a row, the first `width` elements are computed, and zeros.
#[inline(always)]
fn combine<B: Bytes>(
    b: B,
    rows: &[Row],
    elements: &[u8],
    [first, step]: [usize; 2],
    width: usize,
) -> [B::X; ROW] {
    let (mut sums, mut i) = ([b.zero(); ROW], first);
    while i < rows.len() {
        let factor = b.factor(b.splat_byte(elements[i]));
        let (row, mut v) = (&rows[i], 0);
        while v < vectors::<B>(width) {
            sums[v] = b.xor(sums[v], b.scale(b.load_bytes(&row[16 * B::K * v..]), factor));
            v += 1;
        }
        i += step;
    }
    sums
}

/// From message symbols to parity symbols.
struct Encode<'a, S> {
    symbols: &'a mut [u8; BUFFER],
    of: core::marker::PhantomData<S>,
}

impl<S: ParameterSet> BytesKernel for Encode<'_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) {
        change_field(b, self.symbols, S::K);
        let parity = combine(b, S::TABLES.parity, self.symbols, [0, 1], 2 * S::DELTA);
        let mut v = 0;
        while v < vectors::<B>(2 * S::DELTA) {
            b.store_bytes(b.map_bytes::<ISOMORPHISM>(parity[v]), &mut self.symbols[16 * B::K * v..]);
            v += 1;
        }
    }
}

/// From received symbols to corrected ones.
struct Decode<'a, S> {
    symbols: &'a mut [u8; BUFFER],
    /// What the key equation gives.
    state: &'a mut [u8; BUFFER],
    of: core::marker::PhantomData<S>,
}

impl<S: ParameterSet> BytesKernel for Decode<'_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) {
        let Self { symbols, state, .. } = self;
        change_field(b, symbols, S::N1);
        let syndromes = combine(b, S::TABLES.syndromes, symbols, [0, 1], 2 * S::DELTA);
        key_equation::<S, B>(b, syndromes, state);
        correct::<S, B>(b, 0, POINTS.min(S::N1), state, symbols);
        if S::N1 > POINTS {
            correct::<S, B>(b, 1, S::N1 - POINTS, state, symbols);
        }
        change_field(b, symbols, S::N1);
    }
}

/// Solves the key equation. With t = delta, the error locator L of degree at most t and s(X) the sum of syndrome i + 1 times X^i,
///
/// ```text
/// L(X) s(X) = (degree < t) + X^2t H(X),
/// ```
///
/// `out` gets the coefficients of H (t bytes) and those of L (t + 1), both times the same element other than zero.
///
/// The formulas are for d = delta and h = theta of the paper, polynomials of 3 t + 1 coefficients, an element g and a counter k:
///
/// ```text
/// d' = g d / X - d(0) h
/// d(0) != 0 and k >= 0:  h' = d / X, g' = d(0), k' = -k - 1
/// otherwise:             h' = h,     g' = g,    k' = k + 1
/// ```
#[inline(always)]
fn key_equation<S: ParameterSet, B: Bytes>(b: B, syndromes: [B::X; ROW], out: &mut [u8; BUFFER]) {
    let count = const { (3 * S::DELTA + 1).div_ceil(16 * B::K) };
    const { assert!((3 * S::DELTA + 1).div_ceil(16 * B::K) <= STATE && 3 * S::DELTA < BUFFER) };
    // Coefficient 3 t is one.
    out[3 * S::DELTA] = 1;
    let (mut d, mut i) = ([b.zero(); STATE], 0);
    while i < count {
        d[i] = b.load_bytes(&out[16 * B::K * i..]);
        if i < vectors::<B>(2 * S::DELTA) {
            d[i] = b.xor(d[i], syndromes[i]);
        }
        i += 1;
    }
    let (mut h, mut g) = (d, b.factor(b.splat_byte(1)));
    let (ones, mut k, mut round) = (b.splat([!0; 2]), b.zero(), 0);
    while round < 2 * S::DELTA {
        let first = b.first_byte(d[0]);
        let factor = b.factor(first);
        // All ones, or zero, in all bytes.
        let zero = b.zero_bytes(first);
        let keep = b.select(zero, b.sign_bytes(k), zero);
        let mut i = 0;
        while i < count {
            let next = if i + 1 < count { d[i + 1] } else { b.zero() };
            let down = b.bytes_down(d[i], next);
            d[i] = b.xor(b.scale(down, g), b.scale(h[i], factor));
            h[i] = b.select(keep, down, h[i]);
            i += 1;
        }
        g = b.select_factor(keep, factor, g);
        // -k - 1 is the complement of k.
        k = b.select(keep, b.xor(k, ones), b.sub_bytes(k, ones));
        round += 1;
    }
    let mut i = 0;
    while i < count {
        b.store_bytes(d[i], &mut out[16 * B::K * i..]);
        i += 1;
    }
}

/// Corrects the first `width` symbols of a block of 64. With the names of [`key_equation`], the symbol at place p, x = a^-p, has an error if L(x) = 0, whose
/// value is
///
/// ```text
/// x^(2t+1) H(x) / (x L'(x)),
/// ```
///
/// where x L'(x) is the sum of the odd terms of L(x).
#[inline(always)]
fn correct<S: ParameterSet, B: Bytes>(
    b: B,
    block: usize,
    width: usize,
    state: &[u8; BUFFER],
    symbols: &mut [u8; BUFFER],
) {
    let powers = &S::TABLES.powers[block * (S::DELTA + 1)..][..S::DELTA + 1];
    let (shift, symbols) = (&S::TABLES.shift[block], &mut symbols[POINTS * block..]);
    let (magnitude, locator) = state.split_at(S::DELTA);
    let h = combine(b, &powers[..S::DELTA], magnitude, [0, 1], width);
    let even = combine(b, powers, locator, [0, 2], width);
    let odd = combine(b, powers, locator, [1, 2], width);
    let mut v = 0;
    while v < vectors::<B>(width) {
        let at = 16 * B::K * v;
        let numerator = b.mul_bytes(h[v], b.load_bytes(&shift[at..]));
        let error = b.mul_bytes(numerator, b.inv_bytes(odd[v]));
        let root = b.zero_bytes(b.xor(even[v], odd[v]));
        let symbol = b.xor(b.load_bytes(&symbols[at..]), b.and(root, error));
        b.store_bytes(symbol, &mut symbols[at..]);
        v += 1;
    }
}
