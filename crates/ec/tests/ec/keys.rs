//! Keys that OpenSSL made (vectors/ec_openssl.json), and the error for each kind of wrong key.
use crate::parts::{CURVES, visit};
use crate::vectors::{bytes, list, read, text};
use carryless_ec::curve::{Bbe251, BinaryCurve, PointError, Scalar, ScalarError};
use carryless_ec::ecdsa::{Signature, VerifyingKey};
use carryless_ec::{CurveVisitor, KeyError, PointForm, PublicKey, SecretKey, SecretKeyError};
use der::Encode as _;
use der::asn1::BitStringRef;
use pkcs8::{LineEnding, PrivateKeyInfoRef};
use serde_json::Value;
use sha2::Sha256;

struct OneCurve<'a>(&'a Value);

impl CurveVisitor for OneCurve<'_> {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        let keys: Vec<_> = list(self.0, "keys").iter().map(one_key::<C>).collect();
        let secret = keys[0].diffie_hellman(&keys[1].public_key()).expect("a secret");
        assert_eq!(secret.as_bytes(), bytes(self.0, "ecdh_shared_secret"), "{}", C::NAME);
        let der = bytes(self.0, "signature_sha256_der_by_first_key");
        let signature = Signature::<C>::from_der(&der).expect("a signature");
        assert_eq!(signature.to_der(), der);
        let verifier = VerifyingKey::<C, Sha256>::new(keys[0].public_key());
        assert_eq!(verifier.verify(&bytes(self.0, "signed_message"), &signature), Ok(()), "{}", C::NAME);
    }
}

/// Reads a key in each of its encodings and tests that each is written as the same bytes.
fn one_key<C: BinaryCurve>(key: &Value) -> SecretKey<C> {
    let [pkcs8, sec1, spki, compressed] =
        ["pkcs8", "sec1", "spki", "spki_compressed"].map(|name| bytes(key, name));
    let secret = SecretKey::<C>::from_pkcs8_der(&pkcs8).expect("PKCS #8");
    assert_eq!(SecretKey::from_sec1_der(&sec1).as_ref(), Ok(&secret));
    let public = secret.public_key();
    assert_eq!(PublicKey::from_public_key_der(&spki), Ok(public));
    assert_eq!(PublicKey::from_public_key_der(&compressed), Ok(public));
    assert_eq!(secret.to_pkcs8_der().expect("DER").as_bytes(), pkcs8);
    assert_eq!(secret.to_sec1_der().expect("DER").as_bytes(), sec1);
    assert_eq!(public.to_public_key_der(PointForm::Uncompressed).expect("DER"), spki);
    assert_eq!(public.to_public_key_der(PointForm::Compressed).expect("DER"), compressed);
    pem(&secret);
    traits(&secret);
    secret
}

fn pem<C: BinaryCurve>(secret: &SecretKey<C>) {
    let (pkcs8, sec1) = (secret.to_pkcs8_pem().expect("PEM"), secret.to_sec1_pem().expect("PEM"));
    assert!(
        pkcs8.starts_with("-----BEGIN PRIVATE KEY-----\n") && pkcs8.ends_with("-----END PRIVATE KEY-----\n")
    );
    assert!(sec1.starts_with("-----BEGIN EC PRIVATE KEY-----\n"));
    let parameters = "-----BEGIN EC PARAMETERS-----\nBgUrgQQAAQ==\n-----END EC PARAMETERS-----\n";
    let with_parameters = format!("{parameters}{}", *sec1);
    let with_preamble = format!("Bag Attributes\n{with_parameters}");
    for text in [&*pkcs8, &*sec1, &with_parameters, &with_preamble, &pkcs8.replace('\n', "\r\n")] {
        assert_eq!(SecretKey::from_pem(text).as_ref(), Ok(secret));
    }
    for form in [PointForm::Uncompressed, PointForm::Compressed] {
        let public = secret.public_key().to_public_key_pem(form).expect("PEM");
        assert!(public.starts_with("-----BEGIN PUBLIC KEY-----\n"));
        assert_eq!(PublicKey::from_public_key_pem(&public), Ok(secret.public_key()));
        let label = Err(KeyError::Label { expected: "private key" });
        assert_eq!(SecretKey::<C>::from_pem(&public).map(drop), label);
    }
    let label = Err(KeyError::Label { expected: "public key" });
    assert_eq!(PublicKey::<C>::from_public_key_pem(&pkcs8), label);
    // The label alone decides: an encrypted key is reported as such, without a look at its DER.
    let encrypted = pkcs8.replace("PRIVATE", "ENCRYPTED PRIVATE");
    assert_eq!(SecretKey::<C>::from_pem(&encrypted).map(drop), Err(KeyError::Encrypted));
    // Two keys; a key and parameters; a key, parameters and a second key.
    let [two, parameters_last] = [&*pkcs8, parameters].map(|last| format!("{}{last}", *sec1));
    let two_keys = format!("{parameters_last}{}", *pkcs8);
    let cut = &pkcs8[..100];
    for text in
        ["", "key", cut, &pkcs8.replace("END", "BEGIN"), parameters, &two, &parameters_last, &two_keys]
    {
        let error = SecretKey::<C>::from_pem(text).expect_err("no PEM");
        assert!(matches!(error, KeyError::Pem(_)), "{text:?}: {error}");
    }
}

