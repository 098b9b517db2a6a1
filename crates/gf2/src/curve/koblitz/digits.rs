//! k as a sum of odd digits times powers of tau, half as long as k: two integers of m / 2 bits for one of m.
//!
//! Z\[tau\], tau^2 = tau - 2, is the ring of endomorphisms of a Koblitz curve (Solinas, 2000). phi(x, y) = (x^2, y^2) is tau if a = 1 and -tau if a = 0; phi^m is the
//! identity on points over GF(2^m), m is odd, and so tau^m is mu = 1 or -1. |a + b tau|^2 = a^2 + a b + 2 b^2.
//!
//! *Reduction.* k is r = k - q (tau^m - mu) for any q. With q the nearest to k / tau^m by each coordinate, |k / tau^m - q| <= 1, and |r| <= 2^(m/2) + |q| <=
//! 1.5 2^(m/2) + 3. If r is even, which is if tau divides it, then r + tau^m - mu is odd: |r| <= 2.5 2^(m/2) + 4.
//!
//! *Digits.* a + b tau is a + 6 b modulo tau^5, which are the integers modulo 32. Every odd class has a digit: the shortest element of it, or its negative. Of an odd r that one is
//! subtracted which leaves a multiple of tau^4 that is odd again after the division. As |digit| <= 4 this ends with |r| < 3, which is a digit itself: all odd elements so
//! short are.
use super::super::words::{MOST_WORDS, words_of};
use crypto_bigint::{Int, Limb, U64, U320, U896, Word};
use ctutils::CtSelect;
use zeroize::Zeroize;

/// The powers of tau from one digit to the next.
pub(in super::super) const STEP: u32 = 4;
/// Digits up to sign.
pub(in super::super) const DIGITS: usize = 1 << (STEP - 1);
/// Digits of the longest k, and of segments of one length.
const MOST_DIGITS: usize = 160;
/// Bits of coordinates that are divided as words: so many that a + 6 b is a word too.
const LOW: u32 = 60 - STEP;
/// Digits that these bits determine. The class of the last one takes one bit more than what it is divided by.
const CHUNK: usize = (LOW / STEP) as usize - 1;

/// The digits a + b tau of the classes 1, 3, 5, ..., 15 modulo tau^5, by nibbles.
pub(super) const DIGIT_A: u64 = packed([1, -3, -1, 1, -3, -1, 1, 1]);
pub(super) const DIGIT_B: u64 = packed([0, 1, 1, 1, 2, 2, 2, -3]);

const fn packed(nibbles: [i64; DIGITS]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < DIGITS {
        all |= (nibbles[i] as u64 & 15) << (4 * i);
        i += 1;
    }
    all
}

/// Signed integers of m / 2 + 4 bits and more.
type Half = Int<{ U320::LIMBS }>;

/// a + b tau.
type Element = [Half; 2];

/// The digits of k, from that of tau^0 on.
pub(in super::super) struct Digits(pub(super) [u8; MOST_DIGITS]);

/// In a digit's byte behind the number among [`DIGITS`].
const SIGN: u32 = 7;

impl Digits {
    /// Digits whose sum has the same multiples as k: `count` of them, which is [`count`] or more.
    pub(in super::super) fn new(k: &[u64; MOST_WORDS], reduction: &Reduction, count: usize) -> Self {
        let mut digits = Digits([0; MOST_DIGITS]);
        let mut rest = &mut digits.0[..count];
        let [mut a, mut b] = reduction.reduce(k);
        const FACTOR: [i64; 2] = shifted_quotient();
        while rest.len() > CHUNK + 1 {
            let (now, later) = rest.split_at_mut(CHUNK);
            let [low_a, low_b] = divide([&a, &b].map(|x| low_word(x) & ((1 << LOW) - 1)), now);
            let [high_a, high_b] = multiply(&[a.shr_vartime(LOW), b.shr_vartime(LOW)], &FACTOR, times_word);
            a = Half::from_i64(low_a).wrapping_add(&high_a);
            b = Half::from_i64(low_b).wrapping_add(&high_b);
            rest = later;
        }
        // What is left has fewer than LOW bits, and the last digit is what remains of it.
        let (last, now) = rest.split_last_mut().expect("a digit");
        *last = digit(class(divide([low_word(&a), low_word(&b)], now)));
        a.as_mut_words().zeroize();
        b.as_mut_words().zeroize();
        digits
    }

