//! ECDSA against vectors/ecdsa_rfc6979.json, round trips on every curve, and signatures that must be refused.
use crate::parts::{CURVES, visit};
use crate::rng::rng;
use crate::vectors::{bytes, list, number, read, secret, text};
use carryless_ec::curve::{BinaryCurve, Curve, Scalar};
use carryless_ec::ecdsa::{Signature, SignatureError, SigningKey, VerifyingKey};
use carryless_ec::{CurveVisitor, SecretKey};
use carryless_lanes::ClmulCpu;
use digest::Digest;
use digest::block_api::BlockSizeUser;
use serde_json::Value;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use signature::{SignatureEncoding as _, Signer as _};

struct OneVector<'a>(&'a Value);

impl OneVector<'_> {
    fn check<C: BinaryCurve, D: Digest + BlockSizeUser>(&self) {
        let message = bytes(self.0, "message");
        let secret = secret::<C>(self.0, "private");
        let expected = ["r", "s"].map(|name| number(self.0, name, Scalar::<C>::BYTES)).concat();
        for cpu in ClmulCpu::available() {
            let signer = SigningKey::<C, D>::on(Curve::on(cpu), secret.clone());
            let signature = signer.sign(&message);
            assert_eq!(signature.to_bytes(), expected, "{} {}", C::NAME, cpu.name());
            let verifier = signer.verifying_key();
            assert_eq!(verifier.verify(&message, &signature), Ok(()), "{} {}", C::NAME, cpu.name());
            let other = [&message[..], b"!"].concat();
            assert_eq!(verifier.verify(&other, &signature), Err(SignatureError::Mismatch), "{}", C::NAME);
        }
    }
}

impl CurveVisitor for OneVector<'_> {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        match text(self.0, "hash") {
            "sha256" => self.check::<C, Sha256>(),
            "sha512" => self.check::<C, Sha512>(),
            other => panic!("hash {other}"),
        }
    }
}

#[test]
fn signatures_are_those_of_the_vectors() {
    let file = read("ecdsa_rfc6979.json");
    let checked = list(&file, "vectors").iter().filter_map(|v| visit(text(v, "curve"), OneVector(v))).count();
    // The file has six vectors for each curve.
    assert_eq!(checked, 6 * CURVES.len());
}

/// Tests that need no vectors, for every curve of the run.
struct EveryCurve;

impl EveryCurve {
    fn round_trip<C: BinaryCurve, D: Digest + BlockSizeUser>(seed: u64) {
        let secret = SecretKey::<C>::generate(&mut rng(seed));
        let signer = SigningKey::<C, D>::new(secret);
        let verifier: VerifyingKey<C, D> = signer.verifying_key();
        let message = seed.to_le_bytes();
        let signature = signer.sign(&message);
        assert_eq!(Signature::from_der(&signature.to_der()), Ok(signature));
        assert_eq!(Signature::from_bytes(&signature.to_bytes()), Ok(signature));
        assert_eq!(signature.to_vec(), Signature::to_bytes(&signature));
        assert_eq!(signer.sign_prehash(&D::digest(message)), signature);
        assert_eq!(signer.try_sign(&message).expect("a signature"), signature);
        assert_eq!((&signer as &dyn signature::Signer<_>).sign(&message), signature);
        let prehash: Result<Signature<C>, _> =
            signature::hazmat::PrehashSigner::sign_prehash(&signer, &D::digest(message));
        assert_eq!(prehash.expect("a signature"), signature);
        (&verifier as &dyn signature::Verifier<_>).verify(&message, &signature).expect("it verifies");
        assert_eq!(verifier.verify_prehash(&D::digest(message), &signature), Ok(()));
        let swapped = Signature::from_scalars(*signature.s(), *signature.r()).expect("neither is 0");
        assert_eq!(verifier.verify(&message, &swapped), Err(SignatureError::Mismatch));
        // -k instead of k gives the same r, since k G and -k G have the same x. So ECDSA is malleable by
        // design.
        let negative = Signature::from_scalars(*signature.r(), -*signature.s()).expect("neither is 0");
        assert_eq!(verifier.verify(&message, &negative), Ok(()), "(r, -s) is a signature too");
        let other = SigningKey::<C, D>::new(SecretKey::generate(&mut rng(seed + 1))).verifying_key();
        assert_eq!(other.verify(&message, &signature), Err(SignatureError::Mismatch));
    }
}

