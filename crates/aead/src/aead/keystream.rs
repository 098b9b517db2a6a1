//! The keystream of ChaCha20: block 0, which makes the one-time key of the MAC, and the blocks that encrypt the
//! message.
//!
//! Backends of the `chacha20` crate compute 4 blocks at a time (AVX2, SSE2), 8 (NEON), 16 (AVX-512) or one, and
//! those of 4 take as long for a single block. So the first call also computes the blocks after block 0, and the
//! blocks at the end of a message are computed together. The crate's own loop computes those one by one: 7 calls
//! for 1 KiB instead of 4.
use ::aead::array::Array;
use ::aead::array::typenum::Unsigned;
use ::aead::inout::InOutBuf;
use chacha20::cipher::{
    Block, BlockSizeUser, ParBlocks, StreamCipherBackend, StreamCipherClosure, StreamCipherCore,
};
use zeroize::Zeroize;

use super::nonce::Core;
use crate::wipe::{cleared, wipe};

/// Bytes of a ChaCha20 block.
pub(super) const BLOCK: usize = 64;

/// Most blocks of the first call: block 0 and up to 7 of keystream.
// Two batches of a backend of four blocks, or one of NEON: 448 bytes of a message need no second call.
const FIRST: usize = 8;

type ChaChaBlock = Block<Core>;

/// The keystream of one message, from block 0 on. Its fields wipe themselves when dropped.
pub(super) struct Keystream {
    /// The state of the cipher; `None` before [`begin`](Keystream::begin).
    core: Option<Core>,
    first: First,
}

/// The blocks of the first call. Wiped when dropped.
struct First {
    blocks: [ChaChaBlock; FIRST],
    /// Number of blocks computed, from block 0 on.
    made: usize,
    /// Bytes of these blocks that are consumed. Block 0 counts as consumed from the start.
    used: usize,
}

impl Zeroize for First {
    fn zeroize(&mut self) {
        let First { blocks, made, used } = self;
        // Blocks beyond `made` were never written.
        wipe(&mut blocks[..*made], Array([0; BLOCK]));
        (*made, *used) = (0, 0);
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl Keystream {
    /// An empty keystream. Secrets are written later, where they stay, so that no move leaves a copy of them.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Keystream { core: None, first: First { blocks: [Array([0; BLOCK]); FIRST], made: 0, used: BLOCK } }
    }

    /// Starts with the state that `core` returns, at block 0. Computes block 0 and further blocks for
    /// a message of `len` bytes.
    pub(super) fn begin(&mut self, core: impl FnOnce() -> Core, len: usize) {
        let Keystream { core: place, first } = self;
        // Block 0 and the blocks of a short message in one call; a long message continues in `Apply`.
        let needed = (1 + len.div_ceil(BLOCK)).min(FIRST);
        // The state, and the key in it, is moved when it is made, and the backend spills state and blocks: clear
        // the stack after it.
        cleared(|| place.insert(core()).process_with_backend(Make { first, needed }));
    }

    /// Block 0, the source of the one-time key. Valid after [`begin`](Keystream::begin).
    pub(super) fn first_block(&self) -> &[u8; BLOCK] {
        &self.first.blocks[0].0
    }

    /// Bytes of keystream that are computed and not yet consumed.
    pub(super) fn ready(&self) -> usize {
        // `begin` makes block 0 at least, which is used from the start, so the difference is not negative.
        BLOCK * self.first.made - self.first.used
    }

    /// XORs the next bytes of keystream into `bytes`. Every piece of a message but the last must have
    /// [`ready`](Keystream::ready) bytes plus a multiple of 64.
    pub(super) fn apply(&mut self, bytes: InOutBuf<'_, '_, u8>) {
        let now = bytes.len().min(self.ready());
        let (ready, rest) = bytes.split_at(now);
        let First { blocks, used, .. } = &mut self.first;
        // `used` is a multiple of 64 as long as bytes follow: all pieces but the last take everything that is
        // ready.
        xor(ready, &blocks[*used / BLOCK..]);
        *used += now;
        // The stored blocks are used up, so the cipher continues at its own block counter.
        if let (false, Some(core)) = (rest.is_empty(), &mut self.core) {
            cleared(|| core.process_with_backend(Apply { bytes: rest }));
        }
    }
}

/// XORs blocks of keystream into `bytes`. The last block may be used in part.
#[inline(always)]
fn xor(bytes: InOutBuf<'_, '_, u8>, keystream: &[ChaChaBlock]) {
    let (blocks, mut tail) = bytes.into_chunks::<<Core as BlockSizeUser>::BlockSize>();
    let whole = blocks.len();
    for (mut block, keystream) in blocks.into_iter().zip(keystream) {
        block.xor_in2out(keystream);
    }
    if !tail.is_empty() {
        // Only the last piece of a message ends within a block; what is left of that block is not used.
        tail.xor_in2out(&keystream[whole][..tail.len()]);
    }
}

/// Computes at least the first `needed` blocks: a multiple of what the backend computes at once, where that pays.
struct Make<'a> {
    first: &'a mut First,
    needed: usize,
}

