//! STREAM (Hoang, Reyhanitabar, Rogaway and Vizár, <https://eprint.iacr.org/2015/189>): a long message in chunks,
//! each with its own tag, which can be opened as they arrive.
//!
//! This is RustCrypto's `aead-stream`, over any AEAD of this module. The nonce of a chunk consists of a prefix, the
//! number of the chunk, and a flag for the last chunk. So chunks that are reordered, omitted, repeated or missing
//! at the end are refused.
//!
//! [`EncryptorBE32`] takes a prefix of 19 bytes with XChaCha20 and of 7 with ChaCha20, and up to 2^32 - 1 chunks.
//! [`EncryptorLE31`] takes one byte more, and up to 2^31 chunks. A prefix serves one message under a key, so with
//! ChaCha20 it should be a counter.
//!
//! ```
//! use carryless_aead::aead::XChaCha20Poly1305;
//! use carryless_aead::aead::stream::{DecryptorBE32, EncryptorBE32};
//!
//! let (key, prefix) = ([0x42; 32].into(), [7; 19].into()); // the prefix is random, for this message only
//! let mut encryptor = EncryptorBE32::<XChaCha20Poly1305>::new(&key, &prefix);
//! # #[cfg(feature = "alloc")] {
//! let first = encryptor.encrypt_next(&b"attack "[..])?;
//! let last = encryptor.encrypt_last(&b"at dawn"[..])?;
//!
//! let mut decryptor = DecryptorBE32::<XChaCha20Poly1305>::new(&key, &prefix);
//! assert_eq!(decryptor.decrypt_next(&first[..])?, b"attack ");
//! assert_eq!(decryptor.decrypt_last(&last[..])?, b"at dawn");
//! # }
//! # Ok::<(), carryless_aead::aead::Error>(())
//! ```
pub use aead_stream::{
    Decryptor, DecryptorBE32, DecryptorLE31, Encryptor, EncryptorBE32, EncryptorLE31, NewStream, Nonce,
    StreamBE32, StreamLE31, StreamPrimitive,
};
