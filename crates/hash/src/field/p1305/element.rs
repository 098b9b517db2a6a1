//! A residue modulo p = 2^130 - 5 in three words, as kernels exchange it, and conversions between radices.
use crate::base::block_rows;
use crate::field::limbs26::to_words;
use crate::field::one_lane::SCALAR;
use carryless_lanes::Words;
use zeroize::Zeroize;

/// The residue `w0 + 2^64 w1 + 2^128 w2`, below 2^130 + 2^112. That is less than 2p, and not necessarily below p.
#[derive(Clone, Copy, Default)]
pub(crate) struct Element(pub(crate) [u64; 3]);

impl Zeroize for Element {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl Element {
    pub(crate) const ZERO: Element = Element([0; 3]);

    /// The element with these words of radix 2^64, lowest first. They must be below 2p; nothing is reduced.
    #[inline(always)]
    pub(crate) fn of_words(words: [u64; 3]) -> Element {
        Element(words)
    }

    /// The element with these 16 bytes, little-endian. It is below 2^128 and so needs no reduction.
    pub(crate) fn from_bytes(bytes: &[u8; 16]) -> Element {
        let x = u128::from_le_bytes(*bytes);
        Element([x as u64, (x >> 64) as u64, 0])
    }

    /// Cuts the element into five limbs of radix 2^26: four of 26 bits and one of 27.
    #[inline(always)]
    pub(crate) fn limbs26(self) -> [u64; 5] {
        limbs26(SCALAR, self.0)
    }

    /// Cuts the element into three limbs of radix 2^44: two of 44 bits and one of 43.
    #[inline(always)]
    pub(crate) fn limbs44(self) -> [u64; 3] {
        limbs44(SCALAR, self.0)
    }

    /// The words, loaded one by one. LLVM would otherwise join two shifts to one load of 16 bytes. Such a load
    /// waits until both words have reached the cache, 15 to 50 cycles if they were just stored.
    #[inline(always)]
    pub(super) fn apart(self) -> [u64; 3] {
        self.0.map(|word| SCALAR.settle_word(word))
    }

