//! What an evaluation asks of arithmetic in lanes: the vector kernels are written over this, once for all radices.
//!
//! | implementation | machine | limbs |
//! |---|---|---|
//! | [`lanes26::Radix26`](super::lanes26::Radix26) | every machine | 5 of 26 bits |
//! | [`lanes44::Radix44`](super::lanes44::Radix44) | those with 52-bit multiply-add | 3 of 44 bits |
use super::element::Element;
use super::powers::Base;

/// The field of 2^130 - 5 elements, `N` at a time.
pub(crate) trait LaneField: Copy {
    /// Lanes: elements at a time.
    const N: usize;
    /// One element outside of the lanes.
    type Limbs: Copy;
    /// An element per lane, carried; or the sum of one and a row of blocks.
    type Fe: Copy;
    /// A sum of products, not carried.
    type Sums: Copy;
    /// A multiplier per lane.
    type Key: Copy;

    /// The limbs of an element.
    fn limbs(element: Element) -> Self::Limbs;
    /// An element in one lane, zero in the others.
    fn in_lane(self, limbs: Self::Limbs, lane: usize) -> Self::Fe;
    /// tau^(N - b) in the lane of block b.
    fn lane_powers(self, point: &Base) -> Self::Fe;
    /// The sum of the lanes, below 2p.
    fn fold(self, h: Self::Fe) -> Element;

    /// A carried element per lane as a multiplier.
    fn key(self, r: Self::Fe) -> Self::Key;
    /// The carried element of lane 0 as a multiplier for all lanes.
    fn key_of_lane0(self, r: Self::Fe) -> Self::Key;
    /// h r.
    fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// d + h r.
    fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// The same value with small limbs.
    fn carry(self, d: Self::Sums) -> Self::Fe;
    /// a + b, where one is carried and the other a row of blocks or an incoming value.
    fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe;

    /// A row of N whole blocks, each with its pad 2^128.
    fn whole_row(self, row: &[u8]) -> Self::Fe;
    /// A row of N blocks of which only `count` from block `from` on get the pad 2^128.
    fn padded_row(self, row: &[u8], from: usize, count: usize) -> Self::Fe;
}
