//! Nonces, and the ChaCha20 state that they start.
use ::aead::array::{Array, ArraySize};
use ::aead::consts::{U12, U24};
use chacha20::variants::Ietf as Counter32;
use chacha20::{ChaChaCore, KeyIvInit, R20};

use crate::prf::hchacha20;

/// ChaCha20 of RFC 8439: a counter of 32 bits and a nonce of 12 bytes. Its state is wiped when dropped.
pub(super) type Core = ChaChaCore<R20, Counter32>;

/// A kind of nonce.
pub trait NonceKind {
    /// Its bytes.
    type Size: ArraySize;

    /// The cipher at block 0.
    fn core(key: &[u8; 32], nonce: &Array<u8, Self::Size>) -> Core;
}

/// 12 bytes, the nonce of ChaCha20.
#[derive(Clone, Copy, Debug)]
pub enum Ietf {}

/// 24 bytes: HChaCha20 of the first 16 is the key for the other 8.
#[derive(Clone, Copy, Debug)]
pub enum Extended {}

impl NonceKind for Ietf {
    type Size = U12;

    fn core(key: &[u8; 32], nonce: &Array<u8, U12>) -> Core {
        Core::new(key.into(), nonce)
    }
}

impl NonceKind for Extended {
    type Size = U24;

    fn core(key: &[u8; 32], nonce: &Array<u8, U24>) -> Core {
        let (of_key, of_cipher) = nonce.split::<::aead::consts::U16>();
        let mut last = [0; 12];
        last[4..].copy_from_slice(&of_cipher);
        Core::new((&*hchacha20(key, &of_key.0)).into(), &last.into())
    }
}
