//! Scalars as sums of odd digits times powers of tau. In place of m bits of k there are two integers of m / 2
//! bits.
//!
//! Z\[tau\] with tau^2 = tau - 2 is a ring of endomorphisms of a Koblitz curve (Solinas, 2000). With phi(x,
//! y) = (x^2, y^2), tau is phi if a = 1 and -phi if a = 0. phi^m is the identity on points over GF(2^m) and m
//! is odd, so tau^m acts as mu = 1 or -1. The norm is |a + b tau|^2 = a^2 + a b + 2 b^2.
//!
//! *Reduction.* For any q, r = k - q (tau^m - mu) has the same multiples as k. Take q nearest to k / tau^m,
//! coordinate by coordinate. Then |k / tau^m - q| <= 1, and |r| <= 2^(m/2) + |q| <= 1.5 2^(m/2) + 3. If r is even
//! (tau divides it), r + tau^m - mu is odd, and has at most the absolute value 2.5 2^(m/2) + 4.
//!
//! *Digits.* Modulo tau^5, a + b tau is congruent to the integer a + 6 b, modulo 32. Every odd class has one
//! digit: its shortest element, or the negative of one. From an odd r, subtract the digit that leaves an odd
//! multiple of tau^4, and divide by tau^4. As |digit| <= 4, this ends with |r| < 3. Such an r is a digit
//! itself, because all odd elements so short are digits.
//!
//! All functions of secrets are constant time: the number of digits is public, and signs are masks.
use crate::curve::words::{SCALAR_WORDS, words_of};
use crypto_bigint::{Int, Limb, U64, U320, U896, Word};
use ctutils::CtSelect;
use zeroize::Zeroize;

/// The exponent of tau between neighbouring digits: the base is tau^4.
pub(in crate::curve) const STEP: u32 = 4;
/// The number of digits without their signs.
pub(in crate::curve) const DIGITS: usize = 1 << (STEP - 1);
/// The number of digits of the longest k, rounded up to segments of the same length.
const MAX_DIGITS: usize = 160;
/// The number of low bits of coordinates that are divided as single words. a + 6 b then fits a word too.
const LOW: u32 = 60 - STEP;
/// The number of digits that these bits determine. The class of the last one needs one bit more than its division.
const CHUNK: usize = (LOW / STEP) as usize - 1;

/// The coordinates of the digits a + b tau for the classes 1, 3, 5, ..., 15 modulo tau^5, in nibbles with a sign.
pub(in crate::curve) const DIGIT_A: u64 = packed([1, -3, -1, 1, -3, -1, 1, 1]);
pub(in crate::curve) const DIGIT_B: u64 = packed([0, 1, 1, 1, 2, 2, 2, -3]);

/// Eight numbers from -8 to 7 as nibbles in two's complement, the first one lowest.
const fn packed(nibbles: [i64; DIGITS]) -> u64 {
    let (mut all, mut i) = (0, 0);
    while i < DIGITS {
        all |= (nibbles[i] as u64 & 15) << (4 * i);
        i += 1;
    }
    all
}

/// A signed integer for coordinates, which have up to m / 2 + 4 bits.
type Half = Int<{ U320::LIMBS }>;

/// The coordinates a and b of a + b tau.
type Element = [Half; 2];

/// The digits of k, from that of tau^0 on: an index into [`DIGITS`] values, and a sign in bit 7. Wiped on drop.
pub(in crate::curve) struct Digits(pub(in crate::curve) [u8; MAX_DIGITS]);

/// The bit of a digit's byte that is set if the digit is negative.
const SIGN: u32 = 7;

