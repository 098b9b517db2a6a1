//! Tasks of a cluster: those not sealed by the client are refused. Others have one encoding and bounded
//! claims.
#![no_main]
#![forbid(unsafe_code)]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| carryless_cli::fuzzing::cluster_task(data));
