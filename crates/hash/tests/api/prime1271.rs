//! The hashes over 2^127 - 1: the vector files, and nothing read outside a message.
use crate::common::{backends, pick};
use crate::vectors::{array, bit_string, hex, tests};
use carryless_hash::Key1271;
use carryless_hash::decbrwhash1271::{self, Streams};
use carryless_hash::polyhash1271::{self, PreparedKey};

/// polyHash1271, messages of bytes and of bits, on every backend.
#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn polyhash1271_file() {
    let mut done = 0;
    for t in tests(include_str!("../../../../vectors/polyhash1271.json")) {
        let (msg, bits) = bit_string(&t);
        if msg.len() > pick(usize::MAX, 5_000, 200) {
            continue;
        }
        let (key, want) = (Key1271::new(&array(&t["key"])).expect("in range"), array::<16>(&t["tag"]));
        for &cpu in backends() {
            let got = polyhash1271::digest_bits_on(cpu, &key, &msg, bits);
            assert_eq!(got, Ok(want), "test {} on {}", t["tcId"], cpu.name());
        }
        done += 1;
    }
    assert!(done >= pick(2820, 350, 15), "{done}");
}

/// BRWHash1271 and c-decBRWHash1271, messages of bytes and of bits, on every backend.
#[test]
#[cfg_attr(miri, ignore = "reading the files takes Miri minutes")]
fn brw1271_files() {
    let files = [
        (1, include_str!("../../../../vectors/brwhash1271.json")),
        (2, include_str!("../../../../vectors/decbrw2_1271.json")),
        (3, include_str!("../../../../vectors/decbrw3_1271.json")),
        (4, include_str!("../../../../vectors/decbrw4_1271.json")),
        (8, include_str!("../../../../vectors/decbrw8_1271.json")),
        (16, include_str!("../../../../vectors/decbrw16_1271.json")),
    ];
    for (c, file) in files {
        let streams = Streams::try_from(c).expect("a known number of streams");
        for t in tests(file) {
            let (key, want) = (Key1271::new(&array(&t["key"])).expect("in range"), array::<16>(&t["tag"]));
            let (msg, bits) = bit_string(&t);
            if msg.len() > pick(usize::MAX, 5_000, 200) {
                continue;
            }
            for &cpu in backends() {
                let got = decbrwhash1271::digest_bits_on(cpu, streams, &key, &msg, bits);
                assert_eq!(got, Ok(want), "test {} of {c} streams on {}", t["tcId"], cpu.name());
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "reading the file takes Miri minutes")]
fn combine_file() {
    let mut done = 0;
    for t in tests(include_str!("../../../../vectors/combine.json")) {
        if t["prime"] != "1271" {
            continue;
        }
        let (key, a, b) =
            (Key1271::new(&array(&t["key"])).expect("in range"), hex(&t["msgA"]), hex(&t["msgB"]));
        for &cpu in backends() {
            let key = PreparedKey::on(cpu, &key);
            let joined = key.segment(&a).join(&key.segment(&b)).expect("whole blocks").digest();
            assert_eq!(joined, array(&t["tag"]), "test {}, {}", t["tcId"], cpu.name());
        }
        done += 1;
    }
    assert!(done >= pick(120, 12, 1), "{done}");
}

/// A message that begins where a page begins, or ends where one ends, between pages that cannot be read. Blocks of 15
/// bytes are read in words of 16.
#[cfg(all(unix, not(miri)))]
#[test]
fn nothing_outside_the_message_is_read() {
    let mut rng = crate::common::Rng(53);
    let mut page = crate::guard::GuardedPage::new();
    let page = page.bytes();
    let content = rng.bytes(page.len());
    page.copy_from_slice(&content);
    let key = Key1271::new(&[0x35; 16]).expect("in range");
    for len in (0..=pick(1100, 330, 0)).chain(page.len() - 40..=page.len()).step_by(pick(1, 3, 1)) {
        for msg in [&page[..len], &page[page.len() - len..]] {
            let copy = msg.to_vec();
            for &cpu in backends() {
                every_hash(cpu, &key, msg, &copy);
            }
        }
    }
}

/// Two places, one message.
#[cfg(all(unix, not(miri)))]
fn every_hash(cpu: carryless_hash::Cpu, key: &Key1271, msg: &[u8], copy: &[u8]) {
    for plan in polyhash1271::Plan::all(cpu, msg.len()) {
        let [here, there] = [msg, copy].map(|msg| polyhash1271::digest_with(cpu, plan, key, msg));
        assert_eq!(here, there);
    }
    for (streams, layout) in [
        (Streams::One, decbrwhash1271::Layout::Words),
        (Streams::Four, decbrwhash1271::Layout::Lanes),
        (Streams::Sixteen, decbrwhash1271::Layout::FourLimbs),
    ] {
        let params = decbrwhash1271::Params { t: 2, layout };
        let [here, there] =
            [msg, copy].map(|msg| decbrwhash1271::digest_with(cpu, params, streams, key, msg));
        assert_eq!(here, there);
    }
}
