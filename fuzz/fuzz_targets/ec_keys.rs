//! Keys and signatures of a binary curve in DER and PEM. DER that is accepted is encoded again as the same
//! bytes, unless its public part is compressed or left out.
#![no_main]
#![forbid(unsafe_code)]
use carryless_ec::curve::Sect163k1;
use carryless_ec::ecdsa::Signature;
use carryless_ec::{PointForm, PublicKey, SecretKey};
use libfuzzer_sys::fuzz_target;

type Secret = SecretKey<Sect163k1>;
type Public = PublicKey<Sect163k1>;

fuzz_target!(|data: &[u8]| {
    // The public key may be left out or compressed, and PKCS #8 may have attributes. So only the secret key
    // must come back.
    if let Ok(key) = Secret::from_pkcs8_der(data) {
        assert_eq!(Secret::from_pkcs8_der(key.to_pkcs8_der().expect("DER").as_bytes()), Ok(key));
    }
    if let Ok(key) = Secret::from_sec1_der(data) {
        assert_eq!(Secret::from_sec1_der(key.to_sec1_der().expect("DER").as_bytes()), Ok(key));
    }
    if let Ok(key) = Public::from_public_key_der(data) {
        let forms = [PointForm::Uncompressed, PointForm::Compressed];
        assert!(forms.iter().any(|form| key.to_public_key_der(*form).expect("DER") == data));
    }
    if let Ok(signature) = Signature::<Sect163k1>::from_der(data) {
        assert_eq!(signature.to_der(), data);
    }
    if let Ok(text) = str::from_utf8(data) {
        let _ = Public::from_public_key_pem(text);
        if let Ok(key) = Secret::from_pem(text) {
            assert_eq!(Secret::from_pem(&key.to_pkcs8_pem().expect("PEM")), Ok(key));
        }
    }
});
