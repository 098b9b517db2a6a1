//! The RustCrypto traits: `universal_hash` for code that is generic over it, such as ciphers, and `digest` for MACs
//! ([`Poly1305`] only).
//!
//! Blocks of [`UniversalHash`] have 16 bytes, because its digests are blocks. Here they are pieces of a message:
//! the digest is that of their concatenation. How the hash cuts that into blocks, of 15 bytes over 2^127 - 1, does
//! not show.
use crate::api::decbrwhash::Hasher;
use crate::api::key::HashKey;
use crate::api::key1271::Key1271;
use crate::api::poly1305::Poly1305;
use crate::api::polyhash::PolyHash;
use core::marker::PhantomData;
use digest::{FixedOutput, MacMarker, Output, OutputSizeUser, Update};
use universal_hash::array::ArraySize;
use universal_hash::common::{
    BlockSizeUser, InvalidKey, Key, KeyInit, KeySizeUser, ParBlocksSizeUser, Reset, TryKeyInit,
};
use universal_hash::consts::{U16, U32, U128};
use universal_hash::{Block, ParBlocks, UhfBackend, UhfClosure, UniversalHash};

/// The backend for closures of [`UniversalHash`]: takes whole blocks, N at a time so that the vector kernels have
/// rows, and passes them to a function that appends bytes. `update` and `update_padded` do not use it; they
/// append all blocks at once.
struct Blocks<N, F> {
    append: F,
    at_a_time: PhantomData<N>,
}

impl<N, F: FnMut(&[u8])> Blocks<N, F> {
    fn new(append: F) -> Self {
        Blocks { append, at_a_time: PhantomData }
    }
}

impl<N, F> BlockSizeUser for Blocks<N, F> {
    type BlockSize = U16;
}

impl<N: ArraySize, F> ParBlocksSizeUser for Blocks<N, F> {
    type ParBlocksSize = N;
}

impl<N: ArraySize, F: FnMut(&[u8])> UhfBackend for Blocks<N, F> {
    fn proc_block(&mut self, block: &Block<Self>) {
        (self.append)(block);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        (self.append)(blocks.as_flattened());
    }
}

impl KeySizeUser for Poly1305 {
    type KeySize = U32;
}

impl BlockSizeUser for Poly1305 {
    type BlockSize = U16;
}

impl OutputSizeUser for Poly1305 {
    type OutputSize = U16;
}

impl KeyInit for Poly1305 {
    #[inline(always)]
    fn new(key: &Key<Self>) -> Self {
        Poly1305::new(&key.0)
    }
}

impl UniversalHash for Poly1305 {
    #[inline(always)]
    fn update(&mut self, blocks: &[Block<Self>]) {
        Poly1305::update(self, Block::<Self>::slice_as_flattened(blocks));
    }

    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        // 32 blocks are four rows of eight lanes, enough for a vector kernel.
        f.call(&mut Blocks::<U32, _>::new(|bytes: &[u8]| Poly1305::update(self, bytes)));
    }

    #[inline(always)]
    fn finalize(self) -> Block<Self> {
        Poly1305::finalize(self).to_bytes().into()
    }
}

impl Update for Poly1305 {
    #[inline(always)]
    fn update(&mut self, data: &[u8]) {
        Poly1305::update(self, data);
    }
}

impl FixedOutput for Poly1305 {
    #[inline(always)]
    fn finalize_into(self, out: &mut Output<Self>) {
        out.0 = Poly1305::finalize(self).to_bytes();
    }
}

impl MacMarker for Poly1305 {}

/// Implements [`UniversalHash`] for a hash with keys and digests of 16 bytes. Parameters: the generics of the hash,
/// its type, and the number of blocks at a time.
macro_rules! universal_hash {
    ([$($C:tt)*] $Hash:ty, $N:ty) => {
        impl<$($C)*> KeySizeUser for $Hash {
            type KeySize = U16;
        }

        impl<$($C)*> BlockSizeUser for $Hash {
            type BlockSize = U16;
        }

        /// Blocks have 16 bytes, like the digest, which is that of all blocks concatenated. A
        /// universal hash, NOT a MAC.
        impl<$($C)*> UniversalHash for $Hash {
            #[inline(always)]
            fn update(&mut self, blocks: &[Block<Self>]) {
                <$Hash>::update(self, Block::<Self>::slice_as_flattened(blocks));
            }

            fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
                f.call(&mut Blocks::<$N, _>::new(|bytes: &[u8]| <$Hash>::update(self, bytes)));
            }

            #[inline(always)]
            fn finalize(self) -> Block<Self> {
                <$Hash>::finalize(self).into()
            }
        }
    };
}

universal_hash!([K: HashKey] PolyHash<K>, U32);
// A BRW hash of up to sixteen streams needs larger pieces: it uses lanes from 1 KiB on.
universal_hash!([K: HashKey, const C: usize] Hasher<K, C>, U128);

impl KeyInit for PolyHash<[u8; 16]> {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

impl<const C: usize> KeyInit for Hasher<[u8; 16], C> {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

/// Fails for keys of 2^126 or more. [`KeyInit`], which cannot fail, is not implemented: no bit of a key is cleared.
impl TryKeyInit for PolyHash<Key1271> {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Ok(Self::new(&key1271(&key.0)?))
    }
}

/// Fails for keys of 2^126 or more. [`KeyInit`], which cannot fail, is not implemented: no bit of a key is cleared.
impl<const C: usize> TryKeyInit for Hasher<Key1271, C> {
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        Ok(Self::new(&key1271(&key.0)?))
    }
}

impl<K: HashKey> Reset for PolyHash<K> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

impl<K: HashKey, const C: usize> Reset for Hasher<K, C> {
    fn reset(&mut self) {
        Self::reset(self);
    }
}

/// Implements [`std::io::Write`] for streams by their `update`, which never fails. `flush` does nothing.
#[cfg(feature = "std")]
macro_rules! writer {
    ($([$($C:tt)*] $Stream:ty;)*) => {$(
        /// Appends all bytes to the message in one call. Never fails, never writes less, and `flush` does nothing.
        impl<$($C)*> std::io::Write for $Stream {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.update(bytes);
                Ok(bytes.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
    )*};
}

#[cfg(feature = "std")]
mod write {
    use super::{HashKey, Hasher, PolyHash};
    use crate::api::poly1305::Poly1305;

    writer! {
        [] Poly1305;
        [K: HashKey] PolyHash<K>;
        [K: HashKey, const C: usize] Hasher<K, C>;
    }
}

fn key1271(key: &[u8; 16]) -> Result<Key1271, InvalidKey> {
    Key1271::new(key).map_err(|_| InvalidKey)
}
