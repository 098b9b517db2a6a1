//! Constants of a field that follow from f, computed at compile time. These functions may be slow and see no
//! secrets.

/// Words of an element of the largest field. Kernels have room for as many.
pub(crate) const MAX_WORDS: usize = 20;

/// The words of an element or of a product of the largest field, least significant first.
pub(super) type Long = [u64; 2 * MAX_WORDS];

/// The square of a polynomial of 32 coefficients: bit i moves to bit 2 i. Bits of `word` from 32 on must be 0.
const fn spread(word: u64) -> u64 {
    let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
    let word = (word | word << 8) & 0x00ff_00ff_00ff_00ff;
    let word = (word | word << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & 0x5555_5555_5555_5555
}

/// Adds the polynomial `word`, times X^at, to c. Bits beyond the end of c are dropped.
const fn add_word(c: &mut Long, word: u64, at: usize) {
    c[at / 64] ^= word << (at % 64);
    if !at.is_multiple_of(64) && at / 64 + 1 < c.len() {
        c[at / 64 + 1] ^= word >> (64 - at % 64);
    }
}

/// Reduces c modulo f = z^m + the sum of z^e over `tail`, in place. The result is canonical.
///
/// Folding a word may set bits in the same word again, if m - e is below 64. Each word is therefore
/// folded until it is 0.
const fn reduce(c: &mut Long, m: usize, tail: &[usize]) {
    let mut i = c.len();
    while i > m / 64 {
        i -= 1;
        loop {
            // Word i from bit 64 i on, or only its bits from z^m on if m lies within it. z^from becomes the
            // sum of z^(from - m + e), and the bits that are folded are removed first.
            let (from, bits) = if 64 * i >= m { (64 * i, c[i]) } else { (m, c[i] >> (m % 64)) };
            if bits == 0 {
                break;
            }
            c[i] ^= if 64 * i >= m { bits } else { bits << (m % 64) };
            let mut e = 0;
            while e < tail.len() {
                add_word(c, bits, from - m + tail[e]);
                e += 1;
            }
        }
    }
}

/// The square root of z, canonical: z^(2^(m - 1)), by m - 1 squarings.
pub(super) const fn sqrt_z(m: usize, tail: &[usize]) -> Long {
    let mut x = [0; 2 * MAX_WORDS];
    x[0] = 2;
    reduce(&mut x, m, tail);
    // The Frobenius map is linear, so each squaring spreads the bits and reduces. x stays below z^m.
    let mut squarings = 1;
    while squarings < m {
        let mut square = [0; 2 * MAX_WORDS];
        let mut i = 0;
        while i < m.div_ceil(64) {
            square[2 * i] = spread(x[i] & 0xffff_ffff);
            square[2 * i + 1] = spread(x[i] >> 32);
            i += 1;
        }
        reduce(&mut square, m, tail);
        x = square;
        squarings += 1;
    }
    x
}

/// The Barrett constant X^(2n) div f X^(n - m), without its leading term X^n, for n = 64 `words`.
pub(super) const fn barrett(m: usize, tail: &[usize], words: usize) -> Long {
    let n = 64 * words;
    let (mut rest, mut quotient) = ([0; 2 * MAX_WORDS], [0; 2 * MAX_WORDS]);
    // The leading term X^n of the quotient is known: start from X^(2n) - X^n f X^(n - m), then divide bit by
    // bit from the top.
    let mut e = 0;
    while e < tail.len() {
        add_word(&mut rest, 1, 2 * n - m + tail[e]);
        e += 1;
    }
    let mut i = n;
    while i > 0 {
        i -= 1;
        // n is a multiple of 64, so X^(n + i) is bit i mod 64 of its word.
        if rest[(n + i) / 64] >> (i % 64) & 1 == 1 {
            quotient[i / 64] |= 1 << (i % 64);
            let mut e = 0;
            while e < tail.len() {
                add_word(&mut rest, 1, i + n - m + tail[e]);
                e += 1;
            }
        }
    }
    quotient
}

/// The sum of z^(e + up) over the exponents of `tail`.
pub(super) const fn sum(tail: &[usize], up: usize) -> Long {
    let (mut words, mut e) = ([0; 2 * MAX_WORDS], 0);
    while e < tail.len() {
        add_word(&mut words, 1, tail[e] + up);
        e += 1;
    }
    words
}

/// The lowest W words of `long`.
pub(super) const fn first<const W: usize>(long: &[u64]) -> [u64; W] {
    let (mut words, mut i) = ([0; W], 0);
    while i < W {
        words[i] = long[i];
        i += 1;
    }
    words
}

/// The lowest set bit of the first nonzero word, alone. `words` must not be all 0.
pub(super) const fn lowest_bit<const W: usize>(words: &[u64; W]) -> [u64; W] {
    // x & -x keeps the lowest one bit. There is one, because the trace of some power of z is 1.
    let (mut lowest, mut i) = ([0; W], 0);
    while words[i] == 0 {
        i += 1;
    }
    lowest[i] = words[i] & words[i].wrapping_neg();
    lowest
}

/// The mask of the bits i < m with Tr(z^i) = 1, by Newton's identities.
///
/// The power sum s_i = Tr(z^i) is the sum of s_(i - j) over the terms z^(m - j) of f with 0 < j < i. If f has
/// the term z^(m - i), i is added.
pub(super) const fn trace_mask(m: usize, tail: &[usize]) -> [u64; MAX_WORDS] {
    let mut mask = [0; MAX_WORDS];
    // The trace of 1 is the sum of m ones.
    mask[0] = m as u64 & 1;
    let mut i = 1;
    while i < m {
        let (mut bit, mut e) = (0, 0);
        while e < tail.len() {
            // Term z^(m - j) of f is the elementary symmetric function e_j of the conjugates of z. Newton:
            // s_i = the sum of e_j s_(i - j), plus i e_i, over F2.
            let j = m - tail[e];
            if j < i {
                bit ^= mask[(i - j) / 64] >> ((i - j) % 64) & 1;
            } else if j == i {
                bit ^= i as u64 & 1;
            }
            e += 1;
        }
        mask[i / 64] |= bit << (i % 64);
        i += 1;
    }
    mask
}

/// Whether m and all exponents of f but 0 are odd. Then sqrt(z) is the sum of z^((e + 1) / 2) over these exponents.
pub(super) const fn is_sqrt_friendly(m: usize, tail: &[usize]) -> bool {
    let (mut friendly, mut i) = (m % 2 == 1, 0);
    while i < tail.len() {
        friendly &= tail[i] == 0 || tail[i] % 2 == 1;
        i += 1;
    }
    friendly
}

/// Whether `tail` are valid exponents of f = z^m + the sum of z^e: descending from below m, and ending in 0.
pub(super) const fn is_polynomial(m: usize, tail: &[usize]) -> bool {
    let (mut good, mut above, mut i) = (!tail.is_empty() && tail[tail.len() - 1] == 0, m, 0);
    while i < tail.len() {
        good &= tail[i] < above;
        above = tail[i];
        i += 1;
    }
    good
}
