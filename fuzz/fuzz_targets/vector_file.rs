//! Files of test vectors: they are bounded, and the library passes those that the reference passes.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_lab::fuzzing::vector_file(data));
