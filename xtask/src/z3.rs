//! `cargo xtask z3`: the sets of the interval analysis lose no member, and the portable backend is what the manuals say, for words of all
//! values.
use crate::report::{Outcome, Report};
use crate::shell;

/// The program of `src/soundness`, which reads the Rust and asks z3.
const PROGRAM: &[&str] =
    &["run", "--release", "--quiet", "-p", "xtask", "--features", "soundness", "--bin", "soundness", "--"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    // Faults first: proofs by a program that refutes nothing would mean nothing.
    report.step("z3: planted faults are refuted", || prove(&["--self-test"]));
    report.step("z3: all claims are proved", || prove(&[]));
}

fn prove(args: &[&str]) -> Outcome {
    shell::need("z3", "z3")?;
    shell::run(shell::cargo(PROGRAM).args(args))
}
