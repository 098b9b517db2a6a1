//! Makes a key, tags the current folder and verifies it, printing each command before it runs.
//!
//! Key and manifest live in a temporary folder. Any arguments are the folders to tag instead of the current one.
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let scratch = match tempfile::tempdir() {
        Ok(scratch) => scratch,
        Err(error) => {
            eprintln!("no temporary folder: {error}");
            return ExitCode::from(2);
        }
    };
    let at = |name: &str| scratch.path().join(name).into_os_string();
    let (key, manifest) = (at("key"), at("manifest"));
    let mut folders: Vec<OsString> = std::env::args_os().skip(1).collect();
    if folders.is_empty() {
        folders.push(".".into());
    }
    let text = |words: &str| words.split(' ').map(OsString::from).collect::<Vec<_>>();
    let mut tag = text("tag --gitignore --exclude .git --key-file");
    tag.extend([key.clone(), "-o".into(), manifest.clone()]);
    tag.extend(folders);
    let mut verify = text("verify --quiet --key-file");
    verify.extend([key.clone(), manifest]);

    for command in [vec!["keygen".into(), key], tag, verify] {
        let code = run(command, scratch.path());
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    println!("verified: nothing changed, nothing missing, nothing new");
    ExitCode::SUCCESS
}

/// Prints the command with the temporary folder shortened to `$SCRATCH`, then runs it.
fn run(mut command: Vec<OsString>, scratch: &Path) -> ExitCode {
    command.insert(0, "carryless".into());
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    println!("$ {}", words.join(" ").replace(&*scratch.to_string_lossy(), "$SCRATCH"));
    carryless_cli::main(command)
}
