//! Keys of both primes whose powers may be ready.
use crate::evaluate::Point;
use crate::evaluate1271;
use crate::field1271;
use crate::field1305::element::Element;
use crate::field1305::window::Table;
use crate::stream::StreamKey;
use zeroize::Zeroize;

/// A key over 2^130 - 5, and its table of powers if it was made.
#[derive(Clone)]
pub(crate) struct Prepared {
    point: Point,
    table: Option<Table>,
}

impl Prepared {
    /// Without a table.
    #[inline]
    pub(crate) fn without_table(point: Point) -> Self {
        Prepared { point, table: None }
    }

    /// With a table, where the machine has vectors.
    pub(crate) fn new(point: Point) -> Self {
        let mut prepared = Self::without_table(point);
        prepared.point.prepare(&mut prepared.table);
        prepared
    }

    pub(crate) fn tau(&self) -> Element {
        self.point.tau()
    }
}

impl StreamKey for Prepared {
    type Element = Element;

    #[inline]
    fn evaluate(&self, h: Option<Element>, msg: &[u8]) -> Element {
        self.point.evaluate_with(self.table.as_ref(), h, msg)
    }

    fn make_ready(&mut self, len: usize) {
        if self.table.is_none() && self.point.table_serves(len) {
            self.point.prepare(&mut self.table);
        }
    }

    fn pays_alone(&self, len: usize) -> bool {
        self.point.makes_table(len)
    }
}

impl Zeroize for Prepared {
    fn zeroize(&mut self) {
        let Prepared { point, table } = self;
        point.zeroize();
        // The table wipes itself; `Zeroize` for `Option` would write its 6 KiB byte by byte.
        if let Some(table) = table {
            table.zeroize();
        }
        *table = None;
    }
}

impl StreamKey for evaluate1271::Point {
    type Element = field1271::element::Element;

    #[inline]
    fn evaluate(&self, h: Option<Self::Element>, msg: &[u8]) -> Self::Element {
        self.evaluate(h.unwrap_or(Self::Element::ZERO), msg)
    }

    fn make_ready(&mut self, _: usize) {
        self.prepare();
    }

    fn pays_alone(&self, _: usize) -> bool {
        false
    }
}