/// Encodes and decodes through the traits of `pkcs8` and `spki`, as generic code does.
fn traits<C: BinaryCurve>(secret: &SecretKey<C>) {
    fn reread<T: pkcs8::EncodePrivateKey + pkcs8::DecodePrivateKey>(key: &T) -> T {
        T::from_pkcs8_pem(&key.to_pkcs8_pem(LineEnding::LF).expect("PEM")).expect("a key")
    }
    fn reread_public<T: spki::EncodePublicKey + spki::DecodePublicKey>(key: &T) -> T {
        T::from_public_key_der(key.to_public_key_der().expect("DER").as_bytes()).expect("a key")
    }
    assert_eq!(&reread(secret), secret);
    assert_eq!(reread_public(&secret.public_key()), secret.public_key());
    assert!(<SecretKey<C> as pkcs8::DecodePrivateKey>::from_pkcs8_der(&[]).is_err());
}

#[test]
fn keys_secrets_and_signatures_of_openssl() {
    let file = read("ec_openssl.json");
    let checked = list(&file, "vectors").iter().filter_map(|v| visit(text(v, "curve"), OneCurve(v))).count();
    assert_eq!(checked, CURVES.len());
}

/// `bytes` with the first occurrence of `from` replaced by `to`, which must be of the same length so that all
/// DER lengths stay right. Panics if `from` does not occur.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|window| window == from).expect("they are there");
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

struct Wrong;

impl CurveVisitor for Wrong {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        let secret = SecretKey::<C>::from_scalar(Scalar::from_u64(0x1234_5678)).expect("a key");
        wrong_numbers(&secret);
        wrong_curves(&secret);
        public_keys_outside(&secret);
    }
}

fn wrong_numbers<C: BinaryCurve>(secret: &SecretKey<C>) {
    let size = SecretKey::<C>::BYTES;
    let (pkcs8, sec1) = (secret.to_pkcs8_der().expect("DER"), secret.to_sec1_der().expect("DER"));
    let refused = |number: &[u8]| {
        let [pkcs8, sec1] = [&pkcs8, &sec1].map(|der| replaced(der.as_bytes(), &secret.to_bytes(), number));
        let error = SecretKey::<C>::from_pkcs8_der(&pkcs8).expect_err("a wrong number");
        assert_eq!(SecretKey::<C>::from_sec1_der(&sec1).map(drop), Err(error));
        error
    };
    assert_eq!(refused(&vec![0; size]), KeyError::Secret(SecretKeyError::Zero));
    assert_eq!(refused(&vec![0xff; size]), KeyError::Secret(SecretKeyError::Scalar(ScalarError::Range)));
    assert_eq!(refused(&[&vec![0; size - 1][..], &[1]].concat()), KeyError::PublicKeyMismatch);
    let point = secret.public_key().to_sec1();
    let mut off = point.as_ref().to_vec();
    *off.last_mut().expect("it has bytes") ^= 1;
    let off = replaced(sec1.as_bytes(), point.as_ref(), &off);
    assert_eq!(SecretKey::<C>::from_sec1_der(&off).map(drop), Err(KeyError::Point(PointError::NotOnCurve)));
}

fn wrong_curves<C: BinaryCurve>(secret: &SecretKey<C>) {
    let (pkcs8, sec1) = (secret.to_pkcs8_der().expect("DER"), secret.to_sec1_der().expect("DER"));
    let spki = secret.public_key().to_public_key_der(PointForm::Compressed).expect("DER");
    // The DER of the OID 1.3.132.0.x of a SECG curve without its last byte, and the bytes of id-ecPublicKey,
    // 1.2.840.10045.2.1.
    let (secg, ec) = (b"\x06\x05\x2b\x81\x04\x00", b"\x2a\x86\x48\xce\x3d\x02\x01");
    let last = |der: &[u8]| der.windows(6).position(|window| window == secg).expect("the curve") + 6;
    let other = |der: &[u8], number: u8| {
        let at = last(der);
        [&der[..at], &[number], &der[at + 1..]].concat()
    };
    let (another, name) = if C::NAME == "sect283k1" { (36, "sect409k1") } else { (16, "sect283k1") };
    // A curve that this crate knows, whose name is in the message, and P-384, which it does not know.
    for (number, known) in [(another, true), (34, false)] {
        let errors = [
            SecretKey::<C>::from_pkcs8_der(&other(pkcs8.as_bytes(), number)).expect_err("another curve"),
            SecretKey::<C>::from_sec1_der(&other(sec1.as_bytes(), number)).expect_err("another curve"),
            PublicKey::<C>::from_public_key_der(&other(&spki, number)).expect_err("another curve"),
        ];
        for error in errors {
            let KeyError::Curve { expected, found } = error else { panic!("{error}") };
            assert_eq!((expected, found.to_string()), (C::NAME, format!("1.3.132.0.{number}")));
            assert_eq!(error.to_string().contains(name), known, "{error}");
        }
    }
    let rsa = replaced(&spki, ec, b"\x2a\x86\x48\x86\xf7\x0d\x01");
    let error = PublicKey::<C>::from_public_key_der(&rsa).expect_err("not of a curve");
    assert!(matches!(error, KeyError::Algorithm(_)), "{error}");
    without_a_name(secret, &spki, sec1.as_bytes(), secg);
}

