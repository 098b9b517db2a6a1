//! Many messages at once, a lane for each.
use crate::common::{Rng, backends, pick};
use carryless_hash::Tag;
use carryless_hash::poly1305::{mac_batch, mac_batch_on};
use carryless_reference as reference;

/// The batch on every backend, and on the one that is chosen by default.
fn check_batch(keys: &[[u8; 32]], msgs: &[Vec<u8>]) {
    let slices: Vec<&[u8]> = msgs.iter().map(Vec::as_slice).collect();
    let expected: Vec<[u8; 16]> = keys.iter().zip(&slices).map(|(k, m)| reference::poly1305(k, m)).collect();
    let lens: Vec<usize> = msgs.iter().map(Vec::len).collect();
    let mut tags = vec![Tag::from([0xee; 16]); keys.len()];
    for &cpu in backends() {
        tags.fill(Tag::from([0xee; 16]));
        mac_batch_on(cpu, keys, &slices, &mut tags);
        for (i, tag) in tags.iter().enumerate() {
            assert_eq!(tag.to_bytes(), expected[i], "message {i} on {}, lengths {lens:?}", cpu.name());
        }
    }
    tags.fill(Tag::from([0xee; 16]));
    mac_batch(keys, &slices, &mut tags);
    assert!(tags.iter().map(Tag::as_bytes).eq(expected.iter()), "default backend, lengths {lens:?}");
}

fn keys(rng: &mut Rng, n: usize) -> Vec<[u8; 32]> {
    (0..n).map(|_| rng.array()).collect()
}

#[test]
fn no_messages() {
    check_batch(&[], &[]);
}

#[test]
fn equal_lengths() {
    let mut rng = Rng(20);
    for n in (1..=pick(40, 17, 5)).step_by(pick(1, 1, 4)) {
        for len in [0, 1, 15, 16, 17, 31, 32, 48, 64, 100, 128, 256].into_iter().step_by(pick(1, 2, 4)) {
            let msgs: Vec<_> = (0..n).map(|_| rng.weird_bytes(len)).collect();
            check_batch(&keys(&mut rng, n), &msgs);
        }
    }
}

#[test]
fn mixed_lengths() {
    let mut rng = Rng(21);
    for round in 0..pick(600, 40, 2) {
        let n = 1 + rng.below(pick(40, 20, 5));
        let longest = [17, 64, 70, 300, 2_000][round % pick(5, 4, 2)];
        let msgs: Vec<_> = (0..n).map(|_| rng.below(longest + 1)).collect();
        let msgs: Vec<_> = msgs.into_iter().map(|len| rng.weird_bytes(len)).collect();
        check_batch(&keys(&mut rng, n), &msgs);
    }
}

/// One long message among short ones, in every position.
#[test]
fn one_lane_outlasts_the_others() {
    let mut rng = Rng(22);
    for long in 0..pick(17, 9, 1) {
        let msgs: Vec<_> = (0..pick(17, 9, 5))
            .map(|i| rng.bytes(if i == long { pick(500, 500, 80) } else { 20 + i }))
            .collect();
        check_batch(&keys(&mut rng, msgs.len()), &msgs);
    }
}

#[test]
fn extreme_keys_and_residues() {
    let mut rng = Rng(23);
    for byte in [0, 0xff] {
        for r in [0u128, 1, 2, 3, u128::MAX] {
            let mut key = [byte; 32];
            key[..16].copy_from_slice(&r.to_le_bytes());
            let msgs: Vec<_> = (0..pick(33, 13, 3)).map(|i| vec![byte; 16 * i]).collect();
            check_batch(&vec![key; msgs.len()], &msgs);
        }
    }
    let msgs: Vec<_> = (0..pick(1024, 64, 5)).map(|_| rng.weird_bytes(64)).collect();
    check_batch(&keys(&mut rng, msgs.len()), &msgs);
}

#[test]
#[should_panic(expected = "as many keys")]
fn too_few_keys() {
    mac_batch(&[[0; 32]], &[b"one", b"two"], &mut [Tag::from([0; 16]); 2]);
}

#[test]
#[should_panic(expected = "as many keys")]
fn too_few_tags() {
    mac_batch(&[[0; 32]; 2], &[b"one", b"two"], &mut [Tag::from([0; 16]); 1]);
}
