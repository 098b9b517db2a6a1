//! Groups of rows that share one carry chain: how many rows, and the arithmetic of long groups.
use super::LaneField;

/// The largest g of groups whose products are those of [`LaneField`]. Limbs 1 and 4 are then at most 2^26 +
/// 2^8 after a carry (proofs/bounds.md).
pub(crate) const MAX_G: usize = 8;

/// The number of rows of a long group.
pub(crate) const LONG_G: usize = 16;

/// Rows of messages of at most N blocks.
pub(crate) trait OneRow: LaneField {
    /// Loads a row that ends with the blocks of `msg`, 1 to N, each with its pad; the last may be short. The blocks in front
    /// are the field's zero, without a pad.
    fn only_row(self, msg: &[u8]) -> Self::Fe;
}

/// The arithmetic of long groups.
pub(crate) trait LongGroups: LaneField {
    /// A sum of products per lane, not carried.
    type Long: Copy;
    /// The multipliers gamma, .., gamma^16 in memory, each for all lanes.
    type LongKeys;
    /// An element per lane, in memory.
    type Stored;
    /// Multipliers that are zero, to be filled.
    const NO_KEYS: Self::LongKeys;

    /// Writes the multipliers whose powers are in the lanes of `powers`, gamma in lane 0 of the first vector.
    fn long_keys(self, powers: &[Self::Fe], keys: &mut Self::LongKeys);
    /// Converts small limbs to a sum to which products may be added.
    fn as_long(self, a: Self::Fe) -> Self::Long;
    /// d + h gamma^power in every lane, not carried, for powers of 1 to 16. At most 16 products may share a carry.
    fn long_add(self, d: Self::Long, h: Self::Fe, keys: &Self::LongKeys, power: usize) -> Self::Long;
    /// Reduces the limbs to the bounds of a factor. The value modulo p is unchanged and not canonical.
    fn long_carry(self, d: Self::Long) -> Self::Fe;

    /// The limbs of all lanes as words.
    fn stored(self, a: Self::Fe) -> Self::Stored;
    /// The lanes that [`stored`](LongGroups::stored) returned on a backend of as many lanes, with the same limbs.
    fn load(self, stored: &Self::Stored) -> Self::Fe;
}
