//! Division by the generator of a code, with the remainder packed in words.
use alloc::vec::Vec;

/// The longest remainder in bytes, for 64 symbols or 512 bits of parity.
const LONGEST: usize = 64;

/// A generator of degree r over GF(2^m) for m up to 8, or over GF(2) for eight bits in a step.
///
/// The product of a byte by the generator is the sum of the generator's products by z^i, for the bits i of the byte. So a step adds up to eight rows
/// under masks: it takes constant time and no product of the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Divider {
    /// Words of the remainder: 1, 2, 4 or 8. Its first byte is the highest of the last word.
    words: usize,
    /// What bit i of a byte adds to the remainder, packed, for each i.
    rows: Vec<u64>,
}

impl Divider {
    /// The division where bit i of a byte leaves row i, with the byte of the highest powers first. `None` for rows of more than 64 bytes.
    pub(super) fn new(rows: &[Vec<u8>]) -> Option<Divider> {
        let len = rows.iter().map(Vec::len).max().filter(|&len| len <= LONGEST)?;
        let words = len.div_ceil(8).next_power_of_two();
        let byte = |row: &[u8], at: usize| u64::from(row.get(at).copied().unwrap_or(0));
        let word = |row: &[u8], at: usize| (0..8).fold(0, |word, i| word << 8 | byte(row, 8 * at + i));
        let packed = rows.iter().flat_map(|row| (0..words).rev().map(move |at| word(row, at)));
        Some(Divider { words, rows: packed.collect() })
    }

    /// The remainder of the bytes times x^r, from the highest power down.
    pub(super) fn remainder(&self, bytes: impl Iterator<Item = u64>) -> Vec<u8> {
        match self.words {
            1 => self.divide::<1>(bytes),
            2 => self.divide::<2>(bytes),
            4 => self.divide::<4>(bytes),
            _ => self.divide::<{ LONGEST / 8 }>(bytes),
        }
    }

    fn divide<const W: usize>(&self, bytes: impl Iterator<Item = u64>) -> Vec<u8> {
        let (rows, _) = self.rows.as_chunks::<W>();
        let mut rest = [0; W];
        for byte in bytes {
            let quotient = byte ^ rest[W - 1] >> 56;
            for i in (0..W).rev() {
                rest[i] = rest[i] << 8 | if i > 0 { rest[i - 1] >> 56 } else { 0 };
            }
            for (i, row) in rows.iter().enumerate() {
                let mask = (quotient >> i & 1).wrapping_neg();
                rest.iter_mut().zip(row).for_each(|(rest, add)| *rest ^= add & mask);
            }
        }
        rest.iter().rev().flat_map(|word| word.to_be_bytes()).collect()
    }
}
