//! Tests that AEADs and MACs leave neither keys nor keystream in the memory of the process, neither on the
//! heap nor in dead frames of the stack.
#![cfg(all(target_os = "linux", not(miri)))]

use carryless_aead::aead::{
    AeadInOut, ChaCha20Poly1305, KeyInit, Nonce, XChaCha20DecBrw1305, XChaCha20Poly1305,
};
use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
use carryless_aead::hchacha20;
use carryless_aead::wegman_carter::{self, WegmanCarter};
use carryless_hash::Cpu;
use carryless_residue::{Secrets, Watched};
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit as _, StreamCipher as _};
use std::hint::black_box;
use zeroize::Zeroize;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Bytes of keystream to search for: 40 blocks, more than any backend computes at once or a test uses.
const KEYSTREAM: usize = 64 * 40;

const LENGTHS: [usize; 6] = [0, 64, 100, 300, 1024, 2000];

/// A nonce of 24 bytes, of which AEADs with shorter nonces take the first 12.
const NONCE: [u8; 24] = *b"a nonce of so many bytes";

/// A message that is not zero: the ciphertext of zeros is the keystream itself, which the search would find.
fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 131 + (i >> 8) * 17) as u8).collect()
}

/// Records a key of 32 bytes that looks random, so that its bytes occur nowhere else in memory, and returns
/// it.
fn random_key(record: &mut dyn FnMut(&str, &[u8])) -> [u8; 32] {
    let key = *hchacha20(&[9; 32], b"a key for a test");
    record("key", &key);
    key
}

/// Writes the 32 bytes of a secret directly to their place, since a move would leave a copy on the stack.
fn set(key: &mut [u8; 32], secrets: &Secrets, name: &str) {
    key.copy_from_slice(&secrets.reveal(name));
}

fn aead_leaves_nothing<A: AeadInOut + KeyInit + Zeroize>(what: &str) {
    let nonce = Nonce::<A>::try_from(&NONCE[..Nonce::<A>::default().len()]).expect("12 or 24 bytes");
    let secrets = &Secrets::new(|record| {
        let mut key = random_key(record);
        let mut last: [u8; 12] = NONCE[..12].try_into().expect("12 bytes");
        if nonce.len() == 24 {
            key = *hchacha20(&key, NONCE.first_chunk().expect("16 bytes"));
            record("derived key", &key);
            last = [0; 12];
            last[4..].copy_from_slice(&NONCE[16..]);
        }
        let mut keystream = vec![0; KEYSTREAM];
        ChaCha20::new(&key.into(), &last.into()).apply_keystream(&mut keystream);
        // Block 0 is the key of the MAC. It serves this message alone and is moved with its state, so it is
        // not searched for.
        record("keystream", &keystream[64..]);
    });
    // The key is made from borrowed bytes: an array that is moved, even out of a `Result`, leaves a copy.
    let aead = |secrets: &Secrets| A::new((&*secrets.reveal("key")).try_into().expect("32 bytes"));
    secrets.assert_gone(&format!("{what}, a key"), || {
        black_box(&aead(secrets));
    });
    secrets.assert_gone(&format!("{what}, zeroize"), || {
        let mut aead = aead(secrets);
        secrets.assert_visible("key", true);
        aead.zeroize();
        secrets.assert_visible("key", false);
    });
    for len in LENGTHS {
        let mut sealed = message(len);
        let mut tag = None;
        secrets.assert_gone(&format!("{what}, encryption of {len} bytes"), || {
            tag = aead(secrets).encrypt_inout_detached(&nonce, b"header", (&mut sealed[..]).into()).ok();
        });
        let tag = tag.expect("short enough");
        secrets.assert_gone(&format!("{what}, decryption of {len} bytes"), || {
            let opened =
                aead(secrets).decrypt_inout_detached(&nonce, b"header", (&mut sealed[..]).into(), &tag);
            assert!(opened.is_ok());
        });
        assert_eq!(sealed, message(len));
    }
}

#[test]
fn aeads_leave_nothing() {
    aead_leaves_nothing::<ChaCha20Poly1305>("ChaCha20Poly1305");
    aead_leaves_nothing::<XChaCha20Poly1305>("XChaCha20Poly1305");
    aead_leaves_nothing::<XChaCha20DecBrw1305>("XChaCha20DecBrw1305");
}

#[test]
fn file_macs_leave_nothing() {
    // Only the main key is searched for: the keys derived from it are in values that this test moves.
    let secrets = &Secrets::new(|record| {
        random_key(record);
    });
    for (cpu, algorithm) in Cpu::available().flat_map(|cpu| Algorithm::ALL.map(|algorithm| (cpu, algorithm)))
    {
        let mac = || {
            let mut key = [0; 32];
            set(&mut key, secrets, "key");
            let mac = FileMac::on(cpu, algorithm, Subject::File, &key);
            key.zeroize();
            mac
        };
        for len in [0, 100, 3000, PART + 9] {
            let message = message(len);
            secrets.assert_gone(&format!("{algorithm:?} of {len} bytes, {}", cpu.name()), || {
                let mac = mac();
                black_box(mac.tag(&message));
                let mut stream = mac.stream();
                stream.update(&message);
                black_box(stream.finalize());
                let mut parts = mac.parts();
                (0..)
                    .zip(message.chunks(PART))
                    .for_each(|(i, part)| parts.push(&mac.part(i, part)).expect("it fits"));
                black_box(parts.finalize());
            });
        }
    }
}

#[test]
fn macs_with_nonces_leave_nothing() {
    let nonce = wegman_carter::Nonce::from_bytes([3; 16]);
    let secrets = &Secrets::new(|record| {
        random_key(record);
    });
    for (cpu, len) in Cpu::available().flat_map(|cpu| [0, 100, 3000].map(|len| (cpu, len))) {
        let message = message(len);
        secrets.assert_gone(&format!("WegmanCarter of {len} bytes, {}", cpu.name()), || {
            let mut key = [0; 32];
            set(&mut key, secrets, "key");
            let mac = WegmanCarter::on(cpu, &key);
            key.zeroize();
            black_box(mac.tag(&nonce, &message));
            let mut stream = mac.stream(&nonce);
            stream.update(&message);
            black_box(stream.finalize());
        });
    }
}
