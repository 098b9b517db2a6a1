//! `cargo xtask windows`: the command for Windows, compiled here and run under Wine.
//!
//! Wine has no reparse points and no names with lone surrogates, and makes up access lists from Unix modes: what depends
//! on these is only compiled and, where it is a function of bytes, tested by unit tests.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell::{self, Streams, failed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const TARGET: &str = "x86_64-pc-windows-gnu";
const LINKER: &str = "x86_64-w64-mingw32-gcc";

/// How long what Wine does late is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Names of Wine's loader: Debian has it outside of PATH.
const WINES: [&str; 3] = ["wine64", "/usr/lib/wine/wine64", "wine"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    let mut wine = None;
    report.step("windows: the command, and the one of this system", || {
        shell::need_target(TARGET)?;
        shell::need(LINKER, "gcc-mingw-w64-x86-64")?;
        wine = Some(Wine::find()?);
        shell::run(&mut cargo(&["build", "-p", "carryless-cli"]))?;
        shell::run(&mut shell::cargo(&["build", "-p", "carryless-cli"]))
    });
    let Some(wine) = wine else { return };
    report.step("windows: unit tests under Wine", || wine.unit_tests());
    report.step("windows: manifests under Wine and on this system", || {
        wine.settle()?;
        Files::new(&wine)?.compare()
    });
    report.step("windows: keys and Ctrl-C under Wine", || {
        wine.settle()?;
        let files = Files::new(&wine)?;
        files.keys()?;
        files.interruption()
    });
}

/// Runs `--version` of a command for Windows, alone in a folder.
pub(crate) fn version(binary: &Path) -> Outcome {
    let wine = Wine::find()?;
    wine.settle()?;
    let mut command = shell::command(wine.loader, &[]);
    wine.environment(&mut command);
    let text = shell::output(command.arg(binary).arg("--version"))?;
    println!("{}", text.trim_end());
    match text.trim_end() == concat!("carryless ", env!("CARGO_PKG_VERSION")) {
        true => Ok(()),
        false => fail(format!("the command says {text}")),
    }
}

/// A cargo command that builds for Windows.
fn cargo(args: &[&str]) -> Command {
    let mut command = shell::cargo(args);
    command.args(["--target", TARGET, "--config"]).arg(format!("target.{TARGET}.linker={LINKER:?}"));
    command
}

/// Wine, with a folder for its files.
struct Wine {
    loader: &'static str,
    folder: PathBuf,
}

impl Wine {
    fn find() -> Result<Wine, Stop> {
        match WINES.into_iter().find(|loader| shell::succeeds(loader, &["--version"])) {
            Some(loader) => Ok(Wine { loader, folder: shell::target_dir().join("wine") }),
            None => Err(Stop::NotExercised("wine is not installed; Debian: apt-get install wine64".into())),
        }
    }

    /// Sets what Wine reads from the environment: where its files are, no messages of its own, and no questions about
    /// components that it lacks.
    fn environment(&self, command: &mut Command) {
        command.env("WINEPREFIX", self.folder.join("prefix")).env("WINEDEBUG", "-all");
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=").env("WINEPATH", self.path());
    }

    /// Returns the folders of the command and of the library that Wine lacks, as Wine sees them.
    fn path(&self) -> String {
        let command = shell::target_dir().join(TARGET).join("debug");
        format!("Z:{};Z:{}", self.folder.display(), command.display()).replace('/', "\\")
    }

    /// Runs the unit tests of both packages, and judges them by their lines (see [`Files::command`]).
    fn unit_tests(&self) -> Outcome {
        self.settle()?;
        let packages = ["-p", "carryless-filemap", "-p", "carryless-cli"];
        let mut tests = cargo(&["test", "--no-fail-fast", "--lib"]);
        tests.args(packages).arg("--config").arg(format!("target.{TARGET}.runner={:?}", self.loader));
        self.environment(&mut tests);
        let (mut passed, mut failed) = (0, 0);
        shell::watch(&mut tests, Streams::Output, |line| {
            passed += u32::from(line.starts_with("test result: ok."));
            failed += u32::from(line.starts_with("test result: FAILED."));
        })?;
        if (passed, failed) == (2, 0) { Ok(()) } else { fail(format!("{passed} of 2 packages passed")) }
    }

    /// Compiles the library that Wine lacks, and makes Wine write its files, so that no later call waits for it.
    fn settle(&self) -> Outcome {
        fs::create_dir_all(&self.folder).map_err(failed(&self.folder))?;
        let library = self.folder.join("bcryptprimitives.dll");
        let mut compile = shell::command(LINKER, &["-shared", "-O1", "-o"]);
        shell::run(compile.arg(library).args(["tools/bcryptprimitives.c", "-ladvapi32"]))?;
        // Its status says nothing: parts for 32 bits may be missing.
        let mut boot = shell::command(self.loader, &["wineboot", "--init"]);
        self.environment(&mut boot);
        let boot = boot.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        boot.map(|_| ()).map_err(failed(Path::new(self.loader)))
    }
}

