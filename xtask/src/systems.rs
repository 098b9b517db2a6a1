//! `cargo xtask systems`: the command compiles for systems that are not this one.
use crate::report::Report;
use crate::shell;

/// Targets of the systems that book/src/files.md lists, as far as rustup has a standard library for them.
const TARGETS: [&str; 3] = ["aarch64-apple-darwin", "x86_64-unknown-freebsd", "x86_64-pc-windows-gnu"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    for target in TARGETS {
        report.step(&format!("clippy of the command for {target}"), || {
            shell::need_target(target)?;
            // Without the harness, whose libraries have build scripts that need a C compiler for the system.
            let lint =
                ["clippy", "-p", "carryless-cli", "--no-default-features", "--features", "algebra,kem"];
            // It needs no linker and no libraries of the other system.
            shell::run(shell::cargo(&lint).args(["--target", target]).env("RUSTFLAGS", "-D warnings"))
        });
    }
}
