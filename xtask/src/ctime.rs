//! `cargo xtask ctime`: no branch and no address depends on a secret, as far as valgrind can see.
use crate::backends::{WITHOUT_PROOFS, flags_here};
use crate::report::{Outcome, Report, Stop, fail, worst};
use crate::shell;
use std::process::Command;

/// Arguments for cargo: `ctime` is a workspace of its own, because valgrind's requests need `unsafe`.
const MANIFEST: &[&str] = &["--manifest-path", "ctime/Cargo.toml"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("ctime: tests of the statistics and of the leaks", || {
        shell::run(in_ctime("test").arg("--quiet"))
    });
    report.step("ctime: valgrind finds a planted leak", || driver(&["--self-test"]));
    report.step("ctime: valgrind finds no other", || driver(&[]));
}

/// `cargo xtask dudect`: compares times of the same functions between classes of secrets, on every backend of
/// this CPU, including those that valgrind lacks.
pub(crate) fn dudect(report: &mut Report, args: &[String]) {
    let (step, option) = match args {
        [] => ("dudect: times, in which planted leaks are seen", "--statistics"),
        [one] if one == "--million" => ("dudect: times of k P and k G, by a million calls", "--million"),
        _ => return report.step("dudect", || fail("the only option is --million")),
    };
    report.step(step, || {
        if !cfg!(target_arch = "x86_64") {
            return Err(Stop::NotExercised("the time-stamp counter is that of x86-64".into()));
        }
        shell::run(in_ctime("build").arg("--release"))?;
        // Without valgrind, which would slow down what is timed.
        shell::run_ours(&mut shell::command(folder().join("release/ctime"), &[option]))
    });
}

/// `cargo xtask ctime-hqc`: compares times of decapsulation in HQC, by the command of that name in `carryless-bench`.
pub(crate) fn hqc(report: &mut Report, args: &[String]) {
    const PROGRAM: &[&str] =
        &["run", "--release", "-p", "carryless-bench", "--bin", "carryless-bench", "--", "ctime-hqc"];
    report.step("ctime-hqc: times of decapsulation, in which a planted leak is seen", || {
        if !args.iter().all(|arg| arg == "--million") {
            return fail("the only option is --million");
        }
        shell::run_ours(shell::cargo(PROGRAM).args(args))
    });
}

/// `cargo xtask steps`: follows the same functions instruction by instruction, on every backend of this CPU,
/// and compares instructions and addresses between secrets.
pub(crate) fn steps(report: &mut Report, args: &[String]) {
    report.step("steps: planted leaks are seen in instructions and addresses, and no other", || {
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            return Err(Stop::NotExercised("the trap flag is followed on x86-64 under Linux".into()));
        }
        if args.len() > 1 {
            return fail("the only argument is a text, or K/N");
        }
        shell::run(in_ctime("build").arg("--release"))?;
        let program = folder().join("release/ctime");
        let run = |selection: &str| shell::run_ours(&mut shell::command(&program, &["--steps", selection]));
        let selection = args.first().map_or("1/1", String::as_str);
        // The program is built before the threads start, so they do not wait for cargo's lock.
        let Some(halves) = halves(selection) else { return run(selection) };
        worst(std::thread::scope(|scope| {
            let running = halves.map(|half| scope.spawn(move || run(&half)));
            running.map(|thread| thread.join().expect("no step panics"))
        }))
    });
}

/// Splits part K/N of the calls into two, which run beside each other: steps time nothing, so they cannot
/// disturb one another. `None` for a text, and for a part that does not exist, which the driver refuses.
fn halves(selection: &str) -> Option<[String; 2]> {
    let (k, n) = selection.split_once('/')?;
    let (k, n): (usize, usize) = (k.parse().ok()?, n.parse().ok()?);
    // Numbers that are k - 1 modulo n are k - 1 or k + n - 1 modulo 2 n.
    (1..=n).contains(&k).then(|| [k, k + n].map(|part| format!("{part}/{}", 2 * n)))
}

fn driver(args: &[&str]) -> Outcome {
    shell::need("valgrind", "valgrind")?;
    // As released: the optimiser may turn masks back into branches.
    shell::run(in_ctime("build").arg("--release"))?;
    let program = folder().join("release/ctime");
    let valgrind = ["--quiet", "--suppressions=ctime/public.supp"];
    shell::run(shell::command("valgrind", &valgrind).arg(program).args(args))
}

fn in_ctime(verb: &str) -> Command {
    let mut command = shell::cargo(&[verb]);
    command.args(MANIFEST).env("RUSTFLAGS", flags_here(WITHOUT_PROOFS)).env("CARGO_TARGET_DIR", folder());
    command
}

fn folder() -> std::path::PathBuf {
    shell::target_dir().join("ctime")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_make_the_part() {
        let numbers = |part: &str| -> Vec<usize> {
            let (k, n) = part.split_once('/').expect("a part");
            let (k, n): (usize, usize) = (k.parse().expect("k"), n.parse().expect("n"));
            (0..48).filter(|number| number % n == k - 1).collect()
        };
        for part in ["1/1", "2/3", "16/16"] {
            let mut of_halves: Vec<usize> =
                halves(part).expect("halves").iter().flat_map(|half| numbers(half)).collect();
            of_halves.sort();
            assert_eq!(of_halves, numbers(part), "{part}");
        }
        assert_eq!(["k P", "9/8", "0/3", "a/b", "1/2/3"].map(halves), [const { None }; 5]);
    }
}
