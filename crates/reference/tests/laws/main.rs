//! Consequences of the definitions, tested on inputs that no vector file has.
mod algorithm1;
mod bounds;
mod brw;
mod cost;
mod join;
mod poly;

use carryless_reference::{BigUint, Params};

/// Numbers that look random, the same in every run: splitmix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next() as u8).collect()
    }

    /// A random number below 2^bits.
    fn number(&mut self, bits: u32) -> BigUint {
        BigUint::from_bytes_le(&self.bytes(bits.div_ceil(8) as usize)) >> (bits.wrapping_neg() % 8)
    }

    /// Random blocks for the hash family of these parameters: numbers below 2^n.
    fn blocks(&mut self, params: &Params, count: usize) -> Vec<BigUint> {
        (0..count).map(|_| self.number(params.n)).collect()
    }

    /// A random key below 2^k, as a number and as 16 bytes in little-endian order.
    fn key(&mut self, params: &Params) -> (BigUint, [u8; 16]) {
        let tau = self.number(params.k);
        let mut bytes = tau.to_bytes_le();
        bytes.resize(16, 0);
        (tau, bytes.try_into().expect("16 bytes"))
    }
}
