//! Authenticated encryption with associated data, on ChaCha20 and the hashes of `carryless-hash`.
//!
//! | | nonce | source |
//! |---|---|---|
//! | [`ChaCha20Poly1305`] | 12 bytes | RFC 8439, section 2.8 |
//! | [`XChaCha20Poly1305`] | 24 bytes | draft-irtf-cfrg-xchacha-03, section 2 |
//! | [`XChaCha20DecBrw1305`] | 24 bytes | its documentation; **not a standard, and in no other library** |
//!
//! Keys have 32 bytes and tags 16. The types implement the traits of RustCrypto's `aead` 0.6: [`AeadInOut`],
//! [`KeyInit`] and, with the feature `alloc`, `Aead`. They work in place or from one buffer to another, with the
//! tag apart or after the ciphertext.
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
//! **A nonce serves one message under a key.** Two messages under one nonce reveal their XOR and the one-time key
//! of the hash, with which anyone forges messages under that nonce. Nonces of 24 bytes may be random: among 2^64 of
//! them two are equal with probability 2^-65. Nonces of 12 bytes should be counters: among 2^32 random ones two are
//! equal with probability 2^-33.
//!
//! **Opening** verifies the tag in constant time and only then decrypts: a buffer whose tag is wrong is left
//! unchanged.
//!
//! **Lengths**: a message has at most 2^38 - 64 bytes, associated data fewer than 2^61. Longer inputs are an
//! [`Error`].
//!
//! **Not committing**: a ciphertext may open under two keys if both are known to its author. Where that matters
//! (passwords, several recipients), send a collision-resistant hash of the key with the message, and refuse the message
//! unless the hash is that of your key. A hash in the associated data that nobody compares does not bind the key.
//!
//! The backend of the hash is selected when the key is made. The `chacha20` crate selects that of the cipher: AVX2,
//! SSE2 or NEON. Its AVX-512 code takes half the time and is compiled only with `RUSTFLAGS="--cfg
//! chacha20_avx512"`.
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

/// Most bytes of a message, 2^38 - 64: the block counter has 32 bits, and block 0 makes the key of the
/// hash (RFC 8439, section 2.8).
const MAX_BYTES: u64 = (BLOCK as u64) * (u32::MAX as u64);

/// Associated data must have fewer bytes, so that their length in bits fits 64 bits.
const MAX_AD: u64 = 1 << 61;

/// A key of an AEAD with nonces of kind N and the one-time MAC M. 40 bytes; wiped by `zeroize` and when dropped.
#[derive(Clone)]
pub struct ChaChaAead<N, M> {
    key: Zeroizing<[u8; 32]>,
    cpu: Cpu,
    kind: PhantomData<(N, M)>,
}

wiped!([N, M] ChaChaAead<N, M> { key; cpu, kind });
redacted!([N, M] ChaChaAead<N, M>, "ChaChaAead");

/// ChaCha20-Poly1305 (RFC 8439, section 2.8), with nonces of 12 bytes, which should be counters.
pub type ChaCha20Poly1305 = ChaChaAead<Ietf, Poly1305>;

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), with nonces of 24 bytes, which may be random.
pub type XChaCha20Poly1305 = ChaChaAead<Extended, Poly1305>;

