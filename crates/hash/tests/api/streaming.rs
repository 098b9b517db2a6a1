//! However a message is cut into pieces, the value is the same.
use crate::common::{Rng, backends, pick};
use carryless_hash::Key1271;
use carryless_hash::decbrwhash1305::{self, Streams};
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1271::{self, PolyHash1271};
use carryless_hash::polyhash1305::{self, PolyHash1305};
use carryless_reference as reference;

/// The message in the given pieces, on every backend.
fn check_pieces<'a>(
    key: &[u8; 32],
    pieces: impl Iterator<Item = &'a [u8]> + Clone,
    tag: [u8; 16],
    digest: [u8; 16],
) {
    let lens = || pieces.clone().map(<[u8]>::len).collect::<Vec<_>>();
    for &cpu in backends() {
        let mut mac = Poly1305::on(cpu, key);
        let mut hash = PolyHash1305::on(cpu, key[..16].try_into().expect("half a key"));
        for piece in pieces.clone() {
            mac.update(piece);
            hash.update(piece);
        }
        assert_eq!(mac.finalize().to_bytes(), tag, "Poly1305 on {}, pieces {:?}", cpu.name(), lens());
        assert_eq!(hash.finalize(), digest, "polyHash1305 on {}, pieces {:?}", cpu.name(), lens());
    }
}

fn expected(key: &[u8; 32], msg: &[u8]) -> ([u8; 16], [u8; 16]) {
    (reference::poly1305(key, msg), reference::polyhash1305(key[..16].try_into().expect("half a key"), msg))
}

#[test]
fn all_cuts_in_two() {
    let mut rng = Rng(10);
    for len in (0..=pick(300, 150, 20)).step_by(pick(1, 3, 4)) {
        let (key, msg) = (rng.array(), rng.bytes(len));
        let (tag, digest) = expected(&key, &msg);
        for cut in 0..=len {
            let (a, b) = msg.split_at(cut);
            check_pieces(&key, [a, b].into_iter(), tag, digest);
        }
    }
}

/// A long piece after a short one: the kernels for long messages start from a value that is not zero.
#[test]
fn cuts_of_long_messages() {
    let mut rng = Rng(11);
    let lens = [512, 1000, 1024, 2048, 4096, 5000, 8192, 9999, 20_000];
    for len in lens.into_iter().take(pick(9, 4, 0)) {
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let (tag, digest) = expected(&key, &msg);
        for cut in (0..=80).chain(len - 80..=len).chain((0..len).step_by(len / 60)).step_by(pick(1, 9, 1)) {
            let (a, b) = msg.split_at(cut);
            check_pieces(&key, [a, b].into_iter(), tag, digest);
        }
    }
}

#[test]
fn equal_pieces() {
    let mut rng = Rng(12);
    for len in [1, 16, 100, 256, 777, 3000].into_iter().take(pick(6, 5, 3)) {
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let (tag, digest) = expected(&key, &msg);
        for piece in (1..=70).chain([127, 128, 129, 255, 256, 257, 512, 1000]).step_by(pick(1, 5, 20)) {
            check_pieces(&key, msg.chunks(piece), tag, digest);
        }
    }
}

/// Long messages in small pieces, which a stream collects: values on the way, a copy, and a second message.
#[test]
fn small_pieces_of_long_messages() {
    let mut rng = Rng(16);
    let len = pick(20_000, 12_000, 8_500);
    let (key, msg) = (rng.array(), rng.weird_bytes(len));
    let (tag, digest) = expected(&key, &msg);
    for piece in [1, 15, 16, 17, 64, 65, 100, 1000, 2047, 2048, 2049].into_iter().step_by(pick(1, 1, 6)) {
        check_pieces(&key, msg.chunks(piece), tag, digest);
        let mut hash = PolyHash1305::new(key[..16].try_into().expect("half a key"));
        for (i, part) in msg.chunks(piece).enumerate() {
            hash.update(part);
            if i % 64 == 63 {
                let so_far = &msg[..(i + 1) * piece];
                assert_eq!(hash.digest(), expected(&key, so_far).1, "{} bytes by {piece}", so_far.len());
            }
        }
        let copy = hash.clone();
        hash.reset();
        hash.update(&msg[..piece]);
        assert_eq!(hash.finalize(), expected(&key, &msg[..piece]).1, "{piece} bytes after a reset");
        assert_eq!(copy.finalize(), digest, "a copy, pieces of {piece} bytes");
    }
}

