//! Values of parts, joined to the value of the whole.
use crate::common::{Rng, machines, pick};
use carryless_hash::polyhash1305::{NotWholeBlocks, PreparedKey, Segment};
use carryless_reference as reference;

#[test]
fn all_block_boundaries() {
    let mut rng = Rng(30);
    for len in (0..=pick(700, 200, 50)).step_by(pick(1, 7, 10)) {
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let digest = reference::polyhash1305(&key, &msg);
        for &cpu in machines() {
            let prepared = PreparedKey::on(cpu, &key);
            for cut in (0..=len).step_by(16) {
                let (a, b) = msg.split_at(cut);
                let joined = prepared.join(&prepared.segment(a), &prepared.segment(b)).expect("whole blocks");
                assert_eq!(joined.digest(), digest, "{}, cut at {cut} of {len}", cpu.name());
                assert_eq!((joined.len(), joined.is_empty()), (len as u64, len == 0));
            }
        }
    }
}

/// (A B) C = A (B C), also with empty parts.
#[test]
fn joining_is_associative() {
    let mut rng = Rng(31);
    for _ in 0..pick(1_000, 40, 4) {
        let lens =
            [16 * rng.below(pick(40, 20, 4)), 16 * rng.below(pick(40, 20, 4)), rng.below(pick(600, 300, 50))];
        let parts = lens.map(|len| rng.weird_bytes(len));
        let key = rng.array();
        let digest = reference::polyhash1305(&key, &parts.concat());
        for &cpu in machines() {
            let prepared = PreparedKey::on(cpu, &key);
            let [a, b, c] = parts.each_ref().map(|part| prepared.segment(part));
            let join = |a: &Segment, b: &Segment| prepared.join(a, b).expect("whole blocks");
            assert_eq!(join(&join(&a, &b), &c).digest(), digest, "{}, left first, {lens:?}", cpu.name());
            assert_eq!(join(&a, &join(&b, &c)).digest(), digest, "{}, right first, {lens:?}", cpu.name());
        }
    }
}

/// Segments computed on different machines join.
#[test]
fn machines_mix() {
    let mut rng = Rng(32);
    let (key, msg) = (rng.array(), rng.bytes(pick(40_001, 4_001, 200)));
    let digest = reference::polyhash1305(&key, &msg);
    for size in [16, 64, 1008, 4096, 16_384].into_iter().take(pick(5, 4, 2)) {
        let mut whole: Option<Segment> = None;
        for (i, part) in msg.chunks(size).enumerate() {
            let prepared = PreparedKey::on(machines()[i % machines().len()], &key);
            let part = prepared.segment(part);
            whole = Some(match whole {
                Some(before) => prepared.join(&before, &part).expect("whole blocks"),
                None => part,
            });
        }
        assert_eq!(whole.expect("a segment").digest(), digest, "parts of {size} bytes");
    }
}

#[test]
fn extreme_residues_join() {
    for tau in crate::common::weird_keys().iter().step_by(pick(1, 6, 30)) {
        let msg = vec![0xff; 16 * 9];
        let digest = reference::polyhash1305(tau, &msg);
        for &cpu in machines() {
            let prepared = PreparedKey::on(cpu, tau);
            for cut in (0..=msg.len()).step_by(16) {
                let (a, b) = (prepared.segment(&msg[..cut]), prepared.segment(&msg[cut..]));
                assert_eq!(prepared.join(&a, &b).expect("whole blocks").digest(), digest, "{tau:02x?}");
            }
        }
    }
}

#[test]
fn nothing_follows_an_incomplete_block() {
    let prepared = PreparedKey::new(&[9; 16]);
    for len in (1..100).filter(|len| len % 16 != 0).step_by(pick(1, 1, 20)) {
        let left = prepared.segment(&[1; 100][..len]);
        assert_eq!(prepared.join(&left, &prepared.segment(b"more")).err(), Some(NotWholeBlocks));
        assert_eq!(prepared.join(&left, &prepared.segment(b"")).err(), Some(NotWholeBlocks));
    }
}
