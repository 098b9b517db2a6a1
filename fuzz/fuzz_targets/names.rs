//! Names of files as text: any bytes are restored from their line, and no other line stands for them.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::names(data));
