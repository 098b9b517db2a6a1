//! Running other programs, and finding out whether they are there.
use crate::INCOMPLETE;
use crate::report::{Outcome, Stop, fail};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root of the checkout")
}

/// Cargo's target folder. Chores that build with other flags use a folder in it, so that they do
/// not undo each other's work.
pub(crate) fn target_dir() -> PathBuf {
    // Cargo runs in the root, so a relative folder is relative to that. `join` leaves an absolute one as it
    // is.
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The cargo that started this program, run in the root of the checkout.
pub(crate) fn cargo(args: &[&str]) -> Command {
    // Cargo sets `CARGO` for programs that it runs. It is missing if the program was started by hand.
    command(std::env::var_os("CARGO").unwrap_or("cargo".into()), args)
}

/// A cargo command of the nightly toolchain; not exercised if rustup has none.
pub(crate) fn nightly(args: &[&str]) -> Result<Command, Stop> {
    if !succeeds("rustup", &["run", "nightly", "rustc", "--version"]) {
        return Err(Stop::NotExercised("there is no nightly toolchain".into()));
    }
    let mut command = command("rustup", &["run", "nightly", "cargo"]);
    // Cargo sets these for the program it runs, and they would lead back to the stable toolchain.
    command.args(args).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}

/// A program to be run in the root of the checkout.
pub(crate) fn command(program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Runs it with its output shown, and fails unless it exits with 0.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = status(command)?;
    if status.success() { Ok(()) } else { fail(format!("{}: {status}", line(command))) }
}

/// Like [`run`], for a program of this repository: [`INCOMPLETE`] as its exit code means not exercised.
pub(crate) fn run_ours(command: &mut Command) -> Outcome {
    let status = status(command)?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) if code == i32::from(INCOMPLETE) => {
            Err(Stop::NotExercised(format!("{}: what it names above", line(command))))
        }
        _ => fail(format!("{}: {status}", line(command))),
    }
}

/// Runs tests. A test that lacks a program prints [`NOT_EXERCISED`] on standard error, which libtest does not
/// capture, and passes; then the step is not exercised.
pub(crate) fn run_tests(command: &mut Command) -> Outcome {
    let line = line(command);
    eprintln!("$ {line}");
    let mut missing = Vec::new();
    let status = watch(command, Streams::Error, |line| {
        // Anywhere in the line: with one thread, libtest has printed the name of the test before it.
        missing.extend(line.split_once(NOT_EXERCISED).map(|(_, what)| what.to_string()));
    })?;
    match (status.success(), missing.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(Stop::NotExercised(missing.join("; "))),
        _ => fail(format!("{line}: {status}")),
    }
}

/// Prefix of the line by which a passing test says what it could not do.
pub(crate) const NOT_EXERCISED: &str = "NOT EXERCISED: ";

/// The streams of a program that [`watch`] reads; the other ones go straight to the terminal.
pub(crate) enum Streams {
    Output,
    Error,
    Both,
}

/// How long a background program may hold a stream open after the program that started it has ended.
const LINGER: Duration = Duration::from_secs(5);

