//! The one-time MACs of the AEADs, over associated data and ciphertext.
use carryless_hash::decbrwhash1305::{self, Streams};
use carryless_hash::poly1305::{self, Poly1305};
use carryless_hash::{Cpu, Tag};
use zeroize::Zeroizing;

/// Bytes of the padded input up to which one call of Poly1305 on a copy is faster than a stream. Such short
/// messages take the same path on every backend.
const SHORT: usize = 272;

/// A MAC whose key serves one message. It receives the ciphertext in pieces of at least
/// [`PIECE`](OneTimeMac::PIECE) bytes, except the last. All but the last are whole blocks of 64 bytes.
pub trait OneTimeMac: Sized {
    /// Bytes that are encrypted and then hashed while they are still in the cache.
    const PIECE: usize;

    /// Takes the one-time key from block 0 of the keystream, and absorbs the associated data.
    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self;

    /// Absorbs the next piece of the ciphertext, in order.
    fn update(&mut self, ciphertext: &[u8]);

    /// The tag; `ad_len` and `len` are the bytes of associated data and of ciphertext that were absorbed.
    fn tag(self, ad_len: usize, len: usize) -> Tag;

    /// The tag of a ciphertext in memory.
    #[inline]
    fn of(cpu: Cpu, block: &[u8; 64], ad: &[u8], ciphertext: &[u8]) -> Tag {
        Self::short(block, ad, ciphertext).unwrap_or_else(|| {
            let mut mac = Self::new(cpu, block, ad);
            mac.update(ciphertext);
            mac.tag(ad.len(), ciphertext.len())
        })
    }

    /// The tag by a faster path for short inputs, or `None` if there is none.
    #[inline]
    fn short(_block: &[u8; 64], _ad: &[u8], _ciphertext: &[u8]) -> Option<Tag> {
        None
    }
}

/// RFC 8439, section 2.8: Poly1305 of A || 0.. || C || 0.. || len(A) || len(C). A and C are padded with zeros to
/// whole blocks of 16 bytes. Lengths are in bytes, 64 bits each, little-endian. The one-time key is the first half
/// of block 0 (section 2.6).
impl OneTimeMac for Poly1305 {
    // Fits in the second-level cache of any processor; the hash is faster in long pieces.
    const PIECE: usize = 1 << 16;

    #[inline]
    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self {
        let mut mac = Poly1305::on(cpu, key(block));
        // Without associated data there are neither bytes nor padding.
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
        // The lengths authenticate where A ends and C begins, which the padding alone leaves open.
        Poly1305::update(&mut self, &lengths(ad_len, len));
        self.finalize()
    }

    #[inline]
    fn short(block: &[u8; 64], ad: &[u8], ciphertext: &[u8]) -> Option<Tag> {
        // First a check that cannot overflow; `get_mut` below then checks the exact sum.
        if ad.len().max(ciphertext.len()) > SHORT {
            return None;
        }
        // Build the whole input in one buffer: zeros are the padding, so one call hashes all of it.
        let middle = ad.len().next_multiple_of(16);
        let end = middle + ciphertext.len().next_multiple_of(16);
        // Not wiped: associated data and ciphertext are public.
        let mut all = [0; SHORT];
        all.get_mut(end..end + 16)?.copy_from_slice(&lengths(ad.len(), ciphertext.len()));
        all[..ad.len()].copy_from_slice(ad);
        all[middle..middle + ciphertext.len()].copy_from_slice(ciphertext);
        // At most 272 bytes: so few are hashed in words on every backend, without a look at the CPU.
        Some(poly1305::mac(key(block), &all[..end + 16]))
    }
}

/// The one-time key r || s: the first 32 bytes of block 0 (RFC 8439, section 2.6).
#[inline]
fn key(block: &[u8; 64]) -> &[u8; 32] {
    block.first_chunk().unwrap_or_else(|| unreachable!("a block has 64 bytes"))
}

/// The last block: both lengths in bytes, 64 bits each, little-endian, associated data first.
#[inline]
fn lengths(ad_len: usize, len: usize) -> [u8; 16] {
    ((len as u128) << 64 | ad_len as u128).to_le_bytes()
}

/// Absorbs zeros up to a multiple of 16 bytes, after `len` bytes.
#[inline]
fn pad(mac: &mut Poly1305, len: usize) {
    // -len mod 16 zeros; none if the length is a multiple of 16 already.
    mac.update(&[0; 15][..len.wrapping_neg() % 16]);
}

/// The MAC H_k(C) + H_k'(A) + s mod 2^128. H is 4-decBRWHash1305, which includes the length in bits, so there is no
/// padding. k || k' || s are the first 48 bytes of block 0. `XChaCha20DecBrw1305` has the bound.
#[derive(Clone)]
pub struct DecBrw1305 {
    cpu: Cpu,
    /// k, the key for the ciphertext.
    key: Zeroizing<[u8; 16]>,
    /// s plus the digests so far, modulo 2^128, little-endian.
    sum: Zeroizing<[u8; 16]>,
}

impl OneTimeMac for DecBrw1305 {
    // One piece: where the CPU has lanes for two runs of rows, hashing a message in one call takes half the time of
    // a stream.
    const PIECE: usize = usize::MAX;

    fn new(cpu: Cpu, block: &[u8; 64], ad: &[u8]) -> Self {
        // k, k' and s in this order; the last 16 bytes of block 0 are not used.
        let (parts, _) = block.as_chunks::<16>();
        let mut mac = DecBrw1305 { cpu, key: Zeroizing::new(parts[0]), sum: Zeroizing::new(parts[2]) };
        mac.add(&parts[1], ad);
        mac
    }

    fn update(&mut self, ciphertext: &[u8]) {
        // A copy, as `add` borrows all of `self`. It is wiped at the end of the call.
        let key = self.key.clone();
        self.add(&key, ciphertext);
    }

    /// The lengths are ignored here: the digests include them.
    fn tag(self, _: usize, _: usize) -> Tag {
        Tag::from(*self.sum)
    }
}

impl DecBrw1305 {
    /// Adds the digest of a string to the sum. The digest of no bytes is 0, so it is skipped; lengths are public.
    fn add(&mut self, key: &[u8; 16], string: &[u8]) {
        if !string.is_empty() {
            let digest = Zeroizing::new(decbrwhash1305::digest_on(self.cpu, Streams::Four, key, string));
            let sum = u128::from_le_bytes(*self.sum).wrapping_add(u128::from_le_bytes(*digest));
            *self.sum = sum.to_le_bytes();
        }
    }
}
