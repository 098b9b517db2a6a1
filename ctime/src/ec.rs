//! The cases of `carryless-ec`: secret keys, key agreement, signatures, and secret keys in DER and PEM.
//!
//! Some branches depend on secrets, but their outcome is public, such as whether a number is a key.
//! `ctime/public.supp` suppresses them, each with its reason.
use crate::cases::Case;
use crate::secret::{array, publish};
use crate::valgrind::{declassify, poison};
use carryless_ec::curve::{AffinePoint, BinaryCurve, Curve, Curve2251, Scalar, Sect233r1};
use carryless_ec::dstu4145;
use carryless_ec::ecdsa::SigningKey;
use carryless_ec::{PublicKey, SecretKey};
use carryless_gf2::ClmulCpu;
use ctutils::CtEq;
use pkcs8::{EncodePrivateKey, PrivateKeyInfoRef};
use rand_core::{Infallible, TryCryptoRng, TryRng};
use sha2::Sha256;
use signature::Signer;
use signature::hazmat::PrehashSigner;
use std::hint::black_box;
use std::ops::Range;

/// The `run` of a case for elements of [`SIZE`] words. It does nothing for other lengths.
macro_rules! of_size {
    ($run:ident) => {
        |cpu, n| {
            if n == SIZE {
                $run(cpu);
            }
        }
    };
}

/// A case for every function that takes a secret. The length is that of an element in words,
/// so only [`SIZE`] does anything.
pub const CASES: &[Case<ClmulCpu>] = &[
    Case {
        functions: &[
            "secret::SecretKey::generate",
            "secret::SecretKey::try_generate",
            "secret::SecretKey::from_bytes",
            "secret::SecretKey::from_scalar",
            "secret::SecretKey::to_bytes",
            "secret::SecretKey::as_scalar",
            "secret::SecretKey::public_key",
            "secret::SecretKey::public_key_on",
            "secret::SecretKey as CtEq",
            "secret::SecretKey as PartialEq",
        ],
        run: of_size!(keys),
    },
    Case {
        functions: &[
            "ecdh::SecretKey::diffie_hellman",
            "ecdh::SecretKey::diffie_hellman_unvalidated",
            "ecdh::SharedSecret::as_bytes",
            "ecdh::SharedSecret as CtEq",
            "ecdh::SharedSecret as PartialEq",
        ],
        run: of_size!(agreement),
    },
    Case {
        functions: &[
            "sign::SigningKey::new",
            "sign::SigningKey::on",
            "sign::SigningKey::sign",
            "sign::SigningKey::sign_prehash",
            "sign::SigningKey::verifying_key",
            "sign::SigningKey as Signer",
            "sign::SigningKey as PrehashSigner",
        ],
        run: of_size!(signatures),
    },
    Case {
        functions: &[
            "keys::SigningKey::new",
            "keys::SigningKey::on",
            "keys::SigningKey::sign_prehash",
            "keys::SigningKey::verifying_key",
            "keys::SigningKey as PrehashSigner",
        ],
        run: of_size!(signatures_of_dstu),
    },
    Case {
        functions: &[
            "private::SecretKey::to_pkcs8_der",
            "private::SecretKey::to_sec1_der",
            "private::SecretKey::to_pkcs8_pem",
            "private::SecretKey::to_sec1_pem",
            "private::SecretKey as EncodePrivateKey",
        ],
        run: of_size!(export),
    },
    Case {
        functions: &[
            "private::SecretKey::from_pkcs8_der",
            "private::SecretKey::from_sec1_der",
            "private::SecretKey as TryFrom",
        ],
        run: of_size!(import),
    },
    Case { functions: &["private::SecretKey::from_pem"], run: of_size!(import_pem) },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("secret::SecretKeyError as From", "takes an error"),
    ("keys::KeyError as From", "takes an error"),
    ("public::PublicKey::from_point", "public keys are public"),
    ("public::PublicKey::from_sec1", "public keys are public"),
    ("public::PublicKey::to_sec1", "public keys are public"),
    ("public::PublicKey::to_sec1_compressed", "public keys are public"),
    ("public::PublicKey::as_point", "public keys are public"),
    ("public::PublicKey as TryFrom", "public keys are public"),
    ("public::PublicKey::from_public_key_der", "public keys are public"),
    ("public::PublicKey::from_public_key_pem", "public keys are public"),
    ("public::PublicKey::to_public_key_der", "public keys are public"),
    ("public::PublicKey::to_public_key_pem", "public keys are public"),
    ("public::PublicKey as EncodePublicKey", "public keys are public"),
    ("sign::VerifyingKey::new", "public keys are public"),
    ("sign::VerifyingKey::on", "public keys are public"),
    ("sign::VerifyingKey::public_key", "public keys are public"),
    ("sign::VerifyingKey::verify", "what is verified is public"),
    ("sign::VerifyingKey::verify_prehash", "what is verified is public"),
    ("sign::VerifyingKey as Verifier", "what is verified is public"),
    ("sign::VerifyingKey as PrehashVerifier", "what is verified is public"),
    ("keys::VerifyingKey::new", "public keys are public"),
    ("keys::VerifyingKey::on", "public keys are public"),
    ("keys::VerifyingKey::public_key", "public keys are public"),
    ("keys::VerifyingKey::verify_prehash", "what is verified is public"),
    ("keys::VerifyingKey as PrehashVerifier", "what is verified is public"),
    ("dstu4145::Signature::from_dstu_bytes", "signatures are public"),
    ("dstu4145::Signature::to_dstu_bytes", "signatures are public"),
    ("signature::Signature::from_scalars", "signatures are public"),
    ("signature::Signature::r", "signatures are public"),
    ("signature::Signature::s", "signatures are public"),
    ("signature::Signature::from_bytes", "signatures are public"),
    ("signature::Signature::to_bytes", "signatures are public"),
    ("signature::Signature::from_der", "signatures are public"),
    ("signature::Signature::to_der", "signatures are public"),
    ("signature::Signature as TryFrom", "signatures are public"),
    ("signature::Signature as SignatureEncoding", "signatures are public"),
    ("curve_id::dispatch", "names a curve"),
    ("curve_id::dispatch_built", "names a curve"),
    ("curve_id::is_built", "names a curve"),
    ("curve_id::name", "names a curve"),
    ("curve_id::aliases", "names a curve"),
    ("curve_id::CurveId::from_name", "takes a name"),
    ("curve_id::CurveId::from_oid", "takes an object identifier"),
    ("curve_id::CurveId::oid", "names a curve"),
];

