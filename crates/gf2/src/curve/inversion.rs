//! Inverses of public integers modulo n, by the division steps of Bernstein and Yang ("Fast constant-time gcd
//! computation and modular inversion", 2019). This implementation is not constant time: it is for the
//! verification of signatures.
//!
//! A division step maps delta, an odd f, and g to
//!
//! ```text
//! 1 - delta,  g,  (g - f) / 2                    if delta > 0 and g is odd
//! 1 + delta,  f,  (g + (g mod 2) f) / 2          otherwise
//! ```
//!
//! Starting from delta = 1, f = n and g = k, g becomes 0, and f becomes the greatest common divisor or its
//! negative. The lowest bits of f and g decide which steps follow. So [`STEPS`] steps together are a 2 x 2
//! matrix that depends on one word of each. It is applied to f and g, and modulo n to d and e, where f = d k
//! and g = e k modulo n.
use super::words::SCALAR_WORDS;

/// An integer in two's complement, least significant word first. [`Modulus`] knows how many words are used.
type Words = [u64; SCALAR_WORDS];

/// The number of division steps of one matrix. Its entries then have 62 bits and a sign.
const STEPS: u32 = 62;

/// The largest number of low bits of g that one addition of a multiple of f clears: those that one step of
/// Newton's method finds of 1 / f.
const CLEARED: i64 = 6;

/// An odd n with the number of words in use, and 1 / n modulo 2^64.
struct Modulus<'a> {
    n: &'a Words,
    words: usize,
    inverse: u64,
}

/// The inverse 1 / k modulo n, or `None` if they are not coprime. n is odd, has `bits` bits, and is above k.
/// Not constant time: both must be public.
pub(super) fn invert_vartime(k: &Words, n: &Words, bits: u32) -> Option<Words> {
    let modulus = Modulus::new(n, bits);
    let (mut delta, mut f, mut g) = (1, *n, *k);
    let (mut d, mut e) = ([0; SCALAR_WORDS], [0; SCALAR_WORDS]);
    e[0] = 1;
    // Invariant: f = d k and g = e k modulo n, and f is odd.
    while g != [0; SCALAR_WORDS] {
        // A matrix stands for 62 steps, so long integers are updated once for 62 steps. For f and g the sums
        // are multiples of 2^62, by the choice of steps; for d and e a multiple of n makes them so. The
        // number of rounds depends on k.
        // The lowest words suffice: the first 62 steps depend on the lowest 62 bits of f and g.
        let [[u, v], [q, r]] = steps(&mut delta, f[0], g[0]);
        (f, g) = (modulus.shifted_sum([(u, &f), (v, &g)]), modulus.shifted_sum([(q, &f), (r, &g)]));
        (d, e) = (modulus.sum_mod_n(u, &d, v, &e), modulus.sum_mod_n(q, &d, r, &e));
    }
    // g = 0, so f is plus or minus the greatest common divisor, and d or -d is 1 / k if that is 1.
    let sign = if modulus.is_negative(&f) { -1 } else { 1 };
    let one = modulus.linear(sign, &f, 0);
    (one[0] == 1 && one[1..].iter().all(|word| *word == 0))
        .then(|| modulus.reduce(modulus.linear(sign, &d, 0)))
}

/// The matrix of [`STEPS`] division steps, times 2^STEPS, from the lowest words of f and g. Updates `delta`.
fn steps(delta: &mut i64, mut f: u64, mut g: u64) -> [[i64; 2]; 2] {
    let (mut u, mut v, mut q, mut r) = (1, 0, 0, 1);
    let mut left = STEPS;
    loop {
        // While g is even, the steps only halve it. The matrix is scaled by 2 instead, in the row of f. `left`
        // bounds the shift.
        let even = (g | u64::MAX << left).trailing_zeros();
        g >>= even;
        (u, v) = (u << even, v << even);
        *delta += i64::from(even);
        left -= even;
        // Invariant, with i = STEPS - left steps done: f 2^i = u f0 + v g0 and g 2^i = q f0 + r g0 modulo
        // 2^64, where f0 and g0 are the arguments. |u| + |v| and |q| + |r| are at most 2^i, so entries fit 63
        // bits and a sign.
        if left == 0 {
            return [[u, v], [q, r]];
        }
        // The first case of the definition. Its sum is part of w f below, and its halving of the next even steps.
        if *delta > 0 {
            (*delta, f, g) = (-*delta, g, f.wrapping_neg());
            (u, v, q, r) = (q, r, -u, -v);
        }
        // Now delta <= 0, so the next 1 - delta steps each add f or nothing: in all w f, with w = -g / f
        // modulo 2^bits. An odd square is 1 modulo 8, so f is 1 / f there. One step of Newton's method,
        // x (2 - f x) for x = f, finds 1 / f modulo 2^6. After the sum, g has at least `bits` zeros at its
        // end, and the next pass halves it as often. So |q| + |r|, now up to 2^(i + bits), is within its
        // bound again.
        let bits = CLEARED.min(1 - *delta).min(i64::from(left));
        let negative_inverse = f.wrapping_mul(f.wrapping_mul(f).wrapping_sub(2));
        let w = g.wrapping_mul(negative_inverse) & ((1 << bits) - 1);
        g = g.wrapping_add(w.wrapping_mul(f));
        (q, r) = (q + w as i64 * u, r + w as i64 * v);
    }
}

