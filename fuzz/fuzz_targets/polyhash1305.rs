//! polyHash1305 in one piece, in several, and with a prepared key, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::{Cpu, polyhash1305};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let key: [u8; 16] = input.array();
    let cuts = input.cuts();
    let message = input.rest();
    let expected = carryless_reference::polyhash1305(&key, message);
    for cpu in Cpu::available() {
        assert_eq!(polyhash1305::digest_on(cpu, &key, message), expected, "one-shot on {}", cpu.name());

        let mut stream = polyhash1305::PolyHash1305::on(cpu, &key);
        cuts.pieces(message, 1).into_iter().for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize(), expected, "streaming on {}", cpu.name());

        let prepared = polyhash1305::PreparedKey::on(cpu, &key).digest(message);
        assert_eq!(prepared, expected, "prepared on {}", cpu.name());
    }
});
