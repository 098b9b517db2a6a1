//! Tests of the halves of k, of psi on points, and of k P, on curves over GF(2^10) and GF(2^14); of the digits of
//! k on GLS254. `tests/curve/gls.rs` has k P on GLS254.
use super::super::digits::{hex, is_digit, is_gls, is_koblitz};
use super::super::kernels::gls::scalar::{DIGITS, Digits, WIDTH, count};
use super::super::list::{curves, element};
use super::super::sealed::SealedCurve;
use super::super::words::words_of;
use super::super::{BinaryCurve, CurveField, ElementOf, Gls254, Scalar};
use super::{Lattice, serves};
use crate::field::small::{Gf5, Gf7};
use crate::field::tower::{Quadratic, QuadraticElement};
use carryless_reference::BigUint;
use crypto_bigint::U64;
use ctutils::Choice;
use once_cell::race::OnceBox;
use std::vec::Vec;

#[expect(unreachable_pub, reason = "the macro is for public types")]
mod small {
    use super::super::super::{MatricesOf, PreparedPoint};
    use super::*;

    curves! {
        /// 1042 points, t = 9.
        E1042: "e1042", [], None, Quadratic<Gf5>, U64, h = 2, a = ["0", "1"], b = ["6", "0"], x = ["1", "1"], y = ["a", "9"], n = "0000000000000209";
        /// 1082 points, t = 11.
        E1082: "e1082", [], None, Quadratic<Gf5>, U64, h = 2, a = ["0", "1"], b = ["1", "0"], x = ["1", "3"], y = ["1e", "2"], n = "000000000000021d";
        /// 16178 points, t = 7.
        E16178: "e16178", [], None, Quadratic<Gf7>, U64, h = 2, a = ["0", "1"], b = ["e", "0"], x = ["1", "1"], y = ["58", "29"], n = "0000000000001f99";
        /// 16418 points, t = 17.
        E16418: "e16418", [], None, Quadratic<Gf7>, U64, h = 2, a = ["0", "1"], b = ["1a", "0"], x = ["1", "1"], y = ["4a", "3f"], n = "0000000000002011";
    }
}
use small::*;

fn big(words: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
}

fn scalar<C: BinaryCurve>(k: &BigUint) -> Scalar<C> {
    let bytes = k.to_bytes_le();
    let padding = core::iter::repeat_n(0, Scalar::<C>::BYTES - bytes.len().min(Scalar::<C>::BYTES));
    let bytes: Vec<u8> = padding.chain(bytes.into_iter().rev()).collect();
    Scalar::from_be_bytes(&bytes).expect("below n")
}

/// The numbers n, t, and mu = (q - 1) / t modulo n; psi multiplies points of order n by mu.
fn constants<C: BinaryCurve>() -> [BigUint; 3] {
    let n = big(&words_of(&C::ORDER));
    let mersenne = (BigUint::from(1_u8) << C::Field::DEGREE) - 1_u8;
    let t = (&n * 2_u8 - &mersenne * &mersenne).sqrt();
    let mu = mersenne * t.modpow(&(&n - 2_u8), &n) % &n;
    assert_eq!((&mu * &mu + 1_u8) % &n, BigUint::ZERO);
    [n, t, mu]
}

/// Tests that the digits of k have the sum k modulo n, with mu for psi.
fn check_digits<C: BinaryCurve>(ks: impl IntoIterator<Item = BigUint>) {
    assert!(serves::<C>());
    let ([n, _, mu], lattice) = (constants::<C>(), C::LATTICE.expect("psi"));
    let digit = |digits: &Digits, half, i| {
        let (negative, number) = digits.get(half, i);
        assert!(number < DIGITS as u64 && (negative == 0 || negative == !0));
        let value = BigUint::from(2 * number + 1);
        if negative == 0 { value } else { &n - value }
    };
    for k in ks {
        let digits =
            Digits::new(&lattice, &scalar::<C>(&k).to_words(), Choice::from_u8_lsb(u8::from(k.bit(0))));
        let halves = [0, 1].map(|half| {
            let indices = (0..count(C::Field::DEGREE as u32)).rev();
            indices.fold(BigUint::ZERO, |sum, i| ((sum << WIDTH) + digit(&digits, half, i)) % &n)
        });
        assert_eq!((&halves[0] + &halves[1] * &mu) % &n, k, "{}", C::NAME);
    }
}

