//! What follows from f, computed when the library is compiled.

/// Words of the largest field.
const MOST: usize = 20;

/// The words of an element or of a product, as many as the largest field has.
pub(super) type Long = [u64; 2 * MOST];

/// Bits of even places only: the square of 32 coefficients.
const fn spread(word: u64) -> u64 {
    let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
    let word = (word | word << 8) & 0x00ff_00ff_00ff_00ff;
    let word = (word | word << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & 0x5555_5555_5555_5555
}

/// `c += word X^at`.
const fn add_word(c: &mut Long, word: u64, at: usize) {
    c[at / 64] ^= word << (at % 64);
    if !at.is_multiple_of(64) && at / 64 + 1 < c.len() {
        c[at / 64 + 1] ^= word >> (64 - at % 64);
    }
}

/// c mod f, for f = z^m + the sum of z^e for e in `tail`. What comes down may have to come down again, so the top word is visited until it is
/// zero.
const fn reduce(c: &mut Long, m: usize, tail: &[usize]) {
    let mut i = c.len();
    while i > m / 64 {
        i -= 1;
        loop {
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

/// sqrt(z) = z^(2^(m - 1)).
pub(super) const fn sqrt_z(m: usize, tail: &[usize]) -> Long {
    let mut x = [0; 2 * MOST];
    x[0] = 2;
    reduce(&mut x, m, tail);
    let mut squarings = 1;
    while squarings < m {
        let mut square = [0; 2 * MOST];
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

/// X^(2n) div f X^(n - m) without its term X^n, for n = 64 `words`.
pub(super) const fn barrett(m: usize, tail: &[usize], words: usize) -> Long {
    let n = 64 * words;
    let (mut rest, mut quotient) = ([0; 2 * MOST], [0; 2 * MOST]);
    // X^(2n) - X^n f X^(n - m), then bit after bit from the top.
    let mut e = 0;
    while e < tail.len() {
        add_word(&mut rest, 1, 2 * n - m + tail[e]);
        e += 1;
    }
    let mut i = n;
    while i > 0 {
        i -= 1;
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

/// The sum of z^(e + up).
pub(super) const fn sum(tail: &[usize], up: usize) -> Long {
    let (mut words, mut e) = ([0; 2 * MOST], 0);
    while e < tail.len() {
        add_word(&mut words, 1, tail[e] + up);
        e += 1;
    }
    words
}

/// The first words.
pub(super) const fn first<const W: usize>(long: &[u64]) -> [u64; W] {
    let (mut words, mut i) = ([0; W], 0);
    while i < W {
        words[i] = long[i];
        i += 1;
    }
    words
}

/// The lowest one of a word that is not zero, alone.
pub(super) const fn lowest_bit<const W: usize>(words: &[u64; W]) -> [u64; W] {
    let (mut lowest, mut i) = ([0; W], 0);
    while words[i] == 0 {
        i += 1;
    }
    lowest[i] = words[i] & words[i].wrapping_neg();
    lowest
}

/// The bits i with Tr(z^i) = 1, by Newton's identities: s_i is the sum of s_(i - j) over the coefficients of z^(m - j) in f with j < i, plus i
/// times the coefficient of z^(m - i).
pub(super) const fn trace_mask(m: usize, tail: &[usize]) -> [u64; MOST] {
    let mut mask = [0; MOST];
    mask[0] = m as u64 & 1;
    let mut i = 1;
    while i < m {
        let (mut bit, mut e) = (0, 0);
        while e < tail.len() {
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

/// Whether all exponents between m and 0 are odd, and m too: then sqrt(z) is the sum of z^((e + 1) / 2) for all exponents but 0.
pub(super) const fn is_sqrt_friendly(m: usize, tail: &[usize]) -> bool {
    let (mut friendly, mut i) = (m % 2 == 1, 0);
    while i < tail.len() {
        friendly &= tail[i] == 0 || tail[i] % 2 == 1;
        i += 1;
    }
    friendly
}

/// f = z^m + the sum of z^e: exponents that descend to 0, the first below m.
pub(super) const fn is_polynomial(m: usize, tail: &[usize]) -> bool {
    let (mut good, mut above, mut i) = (!tail.is_empty() && tail[tail.len() - 1] == 0, m, 0);
    while i < tail.len() {
        good &= tail[i] < above;
        above = tail[i];
        i += 1;
    }
    good
}
