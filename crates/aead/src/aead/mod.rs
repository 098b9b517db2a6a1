//! Authenticated encryption with associated data, on ChaCha20 and the hashes of `carryless-hash`.
//!
//! | | nonce | source |
//! |---|---|---|
//! | [`ChaCha20Poly1305`] | 12 bytes | RFC 8439, section 2.8 |
//! | [`XChaCha20Poly1305`] | 24 bytes | draft-irtf-cfrg-xchacha-03, section 2 |
//! | [`XChaCha20DecBrw1305`] | 24 bytes | docs/aead.md; **no standard, and nobody else's** |
//!
//! Keys have 32 bytes and tags 16. They implement the traits of RustCrypto's `aead` 0.6, [`AeadInOut`], [`KeyInit`] and, with the feature
//! `alloc`, `Aead`: in place or from one buffer to another, with the tag apart or behind the ciphertext.
//!
//! ```
//! use carryless_aead::aead::{AeadInOut, KeyInit, XChaCha20Poly1305};
//!
//! let cipher = XChaCha20Poly1305::new(&[0x42; 32].into());
//! let nonce = [7; 24].into(); // random, for this message only
//! let mut buffer = *b"attack at dawn";
//! let tag = cipher.encrypt_inout_detached(&nonce, b"header", (&mut buffer[..]).into())?;
//! cipher.decrypt_inout_detached(&nonce, b"header", (&mut buffer[..]).into(), &tag)?;
//! assert_eq!(&buffer, b"attack at dawn");
//!
//! assert!(cipher.decrypt_inout_detached(&nonce, b"Header", (&mut buffer[..]).into(), &tag).is_err());
//! assert_eq!(&buffer, b"attack at dawn"); // what is refused is not decrypted
//! # Ok::<(), carryless_aead::aead::Error>(())
//! ```
//!
//! **A nonce serves one message under a key.** Two messages under one nonce give away the sum of both, and the key of the hash with it, by which
//! anyone forges other messages under that nonce. Nonces of 24 bytes may be random: of 2^64 of them two are equal with a probability of 2^-65. Those of 12 bytes
//! should be counters: of 2^32 random ones two are equal with a probability of 2^-33.
//!
//! **Opening** compares tags in constant time, and decrypts after that only: a buffer whose tag is wrong stays as it was.
//!
//! **Lengths**: a message has at most 2^38 - 64 bytes, associated data fewer than 2^61; what is longer is an [`Error`].
//!
//! **Not committing**: a ciphertext may open under two keys, both known to whoever made it. Where that matters (passwords, several recipients), bind the
//! key by a hash of it in the associated data.
//!
//! The machine of the hash is chosen when the key is made. That of the cipher is chosen by the `chacha20` crate: AVX2, SSE2 or NEON; its code for AVX-512, which
//! takes half the time, is compiled with `RUSTFLAGS="--cfg chacha20_avx512"` only.
mod keystream;
mod mac;
mod nonce;
pub mod stream;

use ::aead::consts::{U16, U32};
use ::aead::inout::InOutBuf;
use ::aead::{KeySizeUser, TagPosition};
use carryless_hash::poly1305::Poly1305;
use carryless_hash::{Cpu, Tag};
use core::marker::PhantomData;
use zeroize::Zeroizing;

use crate::check;
use crate::wipe::{redacted, wiped};
use keystream::{BLOCK, Keystream};
use mac::{DecBrw1305, OneTimeMac};
use nonce::{Extended, Ietf, NonceKind};

#[cfg(feature = "alloc")]
pub use ::aead::{Aead, Payload};
pub use ::aead::{AeadCore, AeadInOut, Buffer, Error, Key, KeyInit, Nonce, array, inout};

/// Most bytes of a message: the counter of blocks has 32 bits, and block 0 makes the key of the hash.
const MOST_BYTES: u64 = (BLOCK as u64) * (u32::MAX as u64);

/// Associated data have fewer bytes: their length in bits is a number of 64 bits.
const MOST_AD: u64 = 1 << 61;

/// A key of an AEAD whose nonces are of kind N and whose tags are by the MAC M. 40 bytes; wiped by `zeroize` and when dropped.
#[derive(Clone)]
pub struct ChaChaAead<N, M> {
    key: Zeroizing<[u8; 32]>,
    cpu: Cpu,
    kind: PhantomData<(N, M)>,
}

wiped!([N, M] ChaChaAead<N, M> { key; cpu, kind });
redacted!([N, M] ChaChaAead<N, M>, "ChaChaAead");

