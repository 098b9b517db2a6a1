//! k as k1 + k2 mu modulo n, with odd k1 and k2 of half as many bits, and their digits.
//!
//! With q = 2^m and t > 0, t^2 = 2 n - (q - 1)^2, the endomorphism psi satisfies t psi = q - 1 and psi^2 = -1 on all points: h = (q - 1) - t psi of norm 2 n is zero.
//! k is k + n if it is odd, so that k is even and below 2 n, and r = k - (c0 + c1 psi) h for any c0 and c1:
//!
//! ```text
//! r = r0 + r1 psi    r0 = k - c0 (q - 1) - c1 t    r1 = c0 t - c1 (q - 1)
//! ```
//!
//! r0 + r1 is even as k is. If r1 is even, c1 is one more, and both are odd.
//!
//! *Bounds.* Let H = 2 n / (q - 1) = q - 1 + t^2 / (q - 1). c0 = floor(k f / 2^(2 m + 1)) with f = floor(2^(2 m + 1) / H) is k / H - e, 0 <= e < 1 + k / 2^(2 m + 1) < 1.6,
//! as 2 n < (q + 1)^2, which follows from t^2 <= 4 q. c1 is floor(c0 t / q) or one more: r1 lies between -(q - 1) and q - 1 + t. r0 = e H + t r1 / (q - 1), which is below 1.6 (q + 4) + t + 5 in absolute
//! value. Both are below 2^(m + 1) for m >= 7, and below 2^(m + 3) for m = 5.
use super::super::words::{MOST_WORDS, words_of};
use crypto_bigint::{NonZero, U256, U512};
use ctutils::{Choice, CtSelect};
use zeroize::Zeroize;

/// Bits of a digit.
pub(in super::super) const WIDTH: u32 = 4;
/// Digits up to sign: 1, 3, ..., 15.
pub(super) const DIGITS: usize = 1 << (WIDTH - 1);

/// Digits of k1 and of k2, over GF(2^2m).
pub(in super::super) const fn count(m: u32) -> u32 {
    (m + 1).div_ceil(WIDTH)
}

/// What splits integers modulo the order of a curve over GF(2^2m).
#[derive(Clone, Copy)]
pub struct Lattice {
    m: u32,
    /// n.
    order: U256,
    /// t.
    trace: U256,
    /// f.
    factor: U256,
}

impl Lattice {
    /// For an n of these words, least significant first.
    pub(in super::super) const fn new(n: [u64; 4], m: u32) -> Self {
        let (mut order, mut i) = (U256::ZERO, n.len());
        while i > 0 {
            i -= 1;
            order = order.shl_vartime(64).wrapping_add(&U256::from_u64(n[i]));
        }
        let mersenne = U256::ONE.shl_vartime(m).wrapping_sub(&U256::ONE);
        let norm = order.shl_vartime(1);
        let square = norm.wrapping_sub(&mersenne.wrapping_mul(&mersenne));
        let trace = square.floor_sqrt_vartime();
        assert!(trace.wrapping_mul(&trace).cmp_vartime(&square).is_eq(), "2 n is (2^m - 1)^2 + t^2");
        let scaled = U512::ONE.shl_vartime(2 * m + 1).wrapping_mul(&mersenne);
        let (factor, _) = scaled.div_rem_vartime(&NonZero::<U256>::new_unwrap(norm));
        Lattice { m, order, trace, factor: factor.resize() }
    }

    /// Whether psi, of the sign for which t is positive, adds u + 1 to lambda, and not u. E is a twist of a curve over GF(q) of trace t or -t, whichever is 1 modulo 4: the one with a = 0.
    /// With s0^2 + s0 = u, s is s0^q + s0, the sum of u^(2^i) for i < m.
    pub(super) const fn adds_one(&self) -> bool {
        self.trace.bit_vartime(1) != (self.m % 4 == 3)
    }

    /// k1 and k2, which are odd, modulo 2^256.
    fn split(&self, k: &[u64; MOST_WORDS], is_odd: Choice) -> [U256; 2] {
        let mut k = low_words(k).wrapping_add(&U256::ZERO.ct_select(&self.order, is_odd));
        let (low, high) = k.widening_mul(&self.factor);
        let mut c0: U256 = low.concat(&high).shr_vartime(2 * self.m + 1).resize();
        let mut product = c0.wrapping_mul(&self.trace);
        let mut c1 = product.shr_vartime(self.m);
        let even = !product.wrapping_sub(&self.times_mersenne(&c1)).is_odd();
        c1 = c1.wrapping_add(&U256::ZERO.ct_select(&U256::ONE, even));
        let r1 = product.wrapping_sub(&self.times_mersenne(&c1));
        let r0 = k.wrapping_sub(&self.times_mersenne(&c0)).wrapping_sub(&c1.wrapping_mul(&self.trace));
        for secret in [&mut k, &mut c0, &mut c1, &mut product] {
            secret.zeroize();
        }
        [r0, r1]
    }

    /// x (2^m - 1) modulo 2^256.
    fn times_mersenne(&self, x: &U256) -> U256 {
        x.shl_vartime(self.m).wrapping_sub(x)
    }
}

/// The lowest 256 bits.
fn low_words(k: &[u64; MOST_WORDS]) -> U256 {
    (0..4).rev().fold(U256::ZERO, |all, i| all.shl_vartime(64) | U256::from_u64(k[i]))
}

/// The digits of k1 and k2: odd ones of absolute values below 2^[`WIDTH`], [`count`] of each.
///
/// An odd r with |r| < 2^L is the sum of L signs, 1 or -1, times powers of two; bit i of (r + 2^L - 1) / 2 is set where sign i is 1. `WIDTH` signs are a digit.
pub(super) struct Digits([[u64; 2]; 2]);

impl Digits {
    pub(super) fn new(lattice: &Lattice, k: &[u64; MOST_WORDS], is_odd: Choice) -> Self {
        let offset = U256::ONE.shl_vartime(WIDTH * count(lattice.m)).wrapping_sub(&U256::ONE);
        let mut halves = lattice.split(k, is_odd);
        let mut digits = Digits([[0; 2]; 2]);
        for (signs, half) in digits.0.iter_mut().zip(&halves) {
            let words = words_of(&half.wrapping_add(&offset).shr_vartime(1));
            signs.copy_from_slice(&words[..2]);
        }
        halves.zeroize();
        digits
    }

    /// Ones if digit i of k1 or k2 is negative, and the number j of its absolute value 2 j + 1.
    #[inline(always)]
    pub(super) fn get(&self, half: usize, i: u32) -> (u64, u64) {
        let at = WIDTH * i;
        let signs = self.0[half][at as usize / 64] >> (at % 64);
        let negative = (signs >> (WIDTH - 1) & 1).wrapping_sub(1);
        (negative, (signs ^ negative) & (DIGITS as u64 - 1))
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
