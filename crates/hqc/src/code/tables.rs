//! Constant tables of a Reed-Solomon code, computed by the compiler.
//!
//! Each table is a list of rows of field elements. A kernel multiplies whole rows by one secret element; the
//! index of a row is public, so no address depends on a secret.
use super::gf256::{generator, power, times_x};

/// Elements in a row: one for each of 64 places.
pub(crate) const POINTS: usize = 64;
/// Bytes of a buffer: room for all symbols, in whole vectors.
pub(crate) const BUFFER: usize = 2 * POINTS;

/// A row of elements, padded with zeros.
pub(super) type Row = [u8; POINTS];

/// The tables of one code. All elements are in the field of AES, in which the kernels compute.
#[derive(Debug)]
pub struct Tables {
    /// Row j: coefficients of X^(2 delta + j) modulo the generator, the constant one first. Message symbol j
    /// adds this row, multiplied by it, to the parity symbols.
    pub(crate) parity: &'static [Row],
    /// Row j: a^j, a^2j, and so on up to a^(2 delta j). Symbol j adds this row, multiplied by it, to the syndromes.
    pub(crate) syndromes: &'static [Row],
    /// For every 64 places p of the codeword, delta + 1 rows: row i has the elements (a^-p)^i.
    pub(crate) powers: &'static [Row],
    /// For every 64 places p of the codeword, one row of (a^-p)^(2 delta + 1), the factor of the error values.
    pub(crate) shift: &'static [Row],
}

/// Returns the rows of [`Tables::parity`] for a code of `n1` symbols, `K` of them the message.
pub(crate) const fn parity<const K: usize>(n1: usize) -> [Row; K] {
    let degree = n1 - K;
    let g = generator(degree);
    let (mut rows, mut j) = ([[0; POINTS]; K], 0);
    // X^degree modulo g is g without its leading coefficient, as g is monic and -1 = 1. Row j + 1 is X times
    // row j.
    let mut row = g;
    row[degree] = 0;
    while j < K {
        rows[j] = row;
        row = times_x(row, &g, degree);
        j += 1;
    }
    rows
}

/// Returns the rows of [`Tables::syndromes`] for a code of `N1` symbols, `k` of them the message.
pub(crate) const fn syndromes<const N1: usize>(k: usize) -> [Row; N1] {
    let (mut rows, mut j) = ([[0; POINTS]; N1], 0);
    while j < N1 {
        let mut i = 0;
        while i < N1 - k {
            // Symbol j is the coefficient of X^j, and syndrome i + 1 the value at a^(i + 1).
            rows[j][i] = power(j * (i + 1));
            i += 1;
        }
        j += 1;
    }
    rows
}

/// Returns `ROWS` rows with powers of a^-p. For every 64 places p there are `powers` rows, with the exponents
/// `first`, `first` + 1 and so on.
pub(crate) const fn powers<const ROWS: usize>(n1: usize, first: usize, powers: usize) -> [Row; ROWS] {
    let (mut rows, mut i) = ([[0; POINTS]; ROWS], 0);
    while i < ROWS {
        let mut p = 0;
        while p < POINTS {
            let place = i / powers * POINTS + p;
            if place < n1 {
                // a^255 = 1, so a^(255 - place) is a^-place. Places beyond the codeword keep 0: their values
                // are not used.
                rows[i][p] = power((255 - place) * (first + i % powers));
            }
            p += 1;
        }
        i += 1;
    }
    rows
}

/// Builds the [`Tables`] of a code with `$n1` symbols, `$k` of them the message.
macro_rules! tables {
    ($n1:expr, $k:expr) => {{
        use $crate::code::tables::{POINTS, Tables, parity, powers, syndromes};
        const N1: usize = $n1;
        const K: usize = $k;
        const DELTA: usize = (N1 - K) / 2;
        const BLOCKS: usize = N1.div_ceil(POINTS);
        Tables {
            parity: &parity::<K>(N1),
            syndromes: &syndromes::<N1>(K),
            powers: &powers::<{ BLOCKS * (DELTA + 1) }>(N1, 0, DELTA + 1),
            shift: &powers::<BLOCKS>(N1, 2 * DELTA + 1, 1),
        }
    }};
}

pub(crate) use tables;
