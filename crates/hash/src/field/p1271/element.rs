//! A residue modulo p = 2^127 - 1 in two words, as kernels exchange it, and conversions between radices.
use crate::field::limbs26::to_words;
use crate::field::one_lane::SCALAR;
use carryless_lanes::Words;
use zeroize::Zeroize;

/// The residue `w0 + 2^64 w1` with w1 below 2^63 + 2^40: less than 2p, and not necessarily below p.
#[derive(Clone, Copy, Default)]
pub(crate) struct Element(pub(crate) [u64; 2]);

impl Zeroize for Element {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Element {
    pub(crate) const ZERO: Element = Element([0; 2]);

    /// The element with these words of radix 2^64, lowest first. They must be below 2p; nothing is reduced.
    #[inline(always)]
    pub(crate) fn of_words(words: [u64; 2]) -> Element {
        Element(words)
    }

    /// The element with these 16 bytes, little-endian. The caller ensures that they are below 2^127.
    pub(crate) fn from_bytes(bytes: &[u8; 16]) -> Element {
        let x = u128::from_le_bytes(*bytes);
        Element([x as u64, (x >> 64) as u64])
    }

    /// Cuts the element into five limbs of radix 2^26, the last at most 2^23.
    #[inline(always)]
    pub(crate) fn limbs26(self) -> [u64; 5] {
        limbs26(SCALAR, self.0)
    }

    /// Cuts the element into three limbs of radix 2^43, the last below 2^41 + 2^18.
    #[inline(always)]
    pub(crate) fn limbs43(self) -> [u64; 3] {
        limbs43(SCALAR, self.0)
    }
}

/// The words of the first `n` elements, in the layout of consecutive 16-byte blocks.
#[inline(always)]
pub(crate) fn row(elements: &[Element; 8], n: usize) -> [u64; 16] {
    let mut words = [0; 16];
    let mut b = 0;
    while b < n {
        let [w0, w1] = elements[b].0;
        words[2 * b] = w0;
        words[2 * b + 1] = w1;
        b += 1;
    }
    words
}

/// Radix 2^64 to radix 2^26, for w1 below 2^63 + 2^40. The limbs are below 2^26, the last at most 2^23.
#[inline(always)]
pub(crate) fn limbs26<S: Words>(s: S, [w0, w1]: [S::W; 2]) -> [S::W; 5] {
    [
        // Limb i has bits 26 i .. 26 i + 25. The last takes all of w1 from bit 40 on, up to 2^23.
        s.low_bits(w0, 26),
        s.low_bits(s.shr(w0, 26), 26),
        s.concat(s.shr(w0, 52), s.shl(s.low_bits(w1, 14), 12)),
        s.low_bits(s.shr(w1, 14), 26),
        s.shr(w1, 40),
    ]
}

/// Radix 2^64 to radix 2^43, for w1 below 2^63 + 2^40. The limbs are below 2^43, the last below 2^41 + 2^18.
#[inline(always)]
pub(crate) fn limbs43<S: Words>(s: S, [w0, w1]: [S::W; 2]) -> [S::W; 3] {
    // The middle limb takes 21 bits of w0 and 22 of w1.
    let middle = s.concat(s.shr(w0, 43), s.shl(s.low_bits(w1, 22), 21));
    [s.low_bits(w0, 43), middle, s.shr(w1, 22)]
}

/// Radix 2^26 to radix 2^64 for limbs below 2^62, as the sums of all lanes have. The result has w1 at most 2^63.
#[inline(always)]
pub(crate) fn pack26<S: Words>(s: S, h: [S::W; 5]) -> [S::W; 2] {
    let [w0, w1, w2] = to_words(s, h);
    // 2^127 = 1 (mod p): bit 63 of w1, and w2, which has the weight 2^128 = 2.
    add_small(s, [w0, s.low_bits(w1, 63)], s.add_word(s.shr(w1, 63), s.shl(w2, 1)))
}

/// Radix 2^43 to radix 2^64 for limbs below 2^62. The result has w1 below 2^63 + 2^40.
#[inline(always)]
pub(crate) fn pack43<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 2] {
    // Wide limbs first carry upward, so that the part above 2^127 is known exactly when it wraps.
    let h1 = s.add_word(h1, s.shr(h0, 43));
    let h2 = s.add_word(h2, s.shr(h1, 43));
    // 2^127 = 1
    let h0 = s.add_word(s.low_bits(h0, 43), s.shr(h2, 41));
    let h1 = s.add_word(s.low_bits(h1, 43), s.shr(h0, 43));
    let h2 = s.add_word(s.low_bits(h2, 41), s.shr(h1, 43));
    let (h0, h1) = (s.low_bits(h0, 43), s.low_bits(h1, 43));
    [s.concat(h0, s.shl(s.low_bits(h1, 21), 43)), s.concat(s.shr(h1, 21), s.shl(h2, 22))]
}

/// The canonical residue of w = `w0 + 2^64 w1`, for w < 2p.
///
/// q = floor((w + 1) / 2^127) is 1 exactly if w >= p, and w - q p = w + q modulo 2^127. So adding q and dropping
/// bit 127 subtracts p without a branch or a comparison: the time does not depend on w.
#[inline(always)]
pub(crate) fn freeze<S: Words>(s: S, w: [S::W; 2]) -> [S::W; 2] {
    // Two additions, always both: the comparison with p is the carry into bit 127, and w = p becomes 0.
    let [_, t1] = add_small(s, w, s.word(1));
    let [w0, w1] = add_small(s, w, s.shr(t1, 63));
    [w0, s.low_bits(w1, 63)]
}

/// w + x for a word x, with the carry propagated. The caller ensures that the upper word does not overflow.
#[inline(always)]
pub(crate) fn add_small<S: Words>(s: S, [w0, w1]: [S::W; 2], x: S::W) -> [S::W; 2] {
    let t0 = s.add(s.widen(w0), s.widen(x));
    [s.low(t0), s.add_word(w1, s.high(t0))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use carryless_reference::{BigUint, P1271};

    /// 0, p and their neighbours, the greatest number that freeze takes, and all powers of two.
    #[test]
    fn freezes() {
        let p = P1271.p();
        let twice = &p + &p;
        let mut numbers: std::vec::Vec<BigUint> = (0..128u32).map(|k| BigUint::from(1u8) << k).collect();
        for i in 0..9u8 {
            numbers.extend([BigUint::from(i), &p - i, &p + i, &twice - i - 1u8]);
        }
        for w in numbers {
            let words = words_of(&w);
            let frozen = freeze(SCALAR, words);
            assert_eq!(frozen, words_of(&(&w % &p)), "{w:x}");
            assert_eq!(Element(words).low_bits(), u128::try_from(&w % &p).unwrap() % (1 << 126), "{w:x}");
        }
        assert_eq!(freeze(SCALAR, [u64::MAX, u64::MAX >> 1]), [0, 0]);
    }

    fn words_of(x: &BigUint) -> [u64; 2] {
        let x = u128::try_from(x).expect("128 bits");
        [x as u64, (x >> 64) as u64]
    }
}
