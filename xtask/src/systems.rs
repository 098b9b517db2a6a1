//! `cargo xtask systems`: the command compiles for systems that are not this one.
use crate::report::Report;
use crate::shell;

/// Targets of the systems that book/src/files.md lists, as far as rustup has a standard library for them.
const TARGETS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-unknown-freebsd"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    for target in TARGETS {
        report.step(&format!("cargo check of the command for {target}"), || {
            shell::need_target(target)?;
            // Without the harness, whose libraries have build scripts that need a C compiler for the system.
            let check = ["check", "-p", "carryless-cli", "--no-default-features", "--target", target];
            // Checking needs no linker and no libraries of the other system.
            shell::run(shell::cargo(&check).env("RUSTFLAGS", "-D warnings"))
        });
    }
}
