//! The points of the transform: the fields of 2^8 and 2^16 elements, F2\[z\]/q(z), and their Cantor bases.
//!
//! A Cantor basis is 1 = beta_0, beta_1, .. with beta_i^2 + beta_i = beta_(i-1). With s(y) = y^2 + y, applied k times
//! s_k(y), the polynomial s_k vanishes on the span of beta_0 .. beta_(k-1), and s_k(beta_i) = beta_(i-k).

use carryless_lanes::Nibble;

/// A field element as the matrix of multiplication by it. For every coordinate of the product, in groups of four,
/// it says which coordinates of the other factor are summed. Bit i of nibble k stands for coordinate 4k + i.
pub(super) type Matrix<const G: usize> = [[[Nibble; G]; 4]; G];

/// A field whose elements have `4 G` bits; bit i is the coefficient of z^i.
pub(super) trait Field<const G: usize> {
    /// The exponents below `4 G` of q(z) = z^(4 G) + .., in ascending order.
    const TAIL: [usize; 4];
    /// The matrices of beta_1, beta_2, .. (beta_0 = 1 is not needed).
    const BASIS: &'static [Matrix<G>];
}

/// Implements [`Field`] for both sizes, with Cantor bases.
pub(super) struct Cantor;

impl Field<2> for Cantor {
    const TAIL: [usize; 4] = [0, 1, 3, 4];
    const BASIS: &'static [Matrix<2>] = &matrices(0x1b, &BETA8);
}

impl Field<4> for Cantor {
    const TAIL: [usize; 4] = [0, 1, 3, 5];
    const BASIS: &'static [Matrix<4>] = &matrices(0x2b, &BETA16);
}

/// The elements beta_1 .. beta_7 modulo z^8 + z^4 + z^3 + z + 1. Each solves y^2 + y = beta_(i-1); of both roots,
/// it is the smaller number.
const BETA8: [u16; 7] = [0xbc, 0x5c, 0x0c, 0xae, 0x5a, 0x0e, 0x84];

/// The elements beta_1 .. beta_15 modulo z^16 + z^5 + z^3 + z + 1.
const BETA16: [u16; 15] = [
    0x0732, 0x88ac, 0xa0b6, 0x3872, 0x9ea0, 0x50f2, 0x7874, 0x1298, 0x0468, 0x0028, 0x0624, 0x88be, 0xa0b0,
    0x3870, 0xec18,
];

/// The matrices of `elements`, modulo z^(4 G) + `tail`.
const fn matrices<const G: usize, const N: usize>(tail: u16, elements: &[u16; N]) -> [Matrix<G>; N] {
    let mut all = [[[[Nibble::new(0); G]; 4]; G]; N];
    let mut i = 0;
    while i < N {
        all[i] = matrix(tail, elements[i]);
        i += 1;
    }
    all
}

/// The matrix of `element`: column c is z^c times it.
const fn matrix<const G: usize>(tail: u16, element: u16) -> Matrix<G> {
    let mut rows = [0; 16];
    let (mut column, mut c) = (element, 0);
    while c < 4 * G {
        let mut r = 0;
        while r < 4 * G {
            rows[r] |= (column >> r & 1) << c;
            r += 1;
        }
        // Times z: the top bit is replaced by the tail.
        let top = column >> (4 * G - 1) & 1;
        column = ((column << 1) ^ (top * tail)) & (u16::MAX >> (16 - 4 * G));
        c += 1;
    }
    let mut matrix = [[[Nibble::new(0); G]; 4]; G];
    let mut i = 0;
    while i < 4 * G * G {
        matrix[i / G / 4][i / G % 4][i % G] = Nibble::new(rows[i / G] >> (4 * (i % G)));
        i += 1;
    }
    matrix
}

