//! `cargo xtask test`, `laboratory`, `variants`, `proofs` and `memory`: the tests that need nothing but cargo.
use crate::backends::{LIST, WITHOUT_PROOFS, fewer, flags_here, seen, seen_with_fewer};
use crate::report::Report;
use crate::shell;
use std::path::PathBuf;
use std::process::Command;

/// The tests that [`WITHOUT_PROOFS`] leaves out elsewhere: bounds and values of kernels, on
/// the backends that analyse them.
const PROOFS: &[&[&str]] = &[
    &["-p", "carryless-hash", "--features", RESEARCH_KERNELS, "--lib", "proofs::"],
    &["-p", "carryless-lanes", "--test", "analyses", "--test", "bilinear"],
    &["-p", "carryless-gf2", "--test", "poly", "bilinear::"],
    &["-p", "carryless-gf2", "--lib", "--", "on_monomials", "single_exponents"],
];

/// Feature with the hash kernels that no threshold chooses; their tests need it.
pub(crate) const RESEARCH_KERNELS: &str = "carryless-hash/research-kernels";

/// Fields and curves of the tests that gf2 compiles once for all of them, which saves a tenth of the compiler's time. The
/// other ones are generic; `fields` and `curves` test the generic code of all.
const COMPILED: &str = "carryless-gf2/curve-163,carryless-gf2/field-8,carryless-gf2/field-128-polyval";

/// The packages of the workspace that only researchers run. They enable [`RESEARCH_KERNELS`] for all packages that
/// are compiled with them, so tests of the library as users build it leave them out.
const LABORATORY: &[&str] = &["carryless-bench", "carryless-lab"];

/// Steps of [`variants`]: the title, and the arguments of `cargo test`.
const VARIANTS: &[(&str, &[&str])] = &[
    ("variants: operations of all backends", &["-p", "carryless-lanes", "--lib", "--tests"]),
    ("variants: products on all backends", &["-p", "carryless-gf2", "--test", "poly"]),
    ("variants: HQC on all backends", &["-p", "carryless-hqc", "--lib", "--tests"]),
    (
        "variants: hash without an allocator",
        &["-p", "carryless-hash", "--test", "api", "--no-default-features"],
    ),
    (
        "variants: HQC without an allocator",
        &["-p", "carryless-hqc", "--test", "vectors", "--no-default-features"],
    ),
    (
        "variants: curves and fields without an allocator",
        &["-p", "carryless-gf2", "--test", "curve", "--test", "field_arrays", "--no-default-features"],
    ),
    (
        "variants: the command without algebra and HQC",
        &["-p", "carryless-cli", "--test", "output", "--test", "help", "--no-default-features"],
    ),
    (
        "variants: arrays on threads, polynomials by serde",
        &["-p", "carryless-gf2", "--test", "algebra", "--test", "field_arrays", "--features", "rayon,serde"],
    ),
    (
        "variants: products on threads",
        &["-p", "carryless-gf2", "--lib", "--test", "poly", "--features", "rayon,serde", "transform"],
    ),
];

/// Packages of the root workspace with a `tests/memory.rs`, which searches memory for left-over keys.
const MEMORY: &[&str] =
    &["carryless-aead", "carryless-ec", "carryless-gf2", "carryless-hqc", "carryless-cli"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    // `tools` and `book` run the tests of the last two.
    let others =
        LABORATORY.iter().chain(&["xtask", "carryless-book"]).flat_map(|package| ["--exclude", *package]);
    let packages = ["--workspace", "--features", COMPILED].into_iter().chain(others);
    with_examples(report, "test", &packages.collect::<Vec<_>>());
    report.backend_step("backends of this processor", "this processor", seen_with_fewer);
}

/// Runs the tests of this package. They check the table of the chores and the names of backends on pages and in
/// manifests. They are compiled in the folder of the build that runs this function, which has the dependencies.
pub(crate) fn tools(report: &mut Report, _: &[String]) {
    report.step("tools", || shell::run_tests(&mut shell::cargo(&["test", "-p", "xtask", "--bin", "xtask"])));
}

/// Runs the tests of the packages that only researchers run, and those of hash with the kernels that they ask for.
pub(crate) fn laboratory(report: &mut Report, _: &[String]) {
    let packages = LABORATORY.iter().chain(&["carryless-hash"]).flat_map(|package| ["-p", *package]);
    let features = ["--features", RESEARCH_KERNELS];
    with_examples(report, "laboratory", &packages.chain(features).collect::<Vec<_>>());
}

/// Runs the tests of these packages, and the examples in their documentation.
fn with_examples(report: &mut Report, name: &str, packages: &[&str]) {
    let flags = &format!("{WITHOUT_PROOFS} {}", fewer());
    // Programs in `examples` only measure, and nothing runs them here: optimising them would take two minutes.
    // Clippy checks them.
    let test = |targets: &[&str]| {
        // A failure in one program must not hide those in others.
        shell::run_tests(&mut cargo_test("tests", flags, &[packages, &["--no-fail-fast"], targets].concat()))
    };
    report.step(name, || test(&["--lib", "--bins", "--tests"]));
    // Cargo refuses `--doc` beside other targets.
    report.step(&format!("{name}: examples in documentation"), || test(&["--doc"]));
}

/// Runs tests of builds that `cargo xtask test` does not make: for all backends of this processor, of which it
/// leaves out those that [`fewer`] names, and without an allocator. Fields and curves have chores of their own.
pub(crate) fn variants(report: &mut Report, _: &[String]) {
    // They share a folder with the parts of `fields` that add no flag.
    for (step, tests) in VARIANTS {
        report.step(step, || shell::run_tests(&mut cargo_test("fields", WITHOUT_PROOFS, tests)));
    }
    report.backend_step("backends of this processor", "this processor", || {
        seen(shell::cargo(&["run"]).args(LIST))
    });
}

pub(crate) fn proofs(report: &mut Report, _: &[String]) {
    for tests in PROOFS {
        report.step(&tests[1..].join(" "), || shell::run_tests(&mut cargo_test("proofs", "", tests)));
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

/// `cargo test` with these flags of rustc, in a folder of the target folder of its own:
/// other flags would rebuild everything.
pub(crate) fn cargo_test(folder: &str, flags: &str, tests: &[&str]) -> Command {
    let mut test = shell::cargo(&["test"]);
    // These tests run once: what serves the next build, or a debugger, would take a tenth of the time.
    test.args(tests)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("RUSTFLAGS", flags_here(flags))
        .env("CARGO_TARGET_DIR", shell::target_dir().join(folder));
    test
}

/// A cargo command on a package outside of the root workspace, compiled as [`run`] compiles, in a folder that such
/// packages share.
pub(crate) fn cargo_outside(command: &str, manifest: &str) -> Command {
    let mut cargo = shell::cargo(&[command, "--locked", "--manifest-path", manifest]);
    let flags = format!("{WITHOUT_PROOFS} {}", fewer());
    cargo.env("RUSTFLAGS", flags_here(&flags)).env("CARGO_TARGET_DIR", outside());
    cargo
}

/// The folder of [`cargo_outside`].
pub(crate) fn outside() -> PathBuf {
    shell::target_dir().join("outside")
}