impl Digits {
    /// The digits of an r with the same multiples as k. There are `count` of them, which
    /// must be at least [`count`]`(m)`.
    pub(in crate::curve) fn new(k: &[u64; SCALAR_WORDS], reduction: &Reduction, count: usize) -> Self {
        let mut digits = Digits([0; MAX_DIGITS]);
        let mut rest = &mut digits.0[..count];
        let [mut a, mut b] = reduction.reduce(k);
        const FACTOR: [i64; 2] = shifted_quotient();
        // The low LOW bits of a and b determine the next CHUNK digits. Division by tau^(4 CHUNK) then splits:
        // the low part is divided in words, and the high part, a multiple of 2^LOW, is multiplied by
        // 2^LOW / tau^(4 CHUNK).
        // Invariant: a + b tau is what is left of r after the digits so far, divided by tau^4 for each. Long
        // integers are touched once for 13 digits.
        while rest.len() > CHUNK + 1 {
            let (now, later) = rest.split_at_mut(CHUNK);
            let [low_a, low_b] = divide([&a, &b].map(|x| low_word(x) & ((1 << LOW) - 1)), now);
            let [high_a, high_b] = multiply(&[a.shr_vartime(LOW), b.shr_vartime(LOW)], &FACTOR, times_word);
            a = Half::from_i64(low_a).wrapping_add(&high_a);
            b = Half::from_i64(low_b).wrapping_add(&high_b);
            rest = later;
        }
        // What is left has fewer than LOW bits. The last digit is the remaining element itself.
        let (last, now) = rest.split_last_mut().expect("a digit");
        *last = digit(class(divide([low_word(&a), low_word(&b)], now)));
        a.as_mut_words().zeroize();
        b.as_mut_words().zeroize();
        digits
    }

