//! The traits of the crate `kem`.
mod common;

use carryless_hqc::{DecapsulationKey, Hqc1, Hqc1V5, Hqc3, Hqc5};
use common::Drbg;
use kem::{Decapsulate, Decapsulator, Encapsulate, FromSeed, Kem, KeyExport, TryKeyInit};

/// What code does that knows only the traits.
fn round_trip<K: Kem<DecapsulationKey: Decapsulate + KeyExport> + FromSeed>() {
    let mut rng = Drbg::new(b"traits", 0xff);
    let (dk, ek) = K::generate_keypair_from_rng(&mut rng);
    assert_eq!(dk.encapsulation_key(), &ek);
    let sent = ek.to_bytes();
    let received = <K::EncapsulationKey as TryKeyInit>::new(&sent).expect("a key");
    let (ct, ss) = received.encapsulate_with_rng(&mut rng);
    assert_eq!(dk.decapsulate(&ct), ss);
    assert_eq!(dk.decapsulate_slice(&ct).expect("the right length"), ss);
    assert!(dk.decapsulate_slice(&ct[1..]).is_err());

    let mut unclean = sent.clone();
    unclean[sent.len() - 1] |= 0x80;
    assert!(<K::EncapsulationKey as TryKeyInit>::new(&unclean).is_err());
}

#[test]
fn round_trips() {
    round_trip::<Hqc1>();
    round_trip::<Hqc3>();
    round_trip::<Hqc5>();
    round_trip::<Hqc1V5>();
}

#[test]
fn keys_are_exported_as_seeds() {
    let seed = [7; 32];
    let (dk, ek) = Hqc1::from_seed(&seed.into());
    assert_eq!(KeyExport::to_bytes(&dk), seed);
    let same = DecapsulationKey::<Hqc1>::from_seed(&seed);
    assert_eq!(same.encapsulation_key(), &ek);
}
