//! Keys and states of the MACs: what they leave in memory, which key they belong to, and their sizes.
#![deny(unsafe_code)]

#[path = "../../hash/tests/api/sizes.rs"]
mod sizes;

use carryless_aead::file_mac::{self, Algorithm, FileMac, PART, Parts, Subject, WrongPart};
use carryless_aead::hchacha20;
use carryless_aead::wegman_carter::{self, Nonce, WegmanCarter};
use carryless_hash::Cpu;
#[cfg(not(miri))]
use carryless_residue::check;
use std::sync::Arc;

fn key(seed: u64) -> [u8; 32] {
    *hchacha20(&[seed as u8; 32], b"a key for a test")
}

fn message(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 131 + (i >> 8) * 17) as u8).collect()
}

/// Lengths of short messages, of some kilobytes, and of more than one part.
fn lengths() -> Vec<usize> {
    let quick = std::env::var_os("CARRYLESS_QUICK").is_some();
    if quick { vec![0, 100, 3000] } else { vec![0, 5, 100, 1000, 3000, 20_000, PART + 9] }
}

#[cfg(not(miri))]
#[test]
fn nothing_of_a_key_is_left() {
    let messages = lengths().into_iter().map(message);
    for (cpu, msg) in messages.flat_map(|msg| Cpu::available().map(move |cpu| (cpu, msg.clone()))) {
        for algorithm in Algorithm::ALL {
            file_mac(cpu, algorithm, &msg);
        }
        wegman_carter(cpu, &msg);
    }
}

#[cfg(not(miri))]
fn file_mac(cpu: Cpu, algorithm: Algorithm, msg: &[u8]) {
    let what = |of: &str| format!("{of}, {algorithm:?}, {} bytes, {}", msg.len(), cpu.name());
    let new = |key: &[u8; 32]| FileMac::on(cpu, algorithm, Subject::File, key);
    let mac = |seed| new(&key(seed));
    let update = |_: &_, stream: &mut file_mac::Stream| stream.update(msg);
    let push = |mac: &FileMac, parts: &mut Parts| {
        (0..).zip(msg.chunks(PART)).for_each(|(i, part)| parts.push(&mac.part(i, part)).expect("it fits"));
    };
    let part = |mac: &FileMac| mac.part(0, &msg[..msg.len().min(PART)]);
    check(&what("FileMac"), key, new, |_, _| (), |mac| mac.tag(msg).to_bytes());
    check(&what("Stream"), mac, FileMac::stream, update, |stream| stream.finalize().to_bytes());
    check(&what("Parts"), mac, FileMac::parts, push, |parts| parts.finalize().to_bytes());
    // A wiped part belongs to no key, so none accepts it.
    check(&what("Part"), mac, part, |_, _| (), |part| [u8::from(mac(1).parts().push(&part).is_ok()); 16]);
}

#[cfg(not(miri))]
fn wegman_carter(cpu: Cpu, msg: &[u8]) {
    let what = |of: &str| format!("{of}, {} bytes, {}", msg.len(), cpu.name());
    let nonce = Nonce::from_bytes([3; 16]);
    let new = |key: &[u8; 32]| WegmanCarter::on(cpu, key);
    let stream = |mac: &WegmanCarter| mac.stream(&nonce);
    let update = |_: &_, stream: &mut wegman_carter::Stream| stream.update(msg);
    check(&what("WegmanCarter"), key, new, |_, _| (), |mac| mac.tag(&nonce, msg).to_bytes());
    check(&what("Stream"), |seed| new(&key(seed)), stream, update, |stream| stream.finalize().to_bytes());
}

/// A stream next to the key that it came from, in one struct: it must not borrow from the key.
struct Upload {
    mac: Arc<FileMac>,
    stream: file_mac::Stream,
    parts: Parts,
}

/// Runs `work` on another thread, or on this one for WebAssembly, which has no threads.
fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    if cfg!(target_family = "wasm") { work() } else { std::thread::spawn(work).join().expect("no panic") }
}

