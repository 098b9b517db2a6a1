//! Tables of `carryless-lab tune`: printed tables are read back as the same, and plans by them give right products.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_lab::fuzzing::costs(data));
