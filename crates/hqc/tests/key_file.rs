//! Key files, and keys whose scheme is chosen at run time.
use carryless_hqc::any::{AnyDecapsulationKey, AnyEncapsulationKey, FromBytes, FromSeed, PublicFromBytes};
use carryless_hqc::key_file::{KeyFileError, PrivateFile, PrivateForm, identifier};
use carryless_hqc::{DecapsulationKey, Defect, EncapsulationKey, Error, Hqc1, Hqc3, Hqc5, Kind, SchemeId};
use carryless_hqc::{Hqc1V5, Scheme};
use pkcs8::der::asn1::{BitStringRef, OctetStringRef};
use pkcs8::der::{Decode as _, Encode as _};
use pkcs8::{EncodePrivateKey as _, EncodePublicKey as _, PrivateKeyInfoRef};

const FORMS: [PrivateForm; 3] = [PrivateForm::Seed, PrivateForm::Expanded, PrivateForm::Both];

fn key<K: Scheme<Seed = [u8; 32]>>(byte: u8) -> DecapsulationKey<K> {
    DecapsulationKey::from_seed(&[byte; 32])
}

/// Compares the files of a set with those of the crate `hqc-kem`.
macro_rules! compare {
    ($scheme:ty, $theirs:ident) => {{
        let (ek, dk) = hqc_kem::$theirs::generate_key_deterministic(&[7; 32]);
        let ours = key::<$scheme>(7);
        let public = ours.encapsulation_key().to_public_key_der().expect("an identifier");
        assert_eq!(public.as_bytes(), ek.to_public_key_der().expect("a key").as_bytes());
        let private = ours.to_pkcs8_der(PrivateForm::Seed).expect("an identifier");
        assert_eq!(private.as_bytes(), dk.to_pkcs8_der().expect("a key").as_bytes());
    }};
}

#[test]
fn files_are_those_of_rustcrypto() {
    compare!(Hqc1, hqc128);
    compare!(Hqc3, hqc192);
    compare!(Hqc5, hqc256);
}

fn read_back<K: Scheme<Seed = [u8; 32]>>() {
    let dk = key::<K>(3);
    for form in FORMS {
        let pem = dk.to_pkcs8_pem(form).expect("an identifier");
        assert!(
            pem.starts_with("-----BEGIN PRIVATE KEY-----\n") && pem.ends_with("-----END PRIVATE KEY-----\n")
        );
        let again = DecapsulationKey::<K>::from_pkcs8_pem(&pem).expect("our own file");
        assert_eq!(again.as_seed(), dk.as_seed(), "{form:?}");
        let any = AnyDecapsulationKey::from_pkcs8_pem(&pem).expect("our own file");
        assert_eq!((any.scheme(), any.as_seed()), (K::ID, dk.as_seed().as_slice()));
        assert_eq!(any.to_pkcs8_pem(form).expect("an identifier"), pem);
    }
    let pem = dk.encapsulation_key().to_public_key_pem().expect("an identifier");
    assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----\n"));
    let again = EncapsulationKey::<K>::from_public_key_pem(&pem).expect("our own file");
    assert_eq!(again, *dk.encapsulation_key());
    let any = AnyEncapsulationKey::from_public_key_pem(&pem).expect("our own file");
    assert_eq!(any, again.into());
    assert_eq!(any.to_public_key_pem().expect("an identifier"), pem);
}

#[test]
fn all_forms_of_all_sets_are_read_back() {
    read_back::<Hqc1>();
    read_back::<Hqc3>();
    read_back::<Hqc5>();
}

#[test]
fn every_changed_byte_is_found_or_changes_the_seed() {
    let document = key::<Hqc1>(0x55).to_pkcs8_der(PrivateForm::Seed).expect("an identifier");
    let der = document.as_bytes();
    for at in 0..der.len() {
        let mut changed = der.to_vec();
        changed[at] ^= 1;
        if let Ok(key) = DecapsulationKey::<Hqc1>::from_pkcs8_der(&changed) {
            // The last 32 bytes are the seed.
            assert!(at >= der.len() - 32, "byte {at} was ignored");
            assert!(*key.as_seed() != [0x55; 32]);
        }
        assert!(matches!(DecapsulationKey::<Hqc1>::from_pkcs8_der(&der[..at]), Err(KeyFileError::Der(_))));
    }
    let longer = [der, &[0]].concat();
    assert!(matches!(AnyDecapsulationKey::from_pkcs8_der(&longer), Err(KeyFileError::Der(_))));
}

