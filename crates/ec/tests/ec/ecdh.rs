//! ECDH, and the checks of the secret and public keys that take part in it.
use crate::parts::{CURVES, visit};
use crate::rng::{Bytes, rng};
use carryless_ec::curve::{
    AffinePoint, BinaryCurve, Curve, ElementOf, FieldElement as _, PointError, Scalar, ScalarError,
};
use carryless_ec::{CurveVisitor, PublicKey, SecretKey, SecretKeyError};
use carryless_lanes::ClmulCpu;

struct EveryCurve;

impl CurveVisitor for EveryCurve {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        both_sides_agree::<C>();
        secret_keys_are_checked::<C>();
        public_keys_are_checked::<C>();
    }
}

#[test]
fn keys_are_checked_and_agree() {
    for id in CURVES {
        visit(id.name(), EveryCurve).expect("a curve of this run");
    }
}

fn both_sides_agree<C: BinaryCurve>() {
    let [a, b] = [1, 2].map(|seed| SecretKey::<C>::generate(&mut rng(seed)));
    let secret = a.diffie_hellman(&b.public_key()).expect("a secret");
    assert_eq!(secret.as_bytes().len(), ElementOf::<C>::BYTES);
    assert_eq!(b.diffie_hellman(&a.public_key()).as_ref(), Ok(&secret));
    for cpu in ClmulCpu::available() {
        let curve = Curve::on(cpu);
        assert_eq!(
            b.diffie_hellman_unvalidated(&curve, a.public_key_on(&curve).as_point()).as_ref(),
            Ok(&secret)
        );
    }
    let other = a.diffie_hellman(&a.public_key()).expect("a secret");
    assert_ne!(other, secret);
    // A compressed point is a byte for the form and then x, which is the shared secret.
    let product = *b.public_key().as_point() * *a.as_scalar();
    assert_eq!(product.to_sec1_compressed().as_ref()[1..], *secret.as_bytes());
    assert_eq!(
        format!("{secret:?} {a:?}"),
        format!("SharedSecret({} bytes) SecretKey<{}>(..)", ElementOf::<C>::BYTES, C::NAME)
    );
}

fn secret_keys_are_checked<C: BinaryCurve>() {
    let size = SecretKey::<C>::BYTES;
    let range = Err(SecretKeyError::Scalar(ScalarError::Range));
    assert_eq!(SecretKey::<C>::from_bytes(&vec![0xff; size]).map(drop), range);
    assert_eq!(SecretKey::<C>::from_bytes(&vec![0; size]).map(drop), Err(SecretKeyError::Zero));
    for found in [0, size - 1, size + 1] {
        let error = Err(SecretKeyError::Scalar(ScalarError::Length { expected: size, found }));
        assert_eq!(SecretKey::<C>::from_bytes(&vec![1; found]).map(drop), error);
    }
    let last = SecretKey::<C>::from_scalar(-Scalar::one()).expect("n - 1 is a key");
    assert_eq!(SecretKey::from_bytes(&last.to_bytes()).as_ref(), Ok(&last));
    assert_eq!(*last.public_key().as_point(), -AffinePoint::generator());
    let mut order = last.to_bytes();
    order[size - 1] += 1;
    assert_eq!(SecretKey::<C>::from_bytes(&order).map(drop), range);
    // Zero and numbers of n or more are rejected and drawn again: the first three strings give no key.
    let (mut one, two) = (vec![0; size], vec![2; size]);
    one[size - 1] = 1;
    let first = vec![vec![0xff; size], vec![0; size], order.to_vec(), one.clone(), two.clone()];
    let mut bytes = Bytes { first, next: 0 };
    let drawn = SecretKey::<C>::generate(&mut bytes);
    assert_eq!(bytes.first, [two]);
    assert_eq!(drawn.to_bytes()[..], one);
}

