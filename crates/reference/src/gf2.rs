//! Polynomials over F2, bit by bit: bit i of word j is the coefficient of X^(64 j + i).

/// Returns the coefficient of X^i, which is false beyond the words of `a`.
fn bit(a: &[u64], i: usize) -> bool {
    a.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
}

/// Returns the product in `a.len() + b.len()` words, as the sum of b X^i over the set bits i of a.
///
/// ```
/// // (X + 1)^2 = X^2 + 1
/// assert_eq!(carryless_reference::gf2::mul(&[3], &[3]), [5, 0]);
/// ```
pub fn mul(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![0; a.len() + b.len()];
    (0..64 * a.len()).filter(|&i| bit(a, i)).for_each(|i| add_shifted(&mut out, b, i));
    out
}

/// Adds b X^i to a, which has room for it.
fn add_shifted(a: &mut [u64], b: &[u64], i: usize) {
    for (j, &word) in b.iter().enumerate() {
        // Shifted by less than 64 bits, a word falls into two words at most.
        let shifted = u128::from(word) << (i % 64);
        for (part, out) in [shifted as u64, (shifted >> 64) as u64].iter().zip(&mut a[i / 64 + j..]) {
            *out ^= part;
        }
    }
}

/// Returns the square in `2 a.len()` words: coefficient i moves to X^(2 i).
pub fn square(a: &[u64]) -> Vec<u64> {
    let mut out = vec![0; 2 * a.len()];
    for i in (0..64 * a.len()).filter(|&i| bit(a, i)) {
        out[2 * i / 64] |= 1 << (2 * i % 64);
    }
    out
}

/// Returns the remainder modulo X^n - 1 in `ceil(n / 64)` words: coefficient i is added to that of X^(i mod n).
///
/// # Panics
/// If n is 0, for which X^n - 1 is 0.
pub fn mod_xn_1(a: &[u64], n: usize) -> Vec<u64> {
    let mut out = vec![0; n.div_ceil(64)];
    for i in (0..64 * a.len()).filter(|&i| bit(a, i)) {
        let i = i % n;
        // Several coefficients may meet in one place.
        out[i / 64] ^= 1 << (i % 64);
    }
    out
}

/// Returns the degree, or `None` for the polynomial 0.
pub fn degree(a: &[u64]) -> Option<usize> {
    let word = a.iter().rposition(|word| *word != 0)?;
    Some(64 * word + a[word].ilog2() as usize)
}

/// Returns quotient and remainder, each in as many words as `a`. From the highest coefficient down, d X^i is
/// subtracted wherever the leading term remains.
///
/// # Panics
/// If d is the polynomial 0, whatever its number of words.
///
/// ```
/// // X^2 + X = (X + 1) X, remainder 0
/// assert_eq!(carryless_reference::gf2::div_rem(&[6], &[2]), (vec![3], vec![0]));
/// ```
pub fn div_rem(a: &[u64], d: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let low = degree(d).expect("a divisor that is not 0");
    let d = &d[..=low / 64];
    let (mut quotient, mut rest) = (vec![0; a.len()], a.to_vec());
    for i in (low..64 * a.len()).rev() {
        if bit(&rest, i) {
            quotient[(i - low) / 64] |= 1 << ((i - low) % 64);
            // The leading term of d clears coefficient i.
            add_shifted(&mut rest, d, i - low);
        }
    }
    (quotient, rest)
}

/// Returns the remainder modulo f in `ceil(m / 64)` words. f is the sum of X^e for these exponents, which
/// descend from its degree m.
///
/// From the highest coefficient down, f X^(i - m) is subtracted wherever X^i remains. Unlike in [`div_rem`],
/// the time depends on the number of terms of f.
///
/// # Panics
/// If f has no term.
///
/// ```
/// // X^4 = X (X + 1) modulo X^3 + X + 1
/// assert_eq!(carryless_reference::gf2::rem(&[16], &[3, 1, 0]), [6]);
/// ```
pub fn rem(a: &[u64], f: &[usize]) -> Vec<u64> {
    let (m, mut rest) = (f[0], a.to_vec());
    for i in (m..64 * a.len()).rev() {
        if bit(&rest, i) {
            for e in f.iter().map(|e| i - m + e) {
                rest[e / 64] ^= 1 << (e % 64);
            }
        }
    }
    rest.resize(m.div_ceil(64), 0);
    rest
}

/// Returns whether f is irreducible, by Rabin's test. f is the sum of X^e for these exponents, which
/// descend from its degree m.
///
/// f must divide X^(2^m) - X, and must have no common factor with X^(2^i) - X for any divisor i of m below m.
///
/// ```
/// use carryless_reference::gf2::is_irreducible;
/// assert!(is_irreducible(&[8, 4, 3, 1, 0]));
/// assert!(!is_irreducible(&[8, 4, 3, 2]));
/// ```
pub fn is_irreducible(f: &[usize]) -> bool {
    let m = f.first().copied().unwrap_or(0);
    // X and X + 1 are irreducible, constants are not.
    if m < 2 {
        return m == 1;
    }
    let mut words = vec![0; m / 64 + 1];
    f.iter().for_each(|e| words[e / 64] |= 1 << (e % 64));
    let x = rem(&[2], f);
    let mut power = x.clone();
    for i in 1..m {
        // Now the power is X^(2^i).
        power = rem(&square(&power), f);
        let difference: Vec<u64> = power.iter().zip(&x).map(|(power, x)| power ^ x).collect();
        // If the difference is 0, the common factor is f itself.
        if m.is_multiple_of(i) && degree(&gcd(&words, &difference)) != Some(0) {
            return false;
        }
    }
    rem(&square(&power), f) == x
}

/// Returns the greatest common divisor by divisions: (a, b) becomes (b, a mod b) until b is 0.
pub fn gcd(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    while degree(&b).is_some() {
        (a, b) = (b.clone(), div_rem(&a, &b).1);
    }
    a
}

/// Returns the number of different irreducible factors of f, as Berlekamp has it: the dimension of the polynomials h
/// modulo f with h^2 = h.
///
/// # Panics
/// If f is 0 or 1.
///
/// ```
/// // X^3 + 1 = (X + 1) (X^2 + X + 1); their squares count once.
/// assert_eq!(carryless_reference::gf2::factors(&[9]), 2);
/// assert_eq!(carryless_reference::gf2::factors(&[65]), 2);
/// ```
pub fn factors(f: &[u64]) -> usize {
    let n = degree(f).filter(|n| *n > 0).expect("f is not constant");
    // A word more than f, so that a shift by two loses nothing.
    let mut square = vec![0; n / 64 + 2];
    square[0] = 1;
    square = div_rem(&square, f).1;
    // At index i, a combination of the rows X^(2 i) - X^i modulo f whose degree is i.
    let mut echelon: Vec<Option<Vec<u64>>> = vec![None; n];
    let mut rank = 0;
    for i in 0..n {
        let mut row = square.clone();
        row[i / 64] ^= 1 << (i % 64);
        while let Some(leading) = degree(&row) {
            match &echelon[leading] {
                Some(other) => row.iter_mut().zip(other).for_each(|(row, other)| *row ^= other),
                None => {
                    echelon[leading] = Some(row);
                    rank += 1;
                    break;
                }
            }
        }
        let mut next = vec![0; square.len()];
        add_shifted(&mut next, &square, 2);
        for above in [n + 1, n] {
            if bit(&next, above) {
                add_shifted(&mut next, &f[..=n / 64], above - n);
            }
        }
        square = next;
    }
    n - rank
}
