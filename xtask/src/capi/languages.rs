//! The examples in languages that call the library through its C interface.
use super::{Places, failed, programs};
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first version of Java that has the interface to native functions.
const JAVA: u32 = 22;

/// The tag of [`message`] under the key 42..42, as `carryless mac` computes it.
const TAG: &str = "bf9f0b1532ed3734d91f367d40e1e4ab";

/// What the example for HQC prints.
const HQC: &str = "both have the same secret";

/// Writes the file that the examples tag, longer than their buffers and a part.
fn message(places: &Places) -> Result<PathBuf, Stop> {
    let file = places.target.join("message");
    std::fs::write(&file, vec![b'a'; 3_000_000]).map_err(failed(&file))?;
    Ok(file)
}

/// Runs an example, which must print this.
fn prints(command: &mut Command, expected: &str) -> Outcome {
    let printed = shell::output(command)?;
    if printed.trim_end() == expected { Ok(()) } else { fail(format!("printed {printed}, not {expected}")) }
}

/// Runs the examples of a language: `start` makes the command of one by its name.
fn run(places: &Places, names: [&str; 2], start: impl Fn(&str) -> Command) -> Outcome {
    let [mac, hqc] = names;
    let key = "42".repeat(32);
    prints(start(mac).arg(&key).arg(message(places)?), TAG)?;
    prints(&mut start(hqc), HQC)?;
    // A key of the wrong length is an error of the library, which the example reports.
    match shell::output(start(mac).arg("42").arg(message(places)?)) {
        Err(_) => Ok(()),
        Ok(printed) => fail(format!("a key of one byte gave {printed}")),
    }
}

pub(super) fn go(places: &Places) -> Outcome {
    if !shell::succeeds("go", &["version"]) {
        return Err(Stop::NotExercised("go is not installed".into()));
    }
    run(places, ["./mac", "./hqc"], |name| {
        let mut command = programs::with_library(places, Path::new("go"), &["run", name]);
        command.current_dir(shell::root().join("examples/go"));
        command.env("PKG_CONFIG_PATH", places.pkgconfig()).env("GOTOOLCHAIN", "local");
        command
    })
}

pub(super) fn java(places: &Places) -> Outcome {
    let java = find_java().ok_or_else(|| Stop::NotExercised(format!("there is no JDK {JAVA} or later")))?;
    run(places, ["Mac.java", "Hqc.java"], |name| {
        let mut command =
            programs::with_library(places, &java, &["--enable-native-access=ALL-UNNAMED", name]);
        command.current_dir(shell::root().join("examples/java"));
        command
    })
}

/// A Java that is new enough: that of JAVA_HOME, of the path, or one that the system installed.
fn find_java() -> Option<PathBuf> {
    let home = std::env::var_os("JAVA_HOME").map(|home| Path::new(&home).join("bin/java"));
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().filter_map(Result::ok);
    let mut all =
        home.into_iter().chain(["java".into()]).chain(installed.map(|dir| dir.path().join("bin/java")));
    all.find(|java| version(java).is_some_and(|version| version >= JAVA))
}

/// The major version that `java --version` prints in its first line, as in `openjdk 25.0.1 2025-10-21`.
fn version(java: &Path) -> Option<u32> {
    let text = shell::output(&mut shell::command(java, &["--version"])).ok()?;
    text.split_whitespace().nth(1)?.split(['.', '-']).next()?.parse().ok()
}
