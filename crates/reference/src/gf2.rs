//! Polynomials over F2, bit by bit: bit i of word j is the coefficient of X^(64 j + i).

/// The coefficient of X^i.
fn bit(a: &[u64], i: usize) -> bool {
    a.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
}

/// The product, `a.len() + b.len()` words: the sum of b X^i over the set bits i of a.
///
/// ```
/// // (X + 1)^2 = X^2 + 1
/// assert_eq!(carryless_reference::gf2::mul(&[3], &[3]), [5, 0]);
/// ```
pub fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    for i in (0..64 * a.len()).filter(|&i| bit(a, i)) {
        let (words, shift) = (i / 64, i % 64);
        for (j, &word) in b.iter().enumerate() {
            let shifted = u128::from(word) << shift;
            out[words + j] ^= shifted as u64;
            out[words + j + 1] ^= (shifted >> 64) as u64;
        }
    }
    out
}

/// The square, `2 a.len()` words: coefficient i goes to X^(2 i).
pub fn square(a: &[u64]) -> Vec<u64> {
    let mut out = vec![0; 2 * a.len()];
    for i in (0..64 * a.len()).filter(|&i| bit(a, i)) {
        out[2 * i / 64] |= 1 << (2 * i % 64);
    }
    out
}

/// The remainder modulo X^n - 1, `ceil(n / 64)` words: coefficient i goes to X^(i mod n).
///
/// # Panics
/// If n is zero.
pub fn mod_xn_1(a: &[u64], n: usize) -> Vec<u64> {
    let mut out = vec![0; n.div_ceil(64)];
    for i in (0..64 * a.len()).filter(|&i| bit(a, i)) {
        let i = i % n;
        out[i / 64] ^= 1 << (i % 64);
    }
    out
}
