//! The ends of every range: the last number, length or form that is accepted, and the first that is refused.
//! `ecdh.rs`, `ecdsa.rs` and `keys.rs` test further ones.
use crate::parts::{CURVES, visit};
use crate::rng::{Bytes, rng};
use carryless_ec::curve::{
    AffinePoint, BinaryCurve, ElementOf, FieldElement, PointError, Scalar, ScalarError,
};
use carryless_ec::ecdsa::{Signature, SignatureError, SigningKey, VerifyingKey};
use carryless_ec::{CurveVisitor, KeyError, PointForm, PublicKey, SecretKey, SecretKeyError};
use rand_core::{TryCryptoRng, TryRng};
use sha2::Sha256;

struct EveryCurve;

impl CurveVisitor for EveryCurve {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        numbers_in_der::<C>();
        forms_of_points::<C>();
        points_in_der::<C>();
        largest_signatures::<C>();
        sums_that_are_infinity::<C>();
        drawn_bits::<C>();
    }
}

#[test]
fn every_range_ends_where_it_should() {
    for id in CURVES {
        visit(id.name(), EveryCurve).expect("a curve of this run");
    }
}

/// n + `add`, big-endian, in as many bytes as n has. Panics if the sum does not fit there.
fn order_plus<C: BinaryCurve>(add: i16) -> Vec<u8> {
    let mut bytes = vec![0; Scalar::<C>::BYTES];
    // No scalar has the value n, so the sum starts from n - 1 and adds one more.
    (-Scalar::<C>::one()).write_be_bytes(&mut bytes);
    let mut carry = add + 1;
    for byte in bytes.iter_mut().rev() {
        carry += i16::from(*byte);
        *byte = carry.rem_euclid(256) as u8;
        carry = carry.div_euclid(256);
    }
    assert_eq!(carry, 0, "n + {add} of {} needs more bytes than n", C::NAME);
    bytes
}

/// The DER of an `ECPrivateKey` with these bytes as its private key, with the curve and without a public key.
/// The bytes are not checked.
fn ec_private_key<C: BinaryCurve>(number: &[u8]) -> Vec<u8> {
    let key = SecretKey::<C>::from_scalar(Scalar::one()).expect("a key").to_sec1_der().expect("DER");
    // The curve follows the private key, in a field [0] of nine bytes: a header of two and an OID of seven.
    let start = key.as_bytes().windows(2).position(|tag| tag == [0xa0, 7]).expect("the curve");
    let curve = &key.as_bytes()[start..start + 9];
    let length = 5 + number.len() + curve.len();
    assert!(length < 128);
    [&[0x30, length as u8, 2, 1, 1, 4, number.len() as u8][..], number, curve].concat()
}

fn numbers_in_der<C: BinaryCurve>() {
    let (expected, read) = (SecretKey::<C>::BYTES, |number: &[u8]| {
        SecretKey::<C>::from_sec1_der(&ec_private_key::<C>(number)).map(|key| key.to_bytes().to_vec())
    });
    let one = [&vec![0; expected - 1][..], &[1]].concat();
    for good in [one.clone(), order_plus::<C>(-2), order_plus::<C>(-1)] {
        assert_eq!(read(&good), Ok(good));
    }
    for bad in [order_plus::<C>(0), order_plus::<C>(1), vec![0xff; expected]] {
        assert_eq!(read(&bad), Err(KeyError::Secret(SecretKeyError::Scalar(ScalarError::Range))));
    }
    assert_eq!(read(&vec![0; expected]), Err(KeyError::Secret(SecretKeyError::Zero)));
    // Every other length is refused, also if leading zeros are added or removed, which leaves the number as it is.
    for bad in [one[1..].to_vec(), [&[0], &one[..]].concat(), vec![1], Vec::new()] {
        let error = ScalarError::Length { expected, found: bad.len() };
        assert_eq!(read(&bad), Err(KeyError::Secret(SecretKeyError::Scalar(error))));
    }
}

