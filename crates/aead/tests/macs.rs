//! Both MACs on every backend of this CPU, against the big-integer reference.
//!
//! `CARRYLESS_QUICK=1` leaves out most lengths, for runs in emulators.
use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject, UnknownAlgorithm, WrongPart};
use carryless_aead::hchacha20;
use carryless_aead::wegman_carter::{Nonce, WegmanCarter};
use carryless_hash::{Cpu, Tag, TagMismatch};
use carryless_reference as reference;

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 131 + (i >> 8) * 17) as u8).collect()
}

fn key(seed: u8) -> [u8; 32] {
    *hchacha20(&[seed; 32], b"a key for a test")
}

fn quick() -> bool {
    std::env::var_os("CARRYLESS_QUICK").is_some()
}

fn short_lengths() -> impl Iterator<Item = usize> {
    (0..=300).step_by(if quick() { 23 } else { 1 })
}

/// Lengths around one part and two, where the second level begins, and one longer message.
fn lengths_around_parts() -> Vec<usize> {
    if quick() { vec![PART, PART + 1] } else { vec![PART - 1, PART, PART + 1, 2 * PART, 3 * PART + 5] }
}

fn expected(algorithm: Algorithm, key: &[u8; 32], subject: &str, msg: &[u8]) -> Tag {
    let mac = match algorithm {
        Algorithm::DecBrwHash1305 => reference::decbrw_file_mac,
        Algorithm::PolyHash1305 => reference::polyhash_file_mac,
        _ => panic!("no reference for {algorithm:?}"),
    };
    mac(key, subject, msg).into()
}

#[test]
fn file_tags_of_short_messages() {
    for (algorithm, subject, name) in [
        (Algorithm::DecBrwHash1305, Subject::File, "file"),
        (Algorithm::DecBrwHash1305, Subject::Manifest, "mani"),
        (Algorithm::PolyHash1305, Subject::File, "file"),
        (Algorithm::PolyHash1305, Subject::Manifest, "mani"),
    ] {
        let key = key(1);
        let macs: Vec<_> = Cpu::available().map(|cpu| FileMac::on(cpu, algorithm, subject, &key)).collect();
        for len in short_lengths() {
            let msg = bytes(len);
            let want = expected(algorithm, &key, name, &msg);
            for mac in &macs {
                assert_eq!(mac.tag(&msg), want, "{algorithm:?}, {subject:?}, {len} bytes");
            }
        }
    }
}

#[test]
fn file_tags_around_the_borders_of_parts() {
    for algorithm in Algorithm::ALL {
        let key = key(2);
        let macs: Vec<_> =
            Cpu::available().map(|cpu| FileMac::on(cpu, algorithm, Subject::File, &key)).collect();
        for len in lengths_around_parts() {
            let msg = bytes(len);
            let want = expected(algorithm, &key, "file", &msg);
            for mac in &macs {
                assert_eq!(mac.tag(&msg), want, "{algorithm:?}, {len} bytes");
            }
            for piece in [len, 12_345, PART / 2, PART, PART + 1] {
                let mut stream = macs[0].stream();
                msg.chunks(piece).for_each(|piece| stream.update(piece));
                assert_eq!(stream.finalize(), want, "{algorithm:?}, {len} bytes in pieces of {piece}");
            }
            let mut parts = macs[0].parts();
            (0..)
                .zip(msg.chunks(PART))
                .for_each(|(i, part)| parts.push(&macs[0].part(i, part)).expect("it fits"));
            assert_eq!(parts.finalize(), want, "{algorithm:?}, {len} bytes in parts");
        }
    }
}

#[test]
fn empty_pieces_and_parts_change_nothing() {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(3));
        for msg in [&b""[..], b"x"] {
            let (mut stream, mut parts) = (mac.stream(), mac.parts());
            for piece in [b"", msg, b""] {
                stream.update(piece);
                parts.push(&mac.part(0, piece)).expect("it fits");
            }
            assert_eq!((stream.finalize(), parts.finalize()), (mac.tag(msg), mac.tag(msg)));
        }
    }
}