#[test]
fn digits_give_back_every_small_k() {
    fn all<C: BinaryCurve>() {
        check_digits::<C>((0..words_of(&C::ORDER)[0]).map(BigUint::from));
    }
    all::<E1042>();
    all::<E1082>();
    all::<E16178>();
    all::<E16418>();
}

/// Small and large numbers, powers of two, multiples of mu, and the neighbours of all these.
fn special<C: BinaryCurve>() -> Vec<BigUint> {
    let [n, _, mu] = constants::<C>();
    let mut ks: Vec<BigUint> = (0..1000_u32).map(BigUint::from).collect();
    ks.extend((0..C::ORDER_BITS).map(|i| BigUint::from(1_u8) << i));
    ks.extend((0..C::ORDER_BITS).map(|i| (&mu << i) % &n));
    ks.extend((1..200_u32).map(|i| &n / i));
    let neighbours: Vec<BigUint> =
        ks.iter().flat_map(|k| [k + 1_u8, &n - k % &n, &n - k % &n + 1_u8]).collect();
    ks.extend(neighbours);
    ks.into_iter().map(|k| k % &n).collect()
}

#[test]
fn digits_give_back_k() {
    check_digits::<Gls254>(special::<Gls254>());
}

/// These curves are compiled for every backend, so only `cargo xtask curves small` runs them. GLS254
/// itself is tested by `tests/curve.rs`.
#[cfg(carryless_fields = "128")]
mod exhaustive {
    use super::super::super::{AffinePoint, Curve};
    use super::*;
    use carryless_lanes::ClmulCpu;

    /// All points of the curve, infinity first.
    fn points<C: BinaryCurve>() -> Vec<AffinePoint<C>> {
        let m = C::Field::DEGREE;
        let element = |bits: u64| {
            let mut x = ElementOf::<C>::default();
            super::super::super::field::WordsMut::words_mut(&mut x)
                .copy_from_slice(&[bits & ((1 << m) - 1), bits >> m]);
            x
        };
        let finite = (0..1_u64 << (2 * m))
            .flat_map(|x| [0, 1].map(|bit| AffinePoint::decompress(element(x), Choice::from_u8_lsb(bit))));
        let all: Vec<_> =
            core::iter::once(AffinePoint::infinity()).chain(finite.filter_map(Result::ok)).collect();
        assert_eq!(all.len() as u64, 2 * words_of(&C::ORDER)[0]);
        all
    }

    /// All multiples of every `step`-th point by repeated additions, and k G + l P for some.
    fn multiples<C: BinaryCurve>(cpu: ClmulCpu, points: &[AffinePoint<C>], step: usize) {
        let curve = Curve::<C>::on(cpu);
        let n = words_of(&C::ORDER)[0];
        for (i, p) in points.iter().enumerate().filter(|(i, _)| i % step == 0 || *i < 4) {
            let mut sum = AffinePoint::infinity();
            for k in 0..n {
                let scalar = Scalar::from_u64(k);
                assert_eq!(curve.mul(&scalar, p), sum, "{} on {}: {k} times point {i}", C::NAME, cpu.name());
                if k % 16 == i as u64 % 16 {
                    let other = Scalar::from_u64((n - k) * (i as u64 % 3));
                    let expected = curve.mul_base(&other).add_on(&curve, &sum);
                    assert_eq!(curve.mul_base_add_mul(&other, &scalar, p), expected, "{k} on {}", cpu.name());
                }
                sum = sum.add_on(&curve, p);
            }
        }
    }

    fn all_backends<C: BinaryCurve>(step: usize) {
        let points = points::<C>();
        for cpu in ClmulCpu::available() {
            let best = cpu == ClmulCpu::detect();
            multiples(cpu, &points, if best { step } else { 40 * step });
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri would take hours")]
    fn e1042() {
        all_backends::<E1042>(1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri would take hours")]
    fn e1082() {
        all_backends::<E1082>(1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri would take hours")]
    fn e16178() {
        all_backends::<E16178>(401);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri would take hours")]
    fn e16418() {
        all_backends::<E16418>(401);
    }
}
