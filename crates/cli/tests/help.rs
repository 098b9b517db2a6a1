//! The help: every page has its sections, examples can be run as they are printed, and scripts complete command lines.
mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use clap::Command as Page;
use common::{PROGRAM, Run, Sandbox, run_into_closed_pipe};

const HEADINGS: [&str; 4] = ["EXAMPLES", "EXIT STATUS", "FILES", "SEE ALSO"];

/// The lines of a section of a page.
fn section(page: &Page, heading: &str) -> Vec<String> {
    let text = page.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let after = text.lines().skip_while(|line| *line != heading).skip(1);
    after.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_owned()).collect()
}

fn subcommands(page: &Page) -> Vec<&Page> {
    page.get_subcommands().filter(|page| !page.is_hide_set()).collect()
}

#[test]
fn every_page_has_its_sections() {
    let program = carryless_cli::command();
    let mut pages = vec![&program];
    let mut checked = 0;
    while let Some(page) = pages.pop() {
        for heading in HEADINGS {
            assert!(!section(page, heading).is_empty(), "{}: {heading}", page.get_name());
        }
        for other in section(page, "SEE ALSO").join(" ").split(", ") {
            let name = other.strip_suffix("(1)").expect("a page");
            let name = name.strip_prefix("carryless-").unwrap_or("tag");
            assert!(program.find_subcommand(name).is_some(), "{other}");
        }
        pages.extend(subcommands(page));
        checked += 1;
    }
    let least = if cfg!(all(feature = "algebra", feature = "kem")) { 50 } else { 10 };
    assert!(checked > least, "{checked} pages");
}

/// Every command is in one group.
#[test]
fn commands_are_grouped() {
    let help = Sandbox::new().run(&["--help"]).good().text();
    let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text:?} not in {help}"));
    assert!(
        at("\n  tag ") < at("\nRead manifests:\n") && at("\n  list ") < at("\nThis program:\n"),
        "{help}"
    );
    for command in subcommands(&carryless_cli::command()) {
        let line = format!("\n  {} ", command.get_name());
        assert_eq!(help.matches(&line).count(), 1, "{line:?} in {help}");
    }
    for heading in HEADINGS {
        assert!(help.contains(&format!("\n{heading}\n")), "{help}");
    }
}

/// What is compared and what is not comes first.
#[test]
fn tag_says_early_what_is_recorded() {
    let help = Sandbox::new().run(&["tag", "--help"]).good().text();
    let first: String = help.lines().take(10).collect::<Vec<_>>().join(" ");
    for text in ["contents, names and kinds", "modes, owners", "Not recorded:", "ACLs", "hard links"] {
        assert!(first.contains(text), "{text:?} not in {first}");
    }
}

/// A sandbox with what the examples of a command need.
fn prepared(command: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("photos/2026/1.jpg", "one");
    match command {
        "keygen" => fs::remove_file(sandbox.path("key")).expect("rm"),
        "tag" => {}
        _ => {
            sandbox.tag(&["-q", "-o", "manifest", "photos"]).good();
            fs::copy(sandbox.path("manifest"), sandbox.path("old")).expect("cp");
        }
    }
    sandbox
}

#[test]
fn examples_can_be_run() {
    let folder = Path::new(PROGRAM).parent().expect("a folder");
    let path = std::env::join_paths([folder, Path::new("/usr/bin"), Path::new("/bin")]).expect("a path");
    for page in subcommands(&carryless_cli::command()) {
        let sandbox = prepared(page.get_name());
        for example in section(page, "EXAMPLES") {
            let mut shell = Command::new("sh");
            shell.args(["-c", &example]).current_dir(sandbox.path(".")).env("PATH", &path);
            let run = Run::from(shell.output().expect("run"));
            // Curves are compiled only on request.
            if page.get_name() == "curve" && !cfg!(feature = "curve-233") {
                run.trouble("built without");
            } else {
                assert_eq!(run.status, 0, "{example}: {}", run.err);
            }
        }
    }
}

#[test]
fn shells_complete_command_lines() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "fish", "zsh", "powershell", "elvish"] {
        let script = sandbox.run(&["completions", shell]).good().text();
        assert!(script.contains("files-from"), "{shell}");
        assert_eq!(run_into_closed_pipe(&sandbox, &["completions", shell]).status, 2);
    }
    assert_eq!(sandbox.run(&["completions", "tcsh"]).status, 2);
    // What bash makes of the beginning of an option.
    fs::write(sandbox.path("script"), sandbox.run(&["completions", "bash"]).out).expect("write");
    let words = "source ./script; COMP_WORDS=(carryless verify --ignore-n); COMP_CWORD=2; \
                 _carryless carryless --ignore-n verify; echo \"${COMPREPLY[@]}\"";
    let mut shell = Command::new("bash");
    shell.args(["-c", words]).current_dir(sandbox.path("."));
    let run = Run::from(shell.output().expect("bash"));
    assert_eq!(run.text(), "--ignore-new\n", "{}", run.err);
}

#[test]
fn the_id_of_a_key_is_that_of_its_manifests() {
    let sandbox = Sandbox::tagged();
    let id = sandbox.run(&["key-id", "--key-file", "key"]).good().text();
    let manifest = String::from_utf8(sandbox.read("m")).expect("UTF-8");
    assert!(manifest.contains(&format!("\nkey-id {id}")), "{id} in {manifest}");
    let json = sandbox.run(&["key-id", "--json", "--key-file", "key"]).good().text();
    assert_eq!(json, format!("{{\"key_id\":\"{}\"}}\n", id.trim_end()));
    sandbox.run(&["key-id", "--key-file", "m"]).trouble("m: ");
}