impl<'a> Modulus<'a> {
    /// The constants of an odd n of `bits` bits. Panics if its words have no room for d and e.
    fn new(n: &'a Words, bits: u32) -> Self {
        // d and e begin below n in absolute value, and each matrix adds at most n / 2. For 571 bits there are
        // at most 27 matrices (theorem 11.2), so 15 n is a bound: four bits more than n has, and a sign.
        let words = (bits as usize + 5).div_ceil(64);
        assert!(words <= SCALAR_WORDS, "{bits} bits are too many");
        // n is 1 / n modulo 8, and each of five steps of Newton's method doubles the number of correct bits: 3
        // to 96.
        let inverse = (0..5).fold(n[0], |x, _| x.wrapping_mul(2_u64.wrapping_sub(n[0].wrapping_mul(x))));
        Modulus { n, words, inverse }
    }

    fn is_negative(&self, x: &Words) -> bool {
        x[self.words - 1] >> 63 == 1
    }

    /// The sum of the products c x, divided by 2^[`STEPS`]. The sum must be a multiple of that, and the
    /// absolute values of the coefficients c must add up to less than 2^63.
    #[inline(always)]
    fn shifted_sum<const N: usize>(&self, terms: [(i64, &Words); N]) -> Words {
        // One pass over the words. A carry of 128 bits suffices, because the coefficients add up to less than
        // 2^63.
        let (mut out, mut sum, mut last) = ([0; SCALAR_WORDS], 0_i128, 0);
        for i in 0..self.words {
            for (c, x) in terms {
                let is_top = i + 1 == self.words;
                let word = if is_top { i128::from(x[i] as i64) } else { i128::from(x[i]) };
                sum += i128::from(c) * word;
            }
            if i > 0 {
                out[i - 1] = last >> STEPS | (sum as u64) << (64 - STEPS);
            }
            last = sum as u64;
            sum >>= 64;
        }
        out[self.words - 1] = last >> STEPS | (sum as u64) << (64 - STEPS);
        out
    }

    /// (a x + b y) / 2^[`STEPS`] modulo n. The sum is made divisible by adding c n with |c| <= 2^61,
    /// so the result stays small.
    #[inline(always)]
    fn sum_mod_n(&self, a: i64, x: &Words, b: i64, y: &Words) -> Words {
        // c = -(a x + b y) / n modulo 2^62, as a number with a sign: then a x + b y + c n is 0 modulo 2^62.
        // |a| + |b| <= 2^62, so the result is at most max(|x|, |y|) + n / 2 in absolute value.
        let low = (a as u64).wrapping_mul(x[0]).wrapping_add((b as u64).wrapping_mul(y[0]));
        let c = low.wrapping_mul(self.inverse).wrapping_neg() << (64 - STEPS);
        self.shifted_sum([(a, x), (b, y), (c as i64 >> (64 - STEPS), self.n)])
    }

    /// The sum a x + c n, for small a and c.
    fn linear(&self, a: i64, x: &Words, c: i64) -> Words {
        let (mut out, mut sum) = ([0; SCALAR_WORDS], 0_i128);
        for ((out, x), n) in out.iter_mut().zip(x).zip(self.n).take(self.words) {
            sum += i128::from(a) * i128::from(*x) + i128::from(c) * i128::from(*n);
            *out = sum as u64;
            sum >>= 64;
        }
        out
    }

    /// Reduces a number that is a small multiple of n in absolute value to the range from 0 to n - 1.
    fn reduce(&self, mut x: Words) -> Words {
        // |x| is below 15 n (see `Modulus::new`), so at most 15 additions or subtractions suffice, once for
        // an inversion.
        while self.is_negative(&x) {
            x = self.linear(1, &x, 1);
        }
        loop {
            let less = self.linear(1, &x, -1);
            if self.is_negative(&less) {
                return x;
            }
            x = less;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words_of;
    use super::super::{BinaryCurve, Scalar, Sect113r1, Sect163r2, Sect571r1};
    use super::*;

    fn words(x: u64) -> Words {
        let mut words = [0; SCALAR_WORDS];
        words[0] = x;
        words
    }

    /// All k below all odd n of nine bits, coprime or not.
    #[test]
    fn small_numbers() {
        for n in (3..512_u64).step_by(2) {
            for k in 0..n {
                let found = invert_vartime(&words(k), &words(n), n.ilog2() + 1).map(|x| {
                    assert_eq!(x, words(x[0]));
                    x[0]
                });
                assert_eq!(found, (1..n).find(|x| x * k % n == 1), "1 / {k} modulo {n}");
            }
        }
    }

    fn inverses<C: BinaryCurve>() {
        let n = words_of(&C::ORDER);
        // Powers of two and their neighbours make long runs of even and of odd g.
        let mut power = Scalar::<C>::one();
        for _ in 0..C::ORDER_BITS + 64 {
            for k in [power, power + Scalar::one(), -power, power * power + power] {
                let inverse = k.invert().into_option().map(|inverse| inverse.to_words());
                assert_eq!(invert_vartime(&k.to_words(), &n, C::ORDER_BITS), inverse, "{}", C::NAME);
            }
            power += power;
        }
    }

    #[test]
    fn orders_of_curves() {
        inverses::<Sect113r1>();
        inverses::<Sect163r2>();
        inverses::<Sect571r1>();
    }
}
