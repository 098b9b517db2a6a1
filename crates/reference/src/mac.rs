//! MACs built on the hashes: the file MAC of book/src/formats.md, and the Wegman-Carter MAC with a nonce.
use crate::chacha::hchacha20;
use crate::decbrw::decbrwhash;
use crate::params::P1305;
use crate::poly::polyhash1305;

/// Bytes of each part of a long message in the file MAC.
const PART: usize = 1 << 20;

/// Derives a subkey from the label `carryless SUBJECT-NUMBER`, which has 16 bytes.
fn subkey(key: &[u8; 32], subject: &str, number: u8) -> [u8; 32] {
    let label = format!("carryless {subject}-{number}");
    hchacha20(key, label.as_bytes().try_into().expect("a label of 16 bytes"))
}

/// Returns the first 16 bytes.
fn half(bytes: [u8; 32]) -> [u8; 16] {
    bytes[..16].try_into().expect("16 of 32 bytes")
}

/// Computes 4-decBRWHash1305, for which every 16-byte key is in range.
pub(crate) fn decbrw4(key: &[u8; 16], message: &[u8]) -> [u8; 16] {
    decbrwhash(&P1305, 4, key, message.into()).expect("every 16-byte key is a key of these hashes")
}

/// Computes the tag `polyhash1305-hchacha20`. The subject is `file` or `mani`.
///
/// # Panics
/// If the subject has not four bytes.
pub fn polyhash_file_mac(key: &[u8; 32], subject: &str, message: &[u8]) -> [u8; 16] {
    let digest = polyhash1305(&half(subkey(key, subject, 1)), message);
    half(hchacha20(&subkey(key, subject, 2), &digest))
}

/// Computes the tag `4-decbrwhash1305-hchacha20`. The subject is `file` or `mani`. Long messages
/// are hashed in two levels.
///
/// # Panics
/// If the subject has not four bytes.
pub fn decbrw_file_mac(key: &[u8; 32], subject: &str, message: &[u8]) -> [u8; 16] {
    // Two keys, or a long message would collide with the short one that consists of its digests. Numbers 1
    // and 2 belong to polyHash.
    let (parts_key, top_key) = (half(subkey(key, subject, 3)), half(subkey(key, subject, 4)));
    let digest = if message.len() <= PART {
        decbrw4(&parts_key, message)
    } else {
        let digests: Vec<[u8; 16]> = message.chunks(PART).map(|part| decbrw4(&parts_key, part)).collect();
        decbrw4(&top_key, &digests.concat())
    };
    half(hchacha20(&subkey(key, subject, 5), &digest))
}

/// Computes 4-decBRWHash1305 of the message, plus HChaCha20 of the nonce, modulo `2^128`.
pub fn wegman_carter(key: &[u8; 32], nonce: &[u8; 16], message: &[u8]) -> [u8; 16] {
    let digest = decbrw4(&half(subkey(key, "wegm", 1)), message);
    let mask = half(hchacha20(&subkey(key, "wegm", 2), nonce));
    // Addition modulo 2^128, as in Poly1305, not XOR.
    u128::from_le_bytes(digest).wrapping_add(u128::from_le_bytes(mask)).to_le_bytes()
}
