//! Results of tasks: those not sealed by a worker are refused, and others have an outcome for each object.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::cluster_result(data));
