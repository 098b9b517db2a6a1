//! Nonces of RFC 6979, section 3.2: HMAC-DRBG, seeded with the secret key and the hash of the message.
//!
//! The crate `rfc6979` computes the same numbers. However, it leaves its state in memory, from which the
//! secret key follows.
use carryless_lanes::clear_stack;
use digest::block_api::BlockSizeUser;
use digest::{Digest, KeyInit, Mac, Output, OutputSizeUser};
use hmac::SimpleHmac;
use zeroize::Zeroize;

/// A sequence of nonces for one message. The first that gives a signature is used. Secret; wiped when dropped.
///
/// Nonces are bytes here, so that all curves share one copy of this code.
pub(crate) struct Nonces<D: OutputSizeUser> {
    key: Output<D>,
    value: Output<D>,
}

impl<D: Digest + BlockSizeUser> Nonces<D> {
    /// Seeds the generator (steps b to g of section 3.2). `secret` is the key, `hash` the hash reduced modulo
    /// n; each has as many bytes as n. Data after the hash give other nonces (section 3.6).
    #[inline(never)]
    pub(crate) fn new(secret: &[u8], hash: &[u8]) -> Self {
        let mut nonces = Nonces { key: Output::<D>::default(), value: Output::<D>::default() };
        nonces.value.fill(1);
        // Two updates with different bytes, as HMAC-DRBG does it. K starts as zeros, V as ones.
        nonces.update(0, &[secret, hash]);
        nonces.update(1, &[secret, hash]);
        // States of the hash function that contain the key remain on the stack otherwise.
        clear_stack::<512>();
        nonces
    }

    /// Fills `bytes` with the next candidate (step h): its leftmost bits, as many as n has, are the number.
    #[inline(never)]
    pub(crate) fn next(&mut self, bytes: &mut [u8]) {
        // If n is longer than a hash, outputs are joined until there are enough bits (step h.2).
        for part in bytes.chunks_mut(self.value.len()) {
            self.step();
            part.copy_from_slice(&self.value[..part.len()]);
        }
        // RFC 6979 updates K and V only after a candidate failed. Doing it at once gives the same candidates,
        // and K and V no longer determine the one in use.
        self.update(0, &[]);
        clear_stack::<512>();
    }

    /// Sets K = HMAC(K, V || byte || parts), then V = HMAC(K, V).
    fn update(&mut self, byte: u8, parts: &[&[u8]]) {
        let mut mac = self.mac();
        mac.update(&[byte]);
        parts.iter().for_each(|part| mac.update(part));
        // HMAC leaves its state on the stack; `new` and `next` clear that at their ends.
        self.key = mac.finalize().into_bytes();
        self.step();
    }

    /// Sets V = HMAC(K, V), the next output of the generator.
    fn step(&mut self) {
        self.value = self.mac().finalize().into_bytes();
    }

    /// Starts HMAC with key K, and hashes V.
    fn mac(&self) -> SimpleHmac<D> {
        let mut mac = SimpleHmac::<D>::new_from_slice(&self.key).expect("HMAC takes keys of every length");
        mac.update(&self.value);
        mac
    }
}

impl<D: OutputSizeUser> Drop for Nonces<D> {
    fn drop(&mut self) {
        // Arrays of the crate `digest` do not wipe themselves.
        self.key.as_mut_slice().zeroize();
        self.value.as_mut_slice().zeroize();
    }
}