    /// The sign of digit i as a mask (all ones if negative), and its index. `i` is public.
    #[inline(always)]
    pub(in crate::curve) fn get(&self, i: usize) -> (u64, u64) {
        let byte = u64::from(self.0[i]);
        ((byte >> SIGN).wrapping_neg(), byte & (DIGITS as u64 - 1))
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The number of digits that suffice for every k on GF(2^m): 4^(count - 1) (3 - 4/3) >= 2.5 2^(m/2) + 4.
pub(in crate::curve) const fn count(m: u32) -> u32 {
    (10 * m + 12).div_ceil(40) + 1
}

/// The power tau^i, by multiplying i times: (a + b tau) tau = -2 b + (a + b) tau.
const fn power(i: u32) -> Element {
    let (mut a, mut b, mut j) = (Half::ONE, Half::ZERO, 0);
    while j < i {
        (a, b) = (b.wrapping_add(&b).wrapping_neg(), a.wrapping_add(&b));
        j += 1;
    }
    [a, b]
}

/// The element 2^LOW / tau^(4 CHUNK), which is in Z\[tau\] because tau divides 2.
const fn shifted_quotient() -> [i64; 2] {
    let (mut quotient, mut j) = ([1 << LOW, 0], 0);
    while j < CHUNK {
        quotient = divide_by_step(quotient);
        j += 1;
    }
    quotient
}

/// A multiple of tau^4 divided by tau^4. 1 / tau^4 is (-1 + 3 tau) / 16, since the conjugate of tau has the
/// fourth power -1 + 3 tau.
#[inline(always)]
const fn divide_by_step([a, b]: [i64; 2]) -> [i64; 2] {
    [-(a + 6 * b) >> STEP, (3 * a + 2 * b) >> STEP]
}

/// The constants that reduce integers on a curve.
pub(in crate::curve) struct Reduction {
    m: u32,
    /// The element tau^m, as its coordinates.
    power: Element,
    /// The conjugate of tau^m, which is 2^m / tau^m.
    conjugate: Element,
    /// The number mu, 1 or -1, by which tau^m acts on points.
    mu: Half,
}

impl Reduction {
    /// The constants for GF(2^m), and for a = 0 or a = 1.
    pub(in crate::curve) const fn new(m: u32, a_is_zero: bool) -> Self {
        let [a, b] = power(m);
        let mu = if a_is_zero { Half::MINUS_ONE } else { Half::ONE };
        Reduction { m, power: [a, b], conjugate: [a.wrapping_add(&b), b.wrapping_neg()], mu }
    }

    /// An odd r with the same multiples as k. Constant time.
    fn reduce(&self, k: &[u64; SCALAR_WORDS]) -> Element {
        let mut k = wide(k);
        let times_mu = |x: Half| x.wrapping_neg_if(self.mu.is_negative());
        // k / tau^m = k conjugate(tau^m) / 2^m, rounded to the nearest integer in each coordinate. Six
        // products of long integers in all: two for q, and four for q tau^m.
        let q = self.conjugate.map(|factor| quotient(&k, &factor, self.m));
        // r = k - q (tau^m - mu) = k - q tau^m + mu q, coordinate by coordinate.
        let [c, d] = multiply(&q, &self.power, times_half);
        let a = k.resize().as_int().wrapping_sub(&c).wrapping_add(&times_mu(q[0]));
        let b = times_mu(q[1]).wrapping_sub(&d);
        k.zeroize();
        // r is even exactly if a is, because tau divides b tau and 2. Adding tau^m - mu makes it odd.
        let even = !a.as_uint().is_odd();
        let modulus = [self.power[0].wrapping_sub(&self.mu), self.power[1]];
        let if_even = modulus.map(|x| Half::ZERO.ct_select(&x, even));
        [a.wrapping_add(&if_even[0]), b.wrapping_add(&if_even[1])]
    }
}

/// The words of k as an integer wide enough for k times a [`Half`].
fn wide(k: &[u64; SCALAR_WORDS]) -> U896 {
    let mut integer = U896::ZERO;
    for (i, limb) in integer.as_mut_limbs().iter_mut().enumerate() {
        let bit = i * Limb::BITS as usize;
        limb.0 = k.get(bit / 64).map_or(0, |word| (word >> (bit % 64)) as Word);
    }
    integer
}

/// The lowest 64 bits of x in two's complement.
fn low_word(x: &Half) -> i64 {
    words_of(x.as_uint())[0] as i64
}

/// The quotient k factor / 2^m, rounded to the nearest integer.
fn quotient(k: &U896, factor: &Half, m: u32) -> Half {
    let (factor, negative) = factor.abs_sign();
    // Half of the divisor is added before the shift, which rounds down. The sign is put back after it:
    // rounding to nearest treats x and -x alike, up to ties, and ties may go either way here.
    let product = k.wrapping_mul(&factor).wrapping_add(&U896::ONE.shl_vartime(m - 1));
    product.shr_vartime(m).resize().as_int().wrapping_neg_if(negative)
}

/// The product (a + b tau)(c + d tau) = (a c - 2 b d) + (a d + b c + b d) tau, where `times` multiplies coordinates.
#[inline(always)]
fn multiply<T>([a, b]: &Element, [c, d]: &[T; 2], times: impl Fn(&Half, &T) -> Half) -> Element {
    let bd = times(b, d);
    let real = times(a, c).wrapping_sub(&bd).wrapping_sub(&bd);
    [real, times(a, d).wrapping_add(&times(b, c)).wrapping_add(&bd)]
}

/// The product x y modulo 2^320. Signs need no care in two's complement.
fn times_half(x: &Half, y: &Half) -> Half {
    *x.as_uint().wrapping_mul(y.as_uint()).as_int()
}

/// The product x y modulo 2^320, for a public y.
fn times_word(x: &Half, y: &i64) -> Half {
    let product = *x.as_uint().wrapping_mul(&U64::from_u64(y.unsigned_abs())).as_int();
    if *y < 0 { product.wrapping_neg() } else { product }
}

/// Splits off one digit for each byte of `digits`, lowest first, and returns what remains after division by
/// as many powers of tau^4.
#[inline(always)]
fn divide([mut a, mut b]: [i64; 2], digits: &mut [u8]) -> [i64; 2] {
    for out in digits {
        // The rest must be an odd multiple of tau^4, whose class is 16. So the digit has the class of
        // r - tau^4, which flips bit 4.
        *out = digit(class([a, b]) ^ 1 << STEP);
        // The coordinates of the digit come from constants by shifts and masks. There is no table in memory to
        // index.
        let (at, negative) = (4 * (*out & (DIGITS as u8 - 1)), -i64::from(*out >> SIGN));
        let coordinate = |nibbles: u64| ((nibbles << (60 - at)) as i64 >> 60 ^ negative) - negative;
        [a, b] = divide_by_step([a - coordinate(DIGIT_A), b - coordinate(DIGIT_B)]);
    }
    [a, b]
}

/// The class of a + b tau modulo tau^5: the integer a + 6 b modulo 32.
#[inline(always)]
fn class([a, b]: [i64; 2]) -> u8 {
    (a as u8).wrapping_add((b as u8).wrapping_mul(6)) & 31
}

/// The digit of an odd class, as a byte. Classes above 16 are negatives of those below.
#[inline(always)]
fn digit(class: u8) -> u8 {
    let negative = class >> STEP;
    negative << SIGN | (class ^ negative.wrapping_neg()) >> 1 & (DIGITS as u8 - 1)
}
