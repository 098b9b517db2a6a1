//! `cargo xtask commands`: the commands in the documentation do what it says.
//!
//! Every line of a block marked `sh` is run as it is printed: those of cargo in the checkout, all others in an empty folder
//! that holds what the text names. A comment may say `exit status N` (0 otherwise) and `prints TEXT`.
//! Lines in other blocks must be synopses, and their options must exist.
mod lines;

use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use lines::{Line, commands, synopses};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The README installs the command, so it comes first. The laboratory's page installs `carryless-lab`, which that of HQC runs.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "book/src/introduction.md",
    "book/src/files.md",
    "book/src/recipes.md",
    "book/src/products.md",
    "book/src/fields-curves.md",
    "book/src/laboratory.md",
    "book/src/hqc.md",
];

/// How a command is treated that is not run as it is printed.
enum Instead {
    /// Run this command line in its place.
    Run(&'static str),
    /// Run nothing; the output names the command and the reason.
    Nothing,
}

/// Commands that are not run as they are printed, and why. An entry that no document prints is an error.
const EXCEPTIONS: &[(&str, Instead, &str)] = &[
    ("cargo xtask test", Instead::Nothing, "it is the chore `test`, which takes minutes"),
    (
        "carryless-lab tune > costs",
        Instead::Run("carryless-lab tune --seconds 1 > costs"),
        "it measures for a minute",
    ),
];

/// Whether a command is for a build with curves, which takes minutes: [`run_of_curves`] runs it, and what they all need.
fn is_of_curves(command: &str) -> bool {
    ["carryless curve ", "openssl ", "cargo install --path crates/cli --features curve-233"]
        .iter()
        .any(|start| command.starts_with(start))
}

/// Runs the documented commands that need curves, for `cargo xtask curves commands`.
pub(crate) fn run_of_curves() -> Outcome {
    let installed = Folder::new("bin")?;
    DOCUMENTS.iter().try_for_each(|document| run_lines(document, true, &installed.0))
}

pub(crate) fn run(report: &mut Report, _: &[String]) {
    // Dropping the folder removes the installed command, so it must outlive the steps of all documents.
    let mut installed = None;
    report.step("commands: what is printed can be run", || {
        installed = Some(Folder::new("bin")?);
        check_exceptions()
    });
    let Some(installed) = installed else { return };
    for document in DOCUMENTS {
        report.step(&format!("commands of {document}"), || run_document(document, &installed.0));
    }
}

fn check_exceptions() -> Outcome {
    let mut printed = Vec::new();
    for document in DOCUMENTS {
        printed.extend(commands(&read(document)?).into_iter().map(|line| line.command));
    }
    match EXCEPTIONS.iter().find(|(command, ..)| !printed.iter().any(|line| line == command)) {
        Some((command, ..)) => fail(format!("{command:?} is an exception, but printed nowhere")),
        None => Ok(()),
    }
}

fn read(document: &str) -> Result<String, Stop> {
    std::fs::read_to_string(shell::root().join(document))
        .map_err(|error| Stop::Failed(format!("{document}: {error}")))
}

fn run_document(document: &str, installed: &Path) -> Outcome {
    // Commands come first: those of the README install the program that is asked about synopses below.
    run_lines(document, false, installed)?;
    for (number, line) in
        synopses(&read(document)?).map_err(|why| Stop::Failed(format!("{document}: {why}")))?
    {
        if let Err(why) = check_synopsis(&line, installed) {
            return fail(format!("{document}:{number}: {line}: {why}"));
        }
    }
    Ok(())
}

/// Runs the commands that need curves, or those that do not.
fn run_lines(document: &str, of_curves: bool, installed: &Path) -> Outcome {
    let (text, folder) = (read(document)?, Folder::new("work")?);
    // A new folder for each document: no page may need a file that another page makes.
    prepare(&folder.0)?;
    for line in commands(&text) {
        let exception = EXCEPTIONS.iter().find(|(command, ..)| *command == line.command);
        let place = format!("{document}:{}: {}", line.number, line.command);
        if is_of_curves(&line.command) != of_curves {
            if !of_curves {
                println!("NOT RUN: {place} (`cargo xtask curves commands` runs it)");
            }
            continue;
        }
        let command = match exception {
            None => &line.command[..],
            Some((_, Instead::Run(other), why)) => {
                println!("NOT RUN AS PRINTED: {place} ({why}); instead: {other}");
                other
            }
            Some((_, Instead::Nothing, why)) => {
                println!("NOT RUN: {place} ({why})");
                continue;
            }
        };
        if let Err(why) = run_line(&line, command, &folder.0, installed) {
            return fail(format!("{place}: {why}"));
        }
    }
    Ok(())
}

/// Writes the files that documents name and no command makes: folders to tag, a message to sign, and
/// a link to the vectors.
fn prepare(folder: &Path) -> Outcome {
    let all = || {
        for name in ["photos", "folder"] {
            std::fs::create_dir_all(folder.join(name).join("inner"))?;
            std::fs::write(folder.join(name).join("small"), "some text\n")?;
            std::fs::write(folder.join(name).join("inner/large"), vec![7; 3 << 20])?;
        }
        std::fs::write(folder.join("message"), "some text\n")?;
        std::os::unix::fs::symlink(shell::root().join("vectors"), folder.join("vectors"))
    };
    all().map_err(|error| Stop::Failed(format!("{}: {error}", folder.display())))
}

/// A shell with the installed command on its path, to run `command` in `folder`.
fn shell(command: &str, folder: &Path, installed: &Path) -> Command {
    // The `cargo install` of the README installs here. First on the path, it is the command that later lines
    // run.
    let mut path = installed.join("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    let args: [OsString; 2] = ["-c".into(), command.into()];
    shell.args(args).current_dir(folder).env("PATH", path).env("CARGO_INSTALL_ROOT", installed);
    shell.stdin(Stdio::null()).stderr(Stdio::inherit());
    shell
}

fn run_line(line: &Line, command: &str, folder: &Path, installed: &Path) -> Result<(), String> {
    eprintln!("$ {command}");
    let folder = if command.starts_with("cargo ") { shell::root() } else { folder };
    let output = shell(command, folder, installed).output().map_err(|error| error.to_string())?;
    let printed = String::from_utf8_lossy(&output.stdout);
    print!("{printed}");
    if output.status.code() != Some(line.status) {
        return Err(format!("{}, but the text says {}", output.status, line.status));
    }
    match &line.prints {
        // A comment on a page cannot show the line break at the end of the output.
        Some(expected) if printed.trim_end() != expected => {
            Err(format!("it prints {:?}, not {expected:?}", printed.trim_end()))
        }
        _ => Ok(()),
    }
}

/// Checks by `--help` that the subcommand exists and has the options of the synopsis.
fn check_synopsis(line: &str, installed: &Path) -> Result<(), String> {
    let words: Vec<&str> = line.split([' ', '[', ']', ',']).filter(|word| !word.is_empty()).collect();
    // A subcommand may follow a name, as in `curve NAME keygen`.
    let lowercase = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let named =
        |i: usize| lowercase(&words[i]) || words.get(i + 1).is_some_and(|next| i == 2 && lowercase(next));
    let subcommand: Vec<&str> = (1..words.len()).take_while(|&i| named(i)).map(|i| words[i]).collect();
    let help = shell(&format!("{} {} --help", words[0], subcommand.join(" ")), shell::root(), installed);
    // The block makes a temporary, which `output` may borrow mutably.
    let output = { help }.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{} has no command {:?}", words[0], subcommand.join(" ")));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // Whole words, so that `--key` is not found in `--key-file`.
    let known: Vec<&str> = text.split([' ', '\n', ',', '[', ']']).collect();
    // A lone `-` is a standard stream in place of a file.
    match words.iter().find(|word| word.starts_with('-') && **word != "-" && !known.contains(word)) {
        Some(option) => Err(format!("there is no option {option}")),
        None => Ok(()),
    }
}

/// A new folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Folder, Stop> {
        // The process number separates runs at the same time. `create_dir` fails if the folder exists, so it
        // is empty.
        let path = std::env::temp_dir().join(format!("carryless-commands-{}-{name}", std::process::id()));
        std::fs::create_dir(&path).map_err(|error| Stop::Failed(format!("{}: {error}", path.display())))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A failure leaves files in the system's temporary folder, and nothing else depends on them.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
