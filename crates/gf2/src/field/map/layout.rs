//! The layout of a bit matrix in memory: its bits are stored in the order in which a backend's kernel reads
//! them.
use super::super::shape::Shape;

/// Words of a table for each word of the argument and block of the image, without 8 x 8 matrices:
/// 64 columns of 128 bits.
pub(super) const SUM_WORDS: usize = 128;

/// The layout for a backend with `lanes` lanes, with products by 8 x 8 bit matrices if `affine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Layout {
    pub(super) affine: bool,
    pub(super) lanes: usize,
    /// The number of bytes of the argument.
    bytes: usize,
    /// The number of blocks, of 128 bits, of the image.
    blocks: usize,
}

impl Layout {
    /// The layout for arguments of W words.
    pub(super) fn new<H: Shape>(affine: bool, lanes: usize) -> Layout {
        Layout::of_part::<H>(affine, lanes, 8 * H::WORDS)
    }

    /// The layout for arguments of `bytes` bytes, which may be fewer. Without `affine` they must be whole words.
    pub(super) fn of_part<H: Shape>(affine: bool, lanes: usize, bytes: usize) -> Layout {
        Layout::of_blocks(affine, lanes, bytes, H::BLOCKS)
    }

    /// The layout for arguments of `bytes` bytes and images of `blocks` blocks.
    pub(super) fn of_blocks(affine: bool, lanes: usize, bytes: usize, blocks: usize) -> Layout {
        Layout { affine, lanes, bytes, blocks }
    }

    /// The number of 64-bit words of a table.
    pub(in super::super) fn len(self) -> usize {
        if self.affine {
            16 * self.blocks * self.bytes
        } else {
            let alone = self.lanes > 1 && self.blocks % self.lanes == 1;
            let lanes = if alone { self.blocks } else { self.blocks.next_multiple_of(self.lanes) };
            SUM_WORDS * (self.bytes / 8) * lanes
        }
    }

    /// The number of neighbouring bits of an image that [`place`](Layout::place) locates at once.
    fn unit(self) -> usize {
        if self.affine { 8 } else { 32 }
    }

    /// The place of the bits of column `column` (the image of z^column) from bit `row` on, a multiple of the
    /// unit: the word, and the lowest bit in it.
    ///
    /// Without `affine` the unit lies side by side there. With it, its eight bits lie at the same place of eight bytes.
    fn place(self, row: usize, column: usize) -> (usize, usize) {
        if self.affine { self.place_in_matrix(row, column) } else { self.place_under_mask(row, column) }
    }

    /// [`place`](Layout::place) with 8 x 8 matrices: one for each byte of the argument and each byte of the image.
    ///
    /// The 16 bytes of a block of the image have their matrices in N = 8 / K vectors, one in each half of a
    /// lane. Bytes 2 N l + 2 i and 2 N l + 2 i + 1 are in lane l of vector i. As GF2P8AFFINEQB has it, the row
    /// for bit i of a byte is byte 7 - i of its matrix.
    fn place_in_matrix(self, row: usize, column: usize) -> (usize, usize) {
        let (block, byte, vectors) = (row / 128, row % 128 / 8, 8 / self.lanes);
        let (lane, i, half) = (byte / (2 * vectors), byte / 2 % vectors, byte % 2);
        let vector = (column / 8 * self.blocks + block) * vectors + i;
        (2 * (vector * self.lanes + lane) + half, column % 8)
    }

    /// [`place`](Layout::place) without 8 x 8 matrices: four vectors for each of 32 bits, from the highest bit down.
    ///
    /// Quarter p of vector t has what bit 32 p + i of a block of the argument adds to quarter p + t mod 4 of
    /// the image. A last half block of the argument is there twice, and takes two vectors. Lanes hold
    /// different blocks of the image.
    fn place_under_mask(self, row: usize, column: usize) -> (usize, usize) {
        let (block, to, mut from) = (row / 128, row % 128 / 32, column % 128 / 32);
        // A last block of the image that is alone has its columns in vectors of one lane.
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

    /// Writes `image` as column `column`, the image of z^column. The column must be zero before.
    pub(in super::super) fn write(self, table: &mut [u64], column: usize, image: &[u64]) {
        for row in (0..64 * image.len()).step_by(self.unit()) {
            let bits = image[row / 64] >> (row % 64);
            let (word, at) = self.place(row, column);
            let bits = if self.affine { rows_of_byte(bits) } else { bits & 0xffff_ffff };
            table[word] |= bits << at;
        }
    }

    /// Adds column `column` of the table to `image`.
    pub(super) fn add_to(self, table: &[u64], column: usize, image: &mut [u64]) {
        for row in (0..64 * image.len()).step_by(self.unit()) {
            let (word, at) = self.place(row, column);
            let bits = table[word] >> at;
            let bits = if self.affine { byte_of_rows(bits) } else { bits & 0xffff_ffff };
            image[row / 64] ^= bits << (row % 64);
        }
    }
}

/// Spreads a byte over eight rows: bit i becomes the lowest bit of byte 7 - i.
pub(in super::super) fn rows_of_byte(byte: u64) -> u64 {
    (0..8).fold(0, |rows, i| rows | (byte >> i & 1) << (8 * (7 - i)))
}

/// The inverse of [`rows_of_byte`]: bit i is the lowest bit of byte 7 - i. Other bits are ignored.
fn byte_of_rows(rows: u64) -> u64 {
    (0..8).fold(0, |byte, i| byte | (rows >> (8 * (7 - i)) & 1) << i)
}
