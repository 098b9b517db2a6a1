//! Keys over 2^130 - 5 with precomputed powers, and keys as streams hold them.
use super::evaluate::{Point, masked};
#[cfg(feature = "alloc")]
use super::ready::BoxedTable;
use super::ready::InlineTable;
use crate::choose::{NO_TABLE_TO, WORDS_EVERYWHERE_TO};
use crate::eval::evaluate::Evaluate;
use crate::field::Field;
use crate::field::p1305::element::Element;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key over 2^130 - 5 with its table of powers, on backends with vectors.
#[derive(Clone)]
pub(crate) struct Prepared {
    point: Point,
    table: Option<InlineTable>,
}

impl Prepared {
    pub(crate) fn new(point: Point) -> Self {
        let mut prepared = Prepared { point, table: None };
        prepared.point.prepare(&mut prepared.table);
        prepared
    }

    pub(crate) fn point(&self) -> &Point {
        &self.point
    }

    /// The tag of `msg` under this r and s as a number, for the reason given at [`mac_in_words`](super::evaluate::mac_in_words).
    #[inline(never)]
    pub(crate) fn mac(&self, s: &[u8; 16], msg: &[u8]) -> u128 {
        // At the first lengths no table is faster, whatever the CPU.
        if msg.len() <= NO_TABLE_TO {
            return in_words(&self.point, s, msg);
        }
        match self.point.with_table(self.table.as_ref(), None, msg) {
            Some(value) => masked(value.copied(), s),
            None if self.point.is_short(msg) => in_words(&self.point, s, msg),
            None => masked(self.point.evaluate(None, msg).copied(), s),
        }
    }

    /// The value of all of `msg`, whose last block may be short. Below 2p.
    pub(crate) fn evaluate(&self, msg: &[u8]) -> Element {
        let ready = self.point.with_table(self.table.as_ref(), None, msg);
        ready.unwrap_or_else(|| self.point.evaluate(None, msg))
    }
}

/// The tag of a short message as a number. Never inlined, so that it saves only the registers that words need.
#[inline(never)]
fn in_words(point: &Point, s: &[u8; 16], msg: &[u8]) -> u128 {
    point.short_tag(None, msg, s)
}

impl Zeroize for Prepared {
    fn zeroize(&mut self) {
        let Prepared { point, table } = self;
        point.zeroize();
        // `Zeroize` for `Option` would clear its 6 KiB byte by byte.
        if let Some(table) = table {
            table.zeroize();
        }
        *table = None;
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        self.zeroize();
    }
}

impl ZeroizeOnDrop for Prepared {}

/// A key over 2^130 - 5 in a stream. The table of powers is on the heap if there is one. Inside the stream it would be
/// copied by every `finalize`, which takes the stream by value, and that takes three times as long as hashing 64 bytes.
#[derive(Clone)]
pub(crate) struct Streamed {
    point: Point,
    #[cfg(feature = "alloc")]
    table: Option<BoxedTable>,
}

impl Streamed {
    #[inline(always)]
    pub(crate) fn new(point: Point) -> Self {
        Streamed {
            point,
            #[cfg(feature = "alloc")]
            table: None,
        }
    }

    /// The table of powers, if it was built.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn table(&self) -> Option<&BoxedTable> {
        self.table.as_ref()
    }

    /// Without an allocator there is none.
    #[cfg(not(feature = "alloc"))]
    #[inline(always)]
    fn table(&self) -> Option<&InlineTable> {
        None
    }
}

impl Zeroize for Streamed {
    fn zeroize(&mut self) {
        self.point.zeroize();
        #[cfg(feature = "alloc")]
        if let Some(table) = self.table.take() {
            free(table);
        }
    }
}

/// Wipes a table, then frees it. A function of its own, so that a stream without a table saves no registers.
#[cfg(feature = "alloc")]
#[cold]
#[inline(never)]
fn free(mut table: BoxedTable) {
    table.zeroize();
}

impl Streamed {
    /// Absorbs all of `msg` into h. Only the last call of a message may have a short last block.
    #[inline(always)]
    pub(crate) fn absorb(&self, h: &mut Element, msg: &[u8]) {
        // Short pieces first: the inlined kernel keeps h in registers.
        *h = match self.table() {
            None if self.point.is_short(msg) => self.point.short(Some(*h), msg),
            table => match self.point.with_table(table, Some(&*h), msg) {
                Some(value) => value.copied(),
                None => self.point.evaluate(Some(&*h), msg).copied(),
            },
        };
    }

    /// The tag of a message that ends with the bytes of `msg`, after a value h. The key is clamped.
    #[inline(always)]
    pub(crate) fn tag(&self, mut h: Element, msg: &[u8], s: &[u8; 16]) -> u128 {
        if msg.len() <= WORDS_EVERYWHERE_TO {
            return self.point.short_tag(Some(h), msg, s);
        }
        Element::absorb_blocks(self, &mut h, msg);
        masked(h, s)
    }

    /// Builds the table if it is the fastest choice for a piece of `len` bytes. Later pieces use it as well.
    #[inline(always)]
    pub(crate) fn prepare_for(&mut self, len: usize) {
        #[cfg(feature = "alloc")]
        // The table is filled where it lies on the heap, so no copy of key powers stays on the stack.
        if self.table.is_none() && self.point.table_serves(len).is_some() {
            self.point.prepare(&mut self.table);
        }
        #[cfg(not(feature = "alloc"))]
        let _ = len;
    }
}
