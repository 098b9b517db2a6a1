//! Shortened Reed-Solomon codes over GF(2^8), narrow sense, parity symbols first.
//!
//! The decoder solves the key equation by the reformulated Berlekamp-Massey algorithm of Sarwate and Shanbhag
//! ("High-speed architectures for Reed-Solomon decoders", 2001). It needs no inversions: each of its 2 delta
//! rounds is two products of a vector with one element. All steps but the final division have this form, in
//! the encoder and in the decoder.
//!
//! Constant time: masks select between the cases of a round. The number, the places and the values of errors
//! decide no branch and no address. A decoder that exits early reveals the number of errors, which depends on
//! the secret key (Wafo-Tapa et al. 2019, on BCH codes).
use super::gf256::ISOMORPHISM;
use super::tables::{BUFFER, POINTS, Row};
use crate::secret::SecretBytes;
use crate::set::sealed::Sealed;
use crate::set::{Category1, Category3, Category5, ParameterSet};
use carryless_lanes::{Bytes, BytesKernel, ClmulCpu};
use core::marker::PhantomData;

/// Most vectors in a row: 64 bytes in vectors of 16.
const ROW: usize = POINTS / 16;
/// Most vectors for the 3 delta + 1 coefficients of the key equation: 88 bytes in vectors of 16.
const STATE: usize = 6;

/// A buffer of symbols or coefficients, wiped when dropped.
type Buffer = SecretBytes<[u8; BUFFER]>;

/// Encodes a message of `S::K` symbols as a codeword of `S::N1` symbols, whose last `S::K`
/// are the message. Constant time.
///
/// # Panics
/// If a slice has another length.
pub fn encode<S: ParameterSet>(cpu: ClmulCpu, message: &[u8], codeword: &mut [u8]) {
    assert_eq!((message.len(), codeword.len()), (S::K, S::N1), "symbols of a message and of a codeword");
    let mut symbols = Buffer::zeroed();
    symbols[..S::K].copy_from_slice(message);
    S::encode(cpu, &mut symbols);
    let (parity, rest) = codeword.split_at_mut(2 * S::DELTA);
    parity.copy_from_slice(&symbols[..2 * S::DELTA]);
    rest.copy_from_slice(message);
}

/// Decodes the message whose codeword differs from `received` in at most `S::DELTA` symbols. Constant time.
///
/// If there is none, `message` gets arbitrary symbols without any sign of it. The KEM detects this by encrypting again.
///
/// # Panics
/// If a slice has another length.
pub fn decode<S: ParameterSet>(cpu: ClmulCpu, received: &[u8], message: &mut [u8]) {
    assert_eq!((received.len(), message.len()), (S::N1, S::K), "symbols of a codeword and of a message");
    let mut symbols = Buffer::zeroed();
    symbols[..S::N1].copy_from_slice(received);
    let mut state = Buffer::zeroed();
    S::decode(cpu, &mut symbols, &mut state);
    // Parity symbols come first, so the message is the end of the codeword.
    message.copy_from_slice(&symbols[2 * S::DELTA..S::N1]);
}

macro_rules! kernels {
    ($($Set:ident),*) => {
        $(impl Sealed for $Set {
            fn encode(cpu: ClmulCpu, symbols: &mut [u8; BUFFER]) {
                cpu.bytes().call(Encode::<$Set> { symbols, of: PhantomData });
            }

            fn decode(cpu: ClmulCpu, symbols: &mut [u8; BUFFER], state: &mut [u8; BUFFER]) {
                cpu.bytes().call(Decode::<$Set> { symbols, state, of: PhantomData });
            }
        })*
    };
}

kernels!(Category1, Category3, Category5);

/// Number of vectors that hold this number of bytes.
#[inline(always)]
const fn vectors<B: Bytes>(bytes: usize) -> usize {
    bytes.div_ceil(16 * B::K)
}

/// Maps the first `bytes` bytes between HQC's field and that of AES, in place and in whole vectors. The
/// map is its own inverse.
#[inline(always)]
fn change_field<B: Bytes>(b: B, buffer: &mut [u8; BUFFER], bytes: usize) {
    let mut i = 0;
    while i < vectors::<B>(bytes) {
        // The last vector may pass `bytes`. Zeros there stay zeros, as the map is linear.
        let x = b.load_bytes(&buffer[16 * B::K * i..]);
        b.store_bytes(b.map_bytes::<ISOMORPHISM>(x), &mut buffer[16 * B::K * i..]);
        i += 1;
    }
}

/// Computes the sum of `elements[i]` times `rows[i]`, for every `step`-th i from `first` on.
///
/// Of each row the first `width` elements count, rounded up to whole vectors; further vectors of the result are zero.
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
        // Without GFNI a factor is two tables of 16 products, made of the secret element by masks. It serves
        // all vectors of the row. Sums of products need no reduction: each is a byte of the field already.
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

/// Kernel of [`encode`]: replaces the message symbols at the start of the buffer by the parity symbols.
struct Encode<'a, S> {
    symbols: &'a mut [u8; BUFFER],
    of: PhantomData<S>,
}

impl<S: ParameterSet> BytesKernel for Encode<'_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) {
        change_field(b, self.symbols, S::K);
        // Encoding is a product with a constant matrix: each message symbol adds a multiple of its row. That
        // is the message times X^(2 delta), modulo the generator, term by term.
        let parity = combine(b, S::TABLES.parity, self.symbols, [0, 1], 2 * S::DELTA);
        let mut v = 0;
        while v < vectors::<B>(2 * S::DELTA) {
            b.store_bytes(b.map_bytes::<ISOMORPHISM>(parity[v]), &mut self.symbols[16 * B::K * v..]);
            v += 1;
        }
    }
}

