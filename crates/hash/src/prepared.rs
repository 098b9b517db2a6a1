//! Keys with powers that are ready, and keys as streams have them.
use crate::evaluate::Point;
use crate::evaluate1271;
use crate::field1271;
use crate::field1305::element::Element;
use crate::field1305::window::Table;
use crate::stream::StreamKey;
use core::mem::ManuallyDrop;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key over 2^130 - 5 with its table of powers, where the machine has vectors.
#[derive(Clone)]
pub(crate) struct Prepared {
    point: Point,
    /// Wiped by [`Prepared`], so that it happens once.
    table: Option<ManuallyDrop<Table>>,
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

    /// The value of all of `msg`, whose last block may be short.
    pub(crate) fn evaluate(&self, msg: &[u8]) -> Element {
        self.point.evaluate_with(self.table.as_deref(), None, msg)
    }
}

impl Zeroize for Prepared {
    fn zeroize(&mut self) {
        let Prepared { point, table } = self;
        point.zeroize();
        // `Zeroize` for `Option` would write its 6 KiB byte by byte.
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

/// Without a table: moving its 6 KiB, as `finalize` does, takes five times as long as hashing 64 bytes. A piece that is long
/// enough makes one for itself.
impl StreamKey for Point {
    type Element = Element;

    fn evaluate(&self, h: Option<Element>, msg: &[u8]) -> Element {
        self.evaluate(h, msg)
    }
}

impl StreamKey for evaluate1271::Point {
    type Element = field1271::element::Element;

    fn evaluate(&self, h: Option<Self::Element>, msg: &[u8]) -> Self::Element {
        self.evaluate(h.unwrap_or(Self::Element::ZERO), msg)
    }

    fn make_ready(&mut self) {
        self.prepare();
    }
}