/// ChaCha20-Poly1305, RFC 8439. Nonces of 12 bytes.
pub type ChaCha20Poly1305 = ChaChaAead<Ietf, Poly1305>;

/// XChaCha20-Poly1305, draft-irtf-cfrg-xchacha-03. Nonces of 24 bytes, which may be random.
pub type XChaCha20Poly1305 = ChaChaAead<Extended, Poly1305>;

/// XChaCha20 with 4-decBRWHash1305 of paper 001, as that paper's conclusion suggests: **not a standard, and no other program opens it.** Nonces of 24
/// bytes, which may be random. A forgery of l blocks of 16 bytes succeeds with (2l + 9) 2^-125, where Poly1305 gives l 2^-103. Construction and
/// bound are in docs/aead.md.
///
/// The ciphertext is hashed in one piece after it was encrypted: cut what does not fit in a cache into messages, as [`stream`] does.
pub type XChaCha20DecBrw1305 = ChaChaAead<Extended, DecBrw1305>;

impl<N: NonceKind, M: OneTimeMac> ChaChaAead<N, M> {
    /// A key whose tags are computed on a machine of the caller's choice; [`KeyInit::new`] takes the best one of this CPU.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 32]) -> Self {
        ChaChaAead { key: Zeroizing::new(*key), cpu, kind: PhantomData }
    }
}

/// An error for what is too long, by the bytes of associated data and of the message.
fn check_lengths(ad: usize, message: usize) -> Result<(), Error> {
    if message as u64 > MOST_BYTES || ad as u64 >= MOST_AD { Err(Error) } else { Ok(()) }
}

impl<N, M> KeySizeUser for ChaChaAead<N, M> {
    type KeySize = U32;
}

impl<N: NonceKind, M: OneTimeMac> KeyInit for ChaChaAead<N, M> {
    fn new(key: &Key<Self>) -> Self {
        Self::on(Cpu::detect(), &key.0)
    }
}

impl<N: NonceKind, M> AeadCore for ChaChaAead<N, M> {
    type NonceSize = N::Size;
    type TagSize = U16;
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

impl<N: NonceKind, M: OneTimeMac> AeadInOut for ChaChaAead<N, M> {
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        ad: &[u8],
        mut buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<::aead::Tag<Self>, Error> {
        let len = buffer.len();
        check_lengths(ad.len(), len)?;
        let mut keystream = Keystream::new();
        keystream.begin(|| N::core(&self.key, nonce), len);
        if len <= keystream.ready() {
            keystream.apply(buffer.reborrow());
            return Ok(M::of(self.cpu, keystream.first_block(), ad, buffer.get_out()).to_bytes().into());
        }
        let mut mac = M::new(self.cpu, keystream.first_block(), ad);
        // What one call of the cipher has left over goes with the first piece, so that no other piece begins within its blocks.
        let mut size = M::PIECE.saturating_add(keystream.ready());
        while !buffer.is_empty() {
            let now = size.min(buffer.len());
            let (mut piece, rest) = buffer.split_at(now);
            keystream.apply(piece.reborrow());
            mac.update(piece.get_out());
            (buffer, size) = (rest, M::PIECE);
        }
        Ok(mac.tag(ad.len(), len).to_bytes().into())
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        ad: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &::aead::Tag<Self>,
    ) -> Result<(), Error> {
        check_lengths(ad.len(), buffer.len())?;
        let mut keystream = Keystream::new();
        keystream.begin(|| N::core(&self.key, nonce), buffer.len());
        let computed = M::of(self.cpu, keystream.first_block(), ad, buffer.get_in());
        check(&computed, &Tag::from(tag.0)).map_err(|_| Error)?;
        keystream.apply(buffer);
        Ok(())
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{Error, check_lengths};

    /// RFC 8439, section 2.8: messages of 2^38 - 64 bytes at most. Associated data whose length in bits has 64 bits.
    #[test]
    fn the_longest_messages_and_associated_data() {
        let (message, ad) = ((1 << 38) - 64, (1 << 61) - 1);
        for (ad, message) in [(0, 0), (0, message), (ad, 0), (ad, message)] {
            assert_eq!(check_lengths(ad, message), Ok(()), "{ad} and {message} bytes");
        }
        let too_long = [(0, message + 1), (ad + 1, 0), (ad, message + 1), (ad + 1, message), (0, usize::MAX)];
        for (ad, message) in too_long.into_iter().chain([(usize::MAX, 0), (0, 1 << 38), (0, 1 << 48)]) {
            assert_eq!(check_lengths(ad, message), Err(Error), "{ad} and {message} bytes");
        }
    }
}
