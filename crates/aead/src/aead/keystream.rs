//! The keystream of ChaCha20: block 0, which makes keys of MACs, and what encrypts the message.
//!
//! Backends of the `chacha20` crate compute 4 blocks at a time (AVX2, SSE2), 8 (NEON), 16 (AVX-512) or one, and those of 4 take as long for one
//! block. So the first call makes the blocks after block 0 as well, and blocks at the end of a message are made together, where the
//! crate's own loop makes them one by one: 4 calls instead of 7 for 1 KiB.
use ::aead::array::Array;
use ::aead::array::typenum::Unsigned;
use ::aead::inout::InOutBuf;
use chacha20::cipher::{
    Block, BlockSizeUser, ParBlocks, StreamCipherBackend, StreamCipherClosure, StreamCipherCore,
};
use zeroize::Zeroize;

use super::nonce::Core;
use crate::wipe::{cleared, wipe};

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// Blocks of the first call, at most.
const FIRST: usize = 8;

type ChaChaBlock = Block<Core>;

/// The keystream of one message. Its fields wipe themselves when dropped.
pub(super) struct Keystream {
    /// None before it begins.
    core: Option<Core>,
    first: First,
}

/// The first blocks. Wiped when dropped.
struct First {
    blocks: [ChaChaBlock; FIRST],
    /// How many are there.
    made: usize,
    /// Bytes of them that are used up.
    used: usize,
}

impl Zeroize for First {
    fn zeroize(&mut self) {
        let First { blocks, made, used } = self;
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
    /// Nothing is made yet: what is secret is written where it stays, so that no copy is left behind.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Keystream { core: None, first: First { blocks: [Array([0; BLOCK]); FIRST], made: 0, used: BLOCK } }
    }

    /// Begins with the cipher at block 0, which `core` makes. Makes block 0, and others for a message of `len` bytes.
    pub(super) fn begin(&mut self, core: impl FnOnce() -> Core, len: usize) {
        let Keystream { core: place, first } = self;
        let needed = (1 + len.div_ceil(BLOCK)).min(FIRST);
        // The state is moved when it is made, and the key with it; the backend spills both the state and blocks.
        cleared(|| place.insert(core()).process_with_backend(Make { first, needed }));
    }

    /// Block 0.
    pub(super) fn first_block(&self) -> &[u8; BLOCK] {
        &self.first.blocks[0].0
    }

    /// Bytes of keystream that are made and not used.
    pub(super) fn ready(&self) -> usize {
        BLOCK * self.first.made - self.first.used
    }

    /// Adds the next bytes. All but the last piece of a message are [`ready`](Keystream::ready) bytes and whole blocks.
    pub(super) fn apply(&mut self, bytes: InOutBuf<'_, '_, u8>) {
        let now = bytes.len().min(self.ready());
        let (ready, rest) = bytes.split_at(now);
        let First { blocks, used, .. } = &mut self.first;
        xor(ready, &blocks[*used / BLOCK..]);
        *used += now;
        if let (false, Some(core)) = (rest.is_empty(), &mut self.core) {
            cleared(|| core.process_with_backend(Apply { bytes: rest }));
        }
    }
}

/// Adds blocks to as many bytes as there are. The last block may be short.
#[inline(always)]
fn xor(bytes: InOutBuf<'_, '_, u8>, keystream: &[ChaChaBlock]) {
    let (blocks, mut tail) = bytes.into_chunks::<<Core as BlockSizeUser>::BlockSize>();
    let whole = blocks.len();
    for (mut block, keystream) in blocks.into_iter().zip(keystream) {
        block.xor_in2out(keystream);
    }
    if !tail.is_empty() {
        tail.xor_in2out(&keystream[whole][..tail.len()]);
    }
}

/// Makes the first `needed` blocks, or as many as the backend makes at once.
struct Make<'a> {
    first: &'a mut First,
    needed: usize,
}

/// Adds the keystream, from a block on.
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
        while *made < self.needed {
            *made += make(backend, &mut blocks[*made..], self.needed - *made);
        }
    }
}

impl StreamCipherClosure for Apply<'_, '_> {
    #[inline(always)]
    fn call<B: StreamCipherBackend<BlockSize = Self::BlockSize>>(self, backend: &mut B) {
        let mut keystream = ParBlocks::<B>::default();
        let at_once = B::ParBlocksSize::USIZE * BLOCK;
        let whole = self.bytes.len() / at_once * at_once;
        let (whole, tail) = self.bytes.split_at(whole);
        for mut blocks in whole.into_chunks().0.into_chunks().0 {
            backend.gen_par_ks_blocks(&mut keystream);
            blocks.xor_in2out(&keystream);
        }
        if !tail.is_empty() {
            make(backend, &mut keystream, tail.len().div_ceil(BLOCK));
            xor(tail, &keystream);
        }
        wipe(&mut keystream, Array([0; BLOCK]));
    }
}

/// The next blocks: those that are needed, or as many as the backend makes at once, if that takes no longer and there is room for them.
/// Returns how many.
#[inline(always)]
fn make<B: StreamCipherBackend<BlockSize = <Core as BlockSizeUser>::BlockSize>>(
    backend: &mut B,
    blocks: &mut [ChaChaBlock],
    needed: usize,
) -> usize {
    let at_once = B::ParBlocksSize::USIZE;
    let pays = if at_once <= 4 { needed > 1 || at_once == 1 } else { 2 * needed > at_once };
    if let (true, Some((now, _))) = (pays, blocks.split_at_mut_checked(at_once)) {
        let (now, _) = Array::<_, B::ParBlocksSize>::slice_as_chunks_mut(now);
        now.iter_mut().for_each(|now| backend.gen_par_ks_blocks(now));
        return at_once;
    }
    let now = needed.min(at_once - 1);
    backend.gen_tail_blocks(&mut blocks[..now]);
    now
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::KeyIvInit as _;
    use std::vec;

    /// Any first piece, then whole blocks, then the rest, against the crate's own loop.
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
