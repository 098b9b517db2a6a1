//! A prime field as the hash functions see it: residues in words, as one kernel hands them to the next.
use crate::lane_field::LaneField;
use zeroize::Zeroize;

/// A residue in words of radix 2^64, not necessarily canonical. Every kernel of the field accepts it as input.
pub(crate) trait Field: Copy + Zeroize {
    /// Bytes of a whole block: 16 modulo 2^130 - 5, 15 modulo 2^127 - 1.
    const BLOCK: usize;
    /// Arithmetic in 64-bit words, one element at a time. It takes blocks with the fewest instructions.
    type Words: LaneField<Element = Self, Fe: Zeroize, Limbs = InWords<Self>>;
    /// The value of [`Words`](Field::Words) on the CPU's own 64-bit arithmetic.
    const WORDS: Self::Words;
    /// An element in the representation in which a chain of products is fastest, as key powers need it: three limbs
    /// of 44 bits modulo 2^130 - 5, two words modulo 2^127 - 1.
    type Loose: Copy + Zeroize;
    /// Zero in this representation. It is a constant, so that arrays of it are cleared many words at a time.
    const LOOSE_ZERO: Self::Loose;

    /// The element `x`, for any `x` below 2^64.
    fn from_word(x: u64) -> Self;
    /// The product of two residues, reduced below 2p but not canonical.
    fn product(self, other: Self) -> Self;
    /// The sum of two residues, reduced below 2p but not canonical.
    fn sum(self, other: Self) -> Self;
    /// The canonical residue modulo 2^mu, which is the digest; mu is 128 modulo 2^130 - 5 and 126 modulo 2^127 - 1.
    fn digest(self) -> u128;
    /// The canonical residue, in 0 to p - 1, as words of radix 2^64, lowest first.
    fn residue(self) -> [u64; 3];
    /// The number in these words, lowest first. Clears the bits that no residue has; the result may still be p or
    /// more.
    fn from_residue(words: [u64; 3]) -> Self;

    /// Converts a residue to the representation for chains of products.
    fn loose(self) -> Self::Loose;
    /// The product in that representation; the limbs of the result are again small enough to be factors.
    fn loose_product(a: Self::Loose, b: Self::Loose) -> Self::Loose;
    /// The square in that representation, with the same bounds as a product. Costs fewer multiplications than a
    /// product modulo 2^130 - 5.
    fn loose_square(a: Self::Loose) -> Self::Loose;

    /// The square of a residue, with the bounds of [`product`](Field::product).
    #[inline(always)]
    fn square(self) -> Self {
        self.product(self)
    }
}

/// An element in the representation of [`Field::Words`], the scalar kernels' own.
pub(crate) type InWords<E> = <<E as Field>::Words as LaneField>::Fe;

/// Converts a residue to the representation of the scalar kernels. Both have the same words, so it costs nothing.
#[inline(always)]
pub(crate) fn in_words<E: Field>(a: E) -> InWords<E> {
    <E::Words as LaneField>::limbs(a)
}

/// `base^exponent` by square and multiply, about two products for each bit of the exponent. Time depends on the
/// exponent, which is public (a number of blocks or rows), and not on `base`.
pub(crate) fn power_vartime<E: Field>(base: E, mut exponent: u64) -> E {
    let (mut square, mut result) = (base, E::from_word(1));
    // Invariant: result * square^exponent is the value asked for. The branch is on the public exponent only.
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.product(square);
        }
        square = square.square();
        exponent >>= 1;
    }
    result
}

/// A point tau at which polynomials are evaluated, and the source of its powers.
pub(crate) trait Powers {
    /// The field in which tau lies.
    type Element: Field;

    /// The powers tau^1 to tau^n in order, for `n` of 1 to 8. Entries from `n` on are unspecified.
    fn chain(&self, n: usize) -> [Self::Element; 8];

    /// Precomputed powers tau^1, tau^2, .. in order; empty if none were prepared. A kernel of N lanes needs at
    /// least N of them and checks how many more there are.
    #[inline(always)]
    fn ready(&self) -> &[Self::Element] {
        &[]
    }

    /// Lane powers: tau^(N - b) in the lane of block b, that is tau^N for block 0 and tau for the last block of a
    /// row.
    #[inline(always)]
    fn lane_powers<F: LaneField<Element = Self::Element>>(&self, f: F) -> F::Fe {
        match self.ready() {
            [] => descending(f, &self.chain(F::N)),
            powers => descending(f, powers),
        }
    }
}

/// Distributes the first N of `powers`, which ascend, over the lanes: the highest goes to the lane of block 0.
#[inline(always)]
pub(crate) fn descending<F: LaneField>(f: F, powers: &[F::Element]) -> F::Fe {
    let mut row = [powers[0]; 8];
    let mut b = 0;
    while b < F::N {
        // Block b of a row of N is followed by N - 1 - b blocks and takes tau^(N - b).
        row[b] = powers[F::N - 1 - b];
        b += 1;
    }
    f.in_lanes(&row)
}