/// The system whose command is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum System {
    Windows,
    This,
}

/// A folder with files that both commands see.
struct Files<'a> {
    wine: &'a Wine,
    folder: PathBuf,
}

impl<'a> Files<'a> {
    fn new(wine: &'a Wine) -> Result<Self, Stop> {
        let folder = wine.folder.join("files");
        // It may not be there.
        let _ = fs::remove_dir_all(&folder);
        let files = Self { wine, folder };
        files.write("t/a", "contents")?;
        // What Windows cannot name without `\\?\`, and more than MAX_PATH allows.
        files.write("t/NUL", "of no device")?;
        files.write("t/dot. ", "at the end")?;
        files.write(&format!("t/{}f", format!("{}/", "x".repeat(100)).repeat(4)), "deep")?;
        files.write("t/sub/\u{17e}lu\u{165} \u{732b}", "other scripts")?;
        files.write("t/large", "0123456789abcdef".repeat(200_000))?;
        files.mode("700", ".")?;
        Ok(files)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> Outcome {
        shell::write(&self.folder.join(name), contents)
    }

    fn mode(&self, mode: &str, name: &str) -> Outcome {
        shell::run(shell::command("chmod", &[mode]).arg(self.folder.join(name)))
    }

    /// Returns the command of a system, to be run in the folder.
    ///
    /// Under Wine a shell starts it, whose status is the right one: a program with several threads that takes long to end is
    /// killed by Wine's server, and loses its own.
    fn command(&self, system: System, args: &[&str]) -> Command {
        let mut command = match system {
            System::Windows => Command::new(self.wine.loader),
            System::This => Command::new(shell::target_dir().join("debug/carryless")),
        };
        if system == System::Windows {
            command.args(["cmd", "/c", "carryless"]);
            self.wine.environment(&mut command);
        }
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Runs the command of a system. Fails unless it exits with `status`; returns its standard output and error.
    fn run(&self, system: System, args: &[&str], status: i32) -> Result<(String, String), Stop> {
        let out = self.command(system, args).output().map_err(failed(&self.folder))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (lines, messages) = (text(&out.stdout), text(&out.stderr));
        match out.status.code() {
            Some(code) if code == status => Ok((lines, messages)),
            code => fail(format!("carryless {}: status {code:?}, not {status}: {messages}", args.join(" "))),
        }
    }

    /// Runs both commands. Fails unless both exit with `status` and print the same lines, which it returns.
    fn same(&self, args: &[&str], status: i32) -> Result<String, Stop> {
        let (ours, _) = self.run(System::This, args, status)?;
        let (theirs, _) = self.run(System::Windows, args, status)?;
        if ours == theirs {
            return Ok(ours);
        }
        fail(format!("carryless {}: here\n{ours}there\n{theirs}", args.join(" ")))
    }

    fn refused(&self, args: &[&str], message: &str) -> Outcome {
        let (_, messages) = self.run(System::Windows, args, 2)?;
        if messages.contains(message) {
            return Ok(());
        }
        fail(format!("carryless {}: {messages:?} without {message:?}", args.join(" ")))
    }

    /// Manifests of each system verify on the other, and say the same about changes.
    fn compare(&self) -> Outcome {
        self.run(System::Windows, &["keygen", "key"], 0)?;
        // Wine's access lists are made of modes, and this command reads the mode.
        self.mode("600", "key")?;
        self.run(System::Windows, &["tag", "--key-file", "key", "-o", "there", "t"], 0)?;
        self.run(System::This, &["tag", "--key-file", "key", "-o", "here", "--metadata", "full", "t"], 0)?;
        for manifest in ["here", "there"] {
            let lines = self.same(&["verify", "--key-file", "key", manifest], 0)?;
            if lines.lines().count() != 6 {
                return fail(format!("not six files:\n{lines}"));
            }
        }
        self.same(&["diff", "--key-file", "key", "here", "there"], 0)?;
        self.write("t/a", "Contents")?;
        self.write("t/new", "new")?;
        let moved = fs::rename(self.folder.join("t/dot. "), self.folder.join("t/sub/moved"));
        moved.and_then(|()| fs::remove_file(self.folder.join("t/NUL"))).map_err(failed(&self.folder))?;
        let lines = self.same(&["verify", "--quiet", "--key-file", "key", "there"], 1)?;
        let expected = "t/NUL: missing\nt/a: edited\nt/new: new\nt/sub/moved: moved from t/dot. \n";
        if lines != expected {
            return fail(format!("{lines}instead of\n{expected}"));
        }
        self.run(System::Windows, &["update", "--key-file", "key", "there", "t/a"], 1)?;
        self.same(&["verify", "--quiet", "--key-file", "key", "there"], 1)?;
        self.run(System::Windows, &["update", "--all", "--key-file", "key", "there"], 0)?;
        self.same(&["verify", "--key-file", "key", "there"], 0)?;
        for command in ["list", "show"] {
            self.same(&[command, "--key-file", "key", "there"], 0)?;
        }
        self.names()
    }

    /// Names that Windows has not are missing there, and open no other file.
    fn names(&self) -> Outcome {
        let strange = ["t/a:b", "t/a\\b", "t/\u{1}"];
        strange.iter().try_for_each(|name| self.write(name, "strange"))?;
        self.run(System::This, &["tag", "--key-file", "key", "-o", "strange", "t"], 0)?;
        let remove = |name: &&str| fs::remove_file(self.folder.join(name)).map_err(failed(&self.folder));
        strange.iter().try_for_each(remove)?;
        let lines = self.same(&["verify", "--quiet", "--key-file", "key", "strange"], 1)?;
        match lines.lines().all(|line| line.ends_with(": missing")) && lines.lines().count() == 3 {
            true => Ok(()),
            false => fail(lines),
        }
    }

    /// Keys of others are refused, as is what Windows cannot do; each with its reason.
    fn keys(&self) -> Outcome {
        self.run(System::Windows, &["keygen", "key"], 0)?;
        self.refused(&["keygen", "key"], "exists already")?;
        let tag = ["tag", "--key-file", "key", "-o", "m", "t"];
        self.refused(&[&tag[..], &["--metadata", "full"]].concat(), "no mode, owner and group")?;
        self.refused(&["tag", "--key-fd", "3", "-o", "m", "t"], "no numbers of open files")?;
        self.mode("644", "key")?;
        self.refused(&tag, "may read or write this key")?;
        self.mode("600", "key")?;
        self.mode("777", ".")?;
        self.refused(&tag, "may replace the key")?;
        self.mode("700", ".")?;
        self.refused(&[&tag[..], &["nothing"]].concat(), "no such file")?;
        self.alone()?;
        self.run(System::Windows, &tag, 0)?;
        self.refused(&tag, "exists already")?;
        self.run(System::Windows, &[&tag[..], &["--force"]].concat(), 0).map(|_| ())
    }

    /// Ctrl-C ends a long `tag` and leaves nothing behind.
    fn interruption(&self) -> Outcome {
        fs::remove_file(self.folder.join("m")).map_err(failed(&self.folder))?;
        // No blocks, but minutes to read.
        let sparse = fs::File::create(self.folder.join("t/sparse")).and_then(|file| file.set_len(1 << 37));
        sparse.map_err(failed(&self.folder))?;
        // With the default of the signal, whatever this process ignores; and not in a shell, which it would end alone.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", self.wine.loader]);
        command.arg(shell::target_dir().join(TARGET).join("debug/carryless.exe"));
        command.args(["tag", "--key-file", "key", "-o", "m", "t"]);
        command.current_dir(&self.folder).stdin(Stdio::null());
        self.wine.environment(&mut command);
        let mut child = command.stderr(Stdio::null()).spawn().map_err(failed(&self.folder))?;
        let found = within(Duration::from_secs(60), || !self.temporary().is_empty());
        shell::run(shell::command("kill", &["-INT"]).arg(child.id().to_string()))?;
        self.end(&mut child)?;
        if !found {
            return fail("no manifest was begun");
        }
        self.alone()
    }

    /// Waits until the interrupted command has ended, at most for [`PATIENCE`]; then kills it.
    ///
    /// Once in some 150 calls, Wine 8 waits for ever as it ends a process: for a mutex of its own, held by a thread that it
    /// has ended. The files to be removed have been named to its server by then.
    fn end(&self, child: &mut Child) -> Outcome {
        let ended = within(PATIENCE, || !matches!(child.try_wait(), Ok(None)));
        if !ended {
            println!("killed: Wine did not end it in {} s", PATIENCE.as_secs());
            child.kill().map_err(failed(&self.folder))?;
        }
        child.wait().map(|_| ()).map_err(failed(&self.folder))
    }

    /// Names in the folder that begin as those of temporary files do.
    fn temporary(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".carryless-")).collect()
    }

    /// Fails if a manifest or a temporary file is there. Wine's server removes a file that was open when the process that had
    /// it open is gone, so that this waits for it, at most for [`PATIENCE`].
    fn alone(&self) -> Outcome {
        match within(PATIENCE, || self.temporary().is_empty() && !self.folder.join("m").exists()) {
            true => Ok(()),
            false => fail("an incomplete manifest was left behind"),
        }
    }
}

/// Whether the condition becomes true within this time. It is looked at every 50 ms.
fn within(time: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    loop {
        match condition() {
            true => return true,
            false if begin.elapsed() >= time => return false,
            false => sleep(Duration::from_millis(50)),
        }
    }
}
