//! `carryless-lab hash` and `carryless-lab info`.
#[path = "../../crates/cli/tests/common/mod.rs"]
mod common;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use carryless_gf2::ClmulCpu;
use common::{Run, Sandbox};

fn with_key(digits: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("raw", digits);
    fs::set_permissions(sandbox.path("raw"), Permissions::from_mode(0o600)).expect("chmod");
    sandbox
}

/// The example of RFC 8439, section 2.5.2, on the best backend and in words.
#[test]
fn poly1305_of_the_rfc() {
    let sandbox = with_key("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b\n");
    sandbox.write("text", "Cryptographic Forum Research Group");
    for backend in [&[][..], &["--backend", "portable"]] {
        let args = [&["hash", "--function", "poly1305", "--key-file", "raw", "text"], backend].concat();
        sandbox.run(&args).good().prints("a8061dc1305136c6c22b8baf0c0127a9  text\n");
    }
}

/// With the key 2: polyHash1305 of one zero byte is 256 * 2, of nothing 0.
#[test]
fn polyhash1305_by_hand() {
    let sandbox = with_key("02000000000000000000000000000000");
    sandbox.write("zero", [0]);
    sandbox.write("empty", "");
    let run = sandbox.run(&["hash", "--key-file", "raw", "zero", "empty", "absent"]);
    assert_eq!(run.status, 2);
    run.says("absent: ")
        .prints("00020000000000000000000000000000  zero\n00000000000000000000000000000000  empty\n");
    let input = File::open(sandbox.path("zero")).expect("open");
    let output = sandbox.command().args(["hash", "--key-file", "raw"]).stdin(input).output();
    Run::from(output.expect("run")).good().prints("00020000000000000000000000000000  -\n");
}

/// Digests by hand, with the key 2 and D = 2^2. One zero byte is a block 0 with L = 8, so 2 (2 * 0 + 8). One
/// byte of value 1 is 2 (2 * 1 + 8) with one stream, and 2 (2 * 4^(c-1) + 8) with c streams.
#[test]
fn brw_hashes_by_hand() {
    let sandbox = with_key("02000000000000000000000000000000");
    sandbox.write("zero", [0]);
    sandbox.write("one", [1]);
    sandbox.write("empty", "");
    for (function, one) in [
        ("brwhash", "14000000000000000000000000000000"),
        ("2-decbrwhash", "20000000000000000000000000000000"),
        ("3-decbrwhash", "50000000000000000000000000000000"),
        ("4-decbrwhash", "10010000000000000000000000000000"),
        ("8-decbrwhash", "10000100000000000000000000000000"),
        ("16-decbrwhash", "10000000010000000000000000000000"),
    ] {
        // Numbers so small are the same modulo both primes.
        for prime in ["1305", "1271"] {
            let function = &format!("{function}{prime}");
            let run =
                sandbox.run(&["hash", "--function", function, "--key-file", "raw", "zero", "one", "empty"]);
            let (zero, empty) = ("10000000000000000000000000000000", "00000000000000000000000000000000");
            run.good().prints(&format!("{zero}  zero\n{one}  one\n{empty}  empty\n"));
        }
    }
}

/// With the key 2, a zero byte is the block 256, and 15 bytes of ones are 2^121 - 1. With the key 2^125, the
/// block 2^119 and its pad are (2^119 + 2^120) 2^125 = 2^244 + 2^245, and 2^127 = 1: 2^117 + 2^118.
#[test]
fn polyhash1271_by_hand() {
    let sandbox = with_key("02000000000000000000000000000000");
    sandbox.write("zero", [0]);
    sandbox.write("ones", [0xff; 15]);
    let args = ["hash", "--function", "polyhash1271", "--key-file", "raw", "zero", "ones"];
    let (zero, ones) = ("00020000000000000000000000000000", "feffffffffffffffffffffffffffff03");
    sandbox.run(&args).good().prints(&format!("{zero}  zero\n{ones}  ones\n"));
    let sandbox = with_key("00000000000000000000000000000020");
    sandbox.write("high", [&[0; 14][..], &[0x80]].concat());
    let args = ["hash", "--function", "polyhash1271", "--key-file", "raw", "high"];
    sandbox.run(&args).good().prints("00000000000000000000000000006000  high\n");
}

