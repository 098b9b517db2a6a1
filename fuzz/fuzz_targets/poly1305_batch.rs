//! Many messages of unequal lengths under different keys, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::{Cpu, Tag, poly1305};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let count = usize::from(input.byte() % 24);
    let (mut keys, mut messages) = (Vec::new(), Vec::new());
    for _ in 0..count {
        keys.push(input.array::<32>());
        let len = usize::from(input.byte());
        messages.push(input.bytes(len));
    }
    for cpu in Cpu::available() {
        let mut tags = vec![Tag::from([0; 16]); count];
        poly1305::mac_batch_on(cpu, &keys, &messages, &mut tags);
        for (i, tag) in tags.iter().enumerate() {
            let expected = carryless_reference::poly1305(&keys[i], messages[i]);
            assert_eq!(tag.to_bytes(), expected, "message {i} of {count} on {}", cpu.name());
        }
    }
});
