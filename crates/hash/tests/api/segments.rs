//! Values of parts, joined to the value of the whole.
use crate::common::{Rng, backends, pick};
use carryless_hash::polyhash1305::{PreparedKey, Segment};
use carryless_hash::{InvalidSegment, JoinError, Key1271, decbrwhash1271, decbrwhash1305, polyhash1271};
use carryless_reference as reference;

#[test]
fn all_block_boundaries() {
    let mut rng = Rng(30);
    for len in (0..=pick(700, 200, 50)).step_by(pick(1, 7, 10)) {
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let digest = reference::polyhash1305(&key, &msg);
        for &cpu in backends() {
            let prepared = PreparedKey::on(cpu, &key);
            for cut in (0..=len).step_by(16) {
                let (a, b) = msg.split_at(cut);
                let joined = prepared.segment(a).join(&prepared.segment(b)).expect("whole blocks");
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
        for &cpu in backends() {
            let prepared = PreparedKey::on(cpu, &key);
            let [a, b, c] = parts.each_ref().map(|part| prepared.segment(part));
            let join = |a: &Segment, b: &Segment| a.join(b).expect("whole blocks");
            assert_eq!(join(&join(&a, &b), &c).digest(), digest, "{}, left first, {lens:?}", cpu.name());
            assert_eq!(join(&a, &join(&b, &c)).digest(), digest, "{}, right first, {lens:?}", cpu.name());
        }
    }
}

/// Segments computed on different backends join.
#[test]
fn backends_mix() {
    let mut rng = Rng(32);
    let (key, msg) = (rng.array(), rng.bytes(pick(40_001, 4_001, 200)));
    let digest = reference::polyhash1305(&key, &msg);
    for size in [16, 64, 1008, 4096, 16_384].into_iter().take(pick(5, 4, 2)) {
        let mut whole: Option<Segment> = None;
        for (i, part) in msg.chunks(size).enumerate() {
            let prepared = PreparedKey::on(backends()[i % backends().len()], &key);
            let part = prepared.segment(part);
            whole = Some(match whole {
                Some(before) => before.join(&part).expect("whole blocks"),
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
        for &cpu in backends() {
            let prepared = PreparedKey::on(cpu, tau);
            for cut in (0..=msg.len()).step_by(16) {
                let (a, b) = (prepared.segment(&msg[..cut]), prepared.segment(&msg[cut..]));
                assert_eq!(a.join(&b).expect("whole blocks").digest(), digest, "{tau:02x?}");
            }
        }
    }
}

#[test]
fn nothing_follows_an_incomplete_block() {
    let prepared = PreparedKey::new(&[9; 16]);
    for len in (1..100).filter(|len| len % 16 != 0).step_by(pick(1, 1, 20)) {
        let left = prepared.segment(&[1; 100][..len]);
        assert_eq!(left.join(&prepared.segment(b"more")).err(), Some(JoinError::WrongCut));
        assert_eq!(left.join(&prepared.segment(b"")).err(), Some(JoinError::WrongCut));
    }
}

/// Segments of different keys are an error, also of those that differ in one bit only; empty ones, too.
#[test]
fn different_keys_do_not_join() {
    let mut rng = Rng(33);
    let (key, msg) = (rng.array(), rng.bytes(300));
    for bit in (0..128).step_by(pick(1, 5, 40)) {
        let mut other: [u8; 16] = key;
        other[bit / 8] ^= 1 << (bit % 8);
        for &cpu in backends() {
            let [here, there] = [key, other].map(|key| PreparedKey::on(cpu, &key));
            for (a, b) in [(&msg[..160], &msg[160..]), (&msg[..0], &msg[..]), (&msg[..160], &msg[..0])] {
                let joined = here.segment(a).join(&there.segment(b));
                assert_eq!(joined.err(), Some(JoinError::DifferentKeys), "bit {bit}, {}", cpu.name());
                assert!(here.segment(a).join(&here.segment(b)).is_ok());
            }
        }
    }
}

/// The same over 2^127 - 1, and BRW hashes over both primes.
#[test]
fn different_keys_do_not_join_in_any_family() {
    let msg = Rng(34).bytes(2048);
    let different = Some(JoinError::DifferentKeys);
    for bit in (0..126).step_by(pick(5, 9, 40)) {
        let (key, mut other) = ([5; 16], [5; 16]);
        other[bit / 8] ^= 1 << (bit % 8);
        let [here1271, there1271] = [key, other].map(|key| Key1271::new(&key).expect("in range"));
        let [here, there] = [&here1271, &there1271].map(polyhash1271::PreparedKey::new);
        assert_eq!(here.segment(&msg[..150]).join(&there.segment(&msg)).err(), different, "bit {bit}");

        let [here, there] = [key, other].map(|key| {
            let mut hash = decbrwhash1305::DecBrwHash1305::new(&key);
            hash.update(&msg);
            hash.into_segment()
        });
        assert_eq!(here.join(&there).err(), different, "bit {bit}");
        assert_eq!(decbrwhash1305::Segment::join_all([here, there]).err(), different, "bit {bit}");

        let [here, there] = [here1271, there1271].map(|key| {
            let mut hash = decbrwhash1271::DecBrwHash1271::new(&key);
            // 32 rows of 4 blocks of 15 bytes: whole rows, so that the keys alone forbid to join.
            hash.update(&msg[..1920]);
            hash.into_segment()
        });
        assert_eq!(here.join(&there).err(), different, "bit {bit}");
    }
}

/// A segment and itself, again and again: the length is right as long as there is such a message, then an error.
#[test]
fn lengths_do_not_overflow() {
    let mut poly = PreparedKey::new(&[7; 16]).segment(&[1; 16]);
    for lg in 5..64 {
        poly = poly.join(&poly).expect("fewer than 2^64 bytes");
        assert_eq!((poly.len(), poly.is_empty()), (1 << lg, false));
    }
    assert_eq!(poly.join(&poly).err(), Some(JoinError::TooLong));

    let mut hash = decbrwhash1305::DecBrwHash1305::new(&[7; 16]);
    // 4 rows of 4 blocks, the fewest that a segment before another may have.
    hash.update(&[1; 256]);
    let mut brw = hash.into_segment();
    for lg in 9..61 {
        brw = brw.join(&brw).expect("fewer than 2^64 bits");
        assert_eq!((brw.len(), brw.is_empty()), (1 << lg, false));
    }
    assert_eq!(brw.join(&brw).err(), Some(JoinError::TooLong));
}

/// Through bytes and back: the same length, key and value. Every bit counts, and other bytes are refused.
#[test]
fn segments_leave_the_process() {
    let mut rng = Rng(35);
    let (key, msg): ([u8; 16], _) = (rng.array(), rng.bytes(2_000));
    let prepared = PreparedKey::new(&key);
    let (left, right) = (prepared.segment(&msg[..960]), prepared.segment(&msg[960..]));
    let bytes = left.to_secret_bytes();
    assert_eq!(
        (&bytes[..8], &bytes[8..16], &bytes[16..32]),
        (&b"clph1305"[..], &960u64.to_le_bytes()[..], &key[..])
    );
    let back = |bytes: &[u8]| Segment::from_secret_bytes(bytes);
    let there = back(&*bytes).expect("a segment");
    assert_eq!(there.join(&right).expect("it joins").digest(), prepared.digest(&msg));
    assert_eq!(there.to_secret_bytes(), bytes);
    for bit in 0..8 * bytes.len() {
        let mut other = bytes.clone();
        other[bit / 8] ^= 1 << (bit % 8);
        let joined = back(&*other).ok().and_then(|segment| segment.join(&right).ok());
        assert_ne!(
            joined.map(|joined| (joined.len(), joined.digest())),
            Some((2_000, prepared.digest(&msg))),
            "bit {bit}"
        );
    }
    for wrong in [&bytes[..55], &[&bytes[..], &[0]].concat(), &[], &[&b"clph1271"[..], &bytes[8..]].concat()]
    {
        assert_eq!(back(wrong).err(), Some(InvalidSegment));
    }
    // p and everything above it is no residue.
    let mut prime = [0xff; 24];
    (prime[0], prime[16]) = (0xfb, 3);
    prime[17..].fill(0);
    assert_eq!(back(&[&bytes[..32], &prime].concat()).err(), Some(InvalidSegment));
    prime[0] -= 1;
    assert!(back(&[&bytes[..32], &prime].concat()).is_ok());
}

/// The same over 2^127 - 1, where keys have 126 bits.
#[test]
fn segments_leave_the_process_over_2_127_1() {
    use polyhash1271::{PreparedKey, Segment};
    let msg = Rng(36).bytes(2_000);
    let prepared = PreparedKey::new(&Key1271::new(&[9; 16]).expect("in range"));
    let (left, right) = (prepared.segment(&msg[..900]), prepared.segment(&msg[900..]));
    let bytes = left.to_secret_bytes();
    let there = Segment::from_secret_bytes(&*bytes).expect("a segment");
    assert_eq!(there.join(&right).expect("it joins").digest(), prepared.digest(&msg));
    for (at, byte) in [(31, 0x40), (31, 0x80), (39 + 8, 0x80), (48, 1)] {
        let mut other = bytes.clone();
        other[at] |= byte;
        assert_eq!(Segment::from_secret_bytes(&*other).err(), Some(InvalidSegment), "byte {at}");
    }
}