    /// The canonical residue, below p. Constant time.
    #[inline(always)]
    pub(crate) fn freeze(self) -> [u64; 3] {
        freeze(SCALAR, self.0)
    }
}

/// N elements in the layout of N blocks in memory: two words each, and the third words by lane. Vectors
/// load them like a row.
pub(crate) struct Row {
    pub(crate) words: [u64; 16],
    pub(crate) tops: [u64; 8],
}

impl Row {
    /// The first `n` elements in block order. Words go where a block would have them, third words to
    /// the lane of the block.
    #[inline(always)]
    pub(crate) fn new(elements: &[Element; 8], n: usize) -> Row {
        let mut row = Row { words: [0; 16], tops: [0; 8] };
        let mut b = 0;
        while b < n {
            let [w0, w1, w2] = elements[b].0;
            row.words[2 * b] = w0;
            row.words[2 * b + 1] = w1;
            // `unpack` reorders words but not `tops`, so these are stored in the order of lanes from the start.
            row.tops[block_rows::lane_of_block(n, b)] = w2;
            b += 1;
        }
        row
    }
}

/// Radix 2^64 to radix 2^26, for w2 <= 7. The limbs are below 2^26, the last below 2^27. Shifts and masks only.
#[inline(always)]
pub(crate) fn limbs26<S: Words>(s: S, [w0, w1, w2]: [S::W; 3]) -> [S::W; 5] {
    [
        // Limb i has bits 26 i .. 26 i + 25; limb 2 takes 12 bits of w0 and 14 of w1, limb 4 24 bits of w1 and all
        // of w2.
        s.low_bits(w0, 26),
        s.low_bits(s.shr(w0, 26), 26),
        s.concat(s.shr(w0, 52), s.shl(s.low_bits(w1, 14), 12)),
        s.low_bits(s.shr(w1, 14), 26),
        s.concat(s.shr(w1, 40), s.shl(w2, 24)),
    ]
}

/// Radix 2^64 to radix 2^44, for w2 <= 7. The limbs are below 2^44, the last below 2^43. Shifts and masks only.
#[inline(always)]
pub(crate) fn limbs44<S: Words>(s: S, [w0, w1, w2]: [S::W; 3]) -> [S::W; 3] {
    // The middle limb takes 20 bits of w0 and 24 of w1.
    let middle = s.concat(s.shr(w0, 44), s.shl(s.low_bits(w1, 24), 20));
    [s.low_bits(w0, 44), middle, s.concat(s.shr(w1, 24), s.shl(w2, 40))]
}

/// Radix 2^44 to radix 2^26. Input limbs at most 2^44 + 2^8, 2^44 + 2^8, 2^42 + 2^8; output limbs at most 2^26.
#[inline(always)]
pub(crate) fn recut<S: Words>(s: S, [a0, a1, a2]: [S::W; 3]) -> [S::W; 5] {
    [
        s.low_bits(a0, 26),
        // An addition, not an OR: limbs of the input may exceed 44 bits, so the parts overlap.
        s.add_word(s.shr(a0, 26), s.shl(s.low_bits(a1, 8), 18)),
        s.low_bits(s.shr(a1, 8), 26),
        s.add_word(s.shr(a1, 34), s.shl(s.low_bits(a2, 16), 10)),
        s.shr(a2, 16),
    ]
}

/// Radix 2^26 to radix 2^44 for limbs below 2^32: packs them to words, then cuts. Key powers that were made
/// in lanes take this path.
#[inline(always)]
pub(crate) fn loose26<S: Words>(s: S, h: [S::W; 5]) -> [S::W; 3] {
    limbs44(s, pack26(s, h))
}

/// Radix 2^26 to radix 2^64 for limbs below 2^62, as the sums of all lanes have. The result has w2 at most 4 and is
/// below 2p.
#[inline(always)]
pub(crate) fn pack26<S: Words>(s: S, h: [S::W; 5]) -> [S::W; 3] {
    reduce(s, to_words(s, h))
}

/// Folds the bits from 2^130 on, times 5, for an upper word below 2^61. The upper word is at most 4 after it, so the
/// value is below 2p.
#[inline(always)]
pub(crate) fn reduce<S: Words>(s: S, [h0, h1, h2]: [S::W; 3]) -> [S::W; 3] {
    // 5 `over` is below 2^62, so it fits a word. It carries at most 1 into the two bits that stay.
    let over = s.shr(h2, 2);
    add_small(s, [h0, h1, s.low_bits(h2, 2)], s.add_word(over, s.shl(over, 2)))
}

/// The canonical residue of w = `w0 + 2^64 w1 + 2^128 w2`, for w < 2p.
///
/// q = floor((w + 5) / 2^130) is 1 exactly if w >= p, and w - q p = w + 5 q modulo 2^130. So adding 5 q and
/// dropping bit 130 subtracts p without a branch or a comparison: the time does not depend on w.
#[inline(always)]
pub(crate) fn freeze<S: Words>(s: S, w: [S::W; 3]) -> [S::W; 3] {
    // Two passes of additions, always both: the comparison with p is the carry into bit 130.
    let [_, _, t2] = add_small(s, w, s.word(5));
    let q = s.shr(t2, 2);
    let [w0, w1, w2] = add_small(s, w, s.add_word(q, s.shl(q, 2)));
    [w0, w1, s.low_bits(w2, 2)]
}

/// The low 128 bits of the canonical residue of `d0 + 2^64 d1 + 2^128 d2`, plus m modulo 2^128, for d2 below 2^63.
///
/// [`freeze`] of what [`reduce`] returns, in one pass: both add multiples of 5, and m does not wait for them. The chain from
/// d2 to the tag is four operations shorter.
#[inline(always)]
pub(crate) fn freeze_plus<S: Words>(s: S, [d0, d1, d2]: [S::W; 3], [m0, m1]: [S::W; 2]) -> [S::W; 2] {
    let times5 = |x| s.add_word(x, s.shl(x, 2));
    let over = times5(s.shr(d2, 2));
    let [_, _, t2] = add_small(s, [d0, d1, s.low_bits(d2, 2)], s.add_word(over, s.word(5)));
    let q = s.shr(t2, 2);
    // Sums modulo 2^128: their carries are dropped.
    let (sum, _) = s.add_carry(s.wide(d0, d1), s.wide(m0, m1));
    let (sum, _) = s.add_carry(sum, s.widen(over));
    let (sum, _) = s.add_carry(sum, s.widen(times5(q)));
    [s.low(sum), s.high(sum)]
}

/// w + x for a word x, with the carry propagated through all three words. The caller ensures that
/// the third does not overflow.
#[inline(always)]
pub(crate) fn add_small<S: Words>(s: S, [w0, w1, w2]: [S::W; 3], x: S::W) -> [S::W; 3] {
    // Each sum of two words has a carry of 0 or 1 in its upper word, which the next word takes.
    let t0 = s.add(s.widen(w0), s.widen(x));
    let t1 = s.add(s.widen(w1), s.widen(s.high(t0)));
    [s.low(t0), s.low(t1), s.add_word(w2, s.high(t1))]
}