    /// Ones if digit i is the negative of an entry, and the number of that entry.
    #[inline(always)]
    pub(in super::super) fn get(&self, i: usize) -> (u64, u64) {
        let byte = u64::from(self.0[i]);
        ((byte >> SIGN).wrapping_neg(), byte & (DIGITS as u64 - 1))
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// How many digits every k has on GF(2^m): 4^(count - 1) (3 - 4/3) is 2.5 2^(m/2) + 4 or more.
pub(in super::super) const fn count(m: u32) -> u32 {
    (10 * m + 12).div_ceil(40) + 1
}

/// tau^i.
const fn power(i: u32) -> Element {
    let (mut a, mut b, mut j) = (Half::ONE, Half::ZERO, 0);
    while j < i {
        (a, b) = (b.wrapping_add(&b).wrapping_neg(), a.wrapping_add(&b));
        j += 1;
    }
    [a, b]
}

/// 2^LOW divided by as many powers of tau as the digits of a chunk take.
const fn shifted_quotient() -> [i64; 2] {
    let (mut quotient, mut j) = ([1 << LOW, 0], 0);
    while j < CHUNK {
        quotient = divide_by_step(quotient);
        j += 1;
    }
    quotient
}

/// A multiple of tau^4 divided by it: 16 / tau^4 is -1 + 3 tau, the fourth power of the conjugate of tau.
#[inline(always)]
const fn divide_by_step([a, b]: [i64; 2]) -> [i64; 2] {
    [-(a + 6 * b) >> STEP, (3 * a + 2 * b) >> STEP]
}

/// What reduces integers on a curve.
pub(in super::super) struct Reduction {
    m: u32,
    /// tau^m.
    power: Element,
    /// The conjugate of tau^m, 2^m / tau^m.
    conjugate: Element,
    /// mu: what tau^m is on points.
    mu: Half,
}

impl Reduction {
    /// For GF(2^m), and a = 0 or 1.
    pub(in super::super) const fn new(m: u32, a_is_zero: bool) -> Self {
        let [a, b] = power(m);
        let mu = if a_is_zero { Half::MINUS_ONE } else { Half::ONE };
        Reduction { m, power: [a, b], conjugate: [a.wrapping_add(&b), b.wrapping_neg()], mu }
    }

    /// An odd r that has the same multiples as k.
    fn reduce(&self, k: &[u64; MOST_WORDS]) -> Element {
        let mut k = wide(k);
        let times_mu = |x: Half| x.wrapping_neg_if(self.mu.is_negative());
        let q = self.conjugate.map(|factor| quotient(&k, &factor, self.m));
        let [c, d] = multiply(&q, &self.power, times_half);
        let a = k.resize().as_int().wrapping_sub(&c).wrapping_add(&times_mu(q[0]));
        let b = times_mu(q[1]).wrapping_sub(&d);
        k.zeroize();
        let even = !a.as_uint().is_odd();
        let modulus = [self.power[0].wrapping_sub(&self.mu), self.power[1]];
        let if_even = modulus.map(|x| Half::ZERO.ct_select(&x, even));
        [a.wrapping_add(&if_even[0]), b.wrapping_add(&if_even[1])]
    }
}

/// The words of k in an integer that holds k times a [`Half`].
fn wide(k: &[u64; MOST_WORDS]) -> U896 {
    let mut integer = U896::ZERO;
    for (i, limb) in integer.as_mut_limbs().iter_mut().enumerate() {
        let bit = i * Limb::BITS as usize;
        limb.0 = k.get(bit / 64).map_or(0, |word| (word >> (bit % 64)) as Word);
    }
    integer
}

/// The lowest 64 bits.
fn low_word(x: &Half) -> i64 {
    words_of(x.as_uint())[0] as i64
}

/// k factor / 2^m, to the nearest.
fn quotient(k: &U896, factor: &Half, m: u32) -> Half {
    let (factor, negative) = factor.abs_sign();
    let product = k.wrapping_mul(&factor).wrapping_add(&U896::ONE.shl_vartime(m - 1));
    product.shr_vartime(m).resize().as_int().wrapping_neg_if(negative)
}

/// (a + b tau)(c + d tau) by products of coordinates.
#[inline(always)]
fn multiply<T>([a, b]: &Element, [c, d]: &[T; 2], times: impl Fn(&Half, &T) -> Half) -> Element {
    let bd = times(b, d);
    let real = times(a, c).wrapping_sub(&bd).wrapping_sub(&bd);
    [real, times(a, d).wrapping_add(&times(b, c)).wrapping_add(&bd)]
}

/// x y modulo 2^320.
fn times_half(x: &Half, y: &Half) -> Half {
    *x.as_uint().wrapping_mul(y.as_uint()).as_int()
}

/// x y modulo 2^320, for a public y.
fn times_word(x: &Half, y: &i64) -> Half {
    let product = *x.as_uint().wrapping_mul(&U64::from_u64(y.unsigned_abs())).as_int();
    if *y < 0 { product.wrapping_neg() } else { product }
}

/// Takes digits off, from the lowest on, and divides by as many powers of tau.
#[inline(always)]
fn divide([mut a, mut b]: [i64; 2], digits: &mut [u8]) -> [i64; 2] {
    for out in digits {
        // The class of tau^4 is 16.
        *out = digit(class([a, b]) ^ 1 << STEP);
        let (at, negative) = (4 * (*out & (DIGITS as u8 - 1)), -i64::from(*out >> SIGN));
        let coordinate = |nibbles: u64| ((nibbles << (60 - at)) as i64 >> 60 ^ negative) - negative;
        [a, b] = divide_by_step([a - coordinate(DIGIT_A), b - coordinate(DIGIT_B)]);
    }
    [a, b]
}

/// a + b tau modulo tau^5.
#[inline(always)]
fn class([a, b]: [i64; 2]) -> u8 {
    (a as u8).wrapping_add((b as u8).wrapping_mul(6)) & 31
}

/// The digit of an odd class: those above 16 are negatives.
#[inline(always)]
fn digit(class: u8) -> u8 {
    let negative = class >> STEP;
    negative << SIGN | (class ^ negative.wrapping_neg()) >> 1 & (DIGITS as u8 - 1)
}
