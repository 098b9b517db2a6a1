//! Degrees: which bits can be set at all.
use super::{Clmul, ClmulKernel};

/// The highest coefficient that can be non-zero in the low and the high half of a lane; `None` if all are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Degrees {
    /// Of the low half.
    pub low: Option<u32>,
    /// Of the high half.
    pub high: Option<u32>,
}

/// The machine that follows degrees through a kernel, on one lane, for all operands of given degrees at once.
///
/// Words stand for degrees: where a kernel loads a word w, the degree is at most that of the polynomial w (so a loaded
/// zero is known to be zero, and all ones is any polynomial of 64 bits). Where it stores, it writes all bits that can
/// be set. Sums take the larger degree and nothing cancels, so the bounds hold for all inputs below the given ones.
///
/// Every product fits its lane. What can be lost is a half that a move leaves behind ([`Clmul::straddle`]): those a
/// kernel must have used elsewhere, which its basis proof shows; [`Clmul::square_l`] and the multiplications by one half
/// leave the other one on purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Degree;

/// The degree of a half, of the polynomials that a word stands for.
fn degree(word: u64) -> Option<u32> {
    word.checked_ilog2()
}

/// All bits up to that degree.
fn bits(degree: Option<u32>) -> u64 {
    match degree {
        None => 0,
        Some(d) => u64::MAX >> (63 - d),
    }
}

/// The product of polynomials of these degrees.
fn product(a: Option<u32>, b: Option<u32>) -> Degrees {
    match a.zip(b) {
        None => Degrees::default(),
        Some((a, b)) if a + b < 64 => Degrees { low: Some(a + b), high: None },
        Some((a, b)) => Degrees { low: Some(63), high: Some(a + b - 64) },
    }
}

impl Clmul for Degree {
    const K: usize = 1;
    type X = Degrees;
    type One = Self;

    fn one(self) -> Self {
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
        out[..2].copy_from_slice(&[bits(x.low), bits(x.high)]);
    }
    #[track_caller]
    fn store_lanes(self, x: Degrees, out: &mut [u64], _stride: usize) {
        self.store(x, out);
    }
    fn xor(self, a: Degrees, b: Degrees) -> Degrees {
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
    fn lanes_from(self, from: usize, low: Degrees, high: Degrees) -> Degrees {
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
}
