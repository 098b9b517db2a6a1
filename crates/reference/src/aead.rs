//! Authenticated encryption: RFC 8439, section 2.8; draft-irtf-cfrg-xchacha-03, section 2.3; the
//! documentation of `XChaCha20DecBrw1305` in carryless-aead.
use crate::chacha::{chacha20_block, hchacha20};
use crate::mac::decbrw4;
use crate::poly::poly1305;

/// An AEAD with keys of 32 bytes and tags of 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aead {
    /// ChaCha20-Poly1305, with nonces of 12 bytes.
    ChaCha20Poly1305,
    /// XChaCha20-Poly1305, with nonces of 24 bytes.
    XChaCha20Poly1305,
    /// XChaCha20-decBRW1305, with nonces of 24 bytes.
    XChaCha20DecBrw1305,
}

impl Aead {
    /// Number of bytes of a nonce: 12 or 24.
    pub fn nonce_len(self) -> usize {
        if self == Aead::ChaCha20Poly1305 { 12 } else { 24 }
    }

    /// Encrypts a message. Returns the ciphertext and the tag.
    ///
    /// # Panics
    /// If the nonce has not [`nonce_len`](Aead::nonce_len) bytes.
    pub fn seal(self, key: &[u8; 32], nonce: &[u8], ad: &[u8], msg: &[u8]) -> (Vec<u8>, [u8; 16]) {
        let block = self.blocks(key, nonce);
        let ciphertext = encrypt(&block, msg);
        let tag = self.tag(&block(0), ad, &ciphertext);
        (ciphertext, tag)
    }

    /// Decrypts a ciphertext. `None` if the tag is wrong.
    ///
    /// # Panics
    /// If the nonce has not [`nonce_len`](Aead::nonce_len) bytes.
    pub fn open(
        self,
        key: &[u8; 32],
        nonce: &[u8],
        ad: &[u8],
        ciphertext: &[u8],
        tag: &[u8; 16],
    ) -> Option<Vec<u8>> {
        let block = self.blocks(key, nonce);
        // The comparison takes variable time, which is harmless in tests only.
        (self.tag(&block(0), ad, ciphertext) == *tag).then(|| encrypt(&block, ciphertext))
    }

    /// Returns the keystream as a function from block numbers to blocks.
    fn blocks(self, key: &[u8; 32], nonce: &[u8]) -> impl Fn(u32) -> [u8; 64] {
        assert_eq!(nonce.len(), self.nonce_len());
        let (key, nonce) = match nonce.split_first_chunk::<16>() {
            // XChaCha20 is ChaCha20 under a subkey from the first 16 bytes. The other eight follow four zero
            // bytes.
            Some((first, last)) => (hchacha20(key, first), [&[0; 4], last].concat()),
            None => (*key, nonce.to_vec()),
        };
        move |number| chacha20_block(&key, nonce[..].try_into().expect("12 bytes"), number)
    }

    /// Computes the tag, under keys from block 0 of the keystream.
    fn tag(self, block: &[u8; 64], ad: &[u8], ciphertext: &[u8]) -> [u8; 16] {
        let part = |i: usize| block[16 * i..][..16].try_into().expect("16 bytes");
        if self == Aead::XChaCha20DecBrw1305 {
            // The third part is a mask that this nonce alone has. The sum is modulo 2^128.
            let values = [decbrw4(&part(0), ciphertext), decbrw4(&part(1), ad), part(2)];
            let sum = values.map(u128::from_le_bytes).into_iter().fold(0, u128::wrapping_add);
            return sum.to_le_bytes();
        }
        let mut message = Vec::new();
        for part in [ad, ciphertext] {
            message.extend_from_slice(part);
            // The zeros alone would be ambiguous. The lengths at the end say where each part stops.
            message.resize(message.len().next_multiple_of(16), 0);
        }
        for part in [ad, ciphertext] {
            message.extend_from_slice(&(part.len() as u64).to_le_bytes());
        }
        poly1305(block[..32].try_into().expect("32 bytes"), &message)
    }
}

/// Adds the keystream from block 1 on to the message. Encryption and decryption are the same.
fn encrypt(block: &impl Fn(u32) -> [u8; 64], msg: &[u8]) -> Vec<u8> {
    msg.iter().zip((1..).flat_map(block)).map(|(a, b)| a ^ b).collect()
}
