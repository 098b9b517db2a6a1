//! A prime field as the hash functions see it: residues that pass between kernels.
use crate::lane_field::LaneField;
use zeroize::Zeroize;

/// A residue, in words; any representative that the field's kernels take.
pub(crate) trait Field: Copy + Zeroize {
    /// Bytes of a whole block.
    const BLOCK: usize;
    /// Arithmetic in 64-bit words, one element at a time.
    type Words: LaneField<Element = Self, Fe: Zeroize>;
    /// The only value of that type.
    const WORDS: Self::Words;

    /// A number below 2^64.
    fn from_word(x: u64) -> Self;
    /// The least representative, modulo 2^mu: the digest.
    fn digest(self) -> u128;
}

/// An element between products of 64-bit words, carried.
pub(crate) type Loose<E> = <<E as Field>::Words as LaneField>::Fe;

/// The product of two of them.
#[inline(always)]
pub(crate) fn product<E: Field>(a: Loose<E>, b: Loose<E>) -> Loose<E> {
    let w = E::WORDS;
    w.carry(w.mul(a, &w.key(b)))
}

/// The square of one.
#[inline(always)]
pub(crate) fn square<E: Field>(a: Loose<E>) -> Loose<E> {
    let w = E::WORDS;
    w.carry(w.square(a))
}

/// An element as products take it.
#[inline(always)]
pub(crate) fn loose<E: Field>(a: E) -> Loose<E> {
    E::WORDS.everywhere(<E::Words as LaneField>::limbs(a))
}