impl CurveVisitor for EveryCurve {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        Self::round_trip::<C, Sha224>(1);
        Self::round_trip::<C, Sha256>(2);
        Self::round_trip::<C, Sha384>(3);
        Self::round_trip::<C, Sha512>(4);
        out_of_range::<C>();
    }
}

fn out_of_range<C: BinaryCurve>() {
    let size = Scalar::<C>::BYTES;
    let one = [&vec![0; size - 1][..], &[1]].concat();
    let zero = vec![0; size];
    let mut order = vec![0; size];
    (-Scalar::<C>::one()).write_be_bytes(&mut order);
    // n is odd, so the last byte of n - 1 is even and adding one has no carry.
    order[size - 1] += 1;
    let ones = vec![0xff; size];
    for bad in [&zero, &order, &ones] {
        assert_eq!(Signature::<C>::from_bytes(&[&bad[..], &one].concat()), Err(SignatureError::R));
        assert_eq!(Signature::<C>::from_bytes(&[&one[..], bad].concat()), Err(SignatureError::S));
        assert_eq!(Signature::<C>::from_der(&sequence(bad, &one)), Err(SignatureError::R));
        assert_eq!(Signature::<C>::from_der(&sequence(&one, bad)), Err(SignatureError::S));
    }
    for found in [0, size, 2 * size - 1, 2 * size + 1] {
        let error = Err(SignatureError::Length { expected: 2 * size, found });
        assert_eq!(Signature::<C>::from_bytes(&vec![1; found]), error);
    }
    assert!(Signature::<C>::from_bytes(&[&one[..], &one].concat()).is_ok());
    assert!(Signature::<C>::from_der(&sequence(&one, &one)).is_ok());
    let long = [&[1; 200][..], &one].concat();
    assert_eq!(Signature::<C>::from_der(&sequence(&long, &one)), Err(SignatureError::R));
}

/// The DER of a SEQUENCE of two unsigned INTEGERs, given as big-endian bytes. Leading zeros are removed.
fn sequence(r: &[u8], s: &[u8]) -> Vec<u8> {
    let length = |len: usize| match len {
        0..128 => vec![len as u8],
        128..256 => vec![0x81, len as u8],
        _ => [&[0x82][..], &(len as u16).to_be_bytes()].concat(),
    };
    let integer = |bytes: &[u8]| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count().min(bytes.len() - 1);
        let bytes = &bytes[zeros..];
        // INTEGER is signed: a zero byte keeps a set top bit from meaning a negative number.
        let sign = if bytes[0] >= 0x80 { &[0][..] } else { &[] };
        [&[2][..], &length(sign.len() + bytes.len()), sign, bytes].concat()
    };
    let (r, s) = (integer(r), integer(s));
    [&[0x30][..], &length(r.len() + s.len()), &r, &s].concat()
}

#[test]
fn signatures_verify_and_no_others() {
    for id in CURVES {
        visit(id.name(), EveryCurve).expect("a curve of this run");
    }
}

struct NotDer;

impl CurveVisitor for NotDer {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        let bad: [&[u8]; 9] = [
            b"",
            // Only r; a third integer; a byte after the sequence.
            b"\x30\x03\x02\x01\x01",
            b"\x30\x09\x02\x01\x01\x02\x01\x01\x02\x01\x01",
            b"\x30\x06\x02\x01\x01\x02\x01\x01\x00",
            // A long and an indefinite length; an integer with a superfluous zero; a negative one; SET
            // instead of SEQUENCE.
            b"\x30\x81\x06\x02\x01\x01\x02\x01\x01",
            b"\x30\x80\x02\x01\x01\x02\x01\x01\x00\x00",
            b"\x30\x07\x02\x02\x00\x01\x02\x01\x01",
            b"\x30\x06\x02\x01\x81\x02\x01\x01",
            b"\x31\x06\x02\x01\x01\x02\x01\x01",
        ];
        for bytes in bad {
            let error = Signature::<C>::from_der(bytes).expect_err("not DER");
            assert!(matches!(error, SignatureError::Der(_)), "{bytes:02x?}: {error}");
        }
        Signature::<C>::from_der(b"\x30\x06\x02\x01\x01\x02\x01\x01").expect("r = s = 1");
    }
}

#[test]
fn signatures_are_in_strict_der() {
    visit(CURVES[0].name(), NotDer).expect("a curve of this run");
}