fn public_keys_are_checked<C: BinaryCurve>() {
    let key = SecretKey::<C>::generate(&mut rng(7)).public_key();
    let (full, compressed) = (key.to_sec1(), key.to_sec1_compressed());
    let (full, compressed) = (full.as_ref(), compressed.as_ref());
    assert_eq!(PublicKey::from_sec1(full), Ok(key));
    assert_eq!(PublicKey::from_sec1(compressed), Ok(key));
    assert_eq!(PublicKey::<C>::from_sec1(&[0]), Err(PointError::Infinity));
    assert_eq!(PublicKey::<C>::from_sec1(&[]), Err(PointError::Empty));
    let mut bytes = full.to_vec();
    bytes[0] = 6;
    assert_eq!(PublicKey::<C>::from_sec1(&bytes), Err(PointError::Form(6)));
    bytes[0] = 4;
    *bytes.last_mut().expect("it has bytes") ^= 1;
    assert_eq!(PublicKey::<C>::from_sec1(&bytes), Err(PointError::NotOnCurve));
    bytes[1] = 0xff;
    assert_eq!(PublicKey::<C>::from_sec1(&bytes), Err(PointError::Coordinate));
    let length = |expected, found| Err(PointError::Length { expected, found });
    assert_eq!(PublicKey::<C>::from_sec1(&full[..full.len() - 1]), length(full.len(), full.len() - 1));
    assert_eq!(
        PublicKey::<C>::from_sec1(&[compressed, &[0]].concat()),
        length(compressed.len(), compressed.len() + 1)
    );
    // These points are on the curve, but not in the subgroup of order n: their orders are 2 and 2 n.
    let two = AffinePoint::<C>::decompress(ElementOf::<C>::default(), ctutils::Choice::FALSE)
        .expect("(0, sqrt(b))");
    for wrong in [two, two + *key.as_point()] {
        assert_eq!(PublicKey::try_from(wrong), Err(PointError::Order));
        assert_eq!(PublicKey::<C>::from_sec1(wrong.to_sec1().as_ref()), Err(PointError::Order));
    }
    small_subgroup(two);
}

/// Without validation, a multiple of the point of order two is that point or infinity, which is an error.
fn small_subgroup<C: BinaryCurve>(two: AffinePoint<C>) {
    let key = |d| SecretKey::<C>::from_scalar(Scalar::from_u64(d)).expect("a key");
    let curve = Curve::new();
    assert_eq!(key(2).diffie_hellman_unvalidated(&curve, &two), Err(PointError::Infinity));
    let secret = key(3).diffie_hellman_unvalidated(&curve, &two).expect("a secret");
    assert!(secret.as_bytes().iter().all(|byte| *byte == 0));
    let infinity = AffinePoint::infinity();
    assert_eq!(key(3).diffie_hellman_unvalidated(&curve, &infinity), Err(PointError::Infinity));
}

#[cfg(any(carryless_fields = "320", carryless_fields = "448", carryless_fields = "1223"))]
mod wycheproof {
    use super::*;
    use crate::vectors::{bytes, list, read, secret, text};
    use carryless_ec::KeyError;
    use serde_json::Value;

    struct OneTest<'a>(&'a Value);

    impl CurveVisitor for OneTest<'_> {
        /// Whether the public key is accepted. If the point is on the curve, the shared secret is compared in
        /// any case.
        type Output = bool;
        fn visit<C: BinaryCurve>(self) -> bool {
            let (public, shared) = (bytes(self.0, "public"), bytes(self.0, "shared"));
            let secret = secret::<C>(self.0, "private");
            match PublicKey::<C>::from_public_key_der(&public) {
                Ok(public) => {
                    let found = secret.diffie_hellman(&public).expect("a secret");
                    assert_eq!(found.as_bytes(), shared, "{}", self.0["tcId"]);
                    true
                }
                Err(KeyError::Point(PointError::Order)) => {
                    // The point is the end of the key, uncompressed. It is decoded without the check of its
                    // order, to compare the product that Wycheproof gives.
                    let size = 1 + 2 * ElementOf::<C>::BYTES;
                    let point =
                        AffinePoint::from_sec1(&public[public.len() - size..]).expect("it is on the curve");
                    let found = secret.diffie_hellman_unvalidated(&Curve::<C>::new(), &point);
                    match text(self.0, "result") {
                        "acceptable" => {
                            assert_eq!(found.expect("a secret").as_bytes(), shared, "{}", self.0["tcId"])
                        }
                        _ => assert_eq!(found, Err(PointError::Infinity), "{}", self.0["tcId"]),
                    }
                    false
                }
                Err(_) => false,
            }
        }
    }

    /// Accepts valid keys, also compressed ones. Refuses everything else, such as bad DER and points of low
    /// order.
    #[test]
    fn public_keys_are_accepted_as_wycheproof_says() {
        for id in CURVES {
            let file = read(&format!("wycheproof/ecdh_{id}_test.json"));
            let mut accepted = 0;
            for test in list(&file, "testGroups").iter().flat_map(|group| list(group, "tests")) {
                let is_accepted = visit(id.name(), OneTest(test)).expect("a curve of this run");
                let compressed = test["flags"][0] == "CompressedPoint";
                let expected = match text(test, "result") {
                    "valid" => true,
                    "acceptable" => compressed,
                    _ => false,
                };
                assert_eq!(is_accepted, expected, "{id} {}: {}", test["tcId"], test["comment"]);
                accepted += usize::from(is_accepted);
            }
            assert!(accepted >= 12, "{id}: {accepted}");
        }
    }
}
