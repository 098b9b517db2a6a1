//! The operands of ECDSA, made of a message as for products.
use super::Parameters;
use super::case::{coordinates, multiple};
use crate::input::Input;
use carryless_reference::BigUint;

/// A key pair and the hash of a message, for ECDSA.
pub(crate) struct Signing {
    /// The secret key d as big-endian bytes, as many as n has.
    pub(crate) d: Vec<u8>,
    /// x and y of the public key Q = d G, each in words of 64 bits.
    pub(crate) q: [Vec<u64>; 2],
    /// A hash of 32 bytes, the length of SHA-256.
    pub(crate) hash: [u8; 32],
    nonce: BigUint,
}

impl Signing {
    /// Makes them of a message. d and the nonce have at most 128 bits, so that slow arithmetic computes them
    /// fast; the time of neither operation depends on that.
    pub(crate) fn new(curve: &Parameters, input: &Input) -> Signing {
        let (message, domain) = (input.messages()[0], &curve.domain);
        // The smallest orders are below 2^128, hence the reduction.
        let d = multiple(message) % &domain.order;
        Signing {
            q: coordinates(domain.curve.mul(&d, &domain.generator)),
            d: curve.scalar_bytes(&d),
            // Products make l of these bytes, which ECDSA does not use.
            hash: message[112..144].try_into().expect("32 bytes"),
            nonce: BigUint::from_bytes_le(&message[..16]) % &domain.order,
        }
    }

    /// r and s by the definition, as big-endian bytes like d.
    pub(crate) fn signature(&self, curve: &Parameters) -> [Vec<u8>; 2] {
        let d = BigUint::from_bytes_be(&self.d);
        let (r, s) = curve.domain.sign(&d, &self.nonce, &self.hash).expect("no number here is 0");
        [r, s].map(|number| curve.scalar_bytes(&number))
    }

    /// A hash for which the signature must be refused.
    pub(crate) fn other_hash(&self) -> [u8; 32] {
        let mut hash = self.hash;
        // The top bit, because ECDSA drops the last bits of a hash that is longer than n.
        hash[0] ^= 0x80;
        hash
    }
}
