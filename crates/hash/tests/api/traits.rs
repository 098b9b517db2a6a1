//! Poly1305 as code that is generic over the RustCrypto traits sees it.
use crate::common::{Rng, pick};
use carryless_hash::poly1305::Poly1305;
use carryless_reference as reference;
use digest::Mac;
use universal_hash::UniversalHash;
use universal_hash::common::KeyInit;

/// Whole blocks at once, as AEADs hand over their data.
fn by_blocks<U: UniversalHash + KeyInit>(key: &[u8], blocks: &[universal_hash::Block<U>]) -> Vec<u8> {
    let mut hash = U::new_from_slice(key).expect("a key");
    hash.update(blocks);
    hash.finalize().to_vec()
}

/// Any bytes, followed by zeros up to a whole block.
fn zero_padded<U: UniversalHash + KeyInit>(key: &[u8], parts: [&[u8]; 2]) -> Vec<u8> {
    let mut hash = U::new_from_slice(key).expect("a key");
    parts.iter().for_each(|part| hash.update_padded(part));
    hash.finalize().to_vec()
}

/// Any bytes in two pieces, as a message authentication code.
fn by_pieces<M: Mac + KeyInit>(key: &[u8], [a, b]: [&[u8]; 2]) -> M {
    M::new_from_slice(key).expect("a key").chain_update(a).chain_update(b)
}

#[test]
fn universal_hash_takes_whole_blocks() {
    let mut rng = Rng(60);
    // The back end takes 32 blocks at a time, then single ones.
    for n in (0..=pick(200, 70, 35)).step_by(pick(1, 3, 7)) {
        let (key, msg): ([u8; 32], _) = (rng.array(), rng.weird_bytes(16 * n));
        let blocks: Vec<universal_hash::Block<Poly1305>> =
            msg.as_chunks::<16>().0.iter().map(|&block| block.into()).collect();
        assert_eq!(by_blocks::<Poly1305>(&key, &blocks), reference::poly1305(&key, &msg), "{n} blocks");
    }
}

#[test]
fn universal_hash_pads_with_zeros() {
    let mut rng = Rng(61);
    for len in (0..=pick(600, 150, 40)).step_by(pick(1, 3, 11)) {
        let (key, a): ([u8; 32], _) = (rng.array(), rng.bytes(len));
        let b = rng.bytes(len / 3);
        let mut padded = a.clone();
        padded.resize(len.next_multiple_of(16), 0);
        padded.extend(&b);
        padded.resize(padded.len().next_multiple_of(16), 0);
        assert_eq!(
            zero_padded::<Poly1305>(&key, [&a, &b]),
            reference::poly1305(&key, &padded),
            "{len} bytes"
        );
    }
}

#[test]
fn mac_takes_any_bytes() {
    let mut rng = Rng(62);
    for len in (0..=pick(700, 150, 40)).step_by(pick(1, 3, 11)) {
        let (key, msg): ([u8; 32], _) = (rng.array(), rng.weird_bytes(len));
        let pieces: [&[u8]; 2] = msg.split_at(rng.below(len + 1)).into();
        let expected = reference::poly1305(&key, &msg);
        let mac = || by_pieces::<Poly1305>(&key, pieces);
        assert_eq!(Mac::finalize(mac()).into_bytes()[..], expected, "{len} bytes");
        assert!(Mac::verify_slice(mac(), &expected).is_ok());
        let mut wrong = expected;
        wrong[rng.below(16)] ^= 1 << rng.below(8);
        assert!(Mac::verify_slice(mac(), &wrong).is_err(), "a wrong tag");
        assert!(Mac::verify_slice(mac(), &expected[..15]).is_err(), "a short tag");
    }
}

#[test]
fn keys_have_32_bytes() {
    for len in (0..65).filter(|&len| len != 32) {
        assert!(<Poly1305 as KeyInit>::new_from_slice(&vec![0; len]).is_err(), "{len} bytes");
    }
}
