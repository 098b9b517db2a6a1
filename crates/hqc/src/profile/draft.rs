//! A profile as the standard may bring one, for tests: this table and a row in `scheme.rs` are all that it takes.
use super::{ErrorOrder, Hash, KeyPart, KeySampler, KeySeeds, Part, Profile, Reduction, Rules};
use crate::array::Array;
use crate::keccak::{SHA3_512, SHAKE256};
use crate::scheme::{Draft1, Hqc1, Scheme, SchemeId};
use crate::set::{Category1, ParameterSet};
use crate::{Ciphertext, DecapsulationKey, EncapsulationKey};
use std::collections::BTreeSet;
use std::vec::Vec;

/// Differs from `nr` in every rule. Seeds have 32 bytes, as two of them are one output of SHA3-512.
#[derive(Clone, Copy, Debug)]
pub struct Draft;

impl super::sealed::Sealed for Draft {}

impl Profile for Draft {
    const NAME: &'static str = "draft";
    const RULES: Rules = Rules {
        stream_domain: &[7],
        read_multiple: 4,
        key_seeds: KeySeeds::Derived { domain: &[9] },
        key_layout: &[KeyPart::Seed, KeyPart::EncapsulationKey, KeyPart::Sigma, KeyPart::KeySeed],
        key_sampler: KeySampler::Rejection { big_endian: false, blocks: true },
        error_reduction: Reduction::Remainder,
        error_order: ErrorOrder { e: 0, r1: 1, r2: 2 },
        key_hash: Some(&[5]),
        message_hash: Hash {
            function: SHA3_512,
            domain: &[8],
            parts: &[Part::Salt, Part::Message, Part::KeyHash],
        },
        seed_at: 24,
        secret_hash: None,
        secret_bytes: 24,
        rejection_hash: Hash { function: SHAKE256, domain: &[6], parts: &[Part::Body, Part::Sigma] },
        response_domain: &[0],
    };
    const SEED_BYTES: usize = 32;
    type Seed = [u8; 32];
}

#[test]
fn a_profile_is_a_table() {
    assert_eq!(SchemeId::from_names("hqc-1", "DRAFT"), Some(SchemeId::Draft1));
    let sizes = SchemeId::Draft1.sizes();
    let ring = Category1::RING_BYTES;
    assert_eq!((sizes.seed, sizes.shared_secret), (32, 24));
    assert_eq!(sizes.encapsulation_key, 32 + ring);
    assert_eq!(sizes.decapsulation_key, 3 * 32 + ring + Category1::K);

    let key = DecapsulationKey::<Draft1>::from_seed(&[3; 32]);
    let bytes = key.to_bytes();
    assert_eq!((*bytes)[..32], [3; 32], "the layout of the key");
    let key = DecapsulationKey::<Draft1>::from_bytes(&*bytes).expect("a key");
    let ek = EncapsulationKey::<Draft1>::from_bytes(key.encapsulation_key().as_bytes()).expect("a key");
    let (ciphertext, secret) = ek.encapsulate_deterministic(&[1; 16], &[2; 16]);
    assert_eq!(key.decapsulate(&ciphertext), secret);
    assert_eq!(key.expand().decapsulate(&ciphertext), secret);
    let mut changed = *ciphertext.as_bytes();
    changed[0] ^= 1;
    let changed = Ciphertext::<Draft1>::from_bytes(&changed).expect("the length");
    assert_ne!(key.decapsulate(&changed), secret);
    let mut bytes = *bytes;
    bytes[40] ^= 1;
    let error = DecapsulationKey::<Draft1>::from_bytes(&bytes).expect_err("not the key of its seed");
    assert_eq!((error.scheme(), error.profile()), ("HQC-1", "draft"));
}

/// A ciphertext, its secret, that of a rejection, and the encapsulation key.
fn results<K: Scheme<Set = Category1>>() -> [Vec<u8>; 4] {
    let mut seed = K::Seed::zeroed();
    seed.as_mut().fill(3);
    let key = DecapsulationKey::<K>::from_seed(&seed);
    let (ciphertext, secret) = key.encapsulation_key().encapsulate_deterministic(&[1; 16], &[2; 16]);
    let mut changed = ciphertext.as_ref().to_vec();
    changed[0] ^= 1;
    let rejected = key.decapsulate(&Ciphertext::from_bytes(&changed).expect("the length"));
    let ek = key.encapsulation_key().as_bytes().as_ref();
    [ciphertext.as_ref().to_vec(), secret.as_ref().to_vec(), rejected.as_ref().to_vec(), ek.to_vec()]
}

#[test]
fn profiles_share_no_result() {
    let (draft, nr) = (results::<Draft1>(), results::<Hqc1>());
    for (draft, nr) in draft.iter().zip(&nr) {
        let at = draft.len().min(nr.len()) - 16;
        assert_ne!(draft[..at], nr[..at]);
    }
    let different: BTreeSet<_> = draft.iter().chain(&nr).collect();
    assert_eq!(different.len(), 8);
}
