//! A prime field as the hash functions see it: residues that pass between kernels.
use crate::lane_field::LaneField;
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

    /// Power N - b in the lane of block b.
    #[inline(always)]
    fn lane_powers<F: LaneField<Element = Self::Element>>(&self, f: F) -> F::Fe {
        let powers = self.chain(F::N);
        let mut descending = powers;
        let mut b = 0;
        while b < F::N {
            descending[b] = powers[F::N - 1 - b];
            b += 1;
        }
        f.in_lanes(&descending)
    }
}
