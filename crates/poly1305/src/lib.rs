//! The interface of RustCrypto's `poly1305` 0.9, with the arithmetic of `carryless-hash`.
//!
//! [`Poly1305`] is a universal hash in blocks of 16 bytes, as AEADs take it. Whoever chooses freely takes `carryless_hash::poly1305`, which takes bytes.
//! A key serves ONE message.
#![no_std]
#![forbid(unsafe_code)]

pub use universal_hash;

use core::fmt;
use universal_hash::common::{BlockSizeUser, KeySizeUser};
use universal_hash::consts::{U16, U32};
use universal_hash::{KeyInit, UhfClosure, UniversalHash};
use zeroize::ZeroizeOnDrop;

/// Bytes of a key.
pub const KEY_SIZE: usize = 32;

/// Bytes of a block.
pub const BLOCK_SIZE: usize = 16;

/// Keys: r, which is clamped, and s.
pub type Key = universal_hash::Key<Poly1305>;

/// Blocks of a message.
pub type Block = universal_hash::Block<Poly1305>;

/// Tags.
pub type Tag = universal_hash::Block<Poly1305>;

/// The universal hash Poly1305. 176 bytes, and for messages of more than 4 KiB that come in pieces 6.3 KiB on the heap. Wiped when dropped.
#[derive(Clone)]
pub struct Poly1305(carryless_hash::poly1305::Poly1305);

impl Poly1305 {
    /// The tag of the bytes so far and of `data`, whose last block is not filled up with zeros: Poly1305 as RFC 8439 has it if there were no
    /// bytes before.
    #[must_use]
    pub fn compute_unpadded(mut self, data: &[u8]) -> Tag {
        self.0.update(data);
        self.finalize()
    }
}

impl KeySizeUser for Poly1305 {
    type KeySize = U32;
}

impl BlockSizeUser for Poly1305 {
    type BlockSize = U16;
}

impl KeyInit for Poly1305 {
    #[inline]
    fn new(key: &Key) -> Poly1305 {
        Poly1305(carryless_hash::poly1305::Poly1305::new(&key.0))
    }
}

impl UniversalHash for Poly1305 {
    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        self.0.update(Block::slice_as_flattened(blocks));
    }

    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        self.0.update_with_backend(f);
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.0.finalize().to_bytes().into()
    }
}

impl fmt::Debug for Poly1305 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poly1305").finish_non_exhaustive()
    }
}

// Its only field is wiped when dropped.
impl ZeroizeOnDrop for Poly1305 {}

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
