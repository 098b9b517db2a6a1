//! Arithmetic in GF(2^8) at compile time, for the tables of the Reed-Solomon codes.
//!
//! HQC's field is F2\[a\]/(a^8 + a^4 + a^3 + a^2 + 1). The kernels ([`Bytes`](carryless_lanes::Bytes))
//! compute in the field of AES, F2\[x\]/(x^8 + x^4 + x^3 + x + 1), because GFNI multiplies there. The map a
//! -> x + 1 is an isomorphism. All functions of this file work in the field of AES.
//!
//! Table lookups leak their index through the cache. They are safe here: all operands are public constants.

/// Powers of x + 1, the image of a, which generates the multiplicative group. Entry i is (x + 1)^i;
/// entry 255 is 1 again.
const POWERS: [u8; 256] = {
    let (mut powers, mut i) = ([1; 256], 1);
    while i < 256 {
        let last: u8 = powers[i - 1];
        // Times x + 1: the last power plus x times it, whose x^8 is replaced by 0x1b.
        powers[i] = last ^ last << 1 ^ ((last >> 7) * 0x1b);
        i += 1;
    }
    powers
};

/// Discrete logarithms to the base x + 1: entry `POWERS[i]` is i, for i from 0 to 254. Entry 0 has no meaning.
const EXPONENTS: [u8; 256] = {
    let (mut exponents, mut i) = ([0; 256], 0);
    // Up to 254: power 255 is 1 again and would replace the logarithm 0 of 1.
    while i < 255 {
        exponents[POWERS[i] as usize] = i as u8;
        i += 1;
    }
    exponents
};

/// Multiplies two public elements. Not constant time: it looks up tables and branches on zero.
const fn mul(a: u8, b: u8) -> u8 {
    // Logarithms add up to 508 at most; `power` reduces the sum modulo 255.
    if a == 0 || b == 0 { 0 } else { power(EXPONENTS[a as usize] as usize + EXPONENTS[b as usize] as usize) }
}

/// Returns the image of a^exponent, for any exponent.
pub(super) const fn power(exponent: usize) -> u8 {
    // The multiplicative group has 255 elements.
    POWERS[exponent % 255]
}

/// The isomorphism as an 8 x 8 bit matrix: column i is the image of a^i. The matrix is its own inverse.
///
/// [`Clmul::affine`](carryless_lanes::Clmul::affine) defines the format: byte 7 - j holds the
/// coefficients of output bit j.
pub(super) const ISOMORPHISM: u64 = {
    let (mut matrix, mut i) = (0, 0);
    while i < 8 {
        let (column, mut j) = (power(i), 0);
        while j < 8 {
            matrix |= ((column >> j & 1) as u64) << (8 * (7 - j) + i);
            j += 1;
        }
        i += 1;
    }
    matrix
};

/// Returns the generator polynomial, the product of X - a^i for i from 1 to `degree`.
///
/// Coefficients are in the field of AES, the constant one first. The first `degree` + 1 entries
/// count; the others are zero.
pub(super) const fn generator(degree: usize) -> [u8; 64] {
    let (mut g, mut i) = ([0; 64], 1);
    g[0] = 1;
    while i <= degree {
        let (root, mut j) = (power(i), i);
        while j > 0 {
            // Multiplying by X - root in place: coefficient j becomes g[j] root + g[j-1]. Going down keeps
            // g[j-1] unchanged until it is used.
            g[j] = mul(g[j], root) ^ g[j - 1];
            j -= 1;
        }
        g[0] = mul(g[0], root);
        i += 1;
    }
    g
}

/// Returns `p` X modulo `g`. `g` is monic of that degree, and `p` has a smaller degree.
pub(super) const fn times_x(p: [u8; 64], g: &[u8; 64], degree: usize) -> [u8; 64] {
    // X^degree is g without its leading term, as g is monic: the top coefficient of p, times that, is added.
    let (top, mut out, mut j) = (p[degree - 1], [0; 64], degree);
    while j > 0 {
        j -= 1;
        out[j] = mul(top, g[j]) ^ if j > 0 { p[j - 1] } else { 0 };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiplies in HQC's own representation, bit by bit.
    fn product(a: u8, b: u8) -> u8 {
        let wide = (0..8).fold(0, |sum, i| sum ^ u16::from(a) << i & (u16::from(b) >> i & 1).wrapping_neg());
        (8..15).rev().fold(wide, |p, i| if p >> i & 1 == 1 { p ^ 0x11d << (i - 8) } else { p }) as u8
    }

    fn image(a: u8) -> u8 {
        let rows = ISOMORPHISM.to_be_bytes();
        (0..8).fold(0, |out, i| out | ((rows[i] & a).count_ones() as u8 & 1) << i)
    }

    #[test]
    fn the_isomorphism_is_one() {
        for a in 0..=255 {
            assert_eq!(image(image(a)), a);
            for b in 0..=255 {
                assert_eq!(image(product(a, b)), mul(image(a), image(b)));
                assert_eq!(image(a ^ b), image(a) ^ image(b));
            }
        }
        assert_eq!(
            (0..255).map(|i| (0..i).fold(1, |p, _| product(p, 2))).map(image).collect::<std::vec::Vec<_>>(),
            (0..255).map(power).collect::<std::vec::Vec<_>>()
        );
    }

    /// The coefficients that the specification lists, the constant one first.
    #[test]
    fn generators_are_those_of_the_specification() {
        let listed: [&[u8]; 3] = [
            &[
                89, 69, 153, 116, 176, 117, 111, 75, 73, 233, 242, 233, 65, 210, 21, 139, 103, 173, 67, 118,
                105, 210, 174, 110, 74, 69, 228, 82, 255, 181, 1,
            ],
            &[
                45, 216, 239, 24, 253, 104, 27, 40, 107, 50, 163, 210, 227, 134, 224, 158, 119, 13, 158, 1,
                238, 164, 82, 43, 15, 232, 246, 142, 50, 189, 29, 232, 1,
            ],
            &[
                49, 167, 49, 39, 200, 121, 124, 91, 240, 63, 148, 71, 150, 123, 87, 101, 32, 215, 159, 71,
                201, 115, 97, 210, 186, 183, 141, 217, 123, 12, 31, 243, 180, 219, 152, 239, 99, 141, 4, 246,
                191, 144, 8, 232, 47, 27, 141, 178, 130, 64, 124, 47, 39, 188, 216, 48, 199, 187, 1,
            ],
        ];
        for coefficients in listed {
            let g = generator(coefficients.len() - 1).map(image);
            assert_eq!(g[..coefficients.len()], *coefficients);
        }
    }
}