/// PKCS #8 has a field of its own for the public key, which OpenSSL leaves out. The key in it must match,
/// too.
fn public_keys_outside<C: BinaryCurve>(secret: &SecretKey<C>) {
    let pkcs8 = secret.to_pkcs8_der().expect("DER");
    let with = |public: &[u8], unused_bits| {
        let mut info = PrivateKeyInfoRef::try_from(pkcs8.as_bytes()).expect("DER");
        info.public_key = Some(BitStringRef::new(unused_bits, public).expect("bits"));
        SecretKey::<C>::from_pkcs8_der(&info.to_der().expect("DER"))
    };
    let [own, other] = [secret.public_key().to_sec1(), (-*secret.public_key().as_point()).to_sec1()];
    assert_eq!(with(own.as_ref(), 0).as_ref(), Ok(secret));
    assert_eq!(with(other.as_ref(), 0).map(drop), Err(KeyError::PublicKeyMismatch));
    assert_eq!(with(own.as_ref(), 1).map(drop), Err(KeyError::Bits));
    let spki = secret.public_key().to_public_key_der(PointForm::Uncompressed).expect("DER");
    // A BIT STRING begins with the number of unused bits in its last byte. Keys are whole bytes, so it must
    // be zero.
    let mut bits = spki.clone();
    let at = spki.len() - own.as_ref().len() - 1;
    assert_eq!(bits[at], 0);
    bits[at] = 1;
    assert_eq!(PublicKey::<C>::from_public_key_der(&bits), Err(KeyError::Bits));
}

/// Parameters other than the name of a curve: explicit ones (a SEQUENCE), none, and NULL.
fn without_a_name<C: BinaryCurve>(secret: &SecretKey<C>, spki: &[u8], sec1: &[u8], secg: &[u8]) {
    let explicit = replaced(spki, secg, b"\x30\x05\x2b\x81\x04\x00");
    assert_eq!(PublicKey::<C>::from_public_key_der(&explicit), Err(KeyError::ExplicitParameters));
    let explicit = replaced(sec1, secg, b"\x30\x05\x2b\x81\x04\x00");
    assert_eq!(SecretKey::<C>::from_sec1_der(&explicit).map(drop), Err(KeyError::ExplicitParameters));
    let null = replaced(spki, secg, b"\x05\x05\x2b\x81\x04\x00");
    assert_eq!(PublicKey::<C>::from_public_key_der(&null), Err(KeyError::NoCurve));
    // Removes the seven bytes of the OID and shortens both sequences around it by as many.
    let at = spki.windows(secg.len()).position(|window| window == secg).expect("the curve");
    let mut absent = [&spki[..at], &spki[at + 7..]].concat();
    [absent[1], absent[3]] = [absent[1] - 7, absent[3] - 7];
    assert_eq!(PublicKey::<C>::from_public_key_der(&absent), Err(KeyError::NoCurve));
    let number = secret.to_bytes();
    let bare = [&[0x30, number.len() as u8 + 5, 2, 1, 1, 4, number.len() as u8][..], &number].concat();
    assert_eq!(SecretKey::<C>::from_sec1_der(&bare).map(drop), Err(KeyError::NoCurve));
}

#[test]
fn wrong_keys_are_refused_with_the_reason() {
    for id in CURVES {
        visit(id.name(), Wrong).expect("a curve of this run");
    }
}

/// BBE251 has no OID, so no file can hold its keys. This instantiates its name only, not its arithmetic,
/// which would take long to compile.
#[test]
fn a_curve_without_identifier_has_no_keys_in_files() {
    let error = PublicKey::<Bbe251>::from_public_key_der(b"\x30\x18\x30\x10\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x05\x2b\x81\x04\x00\x01\x03\x04\x00\x02\x00\x00");
    assert_eq!(error, Err(KeyError::NoIdentifier("bbe251")));
}
