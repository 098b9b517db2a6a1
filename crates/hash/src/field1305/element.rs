//! A residue modulo p = 2^130 - 5 as it passes between kernels.
use carryless_lanes::{Portable, Words};
use zeroize::Zeroize;

/// The scalar machine: the CPU's own 64-bit arithmetic.
pub(crate) const SCALAR: Portable<1> = Portable;

/// `w0 + 2^64 w1 + 2^128 w2` with `w2 <= 7`: below 2^131, not necessarily below p.
#[derive(Clone, Copy, Default, Zeroize)]
pub(crate) struct Element(pub(crate) [u64; 3]);

impl Element {
    pub(crate) const ZERO: Element = Element([0; 3]);

    /// A number below 2^128 from little-endian bytes.
    pub(crate) fn from_bytes(bytes: &[u8; 16]) -> Element {
        let x = u128::from_le_bytes(*bytes);
        Element([x as u64, (x >> 64) as u64, 0])
    }

    /// Limbs of 26 bits (the last of 27).
    #[inline(always)]
    pub(crate) fn limbs26(self) -> [u64; 5] {
        limbs26(SCALAR, self.0)
    }

    /// Limbs of 44 bits (the last of 43).
    #[inline(always)]
    pub(crate) fn limbs44(self) -> [u64; 3] {
        limbs44(SCALAR, self.0)
    }

    /// The residue itself, below p.
    pub(crate) fn freeze(self) -> [u64; 3] {
        freeze(SCALAR, self.0)
    }

    /// The residue modulo 2^128: the digest, before any mask is added.
    pub(crate) fn digest(self) -> u128 {
        let [a, b, _] = self.freeze();
        u128::from(a) | u128::from(b) << 64
    }
}

/// Radix 2^64 to radix 2^26, for w2 <= 7: limbs below 2^26, the last below 2^27.
#[inline(always)]
pub(crate) fn limbs26<S: Words>(s: S, [w0, w1, w2]: [S::W; 3]) -> [S::W; 5] {
    [
        s.low_bits(w0, 26),
        s.low_bits(s.shr(w0, 26), 26),
        s.concat(s.shr(w0, 52), s.shl(s.low_bits(w1, 14), 12)),
        s.low_bits(s.shr(w1, 14), 26),
        s.concat(s.shr(w1, 40), s.shl(w2, 24)),
    ]
}

/// Radix 2^64 to radix 2^44, for w2 <= 7: limbs below 2^44, the last below 2^43.
#[inline(always)]
pub(crate) fn limbs44<S: Words>(s: S, [w0, w1, w2]: [S::W; 3]) -> [S::W; 3] {
    let middle = s.concat(s.shr(w0, 44), s.shl(s.low_bits(w1, 24), 20));
    [s.low_bits(w0, 44), middle, s.concat(s.shr(w1, 24), s.shl(w2, 40))]
}

/// Three words of the sum of `h_i 2^(26 i)`, reduced below 2^131.
///
/// Each limb may have up to 61 bits: the sum is formed in 128-bit steps and what passes 2^130 returns times 5.
#[inline(always)]
pub(crate) fn pack26<S: Words>(s: S, h: [S::W; 5]) -> [S::W; 3] {
    // Radix 2^52: x0 = h0 + 2^26 h1, x1 = h2 + 2^26 h3, x2 = h4, in 128-bit sums.
    let pair = s.word(1 << 26);
    let x0 = s.add(s.widen(h[0]), s.mul(h[1], pair));
    let x1 = s.add(s.add(s.widen(h[2]), s.mul(h[3], pair)), s.widen(s.shr_wide(x0, 52)));
    let x2 = s.add(s.widen(h[4]), s.widen(s.shr_wide(x1, 52)));
    let y0 = s.low_bits(s.low(x0), 52);
    let y1 = s.low_bits(s.low(x1), 52);
    let y2 = s.low_bits(s.low(x2), 26);
    // 2^130 = 5
    let over = s.shr_wide(x2, 26);
    let z0 = s.add(s.widen(y0), s.add(s.widen(over), s.mul(over, s.word(4))));
    let z1 = s.add_word(y1, s.shr_wide(z0, 52));
    let z2 = s.add_word(y2, s.shr(z1, 52));
    let (z0, z1) = (s.low_bits(s.low(z0), 52), s.low_bits(z1, 52));
    // Radix 2^52 to radix 2^64.
    [
        s.concat(z0, s.shl(s.low_bits(z1, 12), 52)),
        s.concat(s.shr(z1, 12), s.shl(s.low_bits(z2, 24), 40)),
        s.shr(z2, 24),
    ]
}

/// The residue below p of `w0 + 2^64 w1 + 2^128 w2`, for `w2 <= 7`.
///
/// q = floor((w + 5) / 2^130) is 1 exactly if p <= w < 2p; as w < 2^131 may reach 2p + 9, the fold of the bits
/// above 2^130 comes first.
pub(crate) fn freeze<S: Words>(s: S, [w0, w1, w2]: [S::W; 3]) -> [S::W; 3] {
    // w = low 130 bits + 5 (w >> 130), now below 2^130 + 10 < 2p.
    let over = s.shr(w2, 2);
    let [w0, w1, w2] = add_small(s, [w0, w1, s.low_bits(w2, 2)], s.add_word(over, s.shl(over, 2)));
    // w - q p = w + 5 q modulo 2^130.
    let [_, _, t2] = add_small(s, [w0, w1, w2], s.word(5));
    let q = s.shr(t2, 2);
    let [w0, w1, w2] = add_small(s, [w0, w1, w2], s.add_word(q, s.shl(q, 2)));
    [w0, w1, s.low_bits(w2, 2)]
}

/// `w + x`, carries propagated.
#[inline(always)]
pub(crate) fn add_small<S: Words>(s: S, [w0, w1, w2]: [S::W; 3], x: S::W) -> [S::W; 3] {
    let t0 = s.add(s.widen(w0), s.widen(x));
    let t1 = s.add(s.widen(w1), s.widen(s.high(t0)));
    [s.low(t0), s.low(t1), s.add_word(w2, s.high(t1))]
}
