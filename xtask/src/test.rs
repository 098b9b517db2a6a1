//! `cargo xtask test`, `proofs` and `memory`: the tests that need nothing but cargo.
use crate::machines::{LIST, NO_AVX512, WITHOUT_PROOFS, seen};
use crate::report::Report;
use crate::{patch, shell};
use std::process::Command;

/// What [`WITHOUT_PROOFS`] leaves out of the other tests: bounds and values of the kernels, on the machines that analyse them.
const PROOFS: &[&[&str]] = &[
    &["-p", "carryless-hash", "--lib", "proofs::"],
    &["-p", "carryless-lanes", "--test", "analyses", "--test", "bilinear"],
    &["-p", "carryless-gf2", "--test", "poly", "bilinear::"],
];

/// Kernels of hash that its thresholds never choose. Its tests of them need this feature.
pub(crate) const PLANS: &str = "carryless-hash/plans";

/// Kernels and ways to keep state that only users compile: the library without the features which other packages of the workspace add to it, and without an
/// allocator.
const AS_USERS_BUILD_IT: &[(&str, &[&str])] = &[
    ("test: hash by default features", &["-p", "carryless-hash", "--test", "api", "--test", "heap"]),
    ("test: hash without an allocator", &["-p", "carryless-hash", "--test", "api", "--no-default-features"]),
    (
        "test: HQC without an allocator",
        &["-p", "carryless-hqc", "--test", "vectors", "--no-default-features"],
    ),
];

/// The packages that have a `tests/memory.rs`.
const MEMORY: &[&str] =
    &["carryless-aead", "carryless-ec", "carryless-gf2", "carryless-hqc", "carryless-cli"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    patch::tests(report);
    // Programs in `examples`, which measure, are left to clippy: they would be optimised for two minutes, and nothing runs them here.
    // A run that takes half an hour names all tests that fail, not the first.
    for (step, tests) in
        [("test", &["--lib", "--bins", "--tests"][..]), ("test: examples in documentation", &["--doc"])]
    {
        let all = ["--workspace", "--features", PLANS, "--no-fail-fast"];
        let tests: Vec<&str> = all.iter().chain(tests).copied().collect();
        report.step(step, || shell::run_tests(&mut cargo_test("tests", WITHOUT_PROOFS, &tests)));
    }
    for (step, tests) in AS_USERS_BUILD_IT {
        report.step(step, || shell::run_tests(&mut cargo_test("tests", WITHOUT_PROOFS, tests)));
    }
    report.machine_step("machines of this processor", "this processor", || {
        seen(shell::cargo(&["run"]).args(LIST))
    });
}

pub(crate) fn proofs(report: &mut Report, _: &[String]) {
    for tests in PROOFS {
        report.step(tests[1], || shell::run_tests(&mut cargo_test("proofs", "", tests)));
    }
}

/// The tests of memory, which `test` has too, in the release build: where values are moved and registers spilled is up to the optimiser.
/// `cargo xtask capi` runs that of the C library.
pub(crate) fn memory(report: &mut Report, _: &[String]) {
    report.step("memory: keys leave nothing, as released", || {
        let mut test = shell::cargo(&["test", "--release", "--test", "memory"]);
        shell::run_tests(test.args(MEMORY.iter().flat_map(|package| ["-p", package])))
    });
}

/// `cargo test` in a folder of its own in the target folder, since its flags are not those of other builds. On a processor without AVX-512 it leaves out the kernels for
/// AVX-512: no test could run them, and they take half of the compiler's time.
fn cargo_test(folder: &str, flags: &str, tests: &[&str]) -> Command {
    let mut flags = format!("{} {flags}", std::env::var("RUSTFLAGS").unwrap_or_default());
    if lacks_avx512() {
        flags += &format!(" {NO_AVX512}");
    }
    let mut test = shell::cargo(&["test"]);
    test.args(tests).env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", shell::target_dir().join(folder));
    test
}

#[cfg(target_arch = "x86_64")]
fn lacks_avx512() -> bool {
    !std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
fn lacks_avx512() -> bool {
    false
}
