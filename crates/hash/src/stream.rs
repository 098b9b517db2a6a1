//! Messages that come in pieces, for the polynomials of both primes.
use crate::field::Field;
use crate::wipe::wipe;
use zeroize::Zeroize;

/// Bytes that wait, so that small pieces do not cost a call for each block. A larger buffer takes longer to clear, to move and to wipe
/// than it saves.
const BUFFER: usize = 64;

/// A key as a stream needs it.
pub(crate) trait StreamKey: Zeroize {
    /// Residues of the field.
    type Element: Field;

    /// Replaces h by the value of h and all of `msg`, whose last block may be short.
    fn absorb(&self, h: &mut Self::Element, msg: &[u8]);

    /// Makes powers ready, if they pay for a piece of `len` bytes after so many that went before.
    fn prepare_for(&mut self, absorbed: u64, len: usize);
}

/// The value of the bytes so far.
#[derive(Clone)]
pub(crate) struct Stream<K: StreamKey> {
    key: K,
    /// The value of the bytes absorbed, zero at first.
    h: K::Element,
    /// Bytes absorbed: whole blocks.
    absorbed: u64,
    /// The bytes after them.
    buffer: [u8; BUFFER],
    filled: usize,
}

impl<K: StreamKey> Stream<K> {
    const BLOCK: usize = K::Element::BLOCK;
    /// Bytes of the whole blocks that the buffer has room for.
    const ROOM: usize = BUFFER / Self::BLOCK * Self::BLOCK;

    #[inline(always)]
    pub(crate) fn new(key: K) -> Self {
        Stream { key, h: K::Element::from_word(0), absorbed: 0, buffer: [0; BUFFER], filled: 0 }
    }

    /// Back to the start, under the same key, whose powers stay.
    pub(crate) fn reset(&mut self) {
        let Stream { key: _, h, absorbed, buffer, filled } = self;
        wipe(core::slice::from_mut(h), K::Element::from_word(0));
        wipe(buffer, 0);
        (*absorbed, *filled) = (0, 0);
    }

    pub(crate) fn update(&mut self, mut msg: &[u8]) {
        if self.filled > 0 && msg.len() > Self::ROOM - self.filled {
            msg = self.absorb_buffer(msg);
        }
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

    /// Absorbs the buffer, its last block completed from `msg`; returns the rest of `msg`.
    fn absorb_buffer<'m>(&mut self, msg: &'m [u8]) -> &'m [u8] {
        let end = self.filled.next_multiple_of(Self::BLOCK);
        let (now, later) = msg.split_at(end - self.filled);
        self.buffer[self.filled..end].copy_from_slice(now);
        self.key.absorb(&mut self.h, &self.buffer[..end]);
        self.absorbed = self.absorbed.saturating_add(end as u64);
        self.filled = 0;
        later
    }

    fn absorb(&mut self, whole: &[u8]) {
        self.key.prepare_for(self.absorbed, whole.len());
        self.key.absorb(&mut self.h, whole);
        self.absorbed = self.absorbed.saturating_add(whole.len() as u64);
    }

    #[inline(always)]
    pub(crate) fn finish(&self) -> K::Element {
        let mut h = self.h;
        if self.filled > 0 {
            self.key.absorb(&mut h, &self.buffer[..self.filled]);
        }
        h
    }
}

impl<K: StreamKey> Zeroize for Stream<K> {
    fn zeroize(&mut self) {
        self.key.zeroize();
        self.reset();
    }
}
