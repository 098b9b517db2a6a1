//! Tests that the digits of k give back k modulo tau^m - mu, and that phi acts on points as it should.
use super::super::kernels::koblitz::digits::{DIGIT_A, DIGIT_B, DIGITS, Digits, Reduction, STEP};
use super::super::words::{SCALAR_WORDS, words_of};
use super::super::{
    BinaryCurve, CurveField, Sect163k1, Sect233k1, Sect239k1, Sect283k1, Sect409k1, Sect571k1,
};
use super::{digits_of_segment, segments_of};
use carryless_reference::BigUint;
use std::vec::Vec;

/// The coordinates of a + b tau, both modulo an integer.
struct Ring(BigUint);
type Element = [BigUint; 2];

impl Ring {
    fn integer(&self, k: i64) -> BigUint {
        let absolute = BigUint::from(k.unsigned_abs()) % &self.0;
        if k < 0 { (&self.0 - absolute) % &self.0 } else { absolute }
    }
    fn add(&self, [a, b]: &Element, [c, d]: &Element) -> Element {
        [(a + c) % &self.0, (b + d) % &self.0]
    }
    /// The product, by tau^2 = tau - 2.
    fn mul(&self, [a, b]: &Element, [c, d]: &Element) -> Element {
        let (bd, minus_two) = (b * d, self.integer(-2));
        [(a * c + &bd * minus_two) % &self.0, (a * d + b * c + bd) % &self.0]
    }
    fn power(&self, x: &Element, n: u32) -> Element {
        (0..n).fold([self.integer(1), self.integer(0)], |power, _| self.mul(&power, x))
    }
    /// The sum of digits times powers of tau^4, where the first digit is that of tau^0.
    fn sum(&self, digits: &Digits, count: usize) -> Element {
        let step = self.power(&[self.integer(0), self.integer(1)], STEP);
        (0..count).rev().fold([self.integer(0), self.integer(0)], |sum, i| {
            let (negative, number) = digits.get(i);
            assert!((number as usize) < DIGITS && (negative == 0 || negative == !0));
            let nibble = |all: u64| {
                let value = ((all >> (4 * number)) as i64) << 60 >> 60;
                self.integer(if negative == 0 { value } else { -value })
            };
            self.add(&self.mul(&sum, &step), &[nibble(DIGIT_A), nibble(DIGIT_B)])
        })
    }
}

/// Tests all these k on the curve y^2 + x y = x^3 + a x^2 + 1 over GF(2^m). It has `points` points, which is the norm
/// of tau^m - mu. x is a multiple of tau^m - mu if and only if x times the conjugate of that is a multiple of the norm.
fn check(m: u32, a_is_zero: bool, points: BigUint, ks: impl IntoIterator<Item = BigUint>) {
    let (ring, reduction) = (Ring(points), Reduction::new(m, a_is_zero));
    let [a, b] = ring.power(&[ring.integer(0), ring.integer(1)], m);
    let minus_mu = ring.integer(if a_is_zero { 1 } else { -1 });
    let [a, minus_b] = [(a + minus_mu) % &ring.0, (&ring.0 - &b) % &ring.0];
    // The conjugate of tau is 1 - tau.
    let conjugate = [(a + &b) % &ring.0, minus_b];
    for k in ks {
        let mut words = [0; SCALAR_WORDS];
        for (word, digits) in words.iter_mut().zip(k.to_u64_digits()) {
            *word = digits;
        }
        let minus_k = [(&ring.0 - &k % &ring.0) % &ring.0, ring.integer(0)];
        for segments in [1, segments_of(2), segments_of(4)] {
            let count = (segments * digits_of_segment(m, segments)) as usize;
            let digits = Digits::new(&words, &reduction, count);
            let difference = ring.add(&ring.sum(&digits, count), &minus_k);
            let product = ring.mul(&difference, &conjugate);
            assert_eq!(product, [ring.integer(0), ring.integer(0)], "{k} on GF(2^{m}), a = 0: {a_is_zero}");
        }
    }
}

fn big(words: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
}

fn named<C: BinaryCurve>() {
    let order = big(&words_of(&C::ORDER));
    let mut ks: Vec<BigUint> = (0..=1000_u32).flat_map(|k| [BigUint::from(k), &order - 1_u8 - k]).collect();
    // Powers of two, their neighbours, and multiples of n's neighbours that have digits of all kinds.
    for i in 0..C::ORDER_BITS - 1 {
        let power = BigUint::from(1_u8) << i;
        ks.extend([&power - 1_u8, &power + 1_u8, &order - &power, &order / (&power + 1_u8)]);
        ks.push(power);
    }
    check(C::Field::DEGREE as u32, C::A_IS_ZERO, &order * C::COFACTOR, ks);
}

/// A test for each curve, so that they run side by side.
mod digits_give_back_k {
    use super::*;

    macro_rules! tests {
        ($($test:ident $Curve:ident;)*) => {
            $(
                #[test]
                fn $test() {
                    named::<$Curve>();
                }
            )*
        };
    }

    tests! {
        sect163k1 Sect163k1;
        sect233k1 Sect233k1;
        sect239k1 Sect239k1;
        sect283k1 Sect283k1;
        sect409k1 Sect409k1;
        sect571k1 Sect571k1;
    }
}

/// Tests all k over GF(2^5), GF(2^7), GF(2^9) and GF(2^11).
#[test]
fn digits_give_back_every_small_k() {
    for m in [5, 7, 9, 11] {
        for a_is_zero in [false, true] {
            // #E = N(tau^m - mu) = N(tau)^m + 1 - mu Tr(tau^m); Tr(tau^i) = Tr(tau^(i-1)) - 2 Tr(tau^(i-2)).
            let (mut trace, mut next) = (2_i64, 1);
            for _ in 0..m {
                (trace, next) = (next, next - 2 * trace);
            }
            let points = (1 << m) + 1 - if a_is_zero { -trace } else { trace };
            let h = if a_is_zero { 4 } else { 2 };
            assert_eq!(points % h, 0);
            let ks = (0..points / h).map(|k| BigUint::from(k as u64));
            check(m, a_is_zero, BigUint::from(points as u64), ks);
        }
    }
}