/// Words of an element of the fields of [`C`] and [`Signing`].
pub const SIZE: usize = 4;

/// A curve with an object identifier, which keys in files need.
type C = Sect233r1;
/// Bytes of a secret key on [`C`].
const BYTES: usize = SecretKey::<C>::BYTES;

/// A curve whose order n is just below a power of two, so that no nonce is ever drawn twice and all
/// signatures take the same time. On other curves up to half of the candidates are rejected. Their number is
/// random and public, but a statistical test would see it.
type Signing = Curve2251;

/// A secret number below n in big-endian bytes. It is 0 only with negligible probability.
fn number() -> [u8; BYTES] {
    let mut bytes = array::<BYTES>();
    // The first byte of n is 1, so this is below n.
    bytes[0] = 0;
    bytes
}

fn secret_key<D: BinaryCurve>() -> SecretKey<D> {
    SecretKey::from_scalar(Scalar::reduce_be_bytes(&array::<29>())).expect("it is not 0")
}

/// The public key of the other side, 2 G.
fn other() -> PublicKey<C> {
    PublicKey::from_point(AffinePoint::generator().double()).expect("it has order n")
}

/// A generator of secret numbers. Those in bytes are below n, so that no candidate is rejected.
struct Secrets;

impl TryRng for Secrets {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(array()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(array()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&number());
        Ok(())
    }
}

impl TryCryptoRng for Secrets {}

fn keys(cpu: ClmulCpu) {
    let key = SecretKey::<C>::from_bytes(&number()).expect("a number below n");
    let [one, two] = [SecretKey::<C>::generate(&mut Secrets), secret_key()];
    let three = SecretKey::<C>::try_generate(&mut Secrets).unwrap_or_else(|never| match never {});
    publish(key.to_bytes().to_vec());
    publish(*key.as_scalar());
    publish([key.public_key(), one.public_key_on(&Curve::on(cpu))]);
    publish([key.ct_eq(&one), two.ct_eq(&three)]);
    publish([key == one, two == three]);
}

