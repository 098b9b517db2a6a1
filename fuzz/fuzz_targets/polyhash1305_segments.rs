//! Segments of a message, hashed apart and joined from the left and from the right, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::polyhash1305::{PreparedKey, Segment};
use carryless_hash::{Cpu, JoinError};
use libfuzzer_sys::fuzz_target;

const BLOCK: usize = 16;

fn joined(left: Segment, right: Segment) -> Segment {
    left.join(&right).expect("the left one is whole blocks")
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let key: [u8; 16] = input.array();
    let cuts = input.cuts();
    let message = input.rest();
    let expected = carryless_reference::polyhash1305(&key, message);
    for cpu in Cpu::available() {
        let key = PreparedKey::on(cpu, &key);
        let pieces = cuts.pieces(message, BLOCK);
        let segments = || pieces.iter().map(|piece| key.segment(piece));
        let from_the_left = segments().reduce(joined);
        let from_the_right = segments().rev().reduce(|right, left| joined(left, right));
        for whole in [from_the_left, from_the_right].map(|joined| joined.expect("there are five pieces")) {
            assert_eq!((whole.digest(), whole.len()), (expected, message.len() as u64), "on {}", cpu.name());
            if !message.len().is_multiple_of(BLOCK) {
                assert_eq!(whole.join(&key.segment(b"more")).err(), Some(JoinError::WrongCut));
            }
        }
    }
});
