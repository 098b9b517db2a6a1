//! Lists of sha256sum, b3sum and hashdeep: accepted ones say the same if they are printed again.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::list(data));
