//! Collision bounds (almost-XOR-universality): the differential probabilities that paper 001 proves, exactly.
//!
//! Lemma 1: for two different messages and any difference of digests, at most 2^(m-mu+1) deg keys give that difference,
//! where deg is the degree in tau of what the two messages' polynomials differ by. Keys are k bits long, so with l blocks
//!
//! ```text
//! polyHash         l             2^(m-k-mu+1)      Theorem 3
//! BRWHash          (2l + 1)      2^(m-k-mu+1)      Theorems 3 and 4
//! c-decBRWHash     (2l + 2c + 1) 2^(m-k-mu+1)      Theorem 4, c > 1
//! ```

/// A bound on a probability, exactly: `numerator * 2^exponent`.
///
/// Between two different messages of at most so many bytes, any difference of digests is as likely as this or less, over
/// a uniformly random key: the hash is "almost XOR universal", where differences are taken modulo 2^128.
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
    /// The degree of a polynomial in the key.
    pub numerator: u128,
    /// m - k - mu + 1: bits of the prime, less those of a key and of a digest, and one.
    pub exponent: i32,
}

impl AxuBound {
    /// The binary logarithm, to about nine digits. Of a probability of zero, minus infinity.
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

/// log2 of an integer, without `std`: the exact integer part, and a step of squaring for each further bit.
fn log2(x: u128) -> f64 {
    let Some(whole) = x.checked_ilog2() else { return f64::NEG_INFINITY };
    let mut mantissa = x as f64 / (1_u128 << whole) as f64;
    let (mut result, mut bit) = (f64::from(whole), 0.5);
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

/// What the bounds need to know of a prime (paper 001, Table 1).
#[derive(Clone, Copy)]
pub(crate) struct Prime {
    /// Bytes of a block, n / 8.
    block: u64,
    /// m - k - mu + 1.
    exponent: i32,
}

impl Prime {
    /// 2^130 - 5.
    pub(crate) const P1305: Prime = Prime { block: 16, exponent: 130 - 128 - 128 + 1 };
    /// 2^127 - 1.
    pub(crate) const P1271: Prime = Prime { block: 15, exponent: 127 - 126 - 126 + 1 };

    /// polyHash of messages of at most `len` bytes. A last byte of fewer bits counts as one.
    pub(crate) fn polyhash(self, len: u64) -> AxuBound {
        self.bound(self.blocks(len))
    }

    /// c-decBRWHash of such messages; with one stream, BRWHash.
    pub(crate) fn decbrwhash(self, c: usize, len: u64) -> AxuBound {
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