#[test]
fn parts_that_do_not_fit_are_refused_and_leave_no_trace() {
    let [new, old] = Algorithm::ALL.map(|algorithm| FileMac::new(algorithm, Subject::File, &key(4)));
    for (mac, other) in [(&new, &old), (&old, &new)] {
        let msg = bytes(PART + 1);
        let mut parts = mac.parts();
        assert_eq!(parts.push(&mac.part(0, &msg)), Err(WrongPart::TooLong));
        assert_eq!(
            parts.push(&other.part(0, &msg[..PART])),
            Err(WrongPart::DifferentKeys),
            "another algorithm"
        );
        parts.push(&mac.part(0, &msg[..PART])).expect("it fits");
        parts.push(&mac.part(1, &msg[PART..])).expect("it fits");
        assert_eq!(parts.push(&mac.part(2, &msg[..1])), Err(WrongPart::AfterLast));
        assert_eq!(parts.finalize(), mac.tag(&msg));
    }
}

/// If two algorithms, subjects or keys shared a derived key, some of these tags would be equal.
#[test]
fn every_key_is_its_own() {
    let mut tags = Vec::new();
    for (algorithm, subject, key) in Algorithm::ALL
        .into_iter()
        .flat_map(|algorithm| [Subject::File, Subject::Manifest].map(|subject| (algorithm, subject)))
        .flat_map(|(algorithm, subject)| [key(5), key(6)].map(|key| (algorithm, subject, key)))
    {
        let mac = FileMac::new(algorithm, subject, &key);
        tags.extend([&b""[..], b"\0", b"\0\0", &[0; 16], &[0; 17]].map(|msg| mac.tag(msg).to_bytes()));
    }
    let all = tags.len();
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), all);
}

#[test]
fn algorithms_have_names() {
    for algorithm in Algorithm::ALL {
        assert_eq!(Algorithm::named(algorithm.name()), Ok(algorithm));
    }
    for algorithm in Algorithm::ALL {
        let name = algorithm.name();
        let others = [&name[1..], &name[..name.len() - 1], &format!("{name} "), &format!(" {name}")];
        for other in others.into_iter().chain(["", "polyhash1305", &name.to_uppercase()]) {
            assert_eq!(Algorithm::named(other), Err(UnknownAlgorithm), "{other:?}");
        }
    }
    let said = UnknownAlgorithm.to_string();
    assert!(Algorithm::ALL.iter().all(|algorithm| said.contains(algorithm.name())), "{said}");
}

#[test]
fn wegman_carter_tags() {
    let key = key(7);
    for cpu in Cpu::available() {
        let mac = WegmanCarter::on(cpu, &key);
        for len in short_lengths().chain([1000, 4096, 4097]) {
            let (msg, nonce) = (bytes(len), Nonce::from_bytes((len as u128 * 0x0123_4567).to_le_bytes()));
            let want = reference::wegman_carter(&key, nonce.as_bytes(), &msg).into();
            assert_eq!(mac.tag(&nonce, &msg), want, "{len} bytes, {}", cpu.name());
            for piece in [1, 13, 64, 250, 4096] {
                let mut stream = mac.stream(&nonce);
                msg.chunks(piece).for_each(|piece| stream.update(piece));
                assert_eq!(stream.finalize(), want, "{len} bytes in pieces of {piece}, {}", cpu.name());
            }
        }
    }
}

