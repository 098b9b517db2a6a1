//! Collision bounds (almost-XOR-universality): bounds on the differential probability, as functions of the length.
use crate::params::Params;

/// The families of hashes that have a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// polyHash, a polynomial in the key.
    PolyHash,
    /// BRWHash, a Bernstein-Rabin-Winograd polynomial in the key.
    BrwHash,
    /// c-decBRWHash, which deals blocks to c BRW polynomials.
    DecBrwHash {
        /// Number of streams, at least 1.
        c: u64,
    },
}

/// A probability `numerator * 2^exponent`, exactly. If it exceeds 1, it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxuBound {
    /// A bound on the degree of the polynomial in the key.
    pub numerator: u128,
    /// `m - k - mu + 1` of the prime.
    pub exponent: i32,
}

impl AxuBound {
    /// Returns the binary logarithm, rounded; minus infinity if the bound is 0.
    pub fn log2(&self) -> f64 {
        (self.numerator as f64).log2() + f64::from(self.exponent)
    }
}

/// Returns the AXU bound epsilon for messages of up to `bits` bits. For two different messages and any
/// difference `alpha` of digests modulo `2^mu`, at most this share of the `2^k` keys gives `alpha`. With
/// `l = ceil(bits / n)` blocks it is
///
/// ```text
/// polyHash        l             2^(m-k-mu+1)
/// BRWHash         (2l + 1)      2^(m-k-mu+1)
/// c-decBRWHash    (2l + 2c + 1) 2^(m-k-mu+1)     for c > 1; c = 1 is BRWHash
/// ```
///
/// (paper 001, Theorems 3 and 4). The exponent is -125 for `2^130 - 5` and -124 for `2^127 - 1`. For `c > 1`
/// the degree is at most `2l + 2c - 1`, slightly less than in the theorem.
pub fn axu_bound(params: &Params, family: Family, bits: u64) -> AxuBound {
    let l = u128::from(bits.div_ceil(u64::from(params.n)));
    let numerator = match family {
        Family::PolyHash => l,
        // Without a second stream there is no outer polynomial, and its degree does not count.
        Family::BrwHash | Family::DecBrwHash { c: 0 | 1 } => 2 * l + 1,
        Family::DecBrwHash { c } => 2 * l + 2 * u128::from(c) + 1,
    };
    AxuBound { numerator, exponent: params.m as i32 - params.k as i32 - params.mu as i32 + 1 }
}