fn agreement(cpu: ClmulCpu) {
    let (key, other) = (secret_key::<C>(), other());
    let [a, b] = [
        key.diffie_hellman(&other).expect("not infinity"),
        key.diffie_hellman_unvalidated(&Curve::on(cpu), other.as_point()).expect("not infinity"),
    ];
    publish(a.ct_eq(&b));
    publish(a == b);
    publish(<[u8; BYTES]>::try_from(a.as_bytes()));
}

/// Signs public messages. The signatures are public too.
fn signatures(cpu: ClmulCpu) {
    let key = secret_key::<Signing>();
    let signer = SigningKey::<Signing, Sha256>::on(Curve::on(cpu), key.clone());
    let best = SigningKey::<Signing, Sha256>::new(key);
    publish([signer.sign(b"message"), signer.sign_prehash(&[0x5a; 32])]);
    publish(Signer::try_sign(&best, b"message"));
    publish(PrehashSigner::sign_prehash(&best, &[0x5a; 32]));
    publish(*signer.verifying_key().public_key());
}

/// Signs public hashes by DSTU 4145.
fn signatures_of_dstu(cpu: ClmulCpu) {
    let key = secret_key::<Signing>();
    let signer = dstu4145::SigningKey::<Signing, Sha256>::on(Curve::on(cpu), key.clone());
    let best = dstu4145::SigningKey::<Signing, Sha256>::new(key);
    publish(signer.sign_prehash(&[0x5a; 32]));
    publish(PrehashSigner::sign_prehash(&best, &[0x5a; 32]));
    publish(*signer.verifying_key().public_key());
}

fn export(_: ClmulCpu) {
    let key = secret_key::<C>();
    let documents = [key.to_pkcs8_der(), key.to_sec1_der()].map(|der| der.expect("DER"));
    let of_trait = EncodePrivateKey::to_pkcs8_der(&key).expect("DER");
    documents.iter().chain([&of_trait]).for_each(|der| publish_bytes(der.as_bytes()));
    for text in [key.to_pkcs8_pem(), key.to_sec1_pem()] {
        publish_bytes(text.expect("PEM").as_bytes());
    }
}

fn publish_bytes(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    declassify(&mut bytes[..]);
    black_box(bytes);
}

fn import(_: ClmulCpu) {
    let key = SecretKey::<C>::from_bytes(&number()).expect("a number below n");
    let [mut pkcs8, mut sec1] =
        [key.to_pkcs8_der(), key.to_sec1_der()].map(|der| der.expect("DER").as_bytes().to_vec());
    // In a document only the number is secret: what DER puts around it is public.
    for der in [&mut pkcs8, &mut sec1] {
        declassify(&mut der[..]);
        let place = place_of_number(der);
        poison(&mut der[place]);
    }
    publish(*SecretKey::<C>::from_pkcs8_der(&pkcs8).expect("a key").as_scalar());
    publish(*SecretKey::<C>::from_sec1_der(&sec1).expect("a key").as_scalar());
    let info = PrivateKeyInfoRef::try_from(&pkcs8[..]).expect("DER");
    publish(*SecretKey::<C>::try_from(info).expect("a key").as_scalar());
}

/// Place of the secret number in a DER document: after its tag and length. All other bytes are public.
fn place_of_number(der: &[u8]) -> Range<usize> {
    let before = [2, 1, 1, 4, BYTES as u8];
    let at = der.windows(before.len()).position(|bytes| bytes == before).expect("a number") + before.len();
    at..at + BYTES
}

fn import_pem(_: ClmulCpu) {
    let key = SecretKey::<C>::from_bytes(&number()).expect("a number below n");
    let documents = [(key.to_pkcs8_der(), key.to_pkcs8_pem()), (key.to_sec1_der(), key.to_sec1_pem())];
    for (der, pem) in documents {
        let (mut der, mut pem) = (der.expect("DER").as_bytes().to_vec(), pem.expect("PEM"));
        declassify(&mut der[..]);
        declassify(pem.as_mut_str());
        let (number, body) = (place_of_number(&der), pem.find('\n').expect("lines") + 1);
        // Only characters all of whose bits belong to the number: four characters hold three bytes, a line
        // has 64.
        for i in 4 * number.start.div_ceil(3)..4 * (number.end / 3) {
            let at = body + i + i / 64;
            poison(&mut pem[at..=at]);
        }
        publish(*SecretKey::<C>::from_pem(&pem).expect("a key").as_scalar());
    }
}
