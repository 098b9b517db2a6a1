//! Compares with RustCrypto's `chacha20poly1305` for random keys, nonces, associated data and messages.
use crate::common::{open, seal};
use carryless_hash::Cpu;
use carryless_reference::Aead as Reference;
use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::{AeadInOut, KeyInit};
use proptest::prelude::*;

fn theirs<A: AeadInOut + KeyInit>(
    key: &[u8; 32],
    nonce: &[u8],
    ad: &[u8],
    msg: &[u8],
) -> (Vec<u8>, [u8; 16]) {
    let aead = A::new(key[..].try_into().expect("a key"));
    let nonce = nonce.try_into().expect("a nonce");
    let mut out = msg.to_vec();
    let tag = aead.encrypt_inout_detached(nonce, ad, InOutBuf::from(&mut out[..])).expect("short enough");
    (out, tag[..].try_into().expect("16 bytes"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if crate::common::quick() { 8 } else { 256 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn same_bytes_as_rustcrypto(
        key: [u8; 32],
        nonce: [u8; 24],
        ad in prop::collection::vec(any::<u8>(), 0..100),
        msg in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        for aead in [Reference::ChaCha20Poly1305, Reference::XChaCha20Poly1305] {
            let nonce = &nonce[..aead.nonce_len()];
            let want = match aead {
                Reference::ChaCha20Poly1305 => {
                    theirs::<chacha20poly1305::ChaCha20Poly1305>(&key, nonce, &ad, &msg)
                }
                _ => theirs::<chacha20poly1305::XChaCha20Poly1305>(&key, nonce, &ad, &msg),
            };
            for cpu in Cpu::available() {
                prop_assert!(seal(aead, cpu, &key, nonce, &ad, &msg) == want, "{:?}, {}", aead, cpu.name());
                let opened = open(aead, cpu, &key, nonce, &ad, (&want.0, &want.1));
                prop_assert_eq!(opened.as_ref(), Ok(&msg));
            }
        }
    }

    /// There is no second implementation of this AEAD, so the big-integer reference takes its place.
    #[test]
    fn decbrw1305_is_the_reference(
        key: [u8; 32],
        nonce: [u8; 24],
        ad in prop::collection::vec(any::<u8>(), 0..100),
        msg in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let aead = Reference::XChaCha20DecBrw1305;
        let want = aead.seal(&key, &nonce, &ad, &msg);
        for cpu in Cpu::available() {
            prop_assert!(seal(aead, cpu, &key, &nonce, &ad, &msg) == want, "{}", cpu.name());
            let opened = open(aead, cpu, &key, &nonce, &ad, (&want.0, &want.1));
            prop_assert_eq!(opened.as_ref(), Ok(&msg));
        }
    }
}
