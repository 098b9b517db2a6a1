//! Key files: each key has exactly one line of text, and every other text is refused.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::key_file(data));
