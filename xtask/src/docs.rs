//! `cargo xtask docs`: the documentation builds without a warning. `cargo xtask test` runs its examples.
use crate::report::Report;
use crate::shell;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("docs", || {
        let mut doc = shell::cargo(&["doc", "--workspace", "--no-deps", "--lib"]);
        shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    });
}
