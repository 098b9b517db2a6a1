//! Results of tasks: sealed or refused, and whole.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::cluster_result(data));