/// Flips each of the first 128 bits of message, tag, nonce and key, one at a time.
#[test]
fn anything_else_is_refused() {
    let (key, msg, nonce) = (key(8), bytes(100), [9; 16]);
    let nonce_mac = WegmanCarter::new(&key);
    let typed = Nonce::from_bytes(nonce);
    let nonce_tag = nonce_mac.tag(&typed, &msg);
    assert_eq!(nonce_mac.verify(&typed, &msg, &nonce_tag), Ok(()));
    let file_mac = FileMac::new(Algorithm::default(), Subject::File, &key);
    let file_tag = file_mac.tag(&msg);
    assert_eq!(file_mac.verify(&msg, &file_tag), Ok(()));
    for bit in 0..128 {
        let flip = |bytes: &mut [u8]| bytes[bit / 8] ^= 1 << (bit % 8);
        let (mut other_msg, mut other_nonce, mut other_key) = (msg.clone(), nonce, key);
        let (mut other_tag, mut other_file_tag) = (nonce_tag.to_bytes(), file_tag.to_bytes());
        for bytes in
            [&mut other_msg[..], &mut other_nonce, &mut other_key, &mut other_tag, &mut other_file_tag]
        {
            flip(bytes);
        }
        for (mac, nonce, msg, tag) in [
            (&nonce_mac, typed, &other_msg, nonce_tag),
            (&nonce_mac, typed, &msg, other_tag.into()),
            (&nonce_mac, Nonce::from_bytes(other_nonce), &msg, nonce_tag),
            (&WegmanCarter::new(&other_key), typed, &msg, nonce_tag),
        ] {
            assert_eq!(mac.verify(&nonce, msg, &tag), Err(TagMismatch), "bit {bit}");
            let mut stream = mac.stream(&nonce);
            stream.update(msg);
            assert_eq!(stream.verify(&tag), Err(TagMismatch), "bit {bit}");
        }
        for (msg, tag) in [(&other_msg, file_tag), (&msg, other_file_tag.into())] {
            assert_eq!(file_mac.verify(msg, &tag), Err(TagMismatch), "bit {bit}");
            let mut stream = file_mac.stream();
            stream.update(msg);
            assert_eq!(stream.verify(&tag), Err(TagMismatch), "bit {bit}");
        }
    }
}

/// Parts that are swapped, repeated or left out are errors. A refused part leaves the state as it was.
#[test]
fn parts_come_in_order() {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(7));
        let msg = bytes(2 * PART + 9);
        let [a, b, c] =
            [0, 1, 2].map(|i| mac.part(i, &msg[i as usize * PART..msg.len().min((i as usize + 1) * PART)]));
        let mut parts = mac.parts();
        assert_eq!(parts.push(&b), Err(WrongPart::OutOfOrder { expected: 0, found: 1 }));
        parts.push(&a).expect("it fits");
        assert_eq!(parts.push(&a), Err(WrongPart::OutOfOrder { expected: 1, found: 0 }));
        assert_eq!(parts.push(&c), Err(WrongPart::OutOfOrder { expected: 1, found: 2 }));
        parts.push(&b).expect("it fits");
        parts.push(&c).expect("it fits");
        assert_eq!(parts.tag(), mac.tag(&msg));
    }
}

/// The hash of a part does not depend on its index.
#[test]
fn equal_parts_are_hashed_once() {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &[7; 32]);
        let (zeros, mut parts) = (mac.part(0, &[0; PART]), mac.parts());
        for i in 0..3 {
            let part = zeros.with_index(i);
            assert_eq!((part.index(), part.len()), (i, PART as u64));
            assert_eq!(part.to_secret_bytes(), mac.part(i, &[0; PART]).to_secret_bytes());
            parts.push(&part).expect("in order");
        }
        assert_eq!(parts.finalize(), mac.tag(&vec![0; 3 * PART]));
    }
}

