//! The analysis of degrees: which bits of a result can be set at all.
use super::{Clmul, ClmulKernel};

/// The highest coefficient that can be non-zero in the low and the high half of a lane; `None` if all are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Degrees {
    /// Degree bound of the low half, 0 to 63; `None` if the half is zero.
    pub low: Option<u32>,
    /// Degree bound of the high half, 0 to 63; `None` if the half is zero.
    pub high: Option<u32>,
}

/// The backend that follows degrees through a kernel: on one lane, for all operands of given degrees at once.
///
/// Words stand for degrees. Where a kernel loads a word w, the degree is at most that of the polynomial w: a loaded
/// zero is known to be zero, and all ones is any polynomial of 64 bits. Where it stores, it writes all bits that can be
/// set. Sums take the larger degree and nothing cancels, so the bounds hold for all inputs below the given ones.
///
/// Every product fits its lane. What can be lost is a half that a move leaves behind ([`Clmul::straddle`]). The
/// kernel must have used that half elsewhere, which its basis proof shows. [`Clmul::square_l`] and the
/// multiplications by one half ignore the other half on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Degree;

/// The degree of the polynomials that a word stands for: that of its highest bit.
fn degree(word: u64) -> Option<u32> {
    word.checked_ilog2()
}

/// The word for a degree: all bits up to it are set.
fn bits(degree: Option<u32>) -> u64 {
    match degree {
        None => 0,
        Some(d) => u64::MAX >> (63 - d),
    }
}

/// The degrees of a product of polynomials of degrees a and b: a + b, over both halves of a lane.
fn product(a: Option<u32>, b: Option<u32>) -> Degrees {
    match a.zip(b) {
        None => Degrees::default(),
        // Nothing cancels at the top, as F2[X] has no zero divisors. A product beyond 63 may have any low half.
        Some((a, b)) if a + b < 64 => Degrees { low: Some(a + b), high: None },
        Some((a, b)) => Degrees { low: Some(63), high: Some(a + b - 64) },
    }
}

/// The degrees after [`Clmul::zip_low`]: byte i of `a` becomes byte 2i, byte i of `b` becomes byte 2i + 1.
fn zip(a: Option<u32>, b: Option<u32>) -> Degrees {
    let at = |d: u32, odd: u32| 8 * (2 * (d / 8) + odd) + d % 8;
    match a.map(|d| at(d, 0)).max(b.map(|d| at(d, 1))) {
        Some(top) if top >= 64 => Degrees { low: Some(63), high: Some(top - 64) },
        low => Degrees { low, high: None },
    }
}

impl Clmul for Degree {
    const K: usize = 1;
    type X = Degrees;
    type One = Self;
    type Compact = Self;

