//! Messages that come in pieces, for the polynomials of both primes: a small buffer and the value so far.
use crate::evaluate::Evaluate;
use crate::wipe::wipe;
use zeroize::Zeroize;

/// Bytes of the buffer, so that small pieces do not cost a kernel call each. A larger buffer takes longer to clear,
/// to move and to wipe than it saves.
const BUFFER: usize = 64;

/// The state of a message in pieces: the value of whole blocks, and up to [`BUFFER`] bytes after them.
#[derive(Clone)]
pub(crate) struct Stream<E: Evaluate> {
    key: E::Streamed,
    /// The value of the bytes absorbed, below 2p; zero at first.
    h: E,
    /// Number of bytes absorbed, whole blocks; it saturates, because it only decides about precomputation.
    absorbed: u64,
    /// The bytes that follow the absorbed ones; the first `filled` count.
    buffer: [u8; BUFFER],
    filled: usize,
}

impl<E: Evaluate> Stream<E> {
    const BLOCK: usize = E::BLOCK;
    /// Bytes of the whole blocks that fit in the buffer: 64 for blocks of 16 bytes, 60 for 15.
    const ROOM: usize = BUFFER / Self::BLOCK * Self::BLOCK;

    #[inline(always)]
    pub(crate) fn new(key: E::Streamed) -> Self {
        Stream { key, h: E::from_word(0), absorbed: 0, buffer: [0; BUFFER], filled: 0 }
    }

    /// Returns to the empty message under the same key, whose precomputed powers stay. Wipes the value and the
    /// buffer.
    pub(crate) fn reset(&mut self) {
        let Stream { key: _, h, absorbed, buffer, filled } = self;
        wipe(core::slice::from_mut(h), E::from_word(0));
        wipe(buffer, 0);
        (*absorbed, *filled) = (0, 0);
    }

    pub(crate) fn update(&mut self, mut msg: &[u8]) {
        // The buffer overflows. Complete its last block and absorb it; the rest of `msg` is then aligned to blocks.
        if self.filled > 0 && msg.len() > Self::ROOM - self.filled {
            msg = self.absorb_buffer(msg);
        }
        // Long pieces go to the kernel directly, without a copy. Polynomial hashing may absorb any whole block at
        // once, unlike BRW, where the last one is kept.
        if self.filled == 0 && msg.len() >= Self::ROOM {
            let (whole, rest) = msg.split_at(msg.len() / Self::BLOCK * Self::BLOCK);
            self.absorb(whole);
            msg = rest;
        }
        if !msg.is_empty() {
            self.buffer[self.filled..self.filled + msg.len()].copy_from_slice(msg);
            self.filled += msg.len();
        }
    }

    /// Completes the last block of the buffer from `msg`, absorbs the buffer, and returns the rest of `msg`.
    fn absorb_buffer<'m>(&mut self, msg: &'m [u8]) -> &'m [u8] {
        let end = self.filled.next_multiple_of(Self::BLOCK);
        let (now, later) = msg.split_at(end - self.filled);
        self.buffer[self.filled..end].copy_from_slice(now);
        E::absorb_blocks(&self.key, &mut self.h, &self.buffer[..end]);
        self.absorbed = self.absorbed.saturating_add(end as u64);
        self.filled = 0;
        later
    }

    fn absorb(&mut self, whole: &[u8]) {
        E::prepare_for(&mut self.key, self.absorbed, whole.len());
        E::absorb_blocks(&self.key, &mut self.h, whole);
        self.absorbed = self.absorbed.saturating_add(whole.len() as u64);
    }

    #[inline(always)]
    pub(crate) fn finish(&self) -> E {
        // The value is copied, so the stream can continue: the last block may be short here only.
        let mut h = self.h;
        if self.filled > 0 {
            E::absorb_blocks(&self.key, &mut h, &self.buffer[..self.filled]);
        }
        h
    }
}

impl<E: Evaluate> Zeroize for Stream<E> {
    fn zeroize(&mut self) {
        self.key.zeroize();
        self.reset();
    }
}
