//! Nonces by RFC 6979, section 3.2: HMAC-DRBG over the secret key and the hash of the message.
//!
//! The crate `rfc6979` gives the same numbers, but leaves the state, from which the secret key follows, in memory.
use carryless_lanes::clear_stack;
use digest::block_api::BlockSizeUser;
use digest::{Digest, KeyInit, Mac, Output, OutputSizeUser};
use hmac::SimpleHmac;
use zeroize::Zeroize;

/// The nonces for one message, to be tried in turn, as bytes: the same code for all curves, which do not inline it.
pub(super) struct Nonces<D: OutputSizeUser> {
    key: Output<D>,
    value: Output<D>,
}

impl<D: Digest + BlockSizeUser> Nonces<D> {
    /// For a secret key and the number of a hash below n, each in as many bytes as n has.
    #[inline(never)]
    pub(super) fn new(secret: &[u8], hash: &[u8]) -> Self {
        let mut nonces = Nonces { key: Output::<D>::default(), value: Output::<D>::default() };
        nonces.value.fill(1);
        nonces.update(0, &[secret, hash]);
        nonces.update(1, &[secret, hash]);
        clear_stack::<512>();
        nonces
    }

    /// Fills `bytes`, whose first bits, as many as n has, are the next number.
    #[inline(never)]
    pub(super) fn next(&mut self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(self.value.len()) {
            self.step();
            part.copy_from_slice(&self.value[..part.len()]);
        }
        self.update(0, &[]);
        clear_stack::<512>();
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

impl<D: OutputSizeUser> Drop for Nonces<D> {
    fn drop(&mut self) {
        self.key.as_mut_slice().zeroize();
        self.value.as_mut_slice().zeroize();
    }
}
