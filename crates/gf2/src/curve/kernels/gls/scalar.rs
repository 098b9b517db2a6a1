//! Scalars as k1 + k2 mu modulo n, with odd k1 and k2 of half as many bits, and their digits.
//!
//! Let q = 2^m and t > 0 with t^2 = 2 n - (q - 1)^2. The endomorphism psi satisfies t psi = q - 1 and
//! psi^2 = -1 on all points. So h = (q - 1) - t psi, whose norm is 2 n, acts as zero. If k is odd, it is
//! replaced by k + n: then k is even and below 2 n. For any c0 and c1, r = k - (c0 + c1 psi) h has the same
//! multiples as k:
//!
//! ```text
//! r = r0 + r1 psi    r0 = k - c0 (q - 1) - c1 t    r1 = c0 t - c1 (q - 1)
//! ```
//!
//! r0 + r1 is even, as k is. If r1 is even, c1 is increased by one, which makes both odd.
//!
//! *Bounds.* Let H = 2 n / (q - 1) = q - 1 + t^2 / (q - 1) and f = floor(2^(2 m + 1) / H). Then c0 = floor(k
//! f / 2^(2 m + 1)) is k / H - e with 0 <= e < 1 + k / 2^(2 m + 1) < 1.6. This holds because 2 n < (q + 1)^2,
//! which follows from t^2 <= 4 q. c1 is floor(c0 t / q) or one more, so r1 lies between -(q - 1) and q - 1 + t.
//! r0 = e H + t r1 / (q - 1) is below 1.6 (q + 4) + t + 5 in absolute value. Both are below 2^(m + 1) for
//! m >= 7, and below 2^(m + 3) for m = 5.
use crate::curve::words::{SCALAR_WORDS, words_of};
use crypto_bigint::{NonZero, U256, U512};
use ctutils::{Choice, CtSelect};
use zeroize::Zeroize;

/// The number of bits of a digit: the base is 2^WIDTH.
pub(in crate::curve) const WIDTH: u32 = 4;
/// The number of digits without their signs: 1, 3, ..., 15.
pub(in crate::curve) const DIGITS: usize = 1 << (WIDTH - 1);

/// The number of digits of k1 and of k2, on a curve over GF(2^2m).
pub(in crate::curve) const fn count(m: u32) -> u32 {
    (m + 1).div_ceil(WIDTH)
}

/// The constants that split integers modulo the order of a curve over GF(2^2m).
#[derive(Clone, Copy)]
pub struct Lattice {
    m: u32,
    /// The order n of the generator.
    order: U256,
    /// The number t with t^2 = 2 n - (2^m - 1)^2.
    trace: U256,
    /// The factor f that replaces division by H.
    factor: U256,
}

impl Lattice {
    /// The constants for an n with these words, least significant first. Panics if 2 n - (2^m - 1)^2 is not a square.
    pub(in crate::curve) const fn new(n: [u64; 4], m: u32) -> Self {
        let (mut order, mut i) = (U256::ZERO, n.len());
        while i > 0 {
            i -= 1;
            order = order.shl_vartime(64).wrapping_add(&U256::from_u64(n[i]));
        }
        // A check at compile time that the curve is of this kind: 2 n must be (q - 1)^2 + t^2.
        let mersenne = U256::ONE.shl_vartime(m).wrapping_sub(&U256::ONE);
        let norm = order.shl_vartime(1);
        let square = norm.wrapping_sub(&mersenne.wrapping_mul(&mersenne));
        let trace = square.floor_sqrt_vartime();
        assert!(trace.wrapping_mul(&trace).cmp_vartime(&square).is_eq(), "2 n is (2^m - 1)^2 + t^2");
        let scaled = U512::ONE.shl_vartime(2 * m + 1).wrapping_mul(&mersenne);
        let (factor, _) = scaled.div_rem_vartime(&NonZero::<U256>::new_unwrap(norm));
        Lattice { m, order, trace, factor: factor.resize() }
    }

    /// Whether psi, with the sign for which t is positive, adds u + 1 to lambda, and not u.
    ///
    /// E is a twist of a curve over GF(q) of trace t or -t, the one with a = 0, whose trace is 1 modulo 4. With
    /// s0^2 + s0 = u, s is s0^q + s0: the sum of u^(2^i) for i < m.
    pub(in crate::curve) const fn adds_one(&self) -> bool {
        self.trace.bit_vartime(1) != (self.m % 4 == 3)
    }

    /// The numbers k1 and k2, which are odd, in two's complement modulo 2^256. Constant time:
    /// parities are selected, not tested.
    fn split(&self, k: &[u64; SCALAR_WORDS], is_odd: Choice) -> [U256; 2] {
        // k is even now, and below 2 n. c0 and c1 are rounded quotients, and wrapping arithmetic gives r0 and
        // r1 with their signs. r1 is computed with c1 = floor(c0 t / q) first, to see its parity. r0 + r1 = k
        // modulo 2, because q - 1 and t are odd; so odd r1 makes r0 odd too.
        // Three products of integers: k f, c0 t and c1 t. Those by q - 1 are shifts and differences.
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

    /// The product x (2^m - 1) modulo 2^256, by a shift and a difference.
    fn times_mersenne(&self, x: &U256) -> U256 {
        x.shl_vartime(self.m).wrapping_sub(x)
    }
}

/// The lowest 256 bits of k, which are all bits on these curves.
fn low_words(k: &[u64; SCALAR_WORDS]) -> U256 {
    (0..4).rev().fold(U256::ZERO, |all, i| all.shl_vartime(64) | U256::from_u64(k[i]))
}

/// The digits of k1 and k2: [`count`] of each, odd, with absolute values below 2^[`WIDTH`]. Wiped on drop.
///
/// An odd r with |r| < 2^L is the sum of L signs, 1 or -1, times powers of two. Sign i is 1 where bit i of
/// (r + 2^L - 1) / 2 is set. `WIDTH` consecutive signs form a digit.
pub(in crate::curve) struct Digits([[u64; 2]; 2]);

impl Digits {
    /// The digits of a k below n, whose parity `is_odd` tells. Constant time.
    pub(in crate::curve) fn new(lattice: &Lattice, k: &[u64; SCALAR_WORDS], is_odd: Choice) -> Self {
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

    /// The sign of digit i of k1 or k2 as a mask (all ones if negative), and the index j of its absolute value
    /// 2 j + 1. `i` is public.
    #[inline(always)]
    pub(in crate::curve) fn get(&self, half: usize, i: u32) -> (u64, u64) {
        let at = WIDTH * i;
        let signs = self.0[half][at as usize / 64] >> (at % 64);
        // The highest sign of the four is the sign of the digit. If it is -1, all four are complemented,
        // which negates the digit. Then the highest sign is 1, and with j for the bits of the others the value
        // is 8 + (2 j - 7) = 2 j + 1.
        let negative = (signs >> (WIDTH - 1) & 1).wrapping_sub(1);
        (negative, (signs ^ negative) & (DIGITS as u64 - 1))
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