/// XORs keystream into bytes, from the next block on.
struct Apply<'i, 'o> {
    bytes: InOutBuf<'i, 'o, u8>,
}

impl BlockSizeUser for Make<'_> {
    type BlockSize = <Core as BlockSizeUser>::BlockSize;
}

impl BlockSizeUser for Apply<'_, '_> {
    type BlockSize = <Core as BlockSizeUser>::BlockSize;
}

impl StreamCipherClosure for Make<'_> {
    #[inline(always)]
    fn call<B: StreamCipherBackend<BlockSize = Self::BlockSize>>(self, backend: &mut B) {
        let First { blocks, made, .. } = self.first;
        // At most `FIRST` blocks: `make` takes a whole batch only if there is room for it.
        while *made < self.needed {
            *made += make(backend, &mut blocks[*made..], self.needed - *made);
        }
    }
}

impl StreamCipherClosure for Apply<'_, '_> {
    #[inline(always)]
    fn call<B: StreamCipherBackend<BlockSize = Self::BlockSize>>(self, backend: &mut B) {
        // One batch of the backend, used again for each: a longer buffer would only have to be wiped.
        let mut keystream = ParBlocks::<B>::default();
        let at_once = B::ParBlocksSize::USIZE * BLOCK;
        let whole = self.bytes.len() / at_once * at_once;
        let (whole, tail) = self.bytes.split_at(whole);
        // Whole batches of the backend need no decision; the tail of fewer blocks goes through `make`.
        for mut blocks in whole.into_chunks().0.into_chunks().0 {
            backend.gen_par_ks_blocks(&mut keystream);
            blocks.xor_in2out(&keystream);
        }
        if !tail.is_empty() {
            make(backend, &mut keystream, tail.len().div_ceil(BLOCK));
            xor(tail, &keystream);
        }
        // Keystream XORed with the ciphertext is the plaintext, so it is wiped like a key.
        wipe(&mut keystream, Array([0; BLOCK]));
    }
}

/// Computes the next blocks and returns how many: `needed`, or a full batch of the backend if that
/// takes no longer and fits.
#[inline(always)]
fn make<B: StreamCipherBackend<BlockSize = <Core as BlockSizeUser>::BlockSize>>(
    backend: &mut B,
    blocks: &mut [ChaChaBlock],
    needed: usize,
) -> usize {
    let at_once = B::ParBlocksSize::USIZE;
    // A batch of 4 costs as much as one block. Larger batches pay from more than half of their blocks on.
    let pays = if at_once <= 4 { needed > 1 || at_once == 1 } else { 2 * needed > at_once };
    if let (true, Some((now, _))) = (pays, blocks.split_at_mut_checked(at_once)) {
        let (now, _) = Array::<_, B::ParBlocksSize>::slice_as_chunks_mut(now);
        now.iter_mut().for_each(|now| backend.gen_par_ks_blocks(now));
        return at_once;
    }
    // Fewer than a batch, or no room for one: the backend computes these one by one. At least one block is made, so
    // the loop of `Make` ends.
    let now = needed.min(at_once - 1);
    backend.gen_tail_blocks(&mut blocks[..now]);
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::KeyIvInit as _;
    use std::vec;

    /// Compares with the crate's own loop: any first piece, then whole blocks, then the rest.
    #[test]
    fn is_the_keystream_of_the_crate() {
        let core = || Core::new(&[3; 32].into(), &[5; 12].into());
        let mut all = vec![Array([0; BLOCK]); 80];
        core().write_keystream_blocks(&mut all);
        let all = Array::slice_as_flattened(&all);
        for len in (0..700).chain([1023, 1024, 1025, 1350, 4096, 5000]) {
            for piece in [BLOCK, 4 * BLOCK, 1024] {
                let mut keystream = Keystream::new();
                keystream.begin(core, len);
                assert_eq!(keystream.first_block()[..], all[..BLOCK]);
                let mut bytes = vec![0; len];
                let (first, rest) = bytes.split_at_mut((keystream.ready() + piece).min(len));
                keystream.apply(first.into());
                rest.chunks_mut(piece).for_each(|piece| keystream.apply(piece.into()));
                assert!(bytes == all[BLOCK..BLOCK + len], "{len} bytes in pieces of {piece}");
            }
        }
    }
}
