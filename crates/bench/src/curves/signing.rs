//! Operands of ECDSA.
use super::Parameters;
use super::case::{coordinates, multiple};
use crate::input::Input;
use carryless_reference::BigUint;

/// A key and the hash of a message.
pub(crate) struct Signing {
    /// d, most significant byte first, in as many bytes as n has.
    pub(crate) d: Vec<u8>,
    /// x and y of Q = d G, by their words.
    pub(crate) q: [Vec<u64>; 2],
    /// As long as those of SHA-256.
    pub(crate) hash: [u8; 32],
    nonce: BigUint,
}

impl Signing {
    /// d and the nonce have 128 bits at most: that makes them soon, and neither operation depends on it.
    pub(crate) fn new(curve: &Parameters, input: &Input) -> Signing {
        let (message, domain) = (input.messages()[0], &curve.domain);
        let d = multiple(message) % &domain.order;
        Signing {
            q: coordinates(domain.curve.mul(&d, &domain.generator)),
            d: curve.scalar_bytes(&d),
            hash: message[112..144].try_into().expect("32 bytes"),
            nonce: BigUint::from_bytes_le(&message[..16]) % &domain.order,
        }
    }

    /// r and s by the definitions, as d.
    pub(crate) fn signature(&self, curve: &Parameters) -> [Vec<u8>; 2] {
        let d = BigUint::from_bytes_be(&self.d);
        let (r, s) = curve.domain.sign(&d, &self.nonce, &self.hash).expect("no number here is 0");
        [r, s].map(|number| curve.scalar_bytes(&number))
    }

    /// A hash of which it is no signature.
    pub(crate) fn other_hash(&self) -> [u8; 32] {
        let mut hash = self.hash;
        hash[0] ^= 0x80;
        hash
    }
}
