//! Names, sizes, errors and formats as in `pqcrypto-hqc` 0.2.2.
use carryless_pqcrypto_hqc as pqcrypto_hqc;
use pqcrypto_traits::{Error, kem};

/// Checks a set's module against the sizes that the original documents.
macro_rules! interface {
    ($($module:ident: $sizes:expr;)*) => {$(
        #[test]
        fn $module() {
            use kem::{Ciphertext as _, PublicKey as _, SecretKey as _, SharedSecret as _};
            use pqcrypto_hqc::$module::*;

            let [public, secret, ciphertext, shared] = $sizes;
            assert_eq!(
                [public_key_bytes(), secret_key_bytes(), ciphertext_bytes(), shared_secret_bytes()],
                $sizes
            );
            let (pk, sk) = keypair();
            let (ss, ct) = encapsulate(&pk);
            assert!(decapsulate(&ct, &sk) == ss);
            assert!(keypair().0 != pk && encapsulate(&pk).0 != ss);

            // Imports give back the bytes, and the imported values do what the originals do.
            let (pk2, sk2) = (PublicKey::from_bytes(pk.as_bytes()), SecretKey::from_bytes(sk.as_bytes()));
            let (pk2, sk2) = (pk2.expect("a key"), sk2.expect("a key"));
            let (ss2, ct2) = encapsulate(&pk2);
            assert!(pk2 == pk && sk2 == sk && decapsulate(&ct2, &sk) == ss2);
            assert!(decapsulate(&Ciphertext::from_bytes(ct.as_bytes()).expect("a ciphertext"), &sk2) == ss);
            assert!(SharedSecret::from_bytes(ss.as_bytes()).expect("a secret") == ss);

            // Nothing but the length is checked.
            for bytes in [0, 1, shared - 1, public - 1, public + 1, secret + 1, ciphertext + 1] {
                let input = &[0xff; 20_000][..bytes];
                let errors = [
                    ("PublicKey", PublicKey::from_bytes(input).err(), public),
                    ("SecretKey", SecretKey::from_bytes(input).err(), secret),
                    ("Ciphertext", Ciphertext::from_bytes(input).err(), ciphertext),
                    ("SharedSecret", SharedSecret::from_bytes(input).err(), shared),
                ];
                for (name, error, size) in errors {
                    let Some(Error::BadLength { name: found, actual, expected }) = error else {
                        panic!("{name} of {bytes} bytes was accepted");
                    };
                    assert_eq!((found, actual, expected), (name, bytes, size));
                }
            }
            assert_eq!(format!("{sk:?}"), format!("SecretKey ({secret} bytes)"));
            assert_eq!(format!("{ss:?}"), format!("SharedSecret ({shared} bytes)"));

            // By serde: an array of numbers, without a length in formats such as bincode.
            let json = serde_json::to_string(&ct).expect("JSON");
            assert_eq!(json, serde_json::to_string(ct.as_bytes()).expect("JSON"));
            assert!(serde_json::from_str::<Ciphertext>(&json).expect("a ciphertext") == ct);
            let json = serde_json::to_string(&sk).expect("JSON");
            assert!(serde_json::from_str::<SecretKey>(&json).expect("a key") == sk);
            assert!(serde_json::from_str::<SecretKey>(&json.replacen('[', "[7,", 1)).is_err());
        }
    )*};
}

interface! {
    hqc128: [2249, 2305, 4433, 64];
    hqc192: [4522, 4586, 8978, 64];
    hqc256: [7245, 7317, 14421, 64];
}

#[test]
fn the_crate_exports_the_functions_of_each_set_by_its_name() {
    let (pk, sk) = pqcrypto_hqc::hqc192_keypair();
    let (ss, ct) = pqcrypto_hqc::hqc192_encapsulate(&pk);
    assert!(pqcrypto_hqc::hqc192_decapsulate(&ct, &sk) == ss);
    assert_eq!(pqcrypto_hqc::hqc256_secret_key_bytes(), 7317);
    assert_eq!(pqcrypto_hqc::ffi::PQCLEAN_HQC128_CLEAN_CRYPTO_SECRETKEYBYTES, 2305);
}
