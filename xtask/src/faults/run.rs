//! Runs the tests of the copy, with one fault or none.
use super::plant::{SWITCH, tree};
use super::show;
use super::table::{Fault, Table, Target};
use crate::backends::{NO_AVX512, fewer};
use crate::report::{Stop, fail};
use crate::shell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A program may take this multiple of its time without a fault, plus [`LEAST`]. Later it counts as
/// caught: faults make loops endless.
const SLOWER: u32 = 10;
const LEAST: Duration = Duration::from_secs(60);

/// Whether a test program noticed a fault.
enum Caught {
    /// It did: the name of the first test that failed, or how the program ended.
    By(String),
    No,
}

/// How much the tests do. All faults are tried with the few cases that emulators run, and
/// only the survivors with everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick,
    Full,
}

/// A test program. It is built, and run without a fault, only when faults are left for it: the first program
/// of a table notices most.
pub(super) struct Program<'a> {
    target: &'a Target,
    path: Option<PathBuf>,
    /// Time limits of a run, quick and full; `None` until it has passed without a fault.
    limits: [Option<Duration>; 2],
}

/// The test programs of a table in their order, none of them built yet.
pub(super) fn programs(table: &Table) -> Vec<Program<'_>> {
    table.tests.iter().map(|target| Program { target, path: None, limits: [None; 2] }).collect()
}

/// Runs the faults in each program in turn, until a test notices them. Returns the faults that none noticed,
/// and the numbers of those that were noticed though the table calls them equivalent.
pub(super) fn all<'a>(
    mut programs: Vec<Program<'_>>,
    mut open: Vec<&'a Fault>,
) -> Result<(Vec<&'a Fault>, Vec<u32>), Stop> {
    let mut wrong = Vec::new();
    for effort in [Effort::Quick, Effort::Full] {
        for program in &mut programs {
            // Only equivalent faults are left. Building further programs for them alone would take too long.
            if open.iter().all(|fault| fault.equivalent.is_some()) {
                return Ok((open, wrong));
            }
            let limit = program.control(effort)?;
            let mut left = Vec::new();
            for fault in open {
                match (program.run(fault.id, effort, limit)?, &fault.equivalent) {
                    (Caught::No, _) => left.push(fault),
                    (Caught::By(test), None) => {
                        show(fault, &format!("caught by {}: {test}", program.name()));
                    }
                    (Caught::By(test), Some(_)) => {
                        wrong.push(fault.id);
                        show(
                            fault,
                            &format!("SAID TO BE EQUIVALENT, but caught by {}: {test}", program.name()),
                        );
                    }
                }
            }
            open = left;
        }
    }
    Ok((open, wrong))
}

/// Builds a test program and finds it.
fn build(target: &Target) -> Result<PathBuf, Stop> {
    let package = format!("carryless-{}", target.package);
    let mut cargo = shell::cargo(&["test", "--no-run", "-p", &package]);
    cargo.args(&target.flags).current_dir(tree());
    // Less optimised, it builds in half the time; the tests are fast enough.
    cargo.args(["--config", "profile.test.opt-level=1", "--config", "profile.dev.opt-level=1"]);
    // The planted `if` around expressions would make rustc warn everywhere.
    cargo.env("RUSTFLAGS", format!("{NO_AVX512} {} -A warnings", fewer()));
    cargo.env("CARGO_TARGET_DIR", shell::target_dir().join("faults/target"));
    // Cargo set it to the package of xtask, and tests would look for their files there.
    cargo.env_remove("CARGO_MANIFEST_DIR");
    eprintln!("building {package} {}", target.flags.join(" "));
    let out = cargo.stdin(Stdio::null()).output().map_err(|error| Stop::Failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&out.stderr);
    // Cargo prints `  Executable tests/field.rs (target/debug/deps/field-0123)` for the only program.
    let path = text
        .lines()
        .filter(|line| line.trim_start().starts_with("Executable"))
        .find_map(|line| Some(line.rsplit_once('(')?.1.trim_end().trim_end_matches(')')));
    match path {
        Some(path) if out.status.success() => Ok(tree().join(path)),
        _ => fail(format!("{package} {} does not build:\n{text}", target.flags.join(" "))),
    }
}

impl Program<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.target.package, self.target.flags.join(" "))
    }

    fn path(&mut self) -> Result<&Path, Stop> {
        match &mut self.path {
            Some(path) => Ok(path),
            none => Ok(none.insert(build(self.target)?)),
        }
    }

    /// Checks that it passes without a fault, and returns the time that it may take with one.
    fn control(&mut self, effort: Effort) -> Result<Duration, Stop> {
        if let Some(limit) = self.limits[effort as usize] {
            return Ok(limit);
        }
        self.path()?;
        let start = Instant::now();
        if let Caught::By(test) = self.run(0, effort, Duration::MAX)? {
            return fail(format!("without a fault, {test} fails in {}", self.name()));
        }
        let limit = start.elapsed() * SLOWER + LEAST;
        self.limits[effort as usize] = Some(limit);
        Ok(limit)
    }

    /// Runs it with fault `id`, and kills it when a test fails or `limit` is over.
    fn run(&mut self, id: u32, effort: Effort, limit: Duration) -> Result<Caught, Stop> {
        let path = self.path()?.to_path_buf();
        let mut command = Command::new(&path);
        command.args(&self.target.args).env(SWITCH, id.to_string());
        if effort == Effort::Quick {
            command.env("CARRYLESS_QUICK", "1");
        }
        let folder = tree().join("crates").join(&self.target.package);
        // As under `cargo test`: tests look for their files beside the manifest.
        command.env("CARGO_MANIFEST_DIR", &folder).current_dir(&folder);
        // Failing tests print a lot on standard error. Nobody reads it, and a full pipe would stop them.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
        let caught = watch(&lines(&mut child), Instant::now(), limit);
        if caught.is_some() {
            // An error means that it has ended by itself.
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| Stop::Failed(error.to_string()))?;
        match caught {
            Some(test) => Ok(Caught::By(test)),
            None if status.success() => Ok(Caught::No),
            None => Ok(Caught::By(format!("the end of the program, {status}"))),
        }
    }
}

/// The lines that it prints, as they come. A thread reads them, so that the receiver can wait with a limit.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(out) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// The first test that fails, or a note that the time is over; `None` if the program ends before.
fn watch(lines: &Receiver<String>, start: Instant, limit: Duration) -> Option<String> {
    loop {
        // A control has no limit, but must print a line within an hour. The minimum also keeps the deadline
        // in range.
        match lines.recv_timeout(limit.saturating_sub(start.elapsed()).min(Duration::from_secs(3600))) {
            Ok(line) => {
                if let Some(test) =
                    line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
                {
                    return Some(test.into());
                }
            }
            Err(RecvTimeoutError::Timeout) => return Some("no end within its time".into()),
            // The output has ended, and with it the program. Its status tells how.
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
