//! Tasks of a cluster: sealed or refused, of one form, with claims that are bounded.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::cluster_task(data));
