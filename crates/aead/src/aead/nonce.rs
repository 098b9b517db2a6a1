//! The two kinds of nonces, and the ChaCha20 state that each starts.
use ::aead::array::{Array, ArraySize};
use ::aead::consts::{U12, U24};
use chacha20::variants::Ietf as Counter32;
use chacha20::{ChaChaCore, KeyIvInit, R20};

use crate::prf::hchacha20;

/// ChaCha20 of RFC 8439: a block counter of 32 bits and a nonce of 12 bytes. The state is wiped when dropped.
pub(super) type Core = ChaChaCore<R20, Counter32>;

/// A kind of nonce: its length, and how it starts the cipher.
pub trait NonceKind {
    /// The length of the nonce in bytes, as a type.
    type Size: ArraySize;

    /// The state of the cipher at block 0 of this key and nonce.
    fn core(key: &[u8; 32], nonce: &Array<u8, Self::Size>) -> Core;
}

/// Nonces of 12 bytes, those of ChaCha20 (RFC 8439).
#[derive(Clone, Copy, Debug)]
pub enum Ietf {}

/// Nonces of 24 bytes (draft-irtf-cfrg-xchacha-03, section 2.3): HChaCha20 of the first 16 bytes is the key, the
/// other 8 are the nonce.
#[derive(Clone, Copy, Debug)]
pub enum Extended {}

impl NonceKind for Ietf {
    type Size = U12;

    fn core(key: &[u8; 32], nonce: &Array<u8, U12>) -> Core {
        // The counter of the state starts at 0, so that block 0 comes first (RFC 8439, section 2.6).
        Core::new(key.into(), nonce)
    }
}

impl NonceKind for Extended {
    type Size = U24;

    fn core(key: &[u8; 32], nonce: &Array<u8, U24>) -> Core {
        // A subkey per nonce prefix: random prefixes of 16 bytes make reuse of a subkey with the same 8 bytes
        // negligible.
        let (of_key, of_cipher) = nonce.split::<::aead::consts::U16>();
        // The nonce of ChaCha20 is four zero bytes, then the last 8 of the given one (section 2.3 of the draft).
        let mut last = [0; 12];
        last[4..].copy_from_slice(&of_cipher);
        Core::new((&*hchacha20(key, &of_key.0)).into(), &last.into())
    }
}