/// Bits 126 and 127 are not cleared.
#[test]
fn keys_over_2_127_1_are_below_2_126() {
    let sandbox = with_key("00000000000000000000000000000040");
    for function in ["polyhash1271", "brwhash1271", "4-decbrwhash1271"] {
        let run = sandbox.run(&["hash", "--function", function, "--key-file", "raw", "raw"]);
        run.trouble("the upper two bits of a key of a hash over 2^127 - 1 must be zero");
    }
}

#[test]
fn digests_in_json() {
    let sandbox = with_key("02000000000000000000000000000000");
    sandbox.write("zero", [0]);
    let line = r#"{"path":"zero","function":"polyhash1305","digest":"00020000000000000000000000000000"}"#;
    sandbox.run(&["hash", "--json", "--key-file", "raw", "zero"]).good().prints(&format!("{line}\n"));
}

#[test]
fn keys_of_wrong_length_are_refused() {
    for digits in ["", "02", "0200000000000000000000000000000g", "020000000000000000000000000000000"] {
        let sandbox = with_key(digits);
        sandbox.run(&["hash", "--key-file", "raw", "key"]).trouble("raw: not a raw key of polyhash1305");
        sandbox.run(&["hash", "--function", "poly1305", "--key-file", "raw", "key"]).trouble("expected 64");
    }
}

#[test]
fn info_names_the_backends() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["info"]).good().text();
    assert!(text.contains("portable     yes") && text.contains("avx512ifma"));
    let run = sandbox.run(&["info", "--json"]);
    let info: serde_json::Value = serde_json::from_slice(&run.good().out).expect("JSON");
    assert_eq!(info["backends"][0]["name"], "portable");
    assert_eq!(info["backends"][0]["available"], true);
    assert!(info["best"].is_string());
    let class = carryless_hash::CpuClass::detect().name();
    assert!(info["class"] == class && text.contains(&format!("kernels for class {class}")));
    // Both kinds of backends, and the one that is used.
    let (_, products) = text.split_once("\nbackend for carry-less products\n").expect("a second list");
    let listed: Vec<_> = products.lines().take_while(|line| !line.is_empty()).collect();
    let backends = info["clmul_backends"].as_array().expect("a list");
    assert_eq!((listed.len(), backends.len()), (ClmulCpu::NAMES.len(), ClmulCpu::NAMES.len()));
    for ((line, backend), name) in listed.iter().zip(backends).zip(ClmulCpu::NAMES) {
        let (here, best) = (ClmulCpu::named(name).is_ok(), ClmulCpu::detect().name() == *name);
        assert!(backend["name"] == *name && backend["available"] == here, "{backend}");
        assert_eq!(line.split_whitespace().next(), Some(*name));
        assert_eq!((line.contains(" yes"), line.ends_with("used by default")), (here, best), "{line}");
        assert_eq!(info["clmul_best"] == *name, best);
    }
    assert!(text.contains("\nkernels on portable, ") && text.contains("\n       0 .. "));
    // The ranges of each backend follow one another from 0 on without end.
    for cpu in carryless_hash::Cpu::available().map(carryless_hash::Cpu::name) {
        let mut kernels =
            info["kernels"].as_array().expect("a list").iter().filter(|kernel| kernel["backend"] == cpu);
        let end = kernels.try_fold(0, |from, kernel| {
            assert_eq!(kernel["from"].as_u64(), Some(from), "{cpu}");
            kernel["to"].as_u64().map(|to| to + 1)
        });
        assert_eq!(end, None, "{cpu}");
    }
}

/// By a descriptor that writes nothing: nobody knows when it will.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_open_for_writing_is_an_error() {
    let sandbox = with_key(&"01".repeat(16));
    sandbox.write("t/a", "hello\n");
    let writer = File::options().append(true).open(sandbox.path("t/a")).expect("open");
    let args = ["hash", "--key-file", "raw", "t/a"];
    sandbox.run(&args).trouble("t/a: not read: a program has it open for writing");
    drop(writer);
    sandbox.run(&args).good();
}

#[test]
fn key_and_message_cannot_both_come_from_standard_input() {
    let sandbox = with_key(&"01".repeat(16));
    for args in [["hash", "--key-file", "-"], ["hash", "--key-fd", "0"]] {
        let key = File::open(sandbox.path("raw")).expect("open");
        let run = Run::from(sandbox.command().args(args).stdin(key).output().expect("run"));
        run.trouble("key and message cannot both come");
    }
}
