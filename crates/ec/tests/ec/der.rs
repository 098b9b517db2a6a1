//! Mutated encodings of keys and signatures. Each is refused, or decodes to another value whose encoding it
//! is; none causes a panic.
use crate::parts::{CURVES, visit};
use carryless_ec::curve::{BinaryCurve, Scalar};
use carryless_ec::ecdsa::{Signature, SigningKey};
use carryless_ec::{CurveVisitor, PointForm, PublicKey, SecretKey};
use sha2::Sha256;

struct Mutations;

impl CurveVisitor for Mutations {
    type Output = ();
    fn visit<C: BinaryCurve>(self) {
        let secret = SecretKey::<C>::from_scalar(Scalar::from_u64(0x1234_5678_9abc_def0)).expect("a key");
        let public = secret.public_key();
        check(secret.to_pkcs8_der().expect("DER").as_bytes(), |der| {
            SecretKey::<C>::from_pkcs8_der(der)
                .ok()
                .map(|key| key.to_pkcs8_der().expect("DER").to_bytes().to_vec())
        });
        check(secret.to_sec1_der().expect("DER").as_bytes(), |der| {
            SecretKey::<C>::from_sec1_der(der)
                .ok()
                .map(|key| key.to_sec1_der().expect("DER").to_bytes().to_vec())
        });
        for form in [PointForm::Uncompressed, PointForm::Compressed] {
            check(&public.to_public_key_der(form).expect("DER"), |der| {
                PublicKey::<C>::from_public_key_der(der)
                    .ok()
                    .map(|key| key.to_public_key_der(form).expect("DER"))
            });
        }
        let signature = SigningKey::<C, Sha256>::new(secret).sign(b"message");
        check(&signature.to_der(), |der| Signature::<C>::from_der(der).ok().map(|s| s.to_der()));
    }
}

/// Tests that decoding is strict. `reread` decodes a document and encodes it again; `None` means that it was
/// refused. The document itself survives, and each truncation and each extension by a byte is refused. A
/// document with one changed byte is refused or is encoded again as it was.
fn check(der: &[u8], reread: impl Fn(&[u8]) -> Option<Vec<u8>>) {
    assert_eq!(reread(der).as_deref(), Some(der));
    for length in 0..der.len() {
        assert_eq!(reread(&der[..length]), None, "{length} of {} bytes", der.len());
    }
    assert_eq!(reread(&[der, &[0]].concat()), None, "a byte more");
    for at in 0..der.len() {
        for change in [1, 2, 0x20, 0x80, 0xff] {
            let mut changed = der.to_vec();
            changed[at] ^= change;
            if let Some(again) = reread(&changed) {
                assert_eq!(again, changed, "byte {at} changed by {change:#x}");
            }
        }
    }
}

#[test]
fn mutations_are_refused() {
    for id in CURVES {
        visit(id.name(), Mutations).expect("a curve of this run");
    }
}
