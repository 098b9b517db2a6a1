//! Where the blocks of neighbouring streams lie in a message.
use crate::field::Field;
use crate::lane_field::LaneField;

/// Rows of the blocks that the lanes take: half of a row for the even lanes, half for the odd ones.
///
/// With N lanes for N streams the odd lanes' half follows the even lanes'. With N lanes for N / 2 streams it is that of
/// another row, or the same.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    bytes: &'a [u8],
    /// Bytes from a row to the next one.
    stride: usize,
    /// From the even lanes' half of a row to the odd lanes', in bytes.
    odd_offset: usize,
    /// Whole rows.
    count: usize,
}

impl<'a> Rows<'a> {
    /// The whole rows of `bytes`, from byte `offset` of each on.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], stride: usize, offset: usize, odd_offset: usize) -> Rows<'a> {
        let ours = bytes.get(offset..).unwrap_or(&[]);
        Rows { bytes: ours, stride, odd_offset, count: bytes.len() / stride }
    }

    /// Whole rows.
    #[inline(always)]
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// Rows `from .. to`.
    #[inline(always)]
    pub(crate) fn range(self, from: usize, to: usize) -> Rows<'a> {
        let start = (from * self.stride).min(self.bytes.len());
        Rows { bytes: &self.bytes[start..], count: to - from, ..self }
    }

    /// Rows `from ..`.
    #[inline(always)]
    pub(crate) fn after(self, from: usize) -> Rows<'a> {
        self.range(from, self.count)
    }

    /// The first half of the rows in the even lanes, the second half in the odd ones.
    #[inline(always)]
    pub(crate) fn folded(self) -> Rows<'a> {
        let count = self.count / 2;
        Rows { odd_offset: count * self.stride, count, ..self }
    }

    /// Whether a row is what one vector takes: N streams in N lanes.
    #[inline(always)]
    pub(crate) fn dense<F: LaneField>(self) -> bool {
        self.stride == F::Element::BLOCK * F::N && self.odd_offset == odd_offset::<F>()
    }

    /// Groups of 2^t rows.
    #[inline(always)]
    pub(crate) fn groups(self, t: usize) -> impl Iterator<Item = Rows<'a>> {
        (0..self.count >> t).map(move |i| self.range(i << t, (i + 1) << t))
    }

    /// The same of [`dense`](Rows::dense) rows: all places are constants, and one check of bounds serves a group.
    #[inline(always)]
    pub(crate) fn dense_groups<F: LaneField>(self, t: usize) -> impl Iterator<Item = Rows<'a>> {
        let (stride, odd_offset) = (F::Element::BLOCK * F::N, odd_offset::<F>());
        let groups = self.bytes[..self.count * stride].chunks_exact(stride << t);
        groups.map(move |bytes| Rows { bytes, stride, odd_offset, count: 1 << t })
    }

    /// Our blocks of row `r`.
    #[inline(always)]
    pub(crate) fn load<F: LaneField>(self, f: F, r: usize) -> F::Fe {
        f.row(&self.bytes[r * self.stride..], self.odd_offset)
    }

    /// The same, to be added only.
    #[inline(always)]
    pub(crate) fn load_sums<F: LaneField>(self, f: F, r: usize) -> F::Sums {
        f.row_sums(&self.bytes[r * self.stride..], self.odd_offset)
    }
}

/// From the blocks of the even lanes to those of the odd ones, in bytes, where a row has N blocks or more.
#[inline(always)]
pub(crate) fn odd_offset<F: LaneField>() -> usize {
    if F::N == 1 { 0 } else { F::Element::BLOCK * F::N / 2 }
}

/// Our blocks of the row that the message does not fill, zeros where it ends; none if it ends with a row.
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