/// The matrix of t = sum of b_j beta_(j+1), b_j the bits of the number of a block. Matrices are added for the bits
/// that are one: block numbers are public.
///
/// Block b of 2^(k+1) points begins at v = sum of b_j beta_(j+k+1), so t = s_k(v) does not depend on k.
#[inline(always)]
pub(super) fn twiddle<const G: usize>(block: usize) -> Matrix<G>
where
    Cantor: Field<G>,
{
    let (mut matrix, mut bits) = ([[[Nibble::new(0); G]; 4]; G], block);
    while bits != 0 {
        // Matrices add up nibble by nibble, as multiplication is linear in the element. At most 4 G - 1
        // matrices of 4 G^2 nibbles are added, once for a block of elements.
        let basis = &Cantor::BASIS[bits.trailing_zeros() as usize];
        let parts = basis.as_flattened().as_flattened();
        for (nibble, part) in matrix.as_flattened_mut().as_flattened_mut().iter_mut().zip(parts) {
            *nibble ^= *part;
        }
        bits &= bits - 1;
    }
    matrix
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::vec::Vec;

    /// The product of two field elements by the matrix of the first.
    fn mul<const G: usize>(tail: u16, a: u16, b: u16) -> u16 {
        let matrix: Matrix<G> = matrix(tail, a);
        // For each group of coordinates of b, the parities of all sums.
        let sums: [[u64; 16]; G] = core::array::from_fn(|k| {
            core::array::from_fn(|i| u64::from((i as u16 & b >> (4 * k)).count_ones() % 2))
        });
        let bit = |row: &[Nibble; G]| {
            row.iter().zip(&sums).fold(0, |bit, (nibble, sums)| bit ^ nibble.of(sums) as u16)
        };
        matrix.as_flattened().iter().rev().fold(0, |product, row| product << 1 | bit(row))
    }

    #[test]
    fn both_are_cantor_bases() {
        let mut last = 1;
        for beta in BETA8 {
            assert_eq!(mul::<2>(0x1b, beta, beta) ^ beta, last);
            last = beta;
        }
        last = 1;
        for beta in BETA16 {
            assert_eq!(mul::<4>(0x2b, beta, beta) ^ beta, last);
            last = beta;
        }
    }

    /// z + 1 has 2^(4 G) - 1 powers: no divisor of zero, so a field.
    #[test]
    fn both_are_fields() {
        let order = |mul: &dyn Fn(u16) -> u16| {
            let (mut power, mut order) = (mul(1), 1);
            while power != 1 {
                power = mul(power);
                order += 1;
            }
            order
        };
        assert_eq!(order(&|a| mul::<2>(0x1b, 3, a)), 255);
        assert_eq!(order(&|a| mul::<4>(0x2b, 3, a)), 65535);
    }

    /// The product by the definition: shifts and sums, no matrix.
    pub(in crate::poly::fft) fn product<const G: usize>(a: u16, b: u16) -> u16
    where
        Cantor: Field<G>,
    {
        let tail = Cantor::TAIL.iter().fold(0, |bits, i| bits | 1 << i);
        let (mut sum, mut power) = (0, u32::from(a));
        for i in 0..4 * G {
            sum ^= power * u32::from(b >> i & 1);
            power <<= 1;
            power ^= (power >> (4 * G)) * (1 << (4 * G) | tail);
        }
        sum as u16
    }

    /// The value s_k(y): s(y) = y^2 + y, applied k times.
    pub(in crate::poly::fft) fn vanishing<const G: usize>(k: usize, y: u16) -> u16
    where
        Cantor: Field<G>,
    {
        (0..k).fold(y, |y, _| product::<G>(y, y) ^ y)
    }

    /// The sum of the beta_(j + from), j the bits of `bits`.
    pub(in crate::poly::fft) fn point<const G: usize>(betas: &[u16], from: usize, bits: usize) -> u16 {
        let beta = |i: usize| if i == 0 { 1 } else { betas[i - 1] };
        (0..4 * G).filter(|j| bits >> j & 1 == 1).fold(0, |sum, j| sum ^ beta(j + from))
    }

    pub(in crate::poly::fft) fn betas<const G: usize>() -> &'static [u16] {
        if G == 2 { &BETA8 } else { &BETA16 }
    }

    /// Checks multiplication by every t that a transform of all points meets. For all levels k and blocks of 2^(k +
    /// 1) points it is s_k of the block's first point, in every column of its matrix.
    fn all_multipliers_are_s_k_of_the_first_point<const G: usize>()
    where
        Cantor: Field<G>,
    {
        for block in 0..1_usize << (4 * G - 1) {
            let t = point::<G>(betas::<G>(), 1, block);
            let columns: Vec<u16> = (0..4 * G).map(|c| product::<G>(t, 1 << c)).collect();
            for (r, row) in twiddle::<G>(block).as_flattened().iter().enumerate() {
                for (c, column) in columns.iter().enumerate() {
                    let which: [u64; 16] = core::array::from_fn(|i| i as u64 >> (c % 4) & 1);
                    assert_eq!(row[c / 4].of(&which), u64::from(column >> r & 1), "block {block}");
                }
            }
            for k in (0..4 * G - 1).take_while(|k| block >> (4 * G - 1 - k) == 0) {
                let first = point::<G>(betas::<G>(), k + 1, block);
                assert_eq!(vanishing::<G>(k, first), t, "block {block} of level {k}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes long")]
    fn all_multipliers() {
        all_multipliers_are_s_k_of_the_first_point::<2>();
        all_multipliers_are_s_k_of_the_first_point::<4>();
    }

    #[test]
    fn tails_are_those_of_the_matrices() {
        let bits = |tail: [usize; 4]| tail.iter().fold(0, |bits, i| bits | 1 << i);
        assert_eq!((bits(<Cantor as Field<2>>::TAIL), bits(<Cantor as Field<4>>::TAIL)), (0x1b, 0x2b));
    }
}
