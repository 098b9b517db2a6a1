//! polyHash1271 by every plan, in pieces, with a prepared key and in segments, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::polyhash1271::{Plan, PolyHash1271, PreparedKey, digest_on, digest_with};
use carryless_hash::{Cpu, Key1271};
use carryless_reference::{P1271, polyhash};
use libfuzzer_sys::fuzz_target;

const BLOCK: usize = 15;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let mut key: [u8; 16] = input.array();
    key[15] &= 0x3f;
    let cuts = input.cuts();
    let message = input.rest();
    let expected = polyhash(&P1271, &key, message.into()).expect("below 2^126");
    let key = Key1271::new(&key).expect("below 2^126");
    for cpu in Cpu::available() {
        assert_eq!(digest_on(cpu, &key, message), expected, "one-shot on {}", cpu.name());
        for plan in Plan::all(cpu, message.len()) {
            assert_eq!(digest_with(cpu, plan, &key, message), Ok(expected), "{plan:?} on {}", cpu.name());
        }
        let mut stream = PolyHash1271::on(cpu, &key);
        cuts.pieces(message, 1).into_iter().for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize(), expected, "streaming on {}", cpu.name());

        let key = PreparedKey::on(cpu, &key);
        assert_eq!(key.digest(message), expected, "prepared on {}", cpu.name());
        let segments = cuts.pieces(message, BLOCK).into_iter().map(|piece| key.segment(piece));
        let joined = segments.reduce(|left, right| left.join(&right).expect("whole blocks"));
        assert_eq!(joined.expect("there are five pieces").digest(), expected, "segments on {}", cpu.name());
    }
});