/// Runs it with its output shown, and calls `see` with each line of the chosen streams.
pub(crate) fn watch(
    command: &mut Command,
    streams: Streams,
    mut see: impl FnMut(&str),
) -> Result<ExitStatus, Stop> {
    let line = line(command);
    let failed = |error: std::io::Error| Stop::Failed(format!("{line}: {error}"));
    let (reader, writer) = std::io::pipe().map_err(failed)?;
    match streams {
        Streams::Output => command.stdout(writer),
        Streams::Error => command.stderr(writer),
        // One pipe for both streams keeps the order in which their lines were written.
        Streams::Both => command.stdout(writer.try_clone().map_err(failed)?).stderr(writer),
    };
    // Without input: a program that asks a question must end at once, not wait until its chore is killed.
    let child = command.stdin(Stdio::null()).spawn();
    // `command` keeps the writing end of the pipe until it is given other streams, and the reader would never
    // see the end.
    command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let mut child = child.map_err(failed)?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        // Bytes, not `lines()`, which would stop at the first line that is not UTF-8.
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    // The stream need not end with the program: what it left running may hold the writing end.
    let mut ended: Option<Instant> = None;
    loop {
        // The timeout bounds how late the end of the program is noticed. It delays no line.
        match lines.recv_timeout(Duration::from_millis(500)) {
            Ok(line) => {
                match streams {
                    Streams::Error => eprintln!("{line}"),
                    _ => println!("{line}"),
                }
                see(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if ended.is_some_and(|at| at.elapsed() > LINGER) => break,
            Err(RecvTimeoutError::Timeout) => {
                if ended.is_none() && child.try_wait().map_err(failed)?.is_some() {
                    ended = Some(Instant::now());
                }
            }
        }
    }
    // After a successful `try_wait` this returns the status that was read there.
    child.wait().map_err(failed)
}

/// Prints the command line, runs it with its output shown, and returns its status.
fn status(command: &mut Command) -> Result<ExitStatus, Stop> {
    let line = line(command);
    eprintln!("$ {line}");
    command.stdin(Stdio::null()).status().map_err(|error| Stop::Failed(format!("{line}: {error}")))
}

/// Runs it and returns its standard output; standard error is shown. Fails unless it exits with 0.
pub(crate) fn output(command: &mut Command) -> Result<String, Stop> {
    let line = line(command);
    // By default, `output` captures standard error as well.
    match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => fail(format!("{line}: {}", out.status)),
        Err(error) => fail(format!("{line}: {error}")),
    }
}

/// The target triple that this cargo builds for.
pub(crate) fn host() -> Result<String, Stop> {
    let version = output(&mut command("rustc", &["-vV"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(String::from).ok_or_else(|| Stop::Failed("rustc does not name its host".into()))
}

/// Whether the program can be started and exits with 0. Prints nothing.
pub(crate) fn succeeds(program: &str, args: &[&str]) -> bool {
    let status =
        command(program, args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Not exercised unless `program --version` works; `package` is the Debian package to install.
pub(crate) fn need(program: &str, package: &str) -> Outcome {
    if succeeds(program, &["--version"]) {
        return Ok(());
    }
    Err(Stop::NotExercised(format!("{program} is not installed; Debian: apt-get install {package}")))
}

/// Writes a file and makes its folder. A file with these contents already stays untouched, so that cargo
/// does not rebuild for it.
pub(crate) fn write(file: &Path, contents: impl AsRef<[u8]>) -> Outcome {
    let contents = contents.as_ref();
    if std::fs::read(file).is_ok_and(|there| there == contents) {
        return Ok(());
    }
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    std::fs::write(file, contents).map_err(failed(file))
}

/// Turns an error about a file into that of a step, for `map_err`.
pub(crate) fn failed(file: &Path) -> impl Fn(std::io::Error) -> Stop {
    move |error| Stop::Failed(format!("{}: {error}", file.display()))
}

/// Not exercised unless there is a Rust library for this target.
pub(crate) fn need_target(target: &str) -> Outcome {
    // rustc prints the folder for every target that it knows. Only an installed library makes the folder
    // exist.
    let folder = output(&mut command("rustc", &["--print=target-libdir", "--target", target]))?;
    if Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(Stop::NotExercised(format!("no Rust library for {target}; rustup target add {target}")))
}

fn line(command: &Command) -> String {
    // Neither the folder of the tools nor that of the checkout is printed, so logs of two computers can be
    // compared.
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().replace(&*root().to_string_lossy(), "."))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn tests_without_their_program_are_not_exercised() {
        let run = |script: &str| run_tests(&mut command("sh", &["-c", script]));
        assert!(run("echo fine; echo fine >&2").is_ok());
        assert!(matches!(run("echo 'NOT EXERCISED: x' >&2; exit 1"), Err(Stop::Failed(_))));
        let what = |outcome: Outcome| match outcome {
            Err(Stop::NotExercised(what)) => what,
            _ => panic!("it passed or failed"),
        };
        assert_eq!(
            what(run("echo 'test a ... NOT EXERCISED: no b' >&2; echo 'NOT EXERCISED: c' >&2")),
            "no b; c"
        );
    }

    #[test]
    fn a_program_left_behind_does_not_hold_the_run() {
        // `setsid` takes `sleep` out of the shell's session, so it survives the shell and keeps the pipe
        // open.
        let mut command = command("sh", &["-c", "echo a; (setsid sleep 60 &) ; exit 3"]);
        let (mut lines, begin) = (Vec::new(), Instant::now());
        let status = watch(&mut command, Streams::Both, |line| lines.push(line.to_string()));
        assert_eq!(status.map_err(|_| ()).expect("it runs").code(), Some(3));
        assert_eq!(lines, ["a"]);
        // Above `LINGER` by enough for a slow computer, and below the minute that `sleep` takes.
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
}