#[test]
fn random_cuts_with_empty_pieces() {
    let mut rng = Rng(13);
    for round in 0..pick(2_000, 60, 4) {
        // Some long enough for a stream to prepare powers on its way.
        let longest = if round % 8 == 0 { pick(30_000, 6_000, 100) } else { pick(2_000, 1_000, 100) };
        let len = rng.below(longest);
        let (key, msg) = (rng.array(), rng.weird_bytes(len));
        let (tag, digest) = expected(&key, &msg);
        let largest = [3, 20, 70, 300, 3_000][rng.below(5)];
        let mut pieces = Vec::new();
        let mut rest = &msg[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rng.below(largest).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        check_pieces(&key, pieces.into_iter(), tag, digest);
    }
}

/// A digest on the way changes nothing.
#[test]
fn digests_on_the_way() {
    let mut rng = Rng(15);
    let (mut key, msg): ([u8; 16], _) = (rng.array(), rng.bytes(pick(9_000, 2_000, 100)));
    // Below 2^126, so that it is a key over both primes.
    key[15] &= 0x3f;
    let key1271 = Key1271::new(&key).expect("in range");
    for &cpu in backends() {
        let (mut poly, mut poly1271) = (PolyHash1305::on(cpu, &key), PolyHash1271::on(cpu, &key1271));
        let mut brw = decbrwhash1305::DecBrwHash1305::on(cpu, &key);
        let mut seen = 0;
        for piece in msg.chunks(777) {
            poly.update(piece);
            poly1271.update(piece);
            brw.update(piece);
            seen += piece.len();
            let so_far = &msg[..seen];
            assert_eq!(poly.digest(), polyhash1305::digest(&key, so_far), "{seen} bytes, {}", cpu.name());
            assert_eq!(poly1271.digest(), polyhash1271::digest(&key1271, so_far), "{seen} bytes");
            assert_eq!(brw.digest(), decbrwhash1305::digest(Streams::Four, &key, so_far), "{seen} bytes");
        }
        brw.reset();
        brw.update(&msg[..100]);
        assert_eq!(brw.finalize(), decbrwhash1305::digest(Streams::Four, &key, &msg[..100]), "after reset");
    }
}

/// A copy of a stream goes its own way, and the original stays as it was.
#[test]
fn a_clone_is_independent() {
    let mut rng = Rng(14);
    for len in [0, 5, 16, 100, 1000].into_iter().take(pick(5, 5, 3)) {
        let (key, head) = (rng.array(), rng.bytes(len));
        for &cpu in backends() {
            let mut first = Poly1305::on(cpu, &key);
            first.update(&head);
            let mut second = first.clone();
            second.update(b"one end");
            first.update(b"another");
            let tag = |end: &[u8]| reference::poly1305(&key, &[&head, end].concat());
            assert_eq!(first.finalize().to_bytes(), tag(b"another"), "{}", cpu.name());
            assert_eq!(second.finalize().to_bytes(), tag(b"one end"), "{}", cpu.name());
        }
    }
}

/// The tag by reference is that of all bytes, and leaves a stream of no bytes under the key zero.
#[test]
fn finalized_in_place() {
    let mut rng = Rng(15);
    for (&cpu, len) in backends().iter().flat_map(|cpu| [0, 5, 64, 200, 300, 5000].map(|len| (cpu, len))) {
        let (key, msg): ([u8; 32], _) = (rng.array(), rng.bytes(len));
        let mut stream = Poly1305::on(cpu, &key);
        stream.update(&msg);
        let tag = stream.finalize_in_place();
        assert_eq!(tag.to_bytes(), reference::poly1305(&key, &msg), "{len} bytes on {}", cpu.name());
        assert_eq!(stream.finalize().to_bytes(), [0; 16], "what {len} bytes on {} leave", cpu.name());
    }
}
