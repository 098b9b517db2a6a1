//! Poly1305 and the hashes as code that is generic over the RustCrypto traits sees them.
use crate::common::{Rng, pick};
use carryless_hash::decbrwhash1305::Streams;
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1271::{self, PolyHash1271};
use carryless_hash::polyhash1305::{self, PolyHash1305};
use carryless_hash::{Key1271, decbrwhash1271, decbrwhash1305};
use carryless_reference as reference;
use digest::Mac;
use universal_hash::common::{KeyInit, Reset, TryKeyInit};
use universal_hash::consts::U16;
use universal_hash::{Block, UniversalHash};

/// Whole blocks at once, as AEADs hand over their data.
fn by_blocks<U: UniversalHash + KeyInit>(key: &[u8], blocks: &[Block<U>]) -> Vec<u8> {
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
        let blocks: Vec<Block<Poly1305>> =
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

/// The digest of whole blocks is `digest` of all of them in a row, however they are handed over; any other bytes are
/// followed by zeros.
#[track_caller]
fn agrees<U: UniversalHash<BlockSize = U16>>(
    start: impl Fn() -> U,
    msg: &[u8],
    digest: impl Fn(&[u8]) -> [u8; 16],
) {
    let (blocks, _) = msg.as_chunks::<16>();
    let as_blocks: Vec<Block<U>> = blocks.iter().map(|&block| block.into()).collect();
    let (some, more) = as_blocks.split_at(blocks.len() / 5);
    for pieces in [[&as_blocks[..], &[]], [some, more]] {
        let mut hash = start();
        pieces.iter().for_each(|piece| hash.update(piece));
        assert_eq!(hash.finalize()[..], digest(blocks.as_flattened()), "{} blocks", blocks.len());
    }
    let (mut hash, mut padded) = (start(), vec![]);
    for part in [&msg[..msg.len() / 3], &msg[msg.len() / 3..]] {
        hash.update_padded(part);
        padded.extend(part);
        padded.resize(padded.len().next_multiple_of(16), 0);
    }
    assert_eq!(hash.finalize()[..], digest(&padded), "{} bytes", msg.len());
}

fn streams<const C: usize>() -> Streams {
    Streams::try_from(C).expect("a number of streams")
}

fn brw1305<const C: usize>(key: &[u8; 16], msg: &[u8]) {
    let start = || <decbrwhash1305::Hasher<C> as KeyInit>::new(&(*key).into());
    agrees(start, msg, |msg| decbrwhash1305::digest(streams::<C>(), key, msg));
}

fn brw1271<const C: usize>(bytes: &[u8; 16], key: &Key1271, msg: &[u8]) {
    let start = || <decbrwhash1271::Hasher<C> as TryKeyInit>::new(&(*bytes).into()).expect("in range");
    agrees(start, msg, |msg| decbrwhash1271::digest(streams::<C>(), key, msg));
}

/// Lengths around those of what a back end takes at a time.
fn lengths(rng: &mut Rng) -> Vec<usize> {
    let blocks = (0..=pick(300, 280, 35)).step_by(pick(3, 40, 33));
    blocks.map(|blocks| 16 * blocks + rng.below(16)).collect()
}

#[test]
fn hashes_over_2_130_5() {
    let mut rng = Rng(63);
    for len in lengths(&mut rng) {
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let start = || <PolyHash1305 as KeyInit>::new(&key.into());
        agrees(start, &msg, |msg| polyhash1305::digest(&key, msg));
        brw1305::<1>(&key, &msg);
        brw1305::<2>(&key, &msg);
        brw1305::<3>(&key, &msg);
        brw1305::<4>(&key, &msg);
        brw1305::<8>(&key, &msg);
        brw1305::<16>(&key, &msg);
    }
}

#[test]
fn hashes_over_2_127_1() {
    let mut rng = Rng(64);
    for len in lengths(&mut rng) {
        let (mut bytes, msg): ([u8; 16], _) = (rng.array(), rng.weird_bytes(len));
        bytes[15] &= 0x3f;
        let key = Key1271::new(&bytes).expect("in range");
        let start = || <PolyHash1271 as TryKeyInit>::new(&bytes.into()).expect("in range");
        agrees(start, &msg, |msg| polyhash1271::digest(&key, msg));
        brw1271::<1>(&bytes, &key, &msg);
        brw1271::<2>(&bytes, &key, &msg);
        brw1271::<3>(&bytes, &key, &msg);
        brw1271::<4>(&bytes, &key, &msg);
        brw1271::<8>(&bytes, &key, &msg);
        brw1271::<16>(&bytes, &key, &msg);
    }
}

/// A hash that has taken a message and is reset is as new.
#[track_caller]
fn starts_again<U: UniversalHash + Reset>(start: impl Fn() -> U, digest: impl Fn(&[u8]) -> [u8; 16]) {
    let mut rng = Rng(65);
    for blocks in [0, 1, 20, 100] {
        let [before, msg] = [rng.bytes(16 * blocks), rng.bytes(16 * 7)];
        let mut hash = start();
        hash.update_padded(&before);
        hash.reset();
        hash.update_padded(&msg);
        assert_eq!(hash.finalize()[..], digest(&msg), "after {blocks} blocks");
    }
}

#[test]
fn hashes_are_reset() {
    let key = [0x35; 16];
    starts_again(
        || <decbrwhash1305::Hasher<4> as KeyInit>::new(&key.into()),
        |msg| decbrwhash1305::digest(Streams::Four, &key, msg),
    );
    starts_again(
        || <decbrwhash1271::Hasher<4> as TryKeyInit>::new(&key.into()).expect("in range"),
        |msg| decbrwhash1271::digest(Streams::Four, &Key1271::new(&key).expect("in range"), msg),
    );
}

#[test]
fn keys_of_the_hashes() {
    for len in (0..65).filter(|&len| len != 16) {
        let key = vec![0; len];
        assert!(<PolyHash1305 as KeyInit>::new_from_slice(&key).is_err(), "{len} bytes");
        assert!(<decbrwhash1305::DecBrwHash1305 as KeyInit>::new_from_slice(&key).is_err(), "{len} bytes");
        assert!(in_range(&key).iter().all(|taken| !taken), "{len} bytes");
    }
    for last in 0..=u8::MAX {
        let mut key = [0xff; 16];
        key[15] = last;
        assert_eq!(in_range(&key), [last < 0x40; 2], "{last:02x}");
    }
}

/// Whether polyHash1271 and 4-decBRWHash1271 take a key.
fn in_range(key: &[u8]) -> [bool; 2] {
    [
        <PolyHash1271 as TryKeyInit>::new_from_slice(key).is_ok(),
        <decbrwhash1271::DecBrwHash1271 as TryKeyInit>::new_from_slice(key).is_ok(),
    ]
}

/// Back to the start, as a new hash, whatever came before; powers of long streams stay right.
#[test]
fn polynomial_hashes_are_reset() {
    fn check<H: Reset>(
        mut hash: H,
        key: &str,
        digest: impl Fn(&mut H, &[u8]) -> [u8; 16],
        want: impl Fn(&[u8]) -> [u8; 16],
    ) {
        let msg = Rng(66).bytes(20_000);
        for len in [0, 1, 16, 5_000, 20_000, 63, 100] {
            assert_eq!(digest(&mut hash, &msg[..len]), want(&msg[..len]), "{len} bytes, {key}");
            hash.reset();
        }
    }
    let key1271 = Key1271::new(&[5; 16]).expect("in range");
    let piecewise1305 = |hash: &mut PolyHash1305, msg: &[u8]| {
        msg.chunks(999).for_each(|piece| hash.update(piece));
        hash.digest()
    };
    let piecewise1271 = |hash: &mut PolyHash1271, msg: &[u8]| {
        msg.chunks(999).for_each(|piece| hash.update(piece));
        hash.digest()
    };
    check(PolyHash1305::new(&[5; 16]), "1305", piecewise1305, |msg| polyhash1305::digest(&[5; 16], msg));
    check(PolyHash1271::new(&key1271), "1271", piecewise1271, |msg| polyhash1271::digest(&key1271, msg));
}

/// `io::copy` into a stream is `update`.
#[test]
fn streams_are_writers() {
    let msg = Rng(67).bytes(30_001);
    let mut mac = Poly1305::new(&[5; 32]);
    std::io::copy(&mut &msg[..], &mut mac).expect("streams do not fail");
    assert_eq!(mac.finalize(), carryless_hash::poly1305::mac(&[5; 32], &msg));
    let mut hash = decbrwhash1305::DecBrwHash1305::new(&[5; 16]);
    std::io::copy(&mut &msg[..], &mut hash).expect("streams do not fail");
    assert_eq!(hash.finalize(), decbrwhash1305::digest(Streams::Four, &[5; 16], &msg));
}

#[test]
fn tags_are_written_and_read() {
    let tag = carryless_hash::Tag::from(std::array::from_fn(|i| 0x1e ^ 0x31_u8.wrapping_mul(i as u8)));
    assert!(tag.to_string().starts_with("1e2f7c"), "{tag}");
    assert_eq!(tag.to_string().parse(), Ok(tag));
    assert_eq!(tag.to_string().to_uppercase().parse(), Ok(tag));
    for wrong in [
        "",
        "0",
        &"0".repeat(30),
        &"0".repeat(31),
        &"0".repeat(33),
        &"+0".repeat(16),
        &"g0".repeat(16),
        &"\u{e9}".repeat(16),
    ] {
        assert_eq!(wrong.parse::<carryless_hash::Tag>(), Err(carryless_hash::ParseTagError), "{wrong}");
    }
    assert!(bool::from(subtle::ConstantTimeEq::ct_eq(&tag, &tag)));
    assert!(!bool::from(subtle::ConstantTimeEq::ct_eq(&tag, &carryless_hash::Tag::from([0; 16]))));
}
