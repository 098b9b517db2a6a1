//! A prime field as the hash functions see it: residues that pass between kernels.
use zeroize::Zeroize;

/// A residue, in words; any representative that the field's kernels take.
pub(crate) trait Field: Copy + Zeroize {
    /// Bytes of a whole block.
    const BLOCK: usize;

    /// A number below 2^64.
    fn from_word(x: u64) -> Self;
    /// The product of two residues.
    fn product(self, other: Self) -> Self;
    /// The least representative, modulo 2^mu: the digest.
    fn digest(self) -> u128;

    /// The square of a residue.
    #[inline(always)]
    fn square(self) -> Self {
        self.product(self)
    }
}
