//! `cargo xtask test`: the tests that need nothing but cargo.
use crate::machines::{LIST, seen};
use crate::report::{Report, Seen, Stop};
use crate::shell;

/// A workspace of its own, in which chacha20poly1305 runs on our Poly1305.
const PATCH: &str = "crates/poly1305/patch/Cargo.toml";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("chacha20poly1305 by [patch]", || {
        shell::run(&mut shell::cargo(&["test", "--locked", "--manifest-path", PATCH]))
    });
    report.machine_step("test", "this processor", || {
        shell::run(&mut shell::cargo(&["test", "--workspace"]))?;
        list()
    });
}

/// Only the machines that the tests ran on.
pub(crate) fn machines(report: &mut Report) {
    report.machine_step("machines of this processor", "this processor", list);
}

fn list() -> Result<Seen, Stop> {
    seen(shell::cargo(&["run"]).args(LIST))
}
