//! `cargo xtask ctime`: no branch and no address depends on a secret, as far as valgrind can see.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::process::Command;

/// `ctime` is a workspace of its own.
const MANIFEST: &[&str] = &["--manifest-path", "ctime/Cargo.toml"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("ctime: every function that takes a secret is in the list", || {
        shell::run(in_ctime("test").arg("--quiet"))
    });
    report.step("ctime: valgrind finds a planted leak", || driver(&["--self-test"]));
    report.step("ctime: valgrind finds no other", || driver(&[]));
}

/// `cargo xtask dudect`: the times of the same functions, on every machine of this CPU, also those that valgrind lacks.
pub(crate) fn dudect(report: &mut Report, args: &[String]) {
    let (step, option) = match args {
        [] => ("dudect: planted leaks are seen in the times, and no other", "--statistics"),
        [one] if one == "--million" => ("dudect: the same for k P and k G, by a million calls", "--million"),
        _ => return report.step("dudect", || fail("the only option is --million")),
    };
    report.step(step, || {
        if !cfg!(target_arch = "x86_64") {
            return Err(Stop::NotExercised("the time-stamp counter is that of x86-64".into()));
        }
        shell::run(in_ctime("build").arg("--release"))?;
        shell::run(&mut shell::command(folder().join("release/ctime"), &[option]))
    });
}

/// `cargo xtask steps`: the instructions and addresses of the same functions, one by one, on every machine of this CPU.
pub(crate) fn steps(report: &mut Report, args: &[String]) {
    report.step("steps: planted leaks are seen in instructions and addresses, and no other", || {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Err(Stop::NotExercised("the trap flag is followed on x86-64 under Linux".into()));
        }
        if args.len() > 1 {
            return fail("the only argument is a text, or K/N");
        }
        shell::run(in_ctime("build").arg("--release"))?;
        shell::run_ours(shell::command(folder().join("release/ctime"), &["--steps"]).args(args))
    });
}

fn driver(args: &[&str]) -> Outcome {
    shell::need("valgrind", "valgrind")?;
    shell::run(in_ctime("build").arg("--release"))?;
    let program = folder().join("release/ctime");
    let valgrind = ["--quiet", "--suppressions=ctime/public.supp"];
    shell::run(shell::command("valgrind", &valgrind).arg(program).args(args))
}

fn in_ctime(verb: &str) -> Command {
    let mut command = shell::cargo(&[verb]);
    command.args(MANIFEST).env("CARGO_TARGET_DIR", folder());
    command
}

fn folder() -> std::path::PathBuf {
    shell::target_dir().join("ctime")
}
