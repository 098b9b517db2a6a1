//! c-decBRWHash over both primes in one piece, in several, and with a prepared key, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::decbrwhash1305::{self, Hasher, Params, Streams};
use carryless_hash::{Cpu, Key1271, decbrwhash1271};
use carryless_reference::{P1271, P1305, decbrwhash};
use libfuzzer_sys::fuzz_target;

const ALL: [Streams; 6] =
    [Streams::One, Streams::Two, Streams::Three, Streams::Four, Streams::Eight, Streams::Sixteen];

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let mut key: [u8; 16] = input.array();
    let [streams, t]: [u8; 2] = input.array();
    let (streams, t) = (ALL[usize::from(streams) % ALL.len()], usize::from(t) % 4 + 2);
    let cuts = input.cuts();
    let message = input.rest();
    let reference = |p, key: &[u8; 16], c| decbrwhash(p, c, key, message.into()).expect("a key in range");
    let expected = reference(&P1305, &key, streams as usize);
    let expected4 = reference(&P1305, &key, 4);
    for cpu in Cpu::available() {
        for params in Params::all1305().filter(|params| params.t == t) {
            let digest = decbrwhash1305::digest_with(cpu, params, streams, &key, message);
            assert_eq!(digest, expected, "{streams:?}, {params:?} on {}", cpu.name());
        }
        let prepared = decbrwhash1305::PreparedKey::for_len(cpu, streams, &key, 1000).digest(message);
        assert_eq!(prepared, expected, "prepared on {}", cpu.name());
        let mut stream = Hasher::<4>::on(cpu, &key);
        cuts.pieces(message, 1).into_iter().for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize(), expected4, "streaming on {}", cpu.name());
    }
    key[15] &= 0x3f;
    let expected = reference(&P1271, &key, streams as usize);
    let key = Key1271::new(&key).expect("below 2^126");
    for cpu in Cpu::available() {
        for params in Params::all().filter(|params| params.t == t) {
            let digest = decbrwhash1271::digest_with(cpu, params, streams, &key, message);
            assert_eq!(digest, expected, "{streams:?}, {params:?} on {}", cpu.name());
        }
    }
});
