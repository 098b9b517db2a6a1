//! Lengths of messages and of associated data, against the big-integer reference.
use crate::common::{ALL, bytes, key_and_nonce, open, quick, seal};
use carryless_hash::Cpu;
use carryless_reference::Aead as Reference;

#[track_caller]
fn check(aead: Reference, ad_len: usize, len: usize) {
    let (key, nonce) = key_and_nonce(aead, len);
    let (ad, msg) = (bytes(7, ad_len), bytes(8, len));
    let want = aead.seal(&key, &nonce, &ad, &msg);
    for cpu in Cpu::available() {
        let what = format!("{aead:?}, {ad_len} and {len} bytes, {}", cpu.name());
        let got = seal(aead, cpu, &key, &nonce, &ad, &msg);
        assert!(got == want, "{what}");
        assert_eq!(open(aead, cpu, &key, &nonce, &ad, (&got.0, &got.1)), Ok(msg.clone()), "{what}");
    }
}

#[test]
fn short_messages() {
    for aead in ALL {
        for len in (0..=600).step_by(if quick() { 37 } else { 1 }) {
            check(aead, len % 18, len);
        }
    }
}

#[test]
fn associated_data() {
    for aead in ALL {
        for ad_len in (0..=100).step_by(if quick() { 11 } else { 1 }).chain([256, 1000, 5000]) {
            check(aead, ad_len, 33);
            check(aead, ad_len, 0);
        }
    }
}

/// Lengths around the batches of the cipher and the pieces of the hash.
#[test]
fn longer_messages() {
    // The first piece of a long message also takes the 7 blocks (448 bytes) that the first call of the cipher
    // made after block 0.
    let piece = 1 << 16;
    let lengths: &[usize] = if quick() {
        &[1350, 4097]
    } else {
        &[1023, 1024, 1025, 1350, 4096, 16_384, piece + 447, piece + 448, piece + 449, 2 * piece + 700]
    };
    for aead in ALL {
        lengths.iter().for_each(|&len| check(aead, 13, len));
    }
}
