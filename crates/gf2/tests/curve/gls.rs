//! k P on GLS254 for scalars that are special to its endomorphism psi, on all backends, against sums of products by other formulas.
use crate::common::{number, scalar};
use crate::field_common::backends;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, ElementOf, Gls254, Scalar};
use carryless_lanes::ClmulCpu;
use carryless_reference::BigUint;
use ctutils::Choice;

/// Small numbers, 2^i, mu 2^i and their negatives modulo n. psi multiplies points of order n by mu, a square root of -1 modulo n.
fn special() -> Vec<BigUint> {
    let n: BigUint = number(&-Scalar::<Gls254>::one()) + 1_u8;
    // The curve has 2 n = (q - 1)^2 + t^2 points for q = 2^127, and mu = (q - 1) / t modulo n.
    let mersenne = (BigUint::from(1_u8) << 127) - 1_u8;
    let t = BigUint::sqrt(&(&n * 2_u8 - &mersenne * &mersenne));
    let mu = &mersenne * t.modpow(&(&n - 2_u8), &n) % &n;
    assert_eq!((&mu * &mu + 1_u8) % &n, BigUint::ZERO);

    let mut ks: Vec<BigUint> = (0..100_u32).map(BigUint::from).collect();
    for i in 0..Gls254::ORDER_BITS {
        ks.extend([BigUint::from(1_u8) << i, (&mu << i) % &n]);
    }
    let negatives: Vec<BigUint> = ks.iter().map(|k| (&n - k % &n) % &n).collect();
    ks.into_iter().map(|k| k % &n).chain(negatives).collect()
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take hours")]
fn special_multiples() {
    let ks = special();
    let g = AffinePoint::<Gls254>::generator();
    let order_two =
        AffinePoint::decompress(ElementOf::<Gls254>::default(), Choice::FALSE).expect("(0, sqrt(b))");
    for cpu in backends() {
        let curve = Curve::<Gls254>::on(cpu);
        let step = if cpu == ClmulCpu::detect() { 1 } else { 29 };
        for (i, k) in ks.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 8 > ks.len()) {
            let (k, p) = (scalar(k), if i % 2 == 0 { g } else { g + order_two });
            let product = curve.mul(&k, &p);
            // The product by another algorithm.
            #[cfg(feature = "alloc")]
            let other = curve.sum_of_products_vartime(&[k], &[p]);
            #[cfg(not(feature = "alloc"))]
            let other = curve.mul_base_add_mul(&Scalar::from_u64(0), &k, &p);
            assert_eq!(product, other, "number {i} on {}", cpu.name());
        }
    }
}
