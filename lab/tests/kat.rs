//! Tests of `carryless-lab kat`.
#[path = "../../crates/cli/tests/common/mod.rs"]
mod common;

use common::Sandbox;
use sha2::{Digest as _, Sha256};

/// SHA-256 of the responses, as published: by liboqs for `nr`, the reference code for `v5`, PQClean for
/// `2023`.
#[test]
fn responses_are_those_of_others() {
    let sandbox = Sandbox::new();
    for (set, profile, start) in [
        ("hqc-1", "nr", "b3389b12e932373d"),
        ("hqc-3", "nr", "afe6382bfec54263"),
        ("hqc-5", "nr", "8eda7cc337fb4c27"),
        ("hqc-1", "v5", "f90619ef5f393af5"),
        ("hqc-3", "v5", "79670096152d1df4"),
        ("hqc-5", "v5", "765fb6c598cf18eb"),
        ("hqc-128", "2023", "2d566f0a27438a88"),
        ("hqc-192", "2023", "1b013714"),
        ("hqc-256", "2023", "c13dcd7f"),
    ] {
        let run = sandbox.run(&["kat", "--set", set, "--profile", profile, "--count", "100"]);
        let hash: String = Sha256::digest(&run.good().out).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(hash.starts_with(start), "{set}, {profile}: {hash}");
    }
    let plain = sandbox.run(&["kat", "--set", "hqc-1", "--count", "2"]);
    let official = sandbox.run(&["kat", "--set", "hqc-1", "--count", "2", "--official"]);
    assert_eq!(official.good().text(), format!("# HQC-1\n\n{}\n", plain.good().text()));
    let portable = sandbox.run(&["kat", "--set", "hqc-1", "--count", "2", "--backend", "soft"]);
    assert_eq!(portable.good().out, plain.out);
    sandbox.run(&["kat", "--set", "hqc-1", "--backend", "abacus"]).trouble("no backend \"abacus\" here");
    assert_eq!(sandbox.run(&["kat", "--set", "hqc-1", "--count", "0"]).status, 2);
}
