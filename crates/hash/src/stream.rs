//! Messages that come in pieces, for the polynomials of both primes.
use crate::choose::STREAM_PREPARES_AFTER;
use crate::field::Field;
use crate::wipe::wipe;
use zeroize::Zeroize;

/// Bytes that wait: messages of up to this length are evaluated at once, when they end.
const BUFFER: usize = 256;

/// A key as a stream needs it.
pub(crate) trait StreamKey: Zeroize {
    /// Residues of the field.
    type Element: Field;

    /// The value of h (zero if there is none) and all of `msg`, whose last block may be short.
    fn evaluate(&self, h: Option<Self::Element>, msg: &[u8]) -> Self::Element;

    /// Makes powers ready, if the key has room for some.
    fn make_ready(&mut self) {}
}

/// The value of the bytes so far.
#[derive(Clone)]
pub(crate) struct Stream<K: StreamKey> {
    key: K,
    /// The value of the bytes absorbed; not used before there are some.
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

    pub(crate) fn update(&mut self, mut msg: &[u8]) {
        if msg.len() > Self::ROOM - self.filled {
            msg = self.absorb_buffer(msg);
        }
        if msg.len() > Self::ROOM {
            let (whole, rest) = msg.split_at(msg.len() / Self::BLOCK * Self::BLOCK);
            self.absorb(whole);
            msg = rest;
        }
        self.buffer[self.filled..self.filled + msg.len()].copy_from_slice(msg);
        self.filled += msg.len();
    }

    /// Absorbs the buffer, its last block completed from `msg`; returns the rest of `msg`.
    fn absorb_buffer<'m>(&mut self, msg: &'m [u8]) -> &'m [u8] {
        let end = self.filled.next_multiple_of(Self::BLOCK);
        let (now, later) = msg.split_at(end - self.filled);
        self.buffer[self.filled..end].copy_from_slice(now);
        if end > 0 {
            self.h = self.key.evaluate(self.value(), &self.buffer[..end]);
            self.absorbed = self.absorbed.saturating_add(end as u64);
            self.filled = 0;
        }
        later
    }

    fn absorb(&mut self, whole: &[u8]) {
        if self.absorbed >= STREAM_PREPARES_AFTER {
            self.key.make_ready();
        }
        self.h = self.key.evaluate(self.value(), whole);
        self.absorbed = self.absorbed.saturating_add(whole.len() as u64);
    }

    fn value(&self) -> Option<K::Element> {
        (self.absorbed > 0).then_some(self.h)
    }

    pub(crate) fn finish(&self) -> K::Element {
        if self.filled == 0 { self.h } else { self.key.evaluate(self.value(), &self.buffer[..self.filled]) }
    }
}

impl<K: StreamKey> Zeroize for Stream<K> {
    fn zeroize(&mut self) {
        let Stream { key, h, absorbed, buffer, filled } = self;
        key.zeroize();
        wipe(core::slice::from_mut(h), K::Element::from_word(0));
        wipe(buffer, 0);
        (*absorbed, *filled) = (0, 0);
    }
}