/// XChaCha20 with 4-decBRWHash1305 of paper 001, as that paper's conclusion suggests: **not a standard, and no
/// other program opens it.** Nonces have 24 bytes and may be random.
///
/// A forgery of l blocks of 16 bytes succeeds with probability at most (2l + 9) 2^-125, where Poly1305 has l
/// 2^-103. Nobody outside of this project has reviewed it.
///
/// # Definition
/// K is the key, N the nonce, A the associated data and M the message. Integers are little-endian.
///
/// ```text
/// K' = HChaCha20(K, N[..16])         N' = 0^4 || N[16..]
/// B_i = block i of ChaCha20 under K', N'                           64 bytes each
/// C  = M + (B_1 || B_2 || ..), cut to the length of M              bitwise
/// k1 || k2 || s = the first 48 bytes of B_0                        16 bytes each
/// T  = H_k1(C) + H_k2(A) + s  mod 2^128                            H: 4-decBRWHash1305, keys not clamped
/// ```
///
/// H includes the length of its argument, so the pair of polynomials determines A and C, their borders and both
/// lengths. There is no padding. With two keys the ciphertext is hashed where it lies, in one call, and empty
/// associated data costs nothing, because H of no bytes is 0.
///
/// # Bound
/// An adversary sees ciphertexts of q messages of its choice, no two under one nonce, and makes v attempts at
/// forgery with at most l blocks in A and in C. One succeeds with probability at most v (2l + 9) 2^-125 + Adv. Adv
/// is the advantage of telling XChaCha20, under q + v nonces, from random keystream for each nonce. It also bounds
/// the advantage of telling ciphertexts from random bytes.
///
/// *Proof.* Replace the keystream by random bytes: this is the term Adv. Now k1, k2, s and all B_i are
/// independent and uniform for each nonce, and so are C and T. Refused attempts teach nothing, so v single
/// attempts (N, A', C', T') are added.
///
/// 1. N sealed nothing: T' is right for one value of s, which is 2^-128.
/// 2. N sealed (A, C) with the tag T, which is independent of k1 and k2. The attempt is right if
///    H_k1(C') - H_k1(C) + H_k2(A') - H_k2(A) = T' - T modulo 2^128. If C' is not C, then for every k2 a difference
///    of two digests under k1 has a given value, for at most (2l + 9) 2^-125 of all k1 (paper 001, Theorem 4). If
///    only A' is not A, the same holds with k2. If both are equal, T' is not T, and the attempt is refused.
///
/// If a nonce repeats, the difference of two tags is an equation in k1 and k2, which allows forgeries under that
/// nonce. Other nonces are unharmed.
///
/// The ciphertext is hashed in one piece after encryption. Split data that does not fit in a cache
/// into messages, as [`stream`] does.
pub type XChaCha20DecBrw1305 = ChaChaAead<Extended, DecBrw1305>;

impl<N: NonceKind, M: OneTimeMac> ChaChaAead<N, M> {
    /// Makes a key whose tags are computed on a backend of the caller's choice. [`KeyInit::new`] selects the
    /// best one of this CPU.
    #[must_use]
    pub fn on(cpu: Cpu, key: &[u8; 32]) -> Self {
        ChaChaAead { key: Zeroizing::new(*key), cpu, kind: PhantomData }
    }
}

/// [`Error`] if the associated data or the message, both in bytes, are too long.
fn check_lengths(ad: usize, message: usize) -> Result<(), Error> {
    // Beyond 2^32 blocks the counter would wrap and repeat the keystream from block 0 on.
    if message as u64 > MAX_BYTES || ad as u64 >= MAX_AD { Err(Error) } else { Ok(()) }
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
    // RFC 8439, section 2.8, and the draft of XChaCha append the tag to the ciphertext.
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
        // Block 0 keys the MAC and never encrypts; the message starts at block 1 (RFC 8439, section 2.8).
        keystream.begin(|| N::core(&self.key, nonce), len);
        // Short messages: the first call of the cipher has already made all keystream, and one call of the hash
        // suffices.
        if len <= keystream.ready() {
            keystream.apply(buffer.reborrow());
            return Ok(M::of(self.cpu, keystream.first_block(), ad, buffer.get_out()).to_bytes().into());
        }
        let mut mac = M::new(self.cpu, keystream.first_block(), ad);
        // Pieces are encrypted, then hashed while they are in the cache. The first piece also takes the blocks left
        // over from the first call of the cipher, so that every later piece begins with a fresh batch of blocks.
        let mut size = M::PIECE.saturating_add(keystream.ready());
        while !buffer.is_empty() {
            let now = size.min(buffer.len());
            let (mut piece, rest) = buffer.split_at(now);
            keystream.apply(piece.reborrow());
            // The MAC is over the ciphertext, so it reads the output; the input may be another buffer.
            mac.update(piece.get_out());
            // Invariant: all bytes before `buffer` are encrypted and hashed; if more follow, they are a multiple of
            // 64.
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
        // Also makes keystream of a short message. If the tag is wrong it is wiped unused.
        keystream.begin(|| N::core(&self.key, nonce), buffer.len());
        // Verify before decrypting: plaintext of a forged message is never written. The branch on the outcome is
        // public.
        let computed = M::of(self.cpu, keystream.first_block(), ad, buffer.get_in());
        check(&computed, &Tag::from(tag.0)).map_err(|_| Error)?;
        keystream.apply(buffer);
        Ok(())
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::{Error, check_lengths};

    /// RFC 8439, section 2.8: messages have at most 2^38 - 64 bytes, and the length of associated data
    /// in bits has 64 bits.
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
