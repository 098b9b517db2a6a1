//! Operands and exponents of `carryless poly` and `field`: every form of a result is read back as the same value.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::operands(data));
