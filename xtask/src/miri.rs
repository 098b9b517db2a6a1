//! `cargo xtask miri`: the tests under an interpreter that sees undefined behaviour.
use crate::cross::WITHOUT_PROOFS;
use crate::report::{Report, Stop};
use crate::shell;

/// The crate with `unsafe`: every operation of the machines.
const LANES: &[&str] = &["-p", "carryless-lanes", "--test", "operations"];

/// Every way into the kernels, once: Miri takes a minute for what takes a machine a millisecond.
const HASH: &[&str] = &[
    "-p",
    "carryless-hash",
    "--test",
    "api",
    "--",
    "memory::",
    "batch::",
    "verify::",
    "all_short_lengths_by_all_routes",
    "equal_pieces",
    "joining_is_associative",
];

/// The door to C: slices from pointers.
const COMPAT: &[&str] = &["-p", "carryless-gf2x-compat", "--test", "abi"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    // Miri answers "no" to every question about the CPU unless the feature is given at build time.
    for (name, rustflags) in [("miri portable", ""), ("miri avx2", "-Ctarget-feature=+avx2")] {
        report.step(name, || {
            if !shell::succeeds("rustup", &["run", "nightly", "cargo", "miri", "--version"]) {
                return Err(Stop::NotExercised("the nightly toolchain has no Miri".into()));
            }
            for tests in [LANES, HASH, COMPAT] {
                let mut miri = shell::nightly(&["miri", "test"])?;
                miri.args(tests).env("RUSTFLAGS", format!("{WITHOUT_PROOFS} {rustflags}"));
                miri.env("CARGO_TARGET_DIR", shell::target_dir().join("miri"));
                // Tests read the clock and their vector files.
                shell::run(miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("CARRYLESS_QUICK", "1"))?;
            }
            Ok(())
        });
    }
}
