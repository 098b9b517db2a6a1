//! `cargo xtask drop-in`: the crate that takes the place of pqcrypto-hqc, beside the original and with a million hostile
//! inputs.
use crate::report::{Outcome, Report};
use crate::shell;
use crate::test::cargo_outside;

/// A program for pqcrypto-hqc with one changed line, and tests against the original.
const USER: &str = "crates/pqcrypto-hqc/user/Cargo.toml";

/// Keys and ciphertexts that no function may panic on.
const INPUTS: &str = "1000000";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("a program for pqcrypto-hqc", || shell::run(&mut cargo_outside("run", USER)));
    report.step("bytes and errors of pqcrypto-hqc", || shell::run_tests(&mut cargo_outside("test", USER)));
    report.step("a million hostile inputs", hostile);
}

fn hostile() -> Outcome {
    let test = ["test", "--release", "-p", "carryless-pqcrypto-hqc", "--test", "hostile"];
    shell::run_tests(shell::cargo(&test).env("CARRYLESS_HOSTILE", INPUTS))
}
