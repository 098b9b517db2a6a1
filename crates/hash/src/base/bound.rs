//! Collision bounds (almost-XOR-universality): the differential probabilities that paper 001 proves, without
//! rounding.
//!
//! Lemma 1: fix two different messages and a difference of digests. At most 2^(m-mu+1) deg keys give that
//! difference, where deg is the degree in tau of the difference of the two polynomials. Keys have k bits, so for
//! messages of l blocks the probability is
//!
//! ```text
//! polyHash         l             2^(m-k-mu+1)      Theorem 3
//! BRWHash          (2l + 1)      2^(m-k-mu+1)      Theorems 3 and 4
//! c-decBRWHash     (2l + 2c + 1) 2^(m-k-mu+1)      Theorem 4, c > 1
//! ```

/// A bound on a probability, without rounding: `numerator * 2^exponent`.
///
/// It holds for any two different messages up to the given length and any difference of their digests, over a
/// uniformly random key. The hash is therefore "almost XOR universal", with differences taken modulo 2^128.
///
/// ```
/// use carryless_hash::polyhash1305::axu_bound;
///
/// let bound = axu_bound(1 << 20); // messages of at most a mebibyte
/// assert_eq!((bound.numerator, bound.exponent), (1 << 16, -125));
/// assert_eq!(bound.log2(), -109.0);
/// assert_eq!(bound.to_string(), "65536 * 2^-125");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AxuBound {
    /// The degree in the key of the polynomial that collides, for instance the number of blocks.
    pub numerator: u128,
    /// m - k - mu + 1, where the prime has m bits, a key k and a digest mu.
    pub exponent: i32,
}

impl AxuBound {
    /// The binary logarithm of the bound, with an error below 1e-8. Minus infinity if the numerator is zero.
    #[must_use]
    pub fn log2(&self) -> f64 {
        log2(self.numerator) + f64::from(self.exponent)
    }
}

impl core::fmt::Display for AxuBound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} * 2^{}", self.numerator, self.exponent)
    }
}

/// log2 of an integer without `std`: the exact integer part, then one squaring for each of 32 fractional bits.
fn log2(x: u128) -> f64 {
    // The bound of polyHash for empty messages is 0, which has no logarithm.
    let Some(whole) = x.checked_ilog2() else { return f64::NEG_INFINITY };
    let mut mantissa = x as f64 / (1_u128 << whole) as f64;
    let (mut result, mut bit) = (f64::from(whole), 0.5);
    // Squaring the mantissa doubles its logarithm: a result of 2 or more means that the next bit is one.
    for _ in 0..32 {
        mantissa *= mantissa;
        if mantissa >= 2.0 {
            mantissa /= 2.0;
            result += bit;
        }
        bit /= 2.0;
    }
    result
}

/// The parameters of a prime on which the bounds depend (paper 001, Table 1).
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// Bytes of a block, n / 8 in the paper: 16 or 15.
    block: u64,
    /// The exponent m - k - mu + 1 of every bound over this prime.
    exponent: i32,
}

impl Prime {
    /// 2^130 - 5: m = 130, k = 128, mu = 128, so the exponent is -125.
    pub(crate) const P1305: Prime = Prime { block: 16, exponent: 130 - 128 - 128 + 1 };
    /// 2^127 - 1: m = 127, k = 126, mu = 126, so the exponent is -124.
    pub(crate) const P1271: Prime = Prime { block: 15, exponent: 127 - 126 - 126 + 1 };

    /// The bound of polyHash for messages of at most `len` bytes. A last byte of fewer than 8 bits counts as a byte.
    pub(crate) fn polyhash(self, len: u64) -> AxuBound {
        self.bound(self.blocks(len))
    }

    /// The bound of c-decBRWHash for messages of at most `len` bytes; c = 1 is BRWHash.
    pub(crate) fn decbrwhash(self, c: usize, len: u64) -> AxuBound {
        // Theorem 4: joining c streams raises the degree by 2c; one stream has no D.
        let streams = if c > 1 { 2 * c as u128 } else { 0 };
        self.bound(2 * self.blocks(len) + streams + 1)
    }

    fn blocks(self, len: u64) -> u128 {
        len.div_ceil(self.block).into()
    }

    fn bound(self, numerator: u128) -> AxuBound {
        AxuBound { numerator, exponent: self.exponent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_reference::{Family, P1271, P1305, axu_bound};

    /// Every length of some blocks, and lengths near 2^64 bits.
    #[test]
    fn bounds_are_those_of_the_reference() {
        let long = [0, 1, 15, 16, 17].map(|less| (1 << 61) - 1 - less);
        for (prime, theirs) in [(Prime::P1305, P1305), (Prime::P1271, P1271)] {
            for len in (0..200).chain(long) {
                let same = |ours: AxuBound, family| {
                    let want = axu_bound(&theirs, family, 8 * len);
                    assert_eq!(
                        (ours.numerator, ours.exponent),
                        (want.numerator, want.exponent),
                        "{len} bytes"
                    );
                    let (got, want) = (ours.log2(), want.log2());
                    assert!(got == want || (got - want).abs() < 1e-8, "{len} bytes: {got}, {want}");
                };
                same(prime.polyhash(len), Family::PolyHash);
                same(prime.decbrwhash(1, len), Family::BrwHash);
                for c in [1, 2, 3, 4, 8, 16] {
                    same(prime.decbrwhash(c, len), Family::DecBrwHash { c: c as u64 });
                }
            }
        }
    }

    #[test]
    fn no_message_is_too_long() {
        let bound = Prime::P1305.decbrwhash(16, u64::MAX);
        assert_eq!(bound.numerator, (1 << 61) + 33);
        assert!((bound.log2() + 64.0).abs() < 1e-9);
    }
}
