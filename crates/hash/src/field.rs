//! A prime field as the hash functions see it: residues that pass between kernels.
use crate::lane_field::LaneField;
use zeroize::Zeroize;

/// A residue, in words; any representative that the field's kernels take.
pub(crate) trait Field: Copy + Zeroize {
    /// Bytes of a whole block.
    const BLOCK: usize;
    /// Arithmetic in 64-bit words, one element at a time: the fewest instructions for blocks.
    type Words: LaneField<Element = Self, Fe: Zeroize, Limbs = InWords<Self>>;
    /// The only value of that type.
    const WORDS: Self::Words;
    /// An element in the representation in which a chain of products is fastest, as key powers need it.
    type Loose: Copy + Zeroize;
    /// Zero in it, a constant: arrays of it are cleared many words at a time.
    const LOOSE_ZERO: Self::Loose;

    /// A number below 2^64.
    fn from_word(x: u64) -> Self;
    /// The product of two residues.
    fn product(self, other: Self) -> Self;
    /// The sum of two residues.
    fn sum(self, other: Self) -> Self;
    /// The least representative, modulo 2^mu: the digest.
    fn digest(self) -> u128;
    /// The least representative.
    fn residue(self) -> [u64; 3];
    /// The number in these words, without the bits that no residue has.
    fn from_residue(words: [u64; 3]) -> Self;

    /// An element in the representation for chains of products.
    fn loose(self) -> Self::Loose;
    /// The product of two of them.
    fn loose_product(a: Self::Loose, b: Self::Loose) -> Self::Loose;
    /// The square of one.
    fn loose_square(a: Self::Loose) -> Self::Loose;

    /// The square of a residue.
    #[inline(always)]
    fn square(self) -> Self {
        self.product(self)
    }
}

/// An element in the words that take blocks.
pub(crate) type InWords<E> = <<E as Field>::Words as LaneField>::Fe;

/// An element in the representation of the scalar kernels.
#[inline(always)]
pub(crate) fn in_words<E: Field>(a: E) -> InWords<E> {
    <E::Words as LaneField>::limbs(a)
}

/// `base^exponent`; the exponent is public.
pub(crate) fn power_vartime<E: Field>(base: E, mut exponent: u64) -> E {
    let (mut square, mut result) = (base, E::from_word(1));
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.product(square);
        }
        square = square.square();
        exponent >>= 1;
    }
    result
}

/// A point at which polynomials are evaluated, as its powers.
pub(crate) trait Powers {
    /// Residues of the field.
    type Element: Field;

    /// The powers 1 to `n`, in order, for `n` of 1 to 8 (then whatever follows).
    fn chain(&self, n: usize) -> [Self::Element; 8];

    /// All powers that an evaluation takes, 1 to 4 N, in order, for any machine; or none, if they are not ready.
    #[inline(always)]
    fn ready(&self) -> &[Self::Element] {
        &[]
    }

    /// Power N - b in the lane of block b.
    #[inline(always)]
    fn lane_powers<F: LaneField<Element = Self::Element>>(&self, f: F) -> F::Fe {
        match self.ready() {
            [] => descending(f, &self.chain(F::N)),
            powers => descending(f, powers),
        }
    }
}

/// N powers in order, the last of them in the lane of block 0.
#[inline(always)]
pub(crate) fn descending<F: LaneField>(f: F, powers: &[F::Element]) -> F::Fe {
    let mut row = [powers[0]; 8];
    let mut b = 0;
    while b < F::N {
        row[b] = powers[F::N - 1 - b];
        b += 1;
    }
    f.in_lanes(&row)
}
