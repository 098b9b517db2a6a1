//! The one-time MACs of the AEADs, of associated data and ciphertext.
use carryless_hash::decbrwhash1305::{self, Streams};
use carryless_hash::poly1305::{self, Poly1305};
use carryless_hash::{Cpu, Tag};
use zeroize::Zeroizing;

/// Bytes up to which Poly1305 of all parts in a row is faster than of one after the other. Messages so short take the same path on every machine.
const SHORT: usize = 272;

/// A MAC whose key serves one message. It is handed the ciphertext in pieces of [`PIECE`](OneTimeMac::PIECE) bytes and more, of which all but the last
/// are whole blocks of 64 bytes.
pub trait OneTimeMac: Sized {
    /// Bytes that are encrypted, then hashed while they are in the cache.
    const PIECE: usize;

    /// Takes its key from block 0 of the keystream, and absorbs the associated data.
    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self;

    /// Absorbs the next piece of the ciphertext.
    fn update(&mut self, ciphertext: &[u8]);

    /// The tag, of so many bytes of associated data and of ciphertext.
    fn tag(self, ad_len: usize, len: usize) -> Tag;

    /// The tag of a ciphertext that is all there.
    #[inline]
    fn of(cpu: Cpu, block: &[u8; 64], ad: &[u8], ciphertext: &[u8]) -> Tag {
        Self::short(block, ad, ciphertext).unwrap_or_else(|| {
            let mut mac = Self::new(cpu, block, ad);
            mac.update(ciphertext);
            mac.tag(ad.len(), ciphertext.len())
        })
    }

    /// The same, if there is a faster way for so few bytes.
    #[inline]
    fn short(_block: &[u8; 64], _ad: &[u8], _ciphertext: &[u8]) -> Option<Tag> {
        None
    }
}

/// RFC 8439, section 2.8: the MAC of A || 0.. || C || 0.. || len(A) || len(C), both padded to whole blocks of 16 bytes, lengths in bytes as
/// 64-bit integers, little-endian. The key is the first half of the block.
impl OneTimeMac for Poly1305 {
    // Fits in the second cache of any processor; the hash is faster in long pieces.
    const PIECE: usize = 1 << 16;

    #[inline]
    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self {
        let mut mac = Poly1305::on(cpu, key(block));
        if !ad.is_empty() {
            mac.update(ad);
            pad(&mut mac, ad.len());
        }
        mac
    }

    #[inline]
    fn update(&mut self, ciphertext: &[u8]) {
        Poly1305::update(self, ciphertext);
    }

    #[inline]
    fn tag(mut self, ad_len: usize, len: usize) -> Tag {
        pad(&mut self, len);
        Poly1305::update(&mut self, &lengths(ad_len, len));
        self.finalize()
    }

    #[inline]
    fn short(block: &[u8; 64], ad: &[u8], ciphertext: &[u8]) -> Option<Tag> {
        if ad.len().max(ciphertext.len()) > SHORT {
            return None;
        }
        let middle = ad.len().next_multiple_of(16);
        let end = middle + ciphertext.len().next_multiple_of(16);
        let mut all = [0; SHORT];
        all.get_mut(end..end + 16)?.copy_from_slice(&lengths(ad.len(), ciphertext.len()));
        all[..ad.len()].copy_from_slice(ad);
        all[middle..middle + ciphertext.len()].copy_from_slice(ciphertext);
        Some(poly1305::mac(key(block), &all[..end + 16]))
    }
}

/// The one-time key.
#[inline]
fn key(block: &[u8; 64]) -> &[u8; 32] {
    block.first_chunk().unwrap_or_else(|| unreachable!("a block has 64 bytes"))
}

/// The last block.
#[inline]
fn lengths(ad_len: usize, len: usize) -> [u8; 16] {
    ((len as u128) << 64 | ad_len as u128).to_le_bytes()
}

/// Zeros up to a multiple of 16 bytes.
#[inline]
fn pad(mac: &mut Poly1305, len: usize) {
    mac.update(&[0; 15][..len.wrapping_neg() % 16]);
}

/// H_k(C) + H_k'(A) + s mod 2^128, where H is 4-decBRWHash1305, which takes the length in bits itself, and k || k' || s are the first 48 bytes of the
/// block. docs/aead.md has the bound.
#[derive(Clone)]
pub struct DecBrw1305 {
    cpu: Cpu,
    /// k.
    key: Zeroizing<[u8; 16]>,
    /// s plus the digests so far, little-endian.
    sum: Zeroizing<[u8; 16]>,
}

impl OneTimeMac for DecBrw1305 {
    // One piece: hashing the whole message in a call takes half the time of a stream where the CPU has lanes for two runs of rows.
    const PIECE: usize = usize::MAX;

    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self {
        let (parts, _) = block.as_chunks::<16>();
        let mut mac = DecBrw1305 { cpu, key: Zeroizing::new(parts[0]), sum: Zeroizing::new(parts[2]) };
        mac.add(&parts[1], ad);
        mac
    }

    fn update(&mut self, ciphertext: &[u8]) {
        let key = self.key.clone();
        self.add(&key, ciphertext);
    }

    /// The lengths are part of the digests.
    fn tag(self, _: usize, _: usize) -> Tag {
        Tag::from(*self.sum)
    }
}

impl DecBrw1305 {
    /// Adds the digest of a string. That of no bytes is 0.
    fn add(&mut self, key: &[u8; 16], string: &[u8]) {
        if !string.is_empty() {
            let digest = Zeroizing::new(decbrwhash1305::digest_on(self.cpu, Streams::Four, key, string));
            let sum = u128::from_le_bytes(*self.sum).wrapping_add(u128::from_le_bytes(*digest));
            *self.sum = sum.to_le_bytes();
        }
    }
}
