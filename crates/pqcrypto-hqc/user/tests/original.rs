//! Keys, ciphertexts and secrets of `pqcrypto-hqc` 0.2.2 and of ours, in both directions.
use pqcrypto_traits::kem::{Ciphertext, PublicKey, SecretKey, SharedSecret};
use std::panic::catch_unwind;

macro_rules! both_ways {
    ($($module:ident)*) => {$(
        #[test]
        fn $module() {
            use original::$module as theirs;
            use pqcrypto_hqc::$module as ours;

            assert_eq!(
                [ours::public_key_bytes(), ours::secret_key_bytes(), ours::ciphertext_bytes()],
                [theirs::public_key_bytes(), theirs::secret_key_bytes(), theirs::ciphertext_bytes()]
            );
            assert_eq!(ours::shared_secret_bytes(), theirs::shared_secret_bytes());
            for round in 0..20 {
                // A key of one side, a ciphertext of the other, the secret by both.
                let (pk, sk) = if round % 2 == 0 {
                    let (pk, sk) = ours::keypair();
                    (pk.as_bytes().to_vec(), sk.as_bytes().to_vec())
                } else {
                    let (pk, sk) = theirs::keypair();
                    (pk.as_bytes().to_vec(), sk.as_bytes().to_vec())
                };
                let our_sk = ours::SecretKey::from_bytes(&sk).unwrap();
                let their_sk = theirs::SecretKey::from_bytes(&sk).unwrap();
                let (ss, ct) = theirs::encapsulate(&theirs::PublicKey::from_bytes(&pk).unwrap());
                let received = ours::Ciphertext::from_bytes(ct.as_bytes()).unwrap();
                assert_eq!(ours::decapsulate(&received, &our_sk).as_bytes(), ss.as_bytes());
                let (ss, ct) = ours::encapsulate(&ours::PublicKey::from_bytes(&pk).unwrap());
                let received = theirs::Ciphertext::from_bytes(ct.as_bytes()).unwrap();
                assert_eq!(theirs::decapsulate(&received, &their_sk).as_bytes(), ss.as_bytes());
            }
        }
    )*};
}

both_ways! { hqc128 hqc192 hqc256 }

#[test]
fn errors_and_debug_have_the_same_text() {
    for length in [0, 2305, 5000] {
        let (ours, theirs) = (
            pqcrypto_hqc::hqc128::PublicKey::from_bytes(&[0; 5000][..length]).err().unwrap(),
            original::hqc128::PublicKey::from_bytes(&[0; 5000][..length]).err().unwrap(),
        );
        assert_eq!(format!("{ours} {ours:?}"), format!("{theirs} {theirs:?}"));
    }
    let (ours, theirs) = (pqcrypto_hqc::hqc192::keypair(), original::hqc192::keypair());
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
}

/// <https://github.com/rustpq/pqcrypto/issues/102>
#[test]
fn a_changed_ciphertext_stops_the_original_alone() {
    let (pk, sk) = original::hqc128::keypair();
    let (_, ct) = original::hqc128::encapsulate(&pk);
    let mut bytes = ct.as_bytes().to_vec();
    bytes[0] ^= 0xff;
    let changed = original::hqc128::Ciphertext::from_bytes(&bytes).unwrap();
    assert!(catch_unwind(|| original::hqc128::decapsulate(&changed, &sk)).is_err());

    let sk = pqcrypto_hqc::hqc128::SecretKey::from_bytes(sk.as_bytes()).unwrap();
    let changed = pqcrypto_hqc::hqc128::Ciphertext::from_bytes(&bytes).unwrap();
    let _ = pqcrypto_hqc::hqc128::decapsulate(&changed, &sk);
}
