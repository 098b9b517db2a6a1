//! Files of `carryless kem`: each key, ciphertext or secret has exactly one armoured text.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::kem_file(data));