/// Parts survive encoding. A part of another key, algorithm or subject is refused, and so is a changed
/// header.
#[test]
fn parts_leave_the_process() {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(8));
        let msg = bytes(PART + 77);
        let mut parts = mac.parts();
        for (i, part) in (0..).zip(msg.chunks(PART)) {
            let bytes = mac.part(i, part).to_secret_bytes();
            let part = mac.part_from_secret_bytes(&*bytes).expect("a part");
            assert_eq!((part.index(), part.is_empty(), part.to_secret_bytes()), (i, false, bytes));
            parts.push(&part).expect("it fits");
        }
        assert_eq!(parts.finalize(), mac.tag(&msg));

        let bytes = mac.part(3, &msg[..77]).to_secret_bytes();
        for (other, subject, seed) in Algorithm::ALL
            .into_iter()
            .flat_map(|algorithm| [Subject::File, Subject::Manifest].map(|subject| (algorithm, subject)))
            .flat_map(|(algorithm, subject)| [(algorithm, subject, 8), (algorithm, subject, 9)])
        {
            let read = FileMac::new(other, subject, &key(seed)).part_from_secret_bytes(&*bytes);
            let same = (other, subject, seed) == (algorithm, Subject::File, 8);
            assert_eq!(
                read.err(),
                (!same).then_some(WrongPart::DifferentKeys),
                "{other:?}, {subject:?}, {seed}"
            );
        }
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let read = mac.part_from_secret_bytes(&*changed);
            let want = match bit / 8 {
                0..=7 => Some(WrongPart::Invalid),
                24..=39 => Some(WrongPart::DifferentKeys),
                // Every index and every 128-bit digest is possible, so the decoder cannot notice a change.
                8..=15 => None,
                40..=55 if algorithm == Algorithm::DecBrwHash1305 => None,
                _ => continue,
            };
            assert_eq!(read.err(), want, "{algorithm:?}, bit {bit}");
        }
        for wrong in [&bytes[..95], &[&bytes[..], &[0]].concat(), &[]] {
            assert_eq!(mac.part_from_secret_bytes(wrong).err(), Some(WrongPart::Invalid));
        }
        // With polyHash1305 the value determines the length, so every other one than 77 is refused. The
        // digests of the other algorithm do not tell it. No part may be longer than 2^20 bytes.
        for len in [0, 76, 78, PART as u64] {
            let mut other = bytes.clone();
            other[16..24].copy_from_slice(&len.to_le_bytes());
            let want = (algorithm == Algorithm::PolyHash1305).then_some(WrongPart::Invalid);
            assert_eq!(mac.part_from_secret_bytes(&*other).err(), want, "{algorithm:?}, {len} bytes");
        }
        for len in [PART as u64 + 1, 1 << 32, u64::MAX] {
            let mut other = bytes.clone();
            other[16..24].copy_from_slice(&len.to_le_bytes());
            assert_eq!(mac.part_from_secret_bytes(&*other).err(), Some(WrongPart::TooLong), "{len} bytes");
        }
        let mut long = bytes.clone();
        long[18] = 0x10;
        assert_eq!(mac.part_from_secret_bytes(&*long).err(), Some(WrongPart::TooLong));
        long[18] = 0;
        long[95] = 1;
        assert_eq!(mac.part_from_secret_bytes(&*long).err(), Some(WrongPart::Invalid));
    }
}

/// Streams whose pieces end one byte before the end of a part, at it, and one byte after it.
#[test]
fn streams_are_cut_around_the_ends_of_parts() {
    let msg = bytes(2 * PART + 3);
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(11));
        for first in [PART - 1, PART, PART + 1] {
            for second in [PART - 1, PART, PART + 1] {
                let mut stream = mac.stream();
                let (a, rest) = msg.split_at(first);
                let (b, c) = rest.split_at(second);
                [a, b, c].into_iter().for_each(|piece| stream.update(piece));
                assert_eq!(stream.finalize(), mac.tag(&msg), "{algorithm:?}, {first} and {second} bytes");
            }
        }
    }
}

#[test]
fn streams_are_reset_and_written_to() {
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(10));
        let mut stream = mac.stream();
        for len in [2 * PART + 3, 0, 5, PART, 70_000] {
            std::io::copy(&mut &bytes(len)[..], &mut stream).expect("streams do not fail");
            assert_eq!(stream.tag(), mac.tag(&bytes(len)), "{algorithm:?}, {len} bytes");
            stream.reset();
        }
    }
}
