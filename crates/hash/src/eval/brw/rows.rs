//! Addresses of the blocks that a vector takes from a row of c streams.
use crate::field::{Field, LaneField};

/// A view of rows: the blocks that N lanes take from each, half of them for the even lanes, half for the odd ones.
///
/// With N lanes for N streams the odd lanes' blocks follow those of the even lanes. With N lanes for N / 2 streams
/// they are those of another row, or the same blocks again.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    bytes: &'a [u8],
    /// Distance in bytes from one row to the next.
    stride: usize,
    /// Distance in bytes from the even lanes' blocks to the odd lanes'.
    odd_offset: usize,
    /// Number of whole rows in the view.
    count: usize,
}

impl<'a> Rows<'a> {
    /// The whole rows of `bytes`, each from its byte `offset` on: streams before that belong to other vectors.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], stride: usize, offset: usize, odd_offset: usize) -> Rows<'a> {
        // The slice starts at this vector's blocks, so row r is at r * stride without adding the offset again.
        let ours = bytes.get(offset..).unwrap_or(&[]);
        Rows { bytes: ours, stride, odd_offset, count: bytes.len() / stride }
    }

    /// The number of whole rows.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Rows `from` to `to - 1`.
    #[inline(always)]
    pub(crate) fn range(self, from: usize, to: usize) -> Rows<'a> {
        // An empty range may start behind the slice, which lacks the `offset` bytes of earlier streams.
        let start = (from * self.stride).min(self.bytes.len());
        Rows { bytes: &self.bytes[start..], count: to - from, ..self }
    }

    /// All rows from number `from` on.
    #[inline(always)]
    pub(crate) fn after(self, from: usize) -> Rows<'a> {
        self.range(from, self.count)
    }

    /// Folds the rows: the first half goes to the even lanes, the second half to the odd ones. The count is halved.
    #[inline(always)]
    pub(crate) fn folded(self) -> Rows<'a> {
        // Both halves have the same number of rows, so one distance reaches from any row to its partner.
        let count = self.count / 2;
        Rows { odd_offset: count * self.stride, count, ..self }
    }

    /// True if N lanes take whole rows: N streams in message order, at constant distances.
    #[inline(always)]
    pub(crate) fn dense<F: LaneField>(self) -> bool {
        self.stride == F::Element::BLOCK * F::N && self.odd_offset == odd_offset::<F>()
    }

    /// Iterates over groups of 2^t rows.
    #[inline(always)]
    pub(crate) fn groups(self, t: usize) -> impl Iterator<Item = Rows<'a>> {
        (0..self.count >> t).map(move |i| self.range(i << t, (i + 1) << t))
    }

    /// [`groups`](Rows::groups) of [`dense`](Rows::dense) rows. All distances are constants, and one
    /// bounds check serves a group.
    #[inline(always)]
    pub(crate) fn dense_groups<F: LaneField>(self, t: usize) -> impl Iterator<Item = Rows<'a>> {
        let (stride, odd_offset) = (F::Element::BLOCK * F::N, odd_offset::<F>());
        let groups = self.bytes[..self.count * stride].chunks_exact(stride << t);
        // Each group is a slice of known length, so the loads of its rows need no further bounds checks.
        groups.map(move |bytes| Rows { bytes, stride, odd_offset, count: 1 << t })
    }

    /// Loads the blocks of row `r` into the lanes, without pads.
    #[inline(always)]
    pub(crate) fn load<F: LaneField>(self, f: F, r: usize) -> F::Fe {
        f.row(&self.bytes[r * self.stride..], self.odd_offset)
    }

    /// Loads the blocks of row `r` as a sum, for rows that are only added.
    #[inline(always)]
    pub(crate) fn load_sums<F: LaneField>(self, f: F, r: usize) -> F::Sums {
        f.row_sums(&self.bytes[r * self.stride..], self.odd_offset)
    }
}

/// Distance in bytes from the even lanes' blocks to the odd lanes', for rows of N blocks or more.
#[inline(always)]
pub(crate) fn odd_offset<F: LaneField>() -> usize {
    if F::N == 1 { 0 } else { F::Element::BLOCK * F::N / 2 }
}

/// Loads the blocks of the partial row at the end of a message, zeros past the end. `None` if the message
/// ends with a whole row.
#[inline(always)]
pub(crate) fn tail<F: LaneField>(
    f: F,
    bytes: &[u8],
    stride: usize,
    offset: usize,
    odd_offset: usize,
) -> Option<F::Fe> {
    let tail = &bytes[bytes.len() / stride * stride..];
    if tail.is_empty() { None } else { Some(f.short_row(tail.get(offset..).unwrap_or(&[]), odd_offset)) }
}
