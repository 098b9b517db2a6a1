//! Our keys and ciphertexts with `hqc-kem`, and its with ours, in profile NR.
mod common;

use carryless_hqc::{Ciphertext, DecapsulationKey, EncapsulationKey, Hqc1, Hqc3, Hqc5, Scheme};
use common::Drbg;
use hqc_kem::{Hqc128Params, Hqc192Params, Hqc256Params, HqcKem, HqcParams};

fn both_ways<K: Scheme, P: HqcParams>(count: usize) {
    let mut rng = Drbg::new(K::NAME.as_bytes(), 0xff);
    for _ in 0..count {
        let seed: [u8; 32] = rng.array();
        let (peer_ek, peer_dk) = HqcKem::<P>::generate_key_deterministic(&seed);
        let dk = DecapsulationKey::<K>::from_bytes(peer_dk.as_ref()).expect("a key");
        assert_eq!(dk.as_seed().as_ref(), seed);
        let ek = EncapsulationKey::<K>::from_bytes(peer_ek.as_ref()).expect("a key");
        assert_eq!(dk.encapsulation_key(), &ek);

        let (peer_ct, peer_ss) = peer_ek.encapsulate(&mut rng);
        let ct = Ciphertext::<K>::from_bytes(peer_ct.as_ref()).expect("a ciphertext");
        assert_eq!(dk.decapsulate(&ct).as_ref(), peer_ss.as_ref());
        let (ct, ss) = ek.encapsulate_with_rng(&mut rng);
        let peer_ct = hqc_kem::Ciphertext::<P>::try_from(ct.as_ref()).expect("a ciphertext");
        assert_eq!(peer_dk.decapsulate(&peer_ct).as_ref(), ss.as_ref());

        let mut changed = ct.as_ref().to_vec();
        let place = rng.below(changed.len());
        changed[place] ^= 1 << rng.below(8);
        let peer_ct = hqc_kem::Ciphertext::<P>::try_from(&changed[..]).expect("a ciphertext");
        let ct = Ciphertext::<K>::from_bytes(&changed).expect("a ciphertext");
        assert_eq!(peer_dk.decapsulate(&peer_ct).as_ref(), dk.decapsulate(&ct).as_ref());
    }
}

/// Keys of seeds, as numbers, whose samplers refuse a candidate behind the first block: one seed of some hundreds to thousands does.
fn keys_with_late_candidates<K: Scheme<Seed = [u8; 32]>, P: HqcParams>(seeds: [u32; 3]) {
    for number in seeds {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number.to_le_bytes());
        let (peer_ek, peer_dk) = HqcKem::<P>::generate_key_deterministic(&seed);
        let dk = DecapsulationKey::<K>::from_seed(&seed);
        assert_eq!(dk.encapsulation_key().as_bytes().as_ref(), peer_ek.as_ref(), "{number}");
        assert_eq!((*dk.to_bytes()).as_ref(), peer_dk.as_ref(), "{number}");
    }
}

#[test]
fn late_candidates_and_hqc_kem() {
    keys_with_late_candidates::<Hqc1, Hqc128Params>([853, 4_304, 7_884]);
    keys_with_late_candidates::<Hqc3, Hqc192Params>([330, 407, 1_671]);
    keys_with_late_candidates::<Hqc5, Hqc256Params>([7_671, 25_495, 44_998]);
}

#[test]
fn hqc_1_and_hqc_kem() {
    both_ways::<Hqc1, Hqc128Params>(100);
}

#[test]
fn hqc_3_and_hqc_kem() {
    both_ways::<Hqc3, Hqc192Params>(50);
}

#[test]
fn hqc_5_and_hqc_kem() {
    both_ways::<Hqc5, Hqc256Params>(25);
}
