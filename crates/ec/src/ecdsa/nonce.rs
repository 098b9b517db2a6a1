//! Nonces by RFC 6979, section 3.2: HMAC-DRBG over the secret key and the hash of the message.
//!
//! The crate `rfc6979` gives the same numbers, but leaves the state, from which the secret key follows, in memory.
use super::leftmost_bits;
use crate::SecretKey;
use alloc::vec;
use carryless_gf2::curve::{BinaryCurve, Scalar};
use core::marker::PhantomData;
use digest::block_api::BlockSizeUser;
use digest::{Digest, KeyInit, Mac, Output, OutputSizeUser};
use hmac::SimpleHmac;
use zeroize::{Zeroize, Zeroizing};

/// The nonces for one message, to be tried in turn.
pub(super) struct Nonces<C, D: OutputSizeUser> {
    key: Output<D>,
    value: Output<D>,
    of: PhantomData<C>,
}

impl<C: BinaryCurve, D: Digest + BlockSizeUser> Nonces<C, D> {
    /// For the number of a hash.
    pub(super) fn new(secret: &SecretKey<C>, hash: &Scalar<C>) -> Self {
        let mut nonces =
            Nonces { key: Output::<D>::default(), value: Output::<D>::default(), of: PhantomData };
        nonces.value.fill(1);
        let mut hash_bytes = Zeroizing::new(vec![0; Scalar::<C>::BYTES]);
        hash.write_be_bytes(&mut hash_bytes);
        let secret = secret.to_bytes();
        nonces.update(0, &[&secret, &hash_bytes]);
        nonces.update(1, &[&secret, &hash_bytes]);
        nonces
    }

    /// The next number k with 1 <= k < n. How many were no such number is public: they say nothing of the one that is.
    pub(super) fn next(&mut self) -> Scalar<C> {
        loop {
            let mut bytes = Zeroizing::new(vec![0; Scalar::<C>::BYTES]);
            for part in bytes.chunks_mut(self.value.len()) {
                self.step();
                part.copy_from_slice(&self.value[..part.len()]);
            }
            self.update(0, &[]);
            if let Ok(k) = SecretKey::from_bytes(&leftmost_bits::<C>(&bytes)) {
                return *k.as_scalar();
            }
        }
    }

    /// K = HMAC(K, V || byte || parts), V = HMAC(K, V).
    fn update(&mut self, byte: u8, parts: &[&[u8]]) {
        let mut mac = self.mac();
        mac.update(&[byte]);
        parts.iter().for_each(|part| mac.update(part));
        self.key = mac.finalize().into_bytes();
        self.step();
    }

    /// V = HMAC(K, V).
    fn step(&mut self) {
        self.value = self.mac().finalize().into_bytes();
    }

    /// HMAC(K, V ..).
    fn mac(&self) -> SimpleHmac<D> {
        let mut mac = SimpleHmac::<D>::new_from_slice(&self.key).expect("HMAC takes keys of every length");
        mac.update(&self.value);
        mac
    }
}

impl<C, D: OutputSizeUser> Drop for Nonces<C, D> {
    fn drop(&mut self) {
        self.key.as_mut_slice().zeroize();
        self.value.as_mut_slice().zeroize();
    }
}
