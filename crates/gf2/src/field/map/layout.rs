//! Where the bits of a matrix are in memory: in the order in which a machine's kernel reads them.
use super::super::shape::Shape;

/// Without bit matrices a block of the image is the sum of 64 columns of 128 bits for each word of the argument: so many words for each.
pub(super) const SUM_WORDS: usize = 128;

/// The layout for a machine with that many lanes, with or without products by bit matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) affine: bool,
    pub(super) lanes: usize,
    /// W.
    words: usize,
}

impl Layout {
    pub(super) fn new<H: Shape>(affine: bool, lanes: usize) -> Layout {
        Layout { affine, lanes, words: H::WORDS }
    }

    fn blocks(self) -> usize {
        self.words.div_ceil(2)
    }

    /// Words of a table.
    pub(super) fn len(self) -> usize {
        if self.affine {
            self.blocks() * 16 * 8 * self.words
        } else {
            let alone = self.lanes > 1 && self.blocks() % self.lanes == 1;
            let lanes = if alone { self.blocks() } else { self.blocks().next_multiple_of(self.lanes) };
            SUM_WORDS * self.words * lanes
        }
    }

    /// The word and the bit in it that say whether z^column has z^row in its image.
    fn place(self, row: usize, column: usize) -> (usize, usize) {
        if self.affine { self.place_in_matrix(row, column) } else { self.place_under_mask(row, column) }
    }

    /// A matrix for each byte of the image and each byte of the argument: the 16 bytes of a block of the image in 8 / K vectors, so that byte
    /// u of the lower half and byte u of the upper one are in lane u mod K of vector u / K.
    fn place_in_matrix(self, row: usize, column: usize) -> (usize, usize) {
        let (block, half, byte) = (row / 128, row % 128 / 64, row % 64 / 8);
        let vectors = 8 / self.lanes;
        let vector = (block * 8 * self.words + column / 8) * vectors + byte / self.lanes;
        (2 * (vector * self.lanes + byte % self.lanes) + half, 8 * (7 - row % 8) + column % 8)
    }

    /// Columns as four vectors for each of 32 bits: quarter p of vector t has what bit 32 p + i of a block adds to quarter p + t mod 4 of the
    /// image. Half a block is there twice, and takes two vectors. Lanes are blocks of the image; bits come from the highest on.
    fn place_under_mask(self, row: usize, column: usize) -> (usize, usize) {
        let (block, to, mut from) = (row / 128, row % 128 / 32, column % 128 / 32);
        // The last block of the image may have a machine of its own, with one lane.
        let alone = block + 1 == self.blocks() && block.is_multiple_of(self.lanes);
        let (lanes, lane) = if alone { (1, 0) } else { (self.lanes, block % self.lanes) };
        let half = 2 * (column / 128) + 1 == self.words;
        if half && (4 + to - from) % 4 > 1 {
            from += 2;
        }
        let vectors = if half { 2 } else { 4 };
        let vector = 128 * (column / 128) + vectors * (31 - column % 32) + (4 + to - from) % 4;
        let before = block / self.lanes * SUM_WORDS * self.words * self.lanes;
        (before + 2 * (vector * lanes + lane) + from / 2, 32 * (from % 2) + row % 32)
    }

    /// Writes a column, which was zero.
    pub(super) fn write(self, table: &mut [u64], column: usize, image: &[u64]) {
        for row in (0..64 * self.words).filter(|row| image[row / 64] >> (row % 64) & 1 == 1) {
            let (word, bit) = self.place(row, column);
            table[word] |= 1 << bit;
        }
    }

    /// Adds a column to what `image` holds.
    pub(super) fn add_to(self, table: &[u64], column: usize, image: &mut [u64]) {
        for row in 0..64 * self.words {
            let (word, bit) = self.place(row, column);
            image[row / 64] ^= (table[word] >> bit & 1) << (row % 64);
        }
    }
}
