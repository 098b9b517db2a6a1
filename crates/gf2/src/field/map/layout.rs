//! Where the bits of a matrix are in memory: in the order in which a machine's kernel reads them.
use super::super::shape::Shape;

/// Words of a matrix for each word of the argument, without products by bit matrices: a block of the image is the sum of 64 columns of 128 bits.
pub(super) const SUM_WORDS: usize = 128;

/// The layout for a machine with that many lanes, with or without products by bit matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) affine: bool,
    pub(super) lanes: usize,
    /// Bytes of the argument.
    bytes: usize,
    /// Blocks of the image.
    blocks: usize,
}

impl Layout {
    /// For arguments of W words.
    pub(super) fn new<H: Shape>(affine: bool, lanes: usize) -> Layout {
        Layout::of_part::<H>(affine, lanes, 8 * H::WORDS)
    }

    /// For arguments of fewer bytes; without bit matrices whole words.
    pub(super) fn of_part<H: Shape>(affine: bool, lanes: usize, bytes: usize) -> Layout {
        Layout { affine, lanes, bytes, blocks: H::BLOCKS }
    }

    /// Words of a table.
    pub(super) fn len(self) -> usize {
        if self.affine {
            16 * self.blocks * self.bytes
        } else {
            let alone = self.lanes > 1 && self.blocks % self.lanes == 1;
            let lanes = if alone { self.blocks } else { self.blocks.next_multiple_of(self.lanes) };
            SUM_WORDS * (self.bytes / 8) * lanes
        }
    }

    /// How many bits of an image are side by side in a table, or are the same bit of eight bytes.
    fn unit(self) -> usize {
        if self.affine { 8 } else { 32 }
    }

    /// The word and the lowest bit in it that say whether z^column has the bits from `row` on, a whole number of units, in its image.
    fn place(self, row: usize, column: usize) -> (usize, usize) {
        if self.affine { self.place_in_matrix(row, column) } else { self.place_under_mask(row, column) }
    }

    /// A matrix for each byte of the argument and each byte of the image: the 16 bytes of a block of the image in N = 8 / K vectors, a matrix in each half. Bytes 2 N l + 2 i
    /// and the next one are in lane l of vector i. Bit i of a byte is in byte 7 - i of a matrix.
    fn place_in_matrix(self, row: usize, column: usize) -> (usize, usize) {
        let (block, byte, vectors) = (row / 128, row % 128 / 8, 8 / self.lanes);
        let (lane, i, half) = (byte / (2 * vectors), byte / 2 % vectors, byte % 2);
        let vector = (column / 8 * self.blocks + block) * vectors + i;
        (2 * (vector * self.lanes + lane) + half, column % 8)
    }

    /// Columns as four vectors for each of 32 bits: quarter p of vector t has what bit 32 p + i of a block adds to quarter p + t mod 4 of the
    /// image. Half a block is there twice, and takes two vectors. Lanes are blocks of the image; bits come from the highest on.
    fn place_under_mask(self, row: usize, column: usize) -> (usize, usize) {
        let (block, to, mut from) = (row / 128, row % 128 / 32, column % 128 / 32);
        // The last block of the image may have a machine of its own, with one lane.
        let alone = block + 1 == self.blocks && block.is_multiple_of(self.lanes);
        let (lanes, lane) = if alone { (1, 0) } else { (self.lanes, block % self.lanes) };
        let half = 16 * (column / 128) + 8 == self.bytes;
        if half && (4 + to - from) % 4 > 1 {
            from += 2;
        }
        let vectors = if half { 2 } else { 4 };
        let vector = 128 * (column / 128) + vectors * (31 - column % 32) + (4 + to - from) % 4;
        let before = block / self.lanes * SUM_WORDS * (self.bytes / 8) * self.lanes;
        (before + 2 * (vector * lanes + lane) + from / 2, 32 * (from % 2))
    }

    /// Writes a column, which was zero.
    pub(super) fn write(self, table: &mut [u64], column: usize, image: &[u64]) {
        for row in (0..64 * image.len()).step_by(self.unit()) {
            let bits = image[row / 64] >> (row % 64);
            let (word, at) = self.place(row, column);
            let bits = if self.affine { rows_of_byte(bits) } else { bits & 0xffff_ffff };
            table[word] |= bits << at;
        }
    }

    /// Adds a column to what `image` holds.
    pub(super) fn add_to(self, table: &[u64], column: usize, image: &mut [u64]) {
        for row in (0..64 * image.len()).step_by(self.unit()) {
            let (word, at) = self.place(row, column);
            let bits = table[word] >> at;
            let bits = if self.affine { byte_of_rows(bits) } else { bits & 0xffff_ffff };
            image[row / 64] ^= bits << (row % 64);
        }
    }
}

/// Bit i of a byte as the lowest bit of byte 7 - i.
pub(in super::super) fn rows_of_byte(byte: u64) -> u64 {
    (0..8).fold(0, |rows, i| rows | (byte >> i & 1) << (8 * (7 - i)))
}

/// The byte of the lowest bits of such rows.
fn byte_of_rows(rows: u64) -> u64 {
    (0..8).fold(0, |byte, i| byte | (rows >> (8 * (7 - i)) & 1) << i)
}
