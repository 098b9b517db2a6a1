//! Parts of an object as they come: in any order, again, changed.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::cluster_parts(data));
