//! Helpers of the tests: a folder of its own for each, in which the command runs.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use carryless_filemap::{Lease, NoLease};
use tempfile::TempDir;

/// The program that the tests run: `carryless`, and in the tests of `lab` `carryless-lab`.
pub(crate) const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_carryless"), option_env!("CARGO_BIN_EXE_carryless-lab")) {
        (Some(path), _) | (None, Some(path)) => path,
        (None, None) => panic!("these tests run a program of their package"),
    };

/// A key file with a known value, from which known_answers.rs has its expected tags.
pub(crate) const KEY: &str =
    "carryless-key-v1:01080f161d242b323940474e555c636a71787f868d949ba2a9b0b7bec5ccd3da:7563bfc8\n";

/// Date of the manifests that tests write, in seconds since 1970: with that of the clock, two manifests of one tree
/// would differ whenever a second passes between them.
const DATE: &str = "1795968000";

/// A temporary folder with a key file `key` and an empty folder `t`. Removed when dropped.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// The exit status and the output of a run of the command.
pub(crate) struct Run {
    /// Exit status: 0, 1 or 2 by the rules of the command.
    pub(crate) status: i32,
    /// Bytes on standard output: names in it need not be UTF-8.
    pub(crate) out: Vec<u8>,
    /// Text on standard error, where the command escapes all other bytes.
    pub(crate) err: String,
}

/// Waits until no process has the file open for writing.
///
/// A child that another test's thread has just forked keeps all descriptors of its parent until it runs its program. On a
/// loaded machine that takes longer than the command waits for a writer.
fn wait_until_closed(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    let start = Instant::now();
    while matches!(Lease::read(&file), Err(NoLease::Writer)) {
        assert!(start.elapsed() < Duration::from_secs(60), "{}: open for writing", path.display());
        thread::sleep(Duration::from_millis(1));
    }
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sandbox = Self { folder };
        sandbox.write("key", KEY);
        fs::set_permissions(sandbox.path("key"), Permissions::from_mode(0o600)).expect("chmod");
        fs::create_dir(sandbox.path("t")).expect("mkdir");
        sandbox
    }

    /// A sandbox with a small tree in `t` and its manifest in `m`.
    pub(crate) fn tagged() -> Self {
        let sandbox = Self::new();
        sandbox.write("t/a", "hello\n");
        sandbox.write("t/b", "");
        sandbox.write("t/sub/.hidden", "x".repeat(5000));
        sandbox.tag(&["-o", "m", "t"]).good();
        sandbox
    }

    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.folder.path().join(name.as_ref())
    }

    pub(crate) fn write(&self, name: impl AsRef<OsStr>, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("mkdir");
        fs::write(&path, contents).expect("write");
        wait_until_closed(&path);
    }

    /// Writes a small file in an existing folder, without waiting for anything.
    pub(crate) fn write_quickly(&self, name: &str) {
        fs::write(self.path(name), name).expect("write");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("read")
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.folder.path()).stdin(Stdio::null()).env("SOURCE_DATE_EPOCH", DATE);
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        Run::from(self.command().args(args).output().expect("run"))
    }

    pub(crate) fn tag<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        Run::from(self.command().args(["tag", "--key-file", "key"]).args(args).output().expect("run"))
    }

    pub(crate) fn verify<S: AsRef<OsStr>>(&self, args: &[S]) -> Run {
        Run::from(self.command().args(["verify", "--key-file", "key"]).args(args).output().expect("run"))
    }

    /// The names of the entries of a folder, sorted by their bytes.
    pub(crate) fn list(&self, folder: &str) -> Vec<OsString> {
        let entries = fs::read_dir(self.path(folder)).expect("read_dir");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("entry").file_name()).collect();
        names.sort();
        names
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("not killed by a signal"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

impl Run {
    /// Asserts status 0: all is well.
    #[track_caller]
    pub(crate) fn good(&self) -> &Self {
        assert_eq!(self.status, 0, "stderr: {}", self.err);
        self
    }

    /// Asserts status 1: something does not match.
    #[track_caller]
    pub(crate) fn mismatch(&self) -> &Self {
        assert_eq!(self.status, 1, "stdout: {}\nstderr: {}", self.text(), self.err);
        self
    }

    /// Asserts status 2, an error, with exactly one line on standard error, which contains the text.
    #[track_caller]
    pub(crate) fn trouble(&self, text: &str) -> &Self {
        assert_eq!(self.status, 2, "stdout: {}\nstderr: {}", self.text(), self.err);
        assert_eq!(self.err.lines().count(), 1, "not one line: {}", self.err);
        self.says(text)
    }

    /// Asserts that standard error begins with the program's name and contains the text.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        let (_, name) = PROGRAM.rsplit_once('/').expect("a path");
        let has_name = self.err.starts_with(&format!("{name}: "));
        assert!(has_name && self.err.contains(text), "{text:?} not in {:?}", self.err);
        self
    }

    /// Asserts that standard output is exactly this text.
    #[track_caller]
    pub(crate) fn prints(&self, expected: &str) -> &Self {
        assert_eq!(self.text(), expected, "stderr: {}", self.err);
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }
}

/// Runs the command with a pipe as standard output whose reading end is closed, so that every write fails
/// with EPIPE.
pub(crate) fn run_into_closed_pipe(sandbox: &Sandbox, args: &[&str]) -> Run {
    // The end is closed before the command starts. Otherwise a fast command could have written everything by
    // then.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    Run::from(sandbox.command().args(args).stdout(writer).output().expect("run"))
}

/// Runs the command by a shell, with a redirection that closes or opens descriptors, such as `>&-`.
pub(crate) fn run_in_shell(sandbox: &Sandbox, args: &[&str], redirection: &str) -> Run {
    let mut shell = Command::new("sh");
    let script = format!("exec \"$0\" \"$@\" {redirection}");
    shell.args(["-c", &script, PROGRAM]).args(args).env("SOURCE_DATE_EPOCH", DATE);
    Run::from(shell.current_dir(sandbox.path(".")).output().expect("run"))
}

/// A file name of arbitrary bytes, as Unix allows them.
pub(crate) fn name(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

/// Makes a FIFO. Opening it for reading blocks until there is a writer, so a command that did so would hang.
pub(crate) fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// The command as a user with no special rights: a copy of the program in the sandbox, which root runs under
/// another user id.
pub(crate) fn as_ordinary_user(sandbox: &Sandbox) -> Command {
    let program = sandbox.path("carryless");
    // Not `fs::copy`: a child forked by another thread may inherit its descriptor, and a program that is open
    // for writing cannot be executed (ETXTBSY).
    let copied = Command::new("cp").arg(PROGRAM).arg(&program).status();
    assert!(copied.expect("cp").success());
    fs::set_permissions(sandbox.path("."), Permissions::from_mode(0o777)).expect("chmod");
    let mut command = Command::new(program);
    command.current_dir(sandbox.path(".")).env("SOURCE_DATE_EPOCH", DATE);
    if fs::metadata(sandbox.path("key")).expect("stat").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    command
}