/// Tries every first byte with coordinates of each length that some form has, and with one byte more or less.
fn forms_of_points<C: BinaryCurve>() {
    let key = SecretKey::<C>::generate(&mut rng(31)).public_key();
    let (full, size) = (key.to_sec1(), ElementOf::<C>::BYTES);
    let coordinates = &full.as_ref()[1..];
    let own = key.to_sec1_compressed().as_ref()[0];
    for form in 0..=u8::MAX {
        for len in [0, 1, size - 1, size, size + 1, 2 * size - 1, 2 * size] {
            let bytes = [&[form], &coordinates[..len]].concat();
            let expected = match (form, len) {
                (0, 0) => Err(PointError::Infinity),
                (2 | 3, len) if len == size && form == own => Ok(*key.as_point()),
                (2 | 3, len) if len == size => Ok(-*key.as_point()),
                (4, len) if len == 2 * size => Ok(*key.as_point()),
                (0, _) => Err(PointError::Length { expected: 1, found: len + 1 }),
                (2 | 3, _) => Err(PointError::Length { expected: size + 1, found: len + 1 }),
                (4, _) => Err(PointError::Length { expected: 2 * size + 1, found: len + 1 }),
                // This includes the hybrid forms 6 and 7 of X9.62.
                _ => Err(PointError::Form(form)),
            };
            let found = PublicKey::<C>::from_sec1(&bytes).map(|key| *key.as_point());
            assert_eq!(found, expected, "form {form} with {len} bytes of {}", C::NAME);
        }
    }
}

/// DER keys whose point is wrong: infinity, the point of order two, its sum with a key, and a point off the
/// curve.
fn points_in_der<C: BinaryCurve>() {
    let secret = SecretKey::<C>::generate(&mut rng(32));
    let (key, two) = (secret.public_key(), of_order_two::<C>());
    let spki = key.to_public_key_der(PointForm::Uncompressed).expect("DER");
    let point = key.to_sec1();
    let at = spki.len() - point.as_ref().len();
    let with = |point: &[u8]| PublicKey::<C>::from_public_key_der(&[&spki[..at], point].concat());
    assert_eq!(with(point.as_ref()), Ok(key));
    for wrong in [two, two + *key.as_point()] {
        assert_eq!(with(wrong.to_sec1().as_ref()), Err(KeyError::Point(PointError::Order)));
    }
    let zeros = [&[4][..], &vec![0; 2 * ElementOf::<C>::BYTES]].concat();
    assert_eq!(with(&zeros), Err(KeyError::Point(PointError::NotOnCurve)));
    // The point in an ECPrivateKey must be that of the secret key, so the mismatch is reported and not the
    // order.
    let sec1 = secret.to_sec1_der().expect("DER");
    let at = sec1.as_bytes().len() - point.as_ref().len();
    for wrong in [two, two + *key.as_point(), -*key.as_point()] {
        let der = [&sec1.as_bytes()[..at], wrong.to_sec1().as_ref()].concat();
        assert_eq!(SecretKey::<C>::from_sec1_der(&der).map(drop), Err(KeyError::PublicKeyMismatch));
    }
}

// x = 0 gives the only point of order two: -(x, y) is (x, x + y), which equals (x, y) for x = 0 alone.
fn of_order_two<C: BinaryCurve>() -> AffinePoint<C> {
    AffinePoint::decompress(ElementOf::<C>::default(), ctutils::Choice::FALSE).expect("(0, sqrt(b))")
}

