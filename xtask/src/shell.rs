//! Running other programs, and finding out whether they are there.
use crate::INCOMPLETE;
use crate::report::{Outcome, Stop, fail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The root of the checkout.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root of the checkout")
}

/// Where cargo builds. Chores that build with flags of their own use a folder in it.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The cargo that started this program, run in the root of the checkout.
pub(crate) fn cargo(args: &[&str]) -> Command {
    command(std::env::var_os("CARGO").unwrap_or("cargo".into()), args)
}

/// Cargo of the nightly toolchain.
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

/// Runs it, shows what it prints, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = status(command)?;
    if status.success() { Ok(()) } else { fail(format!("{}: {status}", line(command))) }
}

/// The same for a program of this repository, which exits with [`INCOMPLETE`] where it names what it could not do.
pub(crate) fn run_ours(command: &mut Command) -> Outcome {
    let status = status(command)?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) if code == INCOMPLETE.into() => {
            Err(Stop::NotExercised(format!("{}: what it names above", line(command))))
        }
        _ => fail(format!("{}: {status}", line(command))),
    }
}

/// Runs it and shows what it prints.
fn status(command: &mut Command) -> Result<ExitStatus, Stop> {
    let line = line(command);
    eprintln!("$ {line}");
    command.stdin(Stdio::null()).status().map_err(|error| Stop::Failed(format!("{line}: {error}")))
}

/// Runs it and returns what it prints on stdout; stderr is shown.
pub(crate) fn output(command: &mut Command) -> Result<String, Stop> {
    let line = line(command);
    match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
        Ok(out) if out.status.success() => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        Ok(out) => fail(format!("{line}: {}", out.status)),
        Err(error) => fail(format!("{line}: {error}")),
    }
}

/// Whether the program is there and exits with 0. Prints nothing.
pub(crate) fn succeeds(program: &str, args: &[&str]) -> bool {
    let status =
        command(program, args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Not exercised unless `program --version` works; `package` is what to install.
pub(crate) fn need(program: &str, package: &str) -> Outcome {
    if succeeds(program, &["--version"]) {
        return Ok(());
    }
    Err(Stop::NotExercised(format!("{program} is not installed; Debian: apt-get install {package}")))
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy().replace(&*root().to_string_lossy(), "."))
        .collect::<Vec<_>>()
        .join(" ")
}