#[test]
fn changed_files_with_the_whole_key_are_refused() {
    for form in [PrivateForm::Expanded, PrivateForm::Both] {
        let document = key::<Hqc1>(0x55).to_pkcs8_der(form).expect("an identifier");
        let der = document.as_bytes();
        // Every part of the key, and the lengths and tags before it.
        for at in (0..64).chain((64..der.len()).step_by(97)).chain([der.len() - 1]) {
            let mut changed = der.to_vec();
            changed[at] ^= 1;
            let error = AnyDecapsulationKey::from_pkcs8_der(&changed).err();
            assert!(error.is_some(), "byte {at} of {form:?} was ignored");
        }
        assert!(AnyDecapsulationKey::from_pkcs8_der(&der[..der.len() - 1]).is_err());
    }
    // The seed of one key beside another key.
    let (oid, other) = (identifier(SchemeId::Hqc1).expect("nr"), key::<Hqc1>(1).to_bytes());
    let mixed = PrivateFile::write(oid, PrivateForm::Both, &[2; 32], &*other).expect("short");
    let error = DecapsulationKey::<Hqc1>::from_pkcs8_der(mixed.as_bytes()).err();
    assert_eq!(error, Some(KeyFileError::Mismatch));
}

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

#[test]
fn more_than_the_key_is_refused() {
    let document = key::<Hqc1>(1).to_pkcs8_der(PrivateForm::Seed).expect("an identifier");
    let der = document.as_bytes();
    // The algorithm with the parameters NULL.
    let parameters =
        join(&[&[0x30, der[1] + 2], &der[2..5], &[0x30, 0x0d], &der[7..18], &[5, 0], &der[18..]]);
    let error = DecapsulationKey::<Hqc1>::from_pkcs8_der(&parameters).err();
    assert_eq!(error, Some(KeyFileError::Parameters));
    // Another byte behind the seed.
    let longer = join(&[&[0x30, der[1] + 1], &der[2..19], &[der[19] + 1], &der[20..], &[0]]);
    assert!(matches!(DecapsulationKey::<Hqc1>::from_pkcs8_der(&longer), Err(KeyFileError::Der(_))));
    // A NULL in the place of the key.
    let empty = join(&[&[0x30, der[1] - 32], &der[2..19], &[2, 5, 0]]);
    assert_eq!(AnyDecapsulationKey::from_pkcs8_der(&empty).err(), Some(KeyFileError::Form));
    let short = join(&[&[0x30, der[1] - 1], &der[2..19], &[der[19] - 1, 0x80, 31], &der[23..]]);
    let Err(KeyFileError::Key(error)) = AnyDecapsulationKey::from_pkcs8_der(&short) else { panic!("short") };
    assert_eq!((error.kind(), error.defect()), (Kind::Seed, Defect::Length { expected: 32, found: 31 }));
}

#[test]
fn a_public_key_beside_the_private_one_is_compared() {
    let document = key::<Hqc1>(1).to_pkcs8_der(PrivateForm::Seed).expect("an identifier");
    for byte in [1, 2] {
        let public = key::<Hqc1>(byte);
        let mut info = PrivateKeyInfoRef::from_der(document.as_bytes()).expect("our own file");
        assert!(OctetStringRef::as_bytes(info.private_key).len() == 34 && info.public_key.is_none());
        let public = public.encapsulation_key().as_bytes();
        info.public_key = Some(BitStringRef::from_bytes(public).expect("short"));
        let der = info.to_der().expect("short");
        let read = DecapsulationKey::<Hqc1>::from_pkcs8_der(&der);
        assert_eq!(read.err(), (byte == 2).then_some(KeyFileError::Mismatch));
    }
}

#[test]
fn public_keys_are_checked() {
    let document = key::<Hqc1>(1).encapsulation_key().to_public_key_der().expect("an identifier");
    let mut der = document.as_bytes().to_vec();
    assert!(matches!(EncapsulationKey::<Hqc1>::from_public_key_der(&der[1..]), Err(KeyFileError::Der(_))));
    for at in [0, 1, 100, der.len() - 1] {
        assert!(matches!(AnyEncapsulationKey::from_public_key_der(&der[..at]), Err(KeyFileError::Der(_))));
    }
    *der.last_mut().expect("bytes") |= 0x80;
    let Err(KeyFileError::Key(error)) = EncapsulationKey::<Hqc1>::from_public_key_der(&der) else {
        panic!("unused bits are set");
    };
    assert_eq!((error.kind(), error.defect()), (Kind::EncapsulationKey, Defect::Padding));
}

