//! The rings of transforms.
use super::construct::{Chain, Step};

/// The ring of a transform. Names have the bits of a point (P) and of a row (R).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ring {
    /// At most 2^8 points, elements of 2048 bits; operands in pieces of 1024 bits.
    P8R256,
    /// At most 2^8 points, elements of 4096 bits; operands in pieces of 2048 bits.
    P8R512,
    /// At most 2^16 points, elements of 4096 bits; operands in pieces of 2048 bits.
    P16R256,
    /// At most 2^16 points, elements of 8192 bits; operands in pieces of 4096 bits.
    P16R512,
}

impl Ring {
    /// All rings, in the order of the variants.
    pub const ALL: [Ring; 4] = [Ring::P8R256, Ring::P8R512, Ring::P16R256, Ring::P16R512];

    /// The number of words of a piece of an operand: half of those of an element.
    #[must_use]
    pub const fn words(self) -> usize {
        match self {
            Ring::P8R256 => 16,
            Ring::P8R512 | Ring::P16R256 => 32,
            Ring::P16R512 => 64,
        }
    }

    /// The largest number of points: elements of the field.
    #[must_use]
    pub const fn points(self) -> usize {
        match self {
            Ring::P8R256 | Ring::P8R512 => 1 << 8,
            _ => 1 << 16,
        }
    }

    /// The chain for the product at a point: Karat2 down to leaves of 512 bits.
    pub(super) fn chain(self) -> Chain {
        let steps = [Step::Karat2; 4];
        // Elements have 2 words() words: 8 words, doubled log2(words() / 4) times.
        let levels = self.words().ilog2() as usize - 2;
        Chain::new(&steps[..levels], 8).expect("levels of Karat2 over 512 bits")
    }
}
