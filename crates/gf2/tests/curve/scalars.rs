//! Integers modulo n, for all curves, against big integers.
use crate::common::{below, domain, number, scalar};
use crate::random::Random;
use carryless_gf2::curve::{self, BinaryCurve, Scalar, ScalarError};
use carryless_reference::BigUint;
use ctutils::{Choice, CtSelect};

fn arithmetic<C: BinaryCurve>() {
    let n = domain::<C>().order;
    let mut rng = Random(u64::from(C::ORDER_BITS));
    let zero = BigUint::ZERO;
    let mut some = vec![zero.clone(), 1_u8.into(), 2_u8.into(), &n >> 1, &n - 2_u8, &n - 1_u8];
    some.extend((0..3).map(|_| below(n.bits(), &mut rng) % &n));
    for a in &some {
        let ours = scalar::<C>(a);
        assert_eq!(number(&ours), *a);
        assert_eq!(number(&-ours), (&n - a) % &n);
        assert_eq!((ours.is_zero().to_bool(), ours.is_odd().to_bool()), (*a == zero, a.bit(0)));
        let inverse = ours.invert().into_option();
        assert_eq!(ours.invert_vartime().into_option(), inverse);
        assert_eq!(inverse.is_none(), *a == zero);
        assert!(inverse.is_none_or(|inverse| inverse * ours == Scalar::one()), "{}", C::NAME);
        for b in &some {
            let other = scalar::<C>(b);
            assert_eq!(number(&(ours + other)), (a + b) % &n);
            assert_eq!(number(&(ours - other)), (a + &n - b) % &n);
            assert_eq!(number(&(ours * other)), a * b % &n, "{}", C::NAME);
            assert_eq!(ours == other, a == b);
            assert_eq!(number(&ours.ct_select(&other, Choice::FALSE)), *a);
            assert_eq!(number(&ours.ct_select(&other, Choice::TRUE)), *b);
        }
    }
}

fn encodings<C: BinaryCurve>() {
    let (n, len) = (domain::<C>().order, Scalar::<C>::BYTES);
    assert_eq!(len as u64, n.bits().div_ceil(8));
    let big_endian = |k: &BigUint| {
        let mut bytes = k.to_bytes_le();
        bytes.resize(len, 0);
        bytes.into_iter().rev().collect::<Vec<u8>>()
    };
    let all_ones = (BigUint::from(1_u8) << (8 * len)) - 1_u8;
    for k in [n.clone(), &n + 1_u8, all_ones.clone()] {
        assert_eq!(Scalar::<C>::from_be_bytes(&big_endian(&k)), Err(ScalarError::Range), "{}", C::NAME);
        assert_eq!(number(&Scalar::<C>::reduce_be_bytes(&big_endian(&k))), k % &n);
    }
    for found in [0, 1, len - 1, len + 1, 2 * len] {
        let error = ScalarError::Length { expected: len, found };
        assert_eq!(Scalar::<C>::from_be_bytes(&vec![0; found]), Err(error));
    }
    assert_eq!(number(&Scalar::<C>::reduce_be_bytes(&[])), BigUint::ZERO);
    assert_eq!(number(&Scalar::<C>::reduce_be_bytes(&[1, 2])), 258_u16.into());
    assert_eq!(number(&Scalar::<C>::from_u64(u64::MAX)), BigUint::from(u64::MAX) % &n);
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn scalars_of_all_curves() {
    macro_rules! each {
        ($($curve:ident),*) => {
            $(arithmetic::<curve::$curve>(); encodings::<curve::$curve>();)*
        };
    }
    carryless_gf2::for_each_curve! { each }
}