#[test]
fn files_of_others_are_refused_with_the_reason() {
    let of_3 = key::<Hqc3>(1);
    let public = of_3.encapsulation_key().to_public_key_pem().expect("an identifier");
    let private = of_3.to_pkcs8_pem(PrivateForm::Seed).expect("an identifier");
    let found = KeyFileError::Algorithm(identifier(SchemeId::Hqc3).expect("nr"));
    assert_eq!(found.to_string(), "the key is one of HQC-3, profile nr");
    assert_eq!(EncapsulationKey::<Hqc1>::from_public_key_pem(&public), Err(found));
    assert_eq!(DecapsulationKey::<Hqc1>::from_pkcs8_pem(&private).err(), Some(found));
    assert_eq!(
        DecapsulationKey::<Hqc3>::from_pkcs8_pem(&public).err(),
        Some(KeyFileError::Label { expected: "PRIVATE KEY" })
    );
    let encrypted = private.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    assert_eq!(AnyDecapsulationKey::from_pkcs8_pem(&encrypted).err(), Some(KeyFileError::Encrypted));
    assert!(matches!(AnyDecapsulationKey::from_pkcs8_pem("no PEM"), Err(KeyFileError::Pem(_))));
    // A profile without an identifier neither reads nor writes files.
    let v5 = key::<Hqc1V5>(1);
    let none = KeyFileError::NoIdentifier(SchemeId::Hqc1V5);
    assert_eq!(v5.to_pkcs8_der(PrivateForm::Seed).err(), Some(none));
    assert_eq!(v5.encapsulation_key().to_public_key_pem().err(), Some(none));
    assert_eq!(DecapsulationKey::<Hqc1V5>::from_pkcs8_pem(&private).err(), Some(none));
}

/// The length that an error reports.
fn wrong_length<T>(result: Result<T, Error>) -> (Kind, usize) {
    let Err(error) = result else { panic!("no error") };
    let Defect::Length { found, .. } = error.defect() else { panic!("{error}") };
    (error.kind(), found)
}

#[test]
fn keys_of_any_scheme_do_what_typed_ones_do() {
    for &scheme in SchemeId::ALL {
        let sizes = scheme.sizes();
        let dk = scheme.dispatch(FromSeed(&vec![9; sizes.seed])).expect("the length");
        let ek = scheme.dispatch(PublicFromBytes(dk.encapsulation_key().as_bytes())).expect("a key");
        let mut bytes = vec![0; sizes.decapsulation_key];
        dk.to_bytes_into(&mut bytes).expect("the length");
        let again = scheme.dispatch(FromBytes(&bytes)).expect("a key");
        assert_eq!((again.scheme(), again.as_seed()), (scheme, dk.as_seed()));
        assert_eq!(*again.encapsulation_key(), ek);

        let random = vec![4; sizes.randomness];
        let (mut ciphertext, mut sent) = (vec![0; sizes.ciphertext], vec![0; sizes.shared_secret]);
        ek.encapsulate(&random, &mut ciphertext, &mut sent).expect("the lengths");
        let (mut same, mut secret) = (vec![0; sizes.ciphertext], vec![0; sizes.shared_secret]);
        ek.expand().expand().encapsulate(&random, &mut same, &mut secret).expect("the lengths");
        assert_eq!((&same, &secret), (&ciphertext, &sent));
        for key in [&dk, &again, &dk.expand(), &dk.expand().expand()] {
            let mut secret = vec![0; sizes.shared_secret];
            key.decapsulate(&ciphertext, &mut secret).expect("the lengths");
            assert_eq!(secret, sent);
            assert_eq!(key.as_seed(), dk.as_seed());
        }

        // Wrong lengths are refused before anything is written.
        let (mut untouched, mut secret) = (vec![5; sizes.ciphertext], vec![6; sizes.shared_secret]);
        let result = ek.encapsulate(&random[1..], &mut untouched, &mut secret);
        assert_eq!(wrong_length(result), (Kind::Randomness, sizes.randomness - 1));
        let result = ek.encapsulate(&random, &mut untouched, &mut secret[1..]);
        assert_eq!(wrong_length(result), (Kind::SharedSecret, sizes.shared_secret - 1));
        assert_eq!((untouched, secret), (vec![5; sizes.ciphertext], vec![6; sizes.shared_secret]));
        assert_eq!(wrong_length(dk.decapsulate(&same[1..], &mut sent)), (Kind::Ciphertext, same.len() - 1));
        let result = scheme.dispatch(FromSeed(&random[..7]));
        assert_eq!(wrong_length(result), (Kind::Seed, 7));
        assert_eq!(scheme.dispatch_nr(FromSeed(&[1; 32])).is_some(), scheme.profile() == "nr");
    }
}

#[test]
fn equal_bytes_in_two_profiles_are_two_keys() {
    let dk = SchemeId::Hqc1.dispatch(FromSeed(&[9; 32])).expect("the length");
    let bytes = dk.encapsulation_key().as_bytes();
    let [nr, v5] = [SchemeId::Hqc1, SchemeId::Hqc1V5]
        .map(|scheme| scheme.dispatch(PublicFromBytes(bytes)).expect("a key of either"));
    assert_eq!(nr.as_bytes(), v5.as_bytes());
    assert_ne!(nr, v5);
}
