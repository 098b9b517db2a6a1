//! The parameters of both primes, and messages as strings of bits.
use num_bigint::BigUint;

/// The numbers that define a family of polynomial hashes (paper, Table 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Suffix of the functions' names: `"1305"` or `"1271"`.
    pub name: &'static str,
    /// Number of bits of the prime.
    pub m: u32,
    /// The prime is `2^m - delta`.
    pub delta: u32,
    /// Number of bits of a block, a multiple of 8.
    pub n: u32,
    /// Number of bits of a key.
    pub k: u32,
    /// Number of bits of a digest.
    pub mu: u32,
}

/// Hashes over `2^130 - 5`: blocks of 16 bytes, keys and digests of 128 bits.
pub const P1305: Params = Params { name: "1305", m: 130, delta: 5, n: 128, k: 128, mu: 128 };

/// Hashes over `2^127 - 1`: blocks of 15 bytes, keys and digests of 126 bits in 16 bytes.
pub const P1271: Params = Params { name: "1271", m: 127, delta: 1, n: 120, k: 126, mu: 126 };

/// The error of a key with a bit set at or above the family's key length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyOutOfRange;

impl core::fmt::Display for KeyOutOfRange {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the key has more bits than this hash takes")
    }
}

impl core::error::Error for KeyOutOfRange {}

impl Params {
    /// Returns the prime `p = 2^m - delta`.
    pub fn p(&self) -> BigUint {
        power_of_two(self.m) - self.delta
    }

    /// Returns the key as an integer. Keys are not clamped: a bit too many is an error, and is never cleared.
    ///
    /// # Errors
    /// [`KeyOutOfRange`] if the integer is `2^k` or more.
    pub fn key(&self, key: &[u8; 16]) -> Result<BigUint, KeyOutOfRange> {
        let tau = BigUint::from_bytes_le(key);
        // 126 bits of the 1271 family leave two bits of the last byte, which must be zero.
        if tau < power_of_two(self.k) { Ok(tau) } else { Err(KeyOutOfRange) }
    }

    /// Returns the digest of a value below `p`: the value modulo `2^mu`, in 16 bytes, little-endian.
    pub fn digest(&self, residue: &BigUint) -> [u8; 16] {
        to_bytes(&(residue % power_of_two(self.mu)))
    }
}

/// A message: a string of bits, whole bytes or not.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    data: &'a [u8],
    bits: usize,
}

/// The error of a bit length that does not fit the bytes given, or of a set bit after the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongBitLength;

impl core::fmt::Display for WrongBitLength {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the bytes do not hold a message of this many bits")
    }
}

impl core::error::Error for WrongBitLength {}

impl<'a> From<&'a [u8]> for Message<'a> {
    /// A message of whole bytes.
    fn from(data: &'a [u8]) -> Self {
        Message { data, bits: 8 * data.len() }
    }
}

impl<'a> Message<'a> {
    /// A message of `bits` bits: the low `bits mod 8` bits of a last incomplete byte are its last bits.
    ///
    /// # Errors
    /// [`WrongBitLength`] unless `data` has `ceil(bits / 8)` bytes and the unused bits of the last are zero.
    pub fn of_bits(data: &'a [u8], bits: usize) -> Result<Self, WrongBitLength> {
        let unused_are_zero =
            bits.is_multiple_of(8) || data.last().is_some_and(|last| last >> (bits % 8) == 0);
        if data.len() == bits.div_ceil(8) && unused_are_zero {
            Ok(Message { data, bits })
        } else {
            Err(WrongBitLength)
        }
    }

    /// `format(X)`: the values of the blocks of `n` bits and their lengths in bits, all `n` but perhaps the last.
    fn format(&self, n: u32) -> impl Iterator<Item = (BigUint, u32)> {
        let n = n as usize;
        self.data.chunks(n / 8).enumerate().map(move |(i, block)| {
            // Only the last block can be shorter.
            let length = n.min(self.bits - n * i);
            (BigUint::from_bytes_le(block), length as u32)
        })
    }

    /// `pad1(X)`: every block with one bit set just above its last bit, so that `X` and `X || 0` differ.
    pub(crate) fn pad1(&self, n: u32) -> impl Iterator<Item = BigUint> {
        self.format(n).map(|(value, s)| value + power_of_two(s))
    }

    /// `pad2(X)`: the values of the blocks and, instead of marks in the blocks, the length `L` of `X` in bits.
    /// For blocks of `n` bits, a multiple of 8.
    pub fn pad2(&self, n: u32) -> (Vec<BigUint>, u64) {
        (self.format(n).map(|(value, _)| value).collect(), self.bits as u64)
    }
}

/// Returns `2^e` as a big integer.
pub(crate) fn power_of_two(e: u32) -> BigUint {
    BigUint::from(1u32) << e
}

/// Returns `x` in `N` bytes, little-endian. Panics if it does not fit.
pub(crate) fn to_bytes<const N: usize>(x: &BigUint) -> [u8; N] {
    let mut bytes = x.to_bytes_le();
    bytes.resize(N, 0);
    bytes.try_into().expect("the number fits")
}
