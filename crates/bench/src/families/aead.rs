//! The families of authenticated encryption. Figures are of sealing in place.
use super::{F2X, beside};
use crate::aead::{LENGTHS, ours, reference};
use crate::family::Family;
use crate::peers::aead;
use carryless_reference::Aead;

/// ChaCha20-Poly1305 of RFC 8439, with nonces of 12 bytes.
pub static CHACHA20_POLY1305: Family = Family {
    name: "chacha20-poly1305",
    aliases: &["aead"],
    about: "authenticated encryption by RFC 8439, a key for many messages",
    peers: aead::CHACHA20_POLY1305,
    // Both have nonces of 24 bytes, so they show what the longer nonce costs.
    others: |mode| [beside(&XCHACHA20_POLY1305, mode), beside(&XCHACHA20_DECBRW1305, mode)].concat(),
    ..AEAD
};

/// XChaCha20-Poly1305: ChaCha20-Poly1305 with nonces of 24 bytes.
pub static XCHACHA20_POLY1305: Family = Family {
    name: "xchacha20-poly1305",
    about: "RFC 8439 with nonces of 24 bytes (XChaCha20)",
    reference: |key, message| reference(Aead::XChaCha20Poly1305, key, message),
    ours: |mode| ours(Aead::XChaCha20Poly1305).subjects(mode),
    peers: aead::XCHACHA20_POLY1305,
    ..AEAD
};

/// XChaCha20-decBRW1305: XChaCha20 with 4-decBRWHash1305 instead of Poly1305.
pub static XCHACHA20_DECBRW1305: Family = Family {
    name: "xchacha20-decbrw1305",
    about: "XChaCha20 with the hash 4-decBRWHash1305",
    reference: |key, message| reference(Aead::XChaCha20DecBrw1305, key, message),
    ours: |mode| ours(Aead::XChaCha20DecBrw1305).subjects(mode),
    // Only the hash differs from this one, so the figures show what the hash costs.
    others: |mode| beside(&XCHACHA20_POLY1305, mode),
    ..AEAD
};

/// Fields that the AEADs share. They are those of ChaCha20-Poly1305, unless a family replaces them.
const AEAD: Family = Family {
    reference: |key, message| reference(Aead::ChaCha20Poly1305, key, message),
    ours: |mode| ours(Aead::ChaCha20Poly1305).subjects(mode),
    lengths: LENGTHS,
    operation: None,
    ..F2X
};
