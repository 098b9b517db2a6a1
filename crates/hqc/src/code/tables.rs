//! The constants of a Reed-Solomon code: rows of field elements, which a secret element multiplies whole.
use super::gf256::{generator, power, times_x};

/// Elements of a row.
pub(crate) const POINTS: usize = 64;

/// A row, with zeros after its elements.
pub(super) type Row = [u8; POINTS];

/// The rows of a code. All elements are in the machines' field.
#[derive(Debug)]
pub struct Tables {
    /// Row j: X^(2 delta + j) modulo the generator, whose coefficients message symbol j adds to the parity symbols.
    pub(crate) parity: &'static [Row],
    /// Row j: a^j, a^2j, ..., what symbol j adds to the syndromes.
    pub(crate) syndromes: &'static [Row],
    /// For every 64 points a^-p, p being places in a codeword: rows of their powers 0 to delta.
    pub(crate) powers: &'static [Row],
    /// For every 64 points: the power 2 delta + 1, which error values are multiplied by.
    pub(crate) shift: &'static [Row],
}

/// The row of parity symbols of each of the `K` message symbols.
pub(crate) const fn parity<const K: usize>(n1: usize) -> [Row; K] {
    let degree = n1 - K;
    let g = generator(degree);
    let (mut rows, mut j) = ([[0; POINTS]; K], 0);
    // X^degree modulo g is g without its leading coefficient.
    let mut row = g;
    row[degree] = 0;
    while j < K {
        rows[j] = row;
        row = times_x(row, &g, degree);
        j += 1;
    }
    rows
}

/// The rows of syndromes of the `N1` symbols.
pub(crate) const fn syndromes<const N1: usize>(k: usize) -> [Row; N1] {
    let (mut rows, mut j) = ([[0; POINTS]; N1], 0);
    while j < N1 {
        let mut i = 0;
        while i < N1 - k {
            rows[j][i] = power(j * (i + 1));
            i += 1;
        }
        j += 1;
    }
    rows
}

/// `ROWS` rows: for every 64 points, their powers `first`, `first` + 1, ..., as many as `powers` says.
pub(crate) const fn powers<const ROWS: usize>(n1: usize, first: usize, powers: usize) -> [Row; ROWS] {
    let (mut rows, mut i) = ([[0; POINTS]; ROWS], 0);
    while i < ROWS {
        let mut p = 0;
        while p < POINTS {
            let place = i / powers * POINTS + p;
            if place < n1 {
                rows[i][p] = power((255 - place) * (first + i % powers));
            }
            p += 1;
        }
        i += 1;
    }
    rows
}

/// The tables of a code with `$n1` symbols, `$k` of them the message.
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
