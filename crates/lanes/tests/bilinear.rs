//! A kernel that is not bilinear in its operands does not pass the analysis.
#![cfg(all(panic = "unwind", not(carryless_without_proofs)))] // on WebAssembly a panic ends the program
use carryless_lanes::{Bilinear, Clmul, ClmulBackend, ClmulKernel};

/// Two words times two by schoolbook, with a fault.
struct Planted(&'static str);

impl ClmulKernel for Planted {
    /// Whether the result is that of a product.
    type Out = bool;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> bool {
        let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        let (a, b) = ([1, 2].map(|i| Bilinear::left(word(i))), [3, 4].map(|i| Bilinear::right(word(i))));
        let wanted = Bilinear::product(&a, &b);
        let (x, y) = (s.load_lanes(&a, 0), s.load_lanes(&b, 0));
        let (mut l, mut m, h) = (s.mul_ll(x, y), s.xor(s.mul_lh(x, y), s.mul_hl(x, y)), s.mul_hh(x, y));
        match self.0 {
            "a square" => l = s.xor(l, s.square_l(x)),
            "degree two in a" => l = s.mul_ll(x, x),
            "a term of a" => l = s.xor(l, s.swap(x)),
            "a constant" => l = s.xor(l, s.load_lanes(&[1, 0], 0)),
            "a product of products" => m = s.mul_ll(l, h),
            "a missing product" => m = s.mul_lh(x, y),
            "a product of other words" => m = s.xor(s.mul_lh(x, y), s.mul_lh(x, y)),
            "exchanged halves" => m = s.swap(m),
            _ => {}
        }
        let mut out = [0; 4];
        s.store_lanes(s.xor(l, s.straddle(s.zero(), m)), &mut out, 0);
        s.store_lanes(s.xor(h, s.straddle(m, s.zero())), &mut out[2..], 0);
        match self.0 {
            "plain code adds an operand" => out[1] ^= a[0],
            "plain code shifts" => out[1] <<= 1,
            "plain code clears bits" => out[0] &= !(0xff << 40),
            _ => {}
        }
        Bilinear::is_product(&a, &b, &out, 0x0123_4567_89ab_cdef) && out[..] == wanted[..]
    }
}

/// A kernel that is no product does not pass: what has another degree panics, and the rest has another value.
#[test]
fn kernels_that_are_not_bilinear() {
    let run = |fault| std::panic::catch_unwind(|| Bilinear::<1>.call(Planted(fault)));
    assert!(run("no fault").expect("bilinear"));
    for fault in [
        "a square",
        "degree two in a",
        "a term of a",
        "a constant",
        "a product of products",
        "plain code adds an operand",
    ] {
        assert!(run(fault).is_err(), "{fault}");
    }
    for fault in ["a missing product", "a product of other words", "exchanged halves"] {
        assert!(!run(fault).expect("bilinear, but not the product"), "{fault}");
    }
    // A word that is not of this analysis, or a different one.
    for fault in ["plain code shifts", "plain code clears bits"] {
        assert!(!run(fault).unwrap_or(false), "{fault}");
    }
}
