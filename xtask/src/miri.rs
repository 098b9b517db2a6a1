//! `cargo xtask miri`: the tests under an interpreter that sees undefined behaviour.
use crate::cross::WITHOUT_PROOFS;
use crate::report::{Report, Stop};
use crate::shell;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    // Miri answers "no" to every question about the CPU unless the feature is given at build time.
    for (name, rustflags) in [("miri portable", ""), ("miri avx2", "-Ctarget-feature=+avx2")] {
        report.step(name, || {
            let mut miri = shell::nightly(&[
                "miri",
                "test",
                "--tests",
                "-p",
                "carryless-lanes",
                "-p",
                "carryless-hash",
            ])?;
            if !shell::succeeds("rustup", &["run", "nightly", "cargo", "miri", "--version"]) {
                return Err(Stop::NotExercised("the nightly toolchain has no Miri".into()));
            }
            miri.env("RUSTFLAGS", format!("{WITHOUT_PROOFS} {rustflags}"))
                .env("CARGO_TARGET_DIR", shell::target_dir().join("miri"));
            // Tests read the clock and their vector files.
            shell::run(miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("CARRYLESS_QUICK", "1"))
        });
    }
}