/// Kernel of [`decode`]: corrects the received symbols in place.
struct Decode<'a, S> {
    symbols: &'a mut [u8; BUFFER],
    /// Receives the coefficients that [`key_equation`] computes.
    state: &'a mut [u8; BUFFER],
    of: PhantomData<S>,
}

impl<S: ParameterSet> BytesKernel for Decode<'_, S> {
    type Out = ();
    #[inline(always)]
    fn run<B: Bytes>(self, b: B) {
        let Self { symbols, state, .. } = self;
        change_field(b, symbols, S::N1);
        // Syndrome i + 1 is the received polynomial at a^(i + 1), which is 0 for a codeword. So syndromes
        // depend on the errors alone. Without errors all are zero; the same steps follow then, and correct
        // nothing.
        let syndromes = combine(b, S::TABLES.syndromes, symbols, [0, 1], 2 * S::DELTA);
        key_equation::<S, B>(b, syndromes, state);
        correct::<S, B>(b, 0, POINTS.min(S::N1), state, symbols);
        // HQC-5 has 90 symbols, more than the 64 of a block.
        if S::N1 > POINTS {
            correct::<S, B>(b, 1, S::N1 - POINTS, state, symbols);
        }
        change_field(b, symbols, S::N1);
    }
}

/// Solves the key equation by the reformulated Berlekamp-Massey algorithm.
///
/// Let t be delta, L the error locator, of degree at most t, and s(X) the sum of syndrome i + 1 times X^i.
/// Then
///
/// ```text
/// L(X) s(X) = (degree < t) + X^2t H(X),
/// ```
///
/// `out` gets the t coefficients of H, then the t + 1 coefficients of L, both scaled by the same nonzero
/// element. The error values do not depend on this factor.
///
/// In the paper d is delta and h is theta, polynomials of 3 t + 1 coefficients. With an element g and a
/// counter k, each round computes
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
    // The algorithm starts with d = h = s(X) + X^3t. The buffer is zero otherwise, as the caller has just
    // made it.
    out[3 * S::DELTA] = 1;
    let (mut d, mut i) = ([b.zero(); STATE], 0);
    while i < count {
        d[i] = b.load_bytes(&out[16 * B::K * i..]);
        if i < vectors::<B>(2 * S::DELTA) {
            d[i] = b.xor(d[i], syndromes[i]);
        }
        i += 1;
    }
    // g starts as 1 and k as 0, in every byte of their vectors.
    let (mut h, mut g) = (d, b.factor(b.splat_byte(1)));
    let (ones, mut k, mut round) = (b.splat([!0; 2]), b.zero(), 0);
    // Always 2 t rounds: stopping when the discrepancies stay zero would reveal how many errors there are. A
    // round takes two products of 3 t + 1 coefficients by one element.
    // Invariant: d(0) is the discrepancy of the round, times a nonzero factor. Every round divides d by X,
    // which takes X^3t down to X^t: so the coefficients from t on end as those of L.
    while round < 2 * S::DELTA {
        let first = b.first_byte(d[0]);
        let factor = b.factor(first);
        // Masks of all ones or zeros. `keep` is set if d(0) is zero or k is negative: then h and g stay.
        let zero = b.zero_bytes(first);
        let keep = b.select(zero, b.sign_bytes(k), zero);
        let mut i = 0;
        while i < count {
            // Shifting by one byte divides by X: the byte at the end comes from the next vector.
            let next = if i + 1 < count { d[i + 1] } else { b.zero() };
            let down = b.bytes_down(d[i], next);
            d[i] = b.xor(b.scale(down, g), b.scale(h[i], factor));
            h[i] = b.select(keep, down, h[i]);
            i += 1;
        }
        g = b.select_factor(keep, factor, g);
        // The complement of k is -k - 1; subtracting all ones adds one.
        k = b.select(keep, b.xor(k, ones), b.sub_bytes(k, ones));
        round += 1;
    }
    let mut i = 0;
    while i < count {
        b.store_bytes(d[i], &mut out[16 * B::K * i..]);
        i += 1;
    }
}

/// Corrects the first `width` symbols of block `block` of 64 symbols, by Forney's formula.
///
/// With the names of [`key_equation`] and x = a^-p, the symbol at place p has an error if L(x) = 0. Its value
/// is
///
/// ```text
/// x^(2t+1) H(x) / (x L'(x)),
/// ```
///
/// where x L'(x) is the sum of the odd terms of L(x). All places are evaluated, also those without an error
/// (Chien search without an early exit).
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
    // Values at 64 points are sums of rows of powers, one row for each coefficient, as in encoding.
    let (magnitude, locator) = state.split_at(S::DELTA);
    // 2 t + 1 scaled rows for all points of the block: t for H, t + 1 for both parts of L.
    let h = combine(b, &powers[..S::DELTA], magnitude, [0, 1], width);
    let even = combine(b, powers, locator, [0, 2], width);
    // `locator` runs to the end of the buffer; the t + 1 rows of powers end both sums.
    let odd = combine(b, powers, locator, [1, 2], width);
    let mut v = 0;
    while v < vectors::<B>(width) {
        let at = 16 * B::K * v;
        let numerator = b.mul_bytes(h[v], b.load_bytes(&shift[at..]));
        // The inverse of zero is zero here. Where the locator has no root the mask drops the quotient,
        // whatever it is.
        let error = b.mul_bytes(numerator, b.inv_bytes(odd[v]));
        // L(x) is the sum of its even and odd terms. In characteristic 2 the odd ones are x L'(x).
        let root = b.zero_bytes(b.xor(even[v], odd[v]));
        let symbol = b.xor(b.load_bytes(&symbols[at..]), b.and(root, error));
        b.store_bytes(symbol, &mut symbols[at..]);
        v += 1;
    }
}
