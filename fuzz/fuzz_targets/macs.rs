//! The MACs under one long-lived key, in one piece and in several, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
use carryless_aead::wegman_carter::{Nonce, WegmanCarter};
use carryless_fuzz::Input;
use carryless_hash::{Cpu, Tag};
use carryless_reference as reference;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (key, nonce): ([u8; 32], [u8; 16]) = (input.array(), input.array());
    let cuts = input.cuts();
    let message = input.rest();
    let pieces = cuts.pieces(message, 1);
    let file_macs = [
        (Algorithm::DecBrwHash1305, Tag::from(reference::decbrw_file_mac(&key, "file", message))),
        (Algorithm::PolyHash1305, Tag::from(reference::polyhash_file_mac(&key, "file", message))),
    ];
    let expected = Tag::from(reference::wegman_carter(&key, &nonce, message));
    let nonce = Nonce::from_bytes(nonce);
    for cpu in Cpu::available() {
        for (algorithm, expected) in file_macs {
            let mac = FileMac::on(cpu, algorithm, Subject::File, &key);
            assert_eq!(mac.tag(message), expected, "{algorithm:?} on {}", cpu.name());
            let mut stream = mac.stream();
            pieces.iter().for_each(|piece| stream.update(piece));
            assert_eq!(stream.finalize(), expected, "{algorithm:?}, streaming on {}", cpu.name());
        }
        let mac = WegmanCarter::on(cpu, &key);
        assert_eq!(mac.tag(&nonce, message), expected, "Wegman-Carter on {}", cpu.name());
        let mut stream = mac.stream(&nonce);
        pieces.iter().for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize(), expected, "Wegman-Carter, streaming on {}", cpu.name());
    }
});
