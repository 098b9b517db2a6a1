//! Poly1305 in one piece, in several, and with a prepared key, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::Input;
use carryless_hash::{Cpu, poly1305};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let key: [u8; 32] = input.array();
    let cuts = input.cuts();
    let message = input.rest();
    let expected = carryless_reference::poly1305(&key, message);
    let (halves, _) = key.as_chunks::<16>();
    for cpu in Cpu::available() {
        let tag = poly1305::mac_on(cpu, &key, message);
        assert_eq!(tag.to_bytes(), expected, "one-shot on {}", cpu.name());

        let mut stream = poly1305::Poly1305::on(cpu, &key);
        cuts.pieces(message, 1).into_iter().for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize().to_bytes(), expected, "streaming on {}", cpu.name());

        let prepared = poly1305::PreparedKey::on(cpu, &halves[0]).mac(&halves[1], message);
        assert_eq!(prepared.to_bytes(), expected, "prepared on {}", cpu.name());
    }
});