/// r and s may be n - 1 but not n, in each encoding: scalars, fixed-size bytes and DER.
fn largest_signatures<C: BinaryCurve>() {
    let (one, last) = (Scalar::<C>::one(), -Scalar::<C>::one());
    for (r, s) in [(one, last), (last, one), (last, last)] {
        let signature = Signature::from_scalars(r, s).expect("a signature");
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
        assert_eq!(Signature::from_der(&signature.to_der()), Ok(signature));
    }
    let (zero, order, last) = (Scalar::<C>::zero(), order_plus::<C>(0), order_plus::<C>(-1));
    assert_eq!(Signature::from_scalars(zero, one), Err(SignatureError::R));
    assert_eq!(Signature::from_scalars(one, zero), Err(SignatureError::S));
    assert_eq!(Signature::<C>::from_bytes(&[&order[..], &last].concat()), Err(SignatureError::R));
    assert_eq!(Signature::<C>::from_bytes(&[&last[..], &order].concat()), Err(SignatureError::S));
}

/// Refuses a signature for which (e / s) G + (r / s) P is infinity, here with e = -r d. Accepts signatures of
/// hashes with e = 0.
fn sums_that_are_infinity<C: BinaryCurve>() {
    let secret = SecretKey::<C>::generate(&mut rng(33));
    let verifier = VerifyingKey::<C, Sha256>::new(secret.public_key());
    let (r, s) = (Scalar::from_u64(0x1234_5678), Scalar::from_u64(5));
    let signature = Signature::from_scalars(r, s).expect("a signature");
    let mut number = vec![0; Scalar::<C>::BYTES];
    (-(r * *secret.as_scalar())).write_be_bytes(&mut number);
    // The verifier keeps the first bits of a hash, as many as n has. So e is shifted up to begin at the first
    // bit.
    let shift = 8 * number.len() as u32 - C::ORDER_BITS;
    let bits =
        |i: usize| (u16::from_be_bytes([number[i], *number.get(i + 1).unwrap_or(&0)]) << shift >> 8) as u8;
    let hash: Vec<u8> = (0..number.len()).map(bits).collect();
    assert_eq!(verifier.verify_prehash(&hash, &signature), Err(SignatureError::Mismatch));

    let signer = SigningKey::<C, Sha256>::new(secret);
    for hash in [&[][..], &[0; 64]] {
        let signature = signer.sign_prehash(hash);
        assert_eq!(verifier.verify_prehash(hash, &signature), Ok(()));
        assert_eq!(verifier.verify_prehash(&[1; 64], &signature), Err(SignatureError::Mismatch));
    }
}

/// Key generation draws as many bits as n has and ignores the bits above them in the first byte. So n - 1
/// with all of those set is accepted at once, as the largest key.
fn drawn_bits<C: BinaryCurve>() {
    let last = order_plus::<C>(-1);
    let above = 8 * last.len() as u32 - C::ORDER_BITS;
    let (mut drawn, next) = (last.clone(), vec![1; last.len()]);
    drawn[0] |= !(u8::MAX >> above);
    let mut bytes = Bytes { first: vec![drawn, next.clone()], next: 0 };
    let key = SecretKey::<C>::generate(&mut bytes);
    assert_eq!(key.to_bytes()[..], last);
    // The second string is still there: nothing was drawn again.
    assert_eq!(bytes.first, [next]);
}

/// A generator that fails at every call.
struct Broken;

#[derive(Debug, PartialEq)]
struct NoBytes;

impl core::fmt::Display for NoBytes {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("no bytes")
    }
}

impl core::error::Error for NoBytes {}

impl TryRng for Broken {
    type Error = NoBytes;
    fn try_next_u32(&mut self) -> Result<u32, NoBytes> {
        Err(NoBytes)
    }
    fn try_next_u64(&mut self) -> Result<u64, NoBytes> {
        Err(NoBytes)
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), NoBytes> {
        Err(NoBytes)
    }
}

impl TryCryptoRng for Broken {}

struct WithoutBytes;

impl CurveVisitor for WithoutBytes {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        assert_eq!(SecretKey::<C>::try_generate(&mut Broken).map(drop), Err(NoBytes));
    }
}

#[test]
fn a_generator_that_fails_makes_no_key() {
    visit(CURVES[0].name(), WithoutBytes).expect("a curve of this run");
}
