//! What an evaluation asks of arithmetic in lanes: the kernels are written over this, once for all radices and fields.
//!
//! | implementation | field | machine | limbs |
//! |---|---|---|---|
//! | [`lanes26::Radix26`](crate::field1305::lanes26::Radix26) | 2^130 - 5 | every machine | 5 of 26 bits |
//! | [`lanes44::Radix44`](crate::field1305::lanes44::Radix44) | 2^130 - 5 | those with 52-bit multiply-add | 3 of 44 bits |
//! | [`words64::Words64`](crate::field1305::words64::Words64) | 2^130 - 5 | 64-bit words, one lane | 2 of 64 bits and a few |
//! | [`lanes26::Radix26`](crate::field1271::lanes26::Radix26) | 2^127 - 1 | every machine | 5 of 26 bits |
//! | [`lanes32::Radix32`](crate::field1271::lanes32::Radix32) | 2^127 - 1 | every machine, for researchers | 4 of 32 bits |
//! | [`lanes43::Radix43`](crate::field1271::lanes43::Radix43) | 2^127 - 1 | those with 52-bit multiply-add | 3 of 43 bits |
//! | [`word64::Words64`](crate::field1271::word64::Words64) | 2^127 - 1 | 64-bit words, one lane | 2 of 64 bits |
use crate::brw::powers::squares;
use crate::field::Field;

/// Elements of a prime field, `N` at a time.
pub(crate) trait LaneField: Copy {
    /// Lanes: elements at a time.
    const N: usize;
    /// Whether special loops for common shapes are not worth their code here.
    const COMPACT: bool;
    /// One element as it passes between kernels.
    type Element: Field;
    /// Limbs of one element outside of the lanes.
    type Limbs: Copy;
    /// An element per lane, carried; or the sum of one and a row of blocks.
    type Fe: Copy;
    /// A sum of products, not carried.
    type Sums: Copy;
    /// A multiplier per lane.
    type Key: Copy;

    /// The limbs of an element.
    fn limbs(element: Self::Element) -> Self::Limbs;
    /// The limbs of an element in the representation for chains of products.
    fn from_loose(element: <Self::Element as Field>::Loose) -> Self::Limbs;
    /// tau^(2^j) into `powers`, for all of them; the first ones are taken from `known`. Returns tau^2 and tau^(2^lg_d) where
    /// there are several lanes, for their weights.
    #[inline(always)]
    fn squares(
        tau: Self::Element,
        known: &[<Self::Element as Field>::Loose],
        powers: &mut [Self::Limbs],
        lg_d: usize,
    ) -> Option<[<Self::Element as Field>::Loose; 2]> {
        Some(squares::<Self>(tau, known, powers, lg_d))
    }
    /// An element in one lane, zero in the others.
    fn in_lane(self, limbs: Self::Limbs, lane: usize) -> Self::Fe;
    /// The same element in every lane.
    fn everywhere(self, limbs: Self::Limbs) -> Self::Fe;
    /// Element b in the lane of block b, for b < N.
    fn in_lanes(self, elements: &[Self::Element; 8]) -> Self::Fe;
    /// Limbs b in the lane of block b, for b < N.
    fn arrange(self, limbs: &[Self::Limbs]) -> Self::Fe;
    /// The inverse, for carried elements.
    fn scatter(self, h: Self::Fe) -> [<Self::Element as Field>::Loose; 8];
    /// The sum of the lanes.
    fn fold(self, h: Self::Fe) -> Self::Element;
    /// The sum of the lanes, after a carry, and of one more element.
    fn close(self, d: Self::Sums, more: Self::Limbs) -> Self::Element;

    /// An element per lane as a multiplier: carried, or with a row of blocks added.
    fn key(self, r: Self::Fe) -> Self::Key;
    /// The carried element of lane 0 as a multiplier for all lanes.
    fn key_of_lane0(self, r: Self::Fe) -> Self::Key;
    /// h r.
    fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// a a.
    #[inline(always)]
    fn square(self, a: Self::Fe) -> Self::Sums {
        self.mul(a, &self.key(a))
    }
    /// d + h r.
    fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums;
    /// a + b, not carried.
    fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums;
    /// An element as a sum to which products may be added.
    fn as_sums(self, a: Self::Fe) -> Self::Sums;
    /// The same value with small limbs.
    fn carry(self, d: Self::Sums) -> Self::Fe;
    /// a + b, where one is carried and the other a row of blocks or an incoming value.
    fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe;

    /// The even lanes, each twice.
    fn evens(self, a: Self::Fe) -> Self::Fe;
    /// The odd lanes, each twice.
    fn odds(self, a: Self::Fe) -> Self::Fe;

    /// N blocks as plain numbers: N / 2 at the front for the even lanes, N / 2 from byte `odd_offset` on for the odd ones. (One
    /// lane takes one block.)
    fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe;
    /// [`row`](LaneField::row) as a sum, which may cost less than cutting it into limbs.
    #[inline(always)]
    fn row_sums(self, bytes: &[u8], odd_offset: usize) -> Self::Sums {
        self.as_sums(self.row(bytes, odd_offset))
    }
    /// [`row`](LaneField::row) of bytes `odd_offset` from each other in what is left of a message, zeros after its end.
    fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe;
    /// A row of N whole blocks, each with its pad 2^(8 BLOCK).
    fn whole_row(self, row: &[u8]) -> Self::Fe;
    /// Zero blocks without pads, then the whole ones of `head`, fewer than N, each with its pad.
    fn first_row(self, head: &[u8]) -> Self::Fe;
    /// N blocks with their pads, of which the last is short.
    fn last_row(self, last: &[u8]) -> Self::Fe;
}
