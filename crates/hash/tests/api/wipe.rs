//! Nothing of a key is left in any type that holds one, after `zeroize()` and after drop.
use crate::common::{Rng, backends, pick};
use carryless_hash::decbrwhash1305::Streams;
use carryless_hash::{Cpu, Key1271, decbrwhash1271, decbrwhash1305, poly1305, polyhash1271, polyhash1305};
use carryless_residue::check;

fn key<const N: usize>(seed: u64) -> [u8; N] {
    Rng(seed).array()
}

fn key1271(seed: u64) -> Key1271 {
    let mut key = key(seed);
    // Keys over 2^127 - 1 are below 2^126.
    key[15] &= 0x3f;
    Key1271::new(&key).expect("in range")
}

/// For values that are in their only state from the beginning.
fn nothing<K, T>(_: &K, _: &mut T) {}

fn feed_poly1305<K>(msg: &[u8]) -> impl Fn(&K, &mut poly1305::Poly1305) {
    |_, stream| msg.chunks(4096).for_each(|piece| stream.update(piece))
}

/// Of no bytes, of some that wait, and of so many that powers are made.
fn states() -> impl Iterator<Item = (Cpu, Vec<u8>)> {
    let lens = [0, 5, 16, 200, 300, 1_000, 5_000, 20_000, 140_000].into_iter().take(pick(9, 7, 4));
    lens.flat_map(|len| backends().iter().map(move |&cpu| (cpu, Rng(9).bytes(len))))
}

#[test]
fn keys_and_streams_over_2_130_5() {
    for (cpu, msg) in states() {
        let what = |of: &str| format!("{of} of {} bytes on {}", msg.len(), cpu.name());
        let new = |key: &[u8; 32]| poly1305::Poly1305::on(cpu, key);
        check(&what("Poly1305"), key, new, feed_poly1305(&msg), |stream| stream.finalize().to_bytes());
        let prepared = |key: &[u8; 16]| poly1305::PreparedKey::on(cpu, key);
        check(&what("poly1305::PreparedKey"), key, prepared, nothing, |key| {
            key.mac(&[0; 16], &msg).to_bytes()
        });
        let stream = |key: &[u8; 16]| prepared(key).stream(key);
        check(&what("a prepared stream"), key, stream, feed_poly1305(&msg), |stream| {
            stream.finalize().to_bytes()
        });

        let new = |key: &[u8; 16]| polyhash1305::PolyHash1305::on(cpu, key);
        let feed = |_: &_, stream: &mut polyhash1305::PolyHash1305| {
            msg.chunks(4096).for_each(|piece| stream.update(piece));
        };
        check(&what("PolyHash1305"), key, new, feed, |stream| stream.finalize());
        let prepared = |key: &[u8; 16]| polyhash1305::PreparedKey::on(cpu, key);
        check(&what("polyhash1305::PreparedKey"), key, prepared, nothing, |key| key.digest(&msg));
        let segment = |key: &polyhash1305::PreparedKey| key.segment(&msg);
        check(
            &what("polyhash1305::Segment"),
            |seed| prepared(&key(seed)),
            segment,
            nothing,
            |part| part.digest(),
        );
    }
}

#[cfg(feature = "research-kernels")]
#[test]
fn planned_keys() {
    use carryless_hash::research::{Plan, PlannedKey};
    for (cpu, msg) in states() {
        let what = format!("PlannedKey of {} bytes on {}", msg.len(), cpu.name());
        let planned =
            |key: &[u8; 16]| PlannedKey::new(cpu, Plan::Words, key).expect("it serves every backend");
        check(&what, key, planned, nothing, |key| key.digest(&msg).expect("it serves every length"));
    }
}

#[test]
fn keys_and_streams_over_2_127_1() {
    for (cpu, msg) in states() {
        let what = |of: &str| format!("{of} of {} bytes on {}", msg.len(), cpu.name());
        let new = |key: &Key1271| polyhash1271::PolyHash1271::on(cpu, key);
        let feed = |_: &_, stream: &mut polyhash1271::PolyHash1271| {
            msg.chunks(4096).for_each(|piece| stream.update(piece));
        };
        check(&what("PolyHash1271"), key1271, new, feed, |stream| stream.finalize());
        let prepared = |key: &Key1271| polyhash1271::PreparedKey::on(cpu, key);
        check(&what("polyhash1271::PreparedKey"), key1271, prepared, nothing, |key| key.digest(&msg));
        let segment = |key: &polyhash1271::PreparedKey| key.segment(&msg);
        check(
            &what("polyhash1271::Segment"),
            |seed| prepared(&key1271(seed)),
            segment,
            nothing,
            |part| part.digest(),
        );
        check(&what("Key1271"), key1271, Key1271::clone, nothing, |key| polyhash1271::digest(&key, &msg));
    }
}

fn brw1305<const C: usize>(cpu: Cpu, msg: &[u8]) {
    let what = |of: &str| format!("decbrwhash1305::{of}, {C} streams, {} bytes, {}", msg.len(), cpu.name());
    let new = |key: &[u8; 16]| decbrwhash1305::Hasher::<C>::on(cpu, key);
    let feed = |_: &_, hash: &mut decbrwhash1305::Hasher<C>| {
        msg.chunks(9000).for_each(|piece| hash.update(piece));
    };
    check(&what("Hasher"), key, new, feed, |hash| hash.finalize());
    let segment = |key: &[u8; 16]| {
        let mut hash = new(key);
        hash.update(msg);
        hash.into_segment()
    };
    check(&what("Segment"), key, segment, nothing, |segment| segment.digest());
    let streams = Streams::try_from(C).expect("streams");
    let prepared = |key: &[u8; 16]| decbrwhash1305::PreparedKey::for_len(cpu, streams, key, msg.len());
    check(&what("PreparedKey"), key, prepared, nothing, |key| key.digest(msg));
}

fn brw1271<const C: usize>(cpu: Cpu, msg: &[u8]) {
    let what = |of: &str| format!("decbrwhash1271::{of}, {C} streams, {} bytes, {}", msg.len(), cpu.name());
    let new = |key: &Key1271| decbrwhash1271::Hasher::<C>::on(cpu, key);
    let feed = |_: &_, hash: &mut decbrwhash1271::Hasher<C>| {
        msg.chunks(9000).for_each(|piece| hash.update(piece));
    };
    check(&what("Hasher"), key1271, new, feed, |hash| hash.finalize());
    let segment = |key: &Key1271| {
        let mut hash = new(key);
        hash.update(msg);
        hash.into_segment()
    };
    check(&what("Segment"), key1271, segment, nothing, |segment| segment.digest());
    let streams = Streams::try_from(C).expect("streams");
    let prepared = |key: &Key1271| decbrwhash1271::PreparedKey::for_len(cpu, streams, key, msg.len());
    check(&what("PreparedKey"), key1271, prepared, nothing, |key| key.digest(msg));
}

#[test]
fn keys_and_streams_of_brw_hashes() {
    for (cpu, msg) in states() {
        brw1305::<1>(cpu, &msg);
        brw1305::<3>(cpu, &msg);
        brw1305::<4>(cpu, &msg);
        brw1305::<16>(cpu, &msg);
        brw1271::<1>(cpu, &msg);
        brw1271::<4>(cpu, &msg);
        brw1271::<8>(cpu, &msg);
    }
}
