//! The interface of `poly1305` 0.8, over `universal-hash` 0.5.
//!
//! [`update_padded`](UniversalHash::update_padded) and [`compute_unpadded`](Poly1305::compute_unpadded) hash
//! bytes in place. Blocks are copied first, 512 bytes at a time.
pub use universal_hash_0_5 as universal_hash;

use universal_hash::crypto_common::ParBlocksSizeUser;
use universal_hash::typenum::Unsigned;
use universal_hash::{ParBlocks, UhfBackend};
use zeroize::optimization_barrier;

crate::interface::interface!(crypto_common, "Poly1305 { ... }");

/// Blocks that are copied at a time: enough for the vector kernels, while the copy stays in the L1 cache.
type BlocksAtATime = U32;
const BLOCKS_AT_A_TIME: usize = BlocksAtATime::USIZE;

/// With fewer blocks than this, each is hashed by itself: a stream collects 64 bytes before it hashes them,
/// so a copy would gain nothing.
const COPIED_FROM: usize = 4;

impl Poly1305 {
    /// Appends blocks. Only `unsafe` code could view an array of `generic-array` blocks as bytes, so they are copied.
    fn append(&mut self, blocks: &[Block]) {
        if blocks.len() < COPIED_FROM {
            return blocks.iter().for_each(|block| self.0.update(block));
        }
        // Outside of the loop, so that one wipe at the end covers the blocks of all rounds.
        let mut copy = [[0; BLOCK_SIZE]; BLOCKS_AT_A_TIME];
        for blocks in blocks.chunks(BLOCKS_AT_A_TIME) {
            let copy = &mut copy[..blocks.len()];
            copy.iter_mut().zip(blocks).for_each(|(copy, block)| copy.copy_from_slice(block));
            self.0.update(copy.as_flattened());
        }
        // The message may be secret, so the copy is wiped. The barrier keeps the optimiser from dropping
        // that.
        copy = [[0; BLOCK_SIZE]; BLOCKS_AT_A_TIME];
        optimization_barrier(&copy);
    }
}

/// Receives blocks from a closure, one or many at a time.
struct Backend<'a>(&'a mut Poly1305);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = BlocksAtATime;
}

impl UhfBackend for Backend<'_> {
    fn proc_block(&mut self, block: &Block) {
        self.0.0.update(block);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        // 512 bytes in one update: a vector kernel runs on them.
        self.0.append(blocks);
    }
}

impl UniversalHash for Poly1305 {
    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        self.append(blocks);
    }

    /// Overrides the provided method, which would make blocks of the bytes, to be copied again.
    fn update_padded(&mut self, data: &[u8]) {
        self.0.update(data);
        // None after a whole block. Zeros are part of the message here, as in AEADs.
        let zeros = data.len().next_multiple_of(BLOCK_SIZE) - data.len();
        self.0.update(&[0; BLOCK_SIZE][..zeros]);
    }

    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        f.call(&mut Backend(self));
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.0.finalize().to_bytes().into()
    }
}
