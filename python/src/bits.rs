//! Matrices over GF(2) as arrays of bytes, an entry in each, and with 64 entries in a word.
use carryless_gf2::linear::BitMatrix;

/// A matrix over GF(2) of the entries of all rows: the lowest bit of each byte.
pub(crate) fn pack(entries: &[u8], columns: usize) -> BitMatrix {
    let word = |bits: &[u8]| bits.iter().rev().fold(0, |word, bit| word << 1 | u64::from(bit & 1));
    let rows = entries.chunks_exact(columns.max(1));
    let rows: Vec<Vec<u64>> = rows.map(|row| row.chunks(64).map(word).collect()).collect();
    BitMatrix::from_rows(columns, &rows)
}

/// Writes the entries of a matrix over GF(2), one in a byte.
pub(crate) fn unpack(matrix: &BitMatrix, out: &mut [u8]) {
    for (i, row) in out.chunks_exact_mut(matrix.columns().max(1)).enumerate() {
        let bits = matrix.row(i);
        row.iter_mut().enumerate().for_each(|(j, out)| *out = (bits[j / 64] >> (j % 64)) as u8 & 1);
    }
}
