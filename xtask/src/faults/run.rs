//! The tests of the copy, with one fault or none.
use super::plant::{SWITCH, tree};
use super::show;
use super::table::{Fault, Table, Target};
use crate::machines::NO_AVX512;
use crate::report::{Stop, fail};
use crate::shell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No test takes longer than so many times what it takes without a fault, and this.
const SLOWER: u32 = 10;
const LEAST: Duration = Duration::from_secs(60);

/// Whether the tests notice a fault.
enum Caught {
    /// The test that does.
    By(String),
    No,
}

/// How much the tests do: all faults are tried with the little that emulators do, and those that are not noticed with everything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Quick,
    Full,
}

/// A test program. It is built, and run without a fault, when faults come to it: most are noticed by the first one of a table.
pub(super) struct Program<'a> {
    target: &'a Target,
    path: Option<PathBuf>,
    /// The time that a run may take, quick and full, once it passed without a fault.
    limits: [Option<Duration>; 2],
}

/// Those of a table.
pub(super) fn programs(table: &Table) -> Vec<Program<'_>> {
    table.tests.iter().map(|target| Program { target, path: None, limits: [None; 2] }).collect()
}

/// All these faults in each of the programs in turn, until a test notices them. Returns those that none noticed, and the numbers of those that one did though it
/// should not.
pub(super) fn all<'a>(
    mut programs: Vec<Program<'_>>,
    mut open: Vec<&'a Fault>,
) -> Result<(Vec<&'a Fault>, Vec<u32>), Stop> {
    let mut wrong = Vec::new();
    for effort in [Effort::Quick, Effort::Full] {
        for program in &mut programs {
            // Of what no test should notice, the programs are enough that others need.
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
    // The warnings are those of `if` around everything.
    cargo.env("RUSTFLAGS", format!("{NO_AVX512} -A warnings"));
    cargo.env("CARGO_TARGET_DIR", shell::target_dir().join("faults/target"));
    // Of this program's own package, which cargo set.
    cargo.env_remove("CARGO_MANIFEST_DIR");
    eprintln!("building {package} {}", target.flags.join(" "));
    let out = cargo.stdin(Stdio::null()).output().map_err(|error| Stop::Failed(error.to_string()))?;
    let text = String::from_utf8_lossy(&out.stderr);
    // `  Executable tests/field.rs (target/debug/deps/field-0123)`, the only one.
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

    /// That it passes without a fault; returns the time that it may take with one.
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

    /// Runs it until a test fails.
    fn run(&mut self, id: u32, effort: Effort, limit: Duration) -> Result<Caught, Stop> {
        let path = self.path()?.to_path_buf();
        let mut command = Command::new(&path);
        command.args(&self.target.args).env(SWITCH, id.to_string());
        if effort == Effort::Quick {
            command.env("CARRYLESS_QUICK", "1");
        }
        let folder = tree().join("crates").join(&self.target.package);
        command.env("CARGO_MANIFEST_DIR", &folder).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
        let caught = watch(&lines(&mut child), Instant::now(), limit);
        if caught.is_some() {
            // It may have ended by itself.
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

/// The lines that it prints, as they come.
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

/// The first test that fails, or that the time is over; none if the program ends before.
fn watch(lines: &Receiver<String>, start: Instant, limit: Duration) -> Option<String> {
    loop {
        match lines.recv_timeout(limit.saturating_sub(start.elapsed()).min(Duration::from_secs(3600))) {
            Ok(line) => {
                if let Some(test) =
                    line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED"))
                {
                    return Some(test.into());
                }
            }
            Err(RecvTimeoutError::Timeout) => return Some("no end within its time".into()),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
}
