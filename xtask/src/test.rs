//! `cargo xtask test`, `proofs` and `memory`: the tests that need nothing but cargo.
use crate::machines::{LIST, WITHOUT_PROOFS, fewer, flags_here, seen, seen_with_fewer};
use crate::report::Report;
use crate::{patch, shell};
use std::process::Command;

/// The tests that [`WITHOUT_PROOFS`] leaves out elsewhere: bounds and values of kernels, on the machines that
/// analyse them.
const PROOFS: &[&[&str]] = &[
    &["-p", "carryless-hash", "--lib", "proofs::"],
    &["-p", "carryless-lanes", "--test", "analyses", "--test", "bilinear"],
    &["-p", "carryless-gf2", "--test", "poly", "bilinear::"],
];

/// Feature with the hash kernels that no threshold chooses; their tests need it.
pub(crate) const RESEARCH_KERNELS: &str = "carryless-hash/research-kernels";

/// The tests of hash as users build it by default: without the features that other packages of the workspace
/// enable. It has other kernels than the workspace's, and keeps state in other places.
const HASH_BY_DEFAULT: &[&str] = &["-p", "carryless-hash", "--test", "api", "--test", "heap"];

/// Steps of [`variants`].
const VARIANTS: &[(&str, &[&str])] = &[
    ("variants: products on all machines", &["-p", "carryless-gf2", "--test", "poly"]),
    ("variants: HQC on all machines", &["-p", "carryless-hqc", "--lib", "--tests"]),
    (
        "variants: hash without an allocator",
        &["-p", "carryless-hash", "--test", "api", "--no-default-features"],
    ),
    (
        "variants: HQC without an allocator",
        &["-p", "carryless-hqc", "--test", "vectors", "--no-default-features"],
    ),
];

/// Packages of the root workspace with a `tests/memory.rs`, which searches memory for left-over keys.
const MEMORY: &[&str] =
    &["carryless-aead", "carryless-ec", "carryless-gf2", "carryless-hqc", "carryless-cli"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    let flags = &format!("{WITHOUT_PROOFS} {}", fewer());
    patch::tests(report);
    // Examples only measure, and nothing runs them here: optimising them would take two minutes. Clippy
    // checks them.
    for (step, tests) in
        [("test", &["--lib", "--bins", "--tests"][..]), ("test: examples in documentation", &["--doc"])]
    {
        let all = ["--workspace", "--features", RESEARCH_KERNELS, "--no-fail-fast"];
        let tests: Vec<&str> = all.iter().chain(tests).copied().collect();
        report.step(step, || shell::run_tests(&mut cargo_test("tests", flags, &tests)));
    }
    report.step("test: hash by default features", || {
        shell::run_tests(&mut cargo_test("tests", flags, HASH_BY_DEFAULT))
    });
    report.machine_step("machines of this processor", "this processor", seen_with_fewer);
}

/// Runs tests of builds that `cargo xtask test` does not make: for all machines of this processor, of which it
/// leaves out those that [`fewer`] names, and without an allocator. Fields and curves have chores of their own.
pub(crate) fn variants(report: &mut Report, _: &[String]) {
    for (step, tests) in VARIANTS {
        report.step(step, || shell::run_tests(&mut cargo_test("fields", WITHOUT_PROOFS, tests)));
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

/// Runs the memory tests in release, since the optimiser decides which values are moved and spilled. `cargo
/// xtask capi` runs that of the C library.
pub(crate) fn memory(report: &mut Report, _: &[String]) {
    report.step("memory: keys leave nothing, as released", || shell::run_tests(&mut memory_test(MEMORY)));
    // Less optimised code spills more. Curves and the command take minutes more to compile, and clear the same frames.
    report.step("memory: keys leave nothing, optimised for size", || {
        let mut test = memory_test(&["carryless-aead", "carryless-hqc"]);
        shell::run_tests(
            test.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z").env("CARGO_PROFILE_RELEASE_LTO", "off"),
        )
    });
}

fn memory_test(packages: &[&str]) -> Command {
    let mut test = cargo_test("memory", WITHOUT_PROOFS, &["--release", "--test", "memory"]);
    test.args(packages.iter().flat_map(|package| ["-p", package]));
    test
}

/// `cargo test` with these flags of rustc, in a folder of the target folder of its own: other flags would
/// rebuild everything.
pub(crate) fn cargo_test(folder: &str, flags: &str, tests: &[&str]) -> Command {
    let mut test = shell::cargo(&["test"]);
    test.args(tests)
        .env("RUSTFLAGS", flags_here(flags))
        .env("CARGO_TARGET_DIR", shell::target_dir().join(folder));
    test
}
