//! Manifests of `carryless tag`: accepted ones are printed as the same bytes, and no other bytes are authentic.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::manifest(data));
