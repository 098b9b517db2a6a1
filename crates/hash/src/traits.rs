//! The RustCrypto traits for [`Poly1305`]: `universal_hash` for ciphers that are generic over it, `digest` for MACs.
use crate::poly1305::Poly1305;
use digest::{FixedOutput, MacMarker, Output, OutputSizeUser, Update};
use universal_hash::common::{BlockSizeUser, Key, KeyInit, KeySizeUser, ParBlocksSizeUser};
use universal_hash::consts::{U16, U32};
use universal_hash::{Block, ParBlocks, UhfBackend, UhfClosure, UniversalHash};

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
    fn new(key: &Key<Self>) -> Self {
        Poly1305::new(&key.0)
    }
}

/// Whole blocks for [`UniversalHash`]: up to 32 at a time, so that the vector kernels have rows to work on.
struct Blocks<'a>(&'a mut Poly1305);

impl BlockSizeUser for Blocks<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Blocks<'_> {
    type ParBlocksSize = U32;
}

impl UhfBackend for Blocks<'_> {
    fn proc_block(&mut self, block: &Block<Self>) {
        self.0.update(block);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        let mut bytes = [0; 512];
        for (chunk, block) in bytes.chunks_exact_mut(16).zip(blocks) {
            chunk.copy_from_slice(block);
        }
        self.0.update(&bytes);
    }
}

impl UniversalHash for Poly1305 {
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        f.call(&mut Blocks(self));
    }

    fn finalize(self) -> Block<Self> {
        Poly1305::finalize(self).to_bytes().into()
    }
}

impl Update for Poly1305 {
    fn update(&mut self, data: &[u8]) {
        Poly1305::update(self, data);
    }
}

impl FixedOutput for Poly1305 {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.0 = Poly1305::finalize(self).to_bytes();
    }
}

impl MacMarker for Poly1305 {}