#[test]
fn streams_own_what_they_need() {
    for algorithm in Algorithm::ALL {
        let mac = Arc::new(FileMac::new(algorithm, Subject::File, &key(1)));
        let (stream, parts) = (mac.stream(), mac.parts());
        let mut upload = Upload { mac, stream, parts };
        let msg = message(PART + 77);
        upload.stream.update(&msg[..PART]);
        upload.parts.push(&upload.mac.part(0, &msg[..PART])).expect("it fits");
        let want = upload.mac.tag(&msg[..PART]);
        assert_eq!((upload.stream.tag(), upload.parts.tag()), (want, want));

        // A clone is independent: it is finished on another thread, after the key is dropped.
        let mut copy = upload.stream.clone();
        copy.update(b"other");
        upload.stream.update(&msg[PART..]);
        upload.parts.push(&upload.mac.part(1, &msg[PART..])).expect("it fits");
        let want = [upload.mac.tag(&msg), upload.mac.tag(&[&msg[..PART], b"other"].concat())];
        let Upload { stream, parts, .. } = upload;
        let other = elsewhere(move || copy.finalize());
        assert_eq!([stream.finalize(), other], want);
        assert_eq!(parts.finalize(), want[0]);
    }
}

#[test]
fn parts_of_other_keys_are_refused() {
    let msg = message(100);
    for algorithm in Algorithm::ALL {
        let mac = FileMac::new(algorithm, Subject::File, &key(1));
        let others = Algorithm::ALL.into_iter().flat_map(|other| {
            [(Subject::File, 2), (Subject::Manifest, 1), (Subject::Manifest, 2)]
                .map(|(subject, seed)| FileMac::new(other, subject, &key(seed)))
        });
        let mut parts = mac.parts();
        for other in others {
            for msg in [&msg[..], b""] {
                assert_eq!(parts.push(&other.part(0, msg)), Err(WrongPart::DifferentKeys));
            }
        }
        parts.push(&mac.part(0, &msg)).expect("its own");
        assert_eq!(parts.finalize(), mac.tag(&msg));
    }
}

/// The sizes are at most those of the documentation, and at most 5 % less.
// The alignment of `u128` is 16 bytes on these architectures and may differ elsewhere, which changes the
// sizes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[test]
fn sizes_are_as_documented() {
    use sizes::documented;
    let wrong: Vec<_> = [
        documented::<FileMac>(6592),
        documented::<file_mac::Stream>(2256),
        documented::<Parts>(1184),
        documented::<file_mac::Part>(96),
        documented::<WegmanCarter>(2640),
        documented::<wegman_carter::Stream>(1112),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every type that holds a key can be cloned, wiped and sent to other threads. Its `Debug` output exists and
/// shows nothing of the key.
#[test]
fn keyed_types_have_the_same_traits() {
    use carryless_hash::{Key1271, decbrwhash1271, decbrwhash1305, poly1305, polyhash1271, polyhash1305};
    use zeroize::{Zeroize, ZeroizeOnDrop};

    fn keyed<T: Clone + std::fmt::Debug + Zeroize + ZeroizeOnDrop + Send + Sync + 'static>() {}
    keyed::<FileMac>();
    keyed::<file_mac::Stream>();
    keyed::<file_mac::Part>();
    keyed::<Parts>();
    keyed::<WegmanCarter>();
    keyed::<wegman_carter::Stream>();
    keyed::<Key1271>();
    keyed::<poly1305::Poly1305>();
    keyed::<poly1305::PreparedKey>();
    keyed::<polyhash1305::PolyHash1305>();
    keyed::<polyhash1305::PreparedKey>();
    keyed::<polyhash1305::Segment>();
    keyed::<polyhash1271::PolyHash1271>();
    keyed::<polyhash1271::PreparedKey>();
    keyed::<polyhash1271::Segment>();
    keyed::<decbrwhash1305::PreparedKey>();
    keyed::<decbrwhash1305::Hasher<4>>();
    keyed::<decbrwhash1305::Segment<4>>();
    keyed::<decbrwhash1271::PreparedKey>();
    keyed::<decbrwhash1271::Hasher<4>>();
    keyed::<decbrwhash1271::Segment<4>>();
}
