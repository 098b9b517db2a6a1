//! Linear maps of the field of AES over F2, as bit matrices and as tables of the images of nibbles. All are
//! computed at compile time.

/// Product in F2\[x\]/(x^8 + x^4 + x^3 + x + 1). At compile time only: not written for speed.
pub(super) const fn mul(a: u8, b: u8) -> u8 {
    let (mut product, mut bit) = (0, 8);
    while bit > 0 {
        bit -= 1;
        // Horner's rule, highest bit of b first: times x, reduced by 0x1b, plus a.
        product = product << 1 ^ ((product >> 7) * 0x1b) ^ ((b >> bit & 1) * a);
    }
    product
}

/// The matrix of the linear map that takes 2^i to `columns[i]`, in the form of
/// [`Clmul::affine`](crate::Clmul::affine): row j is byte 7 - j.
const fn matrix(columns: [u8; 8]) -> u64 {
    let (mut out, mut i) = (0, 0);
    while i < 8 {
        let mut j = 0;
        while j < 8 {
            out |= ((columns[i] >> j & 1) as u64) << (8 * (7 - j) + i);
            j += 1;
        }
        i += 1;
    }
    out
}

/// The matrix of a -> a^(2^squarings). Squaring is linear over F2.
const fn frobenius(squarings: usize) -> u64 {
    let (mut columns, mut i) = ([0; 8], 0);
    while i < 8 {
        // Images of the basis are enough, because the map is linear.
        let (mut power, mut done) = (1 << i, 0);
        while done < squarings {
            power = mul(power, power);
            done += 1;
        }
        columns[i] = power;
        i += 1;
    }
    matrix(columns)
}

pub(super) const SQUARE: u64 = frobenius(1);
pub(super) const FOURTH_POWER: u64 = frobenius(2);
pub(super) const SIXTEENTH_POWER: u64 = frobenius(4);
/// The matrix of a -> 16 a, 16 being x^4: it takes a table for low nibbles to one for high nibbles.
pub(super) const TIMES_16: u64 =
    matrix([16, 32, 64, 128, mul(16, 16), mul(16, 32), mul(16, 64), mul(16, 128)]);

/// A byte times a matrix, as [`Clmul::affine`](crate::Clmul::affine) defines it.
const fn apply(matrix: u64, byte: u8) -> u8 {
    let (mut out, mut i) = (0, 0);
    while i < 8 {
        // Rows are numbered as in `matrix`, highest byte first.
        let row = (matrix >> (8 * (7 - i))) as u8;
        out |= ((row & byte).count_ones() as u8 & 1) << i;
        i += 1;
    }
    out
}

/// The images under the matrix of the numbers below 16, and of their products with
/// 16: two tables for [`Clmul::shuffle`](crate::Clmul::shuffle).
pub(super) const fn images(matrix: u64) -> [[u64; 2]; 2] {
    let (mut tables, mut i) = ([[0; 2]; 2], 0);
    while i < 16 {
        // Entry i is byte i mod 8 of word i / 8: the order in which `shuffle` reads a table.
        tables[0][i / 8] |= (apply(matrix, i as u8) as u64) << (8 * (i % 8));
        tables[1][i / 8] |= (apply(matrix, (i as u8) << 4) as u64) << (8 * (i % 8));
        i += 1;
    }
    tables
}

/// Tables for [`Clmul::shuffle`](crate::Clmul::shuffle): entry `bit` has the products of 2^bit with the numbers below 16.
pub(super) const fn multiples_of_powers() -> [[u64; 2]; 8] {
    let (mut tables, mut bit) = ([[0; 2]; 8], 0);
    while bit < 8 {
        let mut i = 0;
        while i < 16 {
            tables[bit][i / 8] |= (mul(i as u8, 1 << bit) as u64) << (8 * (i % 8));
            i += 1;
        }
        bit += 1;
    }
    tables
}