    fn one(self) -> Self {
        self
    }
    fn compact(self) -> Self {
        self
    }
    fn call_outlined<K: ClmulKernel>(self, kernel: K) -> K::Out {
        kernel.run(self)
    }
    fn zero(self) -> Degrees {
        Degrees::default()
    }
    #[track_caller]
    fn load(self, src: &[u64]) -> Degrees {
        Degrees { low: degree(src[0]), high: degree(src[1]) }
    }
    #[track_caller]
    fn load_lanes(self, src: &[u64], _stride: usize) -> Degrees {
        self.load(src)
    }
    #[track_caller]
    fn store(self, x: Degrees, out: &mut [u64]) {
        // All ones up to the degree, so that a later load finds the same degree.
        out[..2].copy_from_slice(&[bits(x.low), bits(x.high)]);
    }
    #[track_caller]
    fn store_lanes(self, x: Degrees, out: &mut [u64], _stride: usize) {
        self.store(x, out);
    }
    fn xor(self, a: Degrees, b: Degrees) -> Degrees {
        // Equal top terms would cancel; the bound ignores that and only gets larger.
        Degrees { low: a.low.max(b.low), high: a.high.max(b.high) }
    }
    fn mul_ll(self, a: Degrees, b: Degrees) -> Degrees {
        product(a.low, b.low)
    }
    fn mul_lh(self, a: Degrees, b: Degrees) -> Degrees {
        product(a.low, b.high)
    }
    fn mul_hl(self, a: Degrees, b: Degrees) -> Degrees {
        product(a.high, b.low)
    }
    fn mul_hh(self, a: Degrees, b: Degrees) -> Degrees {
        product(a.high, b.high)
    }
    fn square_l(self, a: Degrees) -> Degrees {
        product(a.low, a.low)
    }
    fn square_h(self, a: Degrees) -> Degrees {
        product(a.high, a.high)
    }
    fn swap(self, a: Degrees) -> Degrees {
        Degrees { low: a.high, high: a.low }
    }
    fn straddle(self, a: Degrees, b: Degrees) -> Degrees {
        Degrees { low: a.high, high: b.low }
    }
    fn splat(self, words: [u64; 2]) -> Degrees {
        Degrees { low: degree(words[0]), high: degree(words[1]) }
    }
    // A bit of an AND needs both, so the smaller degree bounds it; `None` is the smallest.
    fn and(self, a: Degrees, b: Degrees) -> Degrees {
        Degrees { low: a.low.min(b.low), high: a.high.min(b.high) }
    }
    // Bits beyond 63 are lost, and those below them may be any.
    fn shl(self, a: Degrees, bits: u32) -> Degrees {
        let up = |d: u32| (d + bits).min(63);
        Degrees { low: a.low.map(up), high: a.high.map(up) }
    }
    fn shr(self, a: Degrees, bits: u32) -> Degrees {
        let down = |d: u32| d.checked_sub(bits);
        Degrees { low: a.low.and_then(down), high: a.high.and_then(down) }
    }
    // Any byte may be looked up, so every bit may be set unless the table is zero.
    fn shuffle(self, table: Degrees, _: Degrees) -> Degrees {
        let any = table.low.max(table.high).map(|_| 63);
        Degrees { low: any, high: any }
    }
    fn zip_low(self, a: Degrees, b: Degrees) -> Degrees {
        zip(a.low, b.low)
    }
    fn zip_high(self, a: Degrees, b: Degrees) -> Degrees {
        zip(a.high, b.high)
    }
    // The matrix may have any rows, so any bit of a byte may be set where the byte and the matrix can be non-zero.
    fn affine(self, x: Degrees, matrices: Degrees) -> Degrees {
        let any = |x: Option<u32>, matrix: Option<u32>| x.and(matrix).and(x.map(|d| d | 7));
        Degrees { low: any(x.low, matrices.low), high: any(x.high, matrices.high) }
    }
    fn bit_masks(self, a: Degrees, bit: u32) -> Degrees {
        // The mask of a quarter is non-zero only if its bit `bit` can be set; a set bit makes all 32 ones.
        let quarters = |d: u32| {
            if d >= 32 + bit {
                Some(63)
            } else if d >= bit {
                Some(31)
            } else {
                None
            }
        };
        Degrees { low: a.low.and_then(quarters), high: a.high.and_then(quarters) }
    }
    fn first_lane(self, a: Degrees) -> Degrees {
        a
    }
    fn repeat_lane(self, a: Degrees) -> Degrees {
        a
    }
    fn permute_lanes(self, a: Degrees, _order: [usize; 4]) -> Degrees {
        a
    }
    fn transpose(self, a: Degrees) -> Degrees {
        a
    }
    fn lanes_from(self, from: usize, low: Degrees, high: Degrees) -> Degrees {
        // One lane, so `from` is 0 or 1.
        if from == 0 { low } else { high }
    }

    const WIDE: usize = 2;
    type Wide = Degrees;
    #[track_caller]
    fn load_wide(self, src: &[u64]) -> Degrees {
        self.load(src)
    }
    #[track_caller]
    fn store_wide(self, x: Degrees, out: &mut [u64]) {
        self.store(x, out);
    }
    fn xor_wide(self, a: Degrees, b: Degrees) -> Degrees {
        self.xor(a, b)
    }
    fn and_wide(self, a: Degrees, b: Degrees) -> Degrees {
        self.and(a, b)
    }
    fn or_wide(self, a: Degrees, b: Degrees) -> Degrees {
        self.xor(a, b)
    }
    // Any halves may be equal, zeros too.
    fn equal_wide(self, _: Degrees, _: Degrees) -> Degrees {
        Degrees { low: Some(63), high: Some(63) }
    }
    fn splat_wide(self, word: u64) -> Degrees {
        self.splat([word; 2])
    }
    // The term !b & c is below `c`, whatever `b` is.
    fn xor_andnot_wide(self, a: Degrees, _: Degrees, c: Degrees) -> Degrees {
        self.xor(a, c)
    }
    fn rotl_wide(self, a: Degrees, bits: u32) -> Degrees {
        // A bit that goes around lands below the others, and a wrapped degree may be any: 63 bounds it.
        let around = |d: u32| if d + bits < 64 { d + bits } else { 63 };
        Degrees { low: a.low.map(around), high: a.high.map(around) }
    }
}
