//! `cargo xtask dist`: an archive with the command, its man pages, completions, documentation and licences.
use crate::pages;
use crate::report::{Outcome, Report, Stop};
use crate::shell;
use std::path::Path;

/// Files that the archive has next to the binary, by their paths in the checkout.
const TEXTS: [&str; 5] = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT"];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    pages::man(report, &[]);
    pages::completions(report, &[]);
    report.step("archive", archive);
}

fn archive() -> Outcome {
    let target = shell::target_dir();
    shell::run(&mut shell::cargo(&["build", "--release", "--locked", "-p", "carryless-cli"]))?;
    // All packages of the workspace have one version, so xtask's is that of the command.
    let name = format!("carryless-{}-{}", env!("CARGO_PKG_VERSION"), shell::host()?);
    let dist = target.join("dist");
    let folder = dist.join(&name);
    // A file that an earlier run copied and this one does not would get into the archive.
    let _ = std::fs::remove_dir_all(&folder);
    copy(&target.join("release/carryless"), &folder.join("bin/carryless"))?;
    for (from, to) in [("man", "share/man/man1"), ("completions", "share/completions")] {
        copy_all(&target.join(from), &folder.join(to))?;
    }
    for text in TEXTS {
        copy(&shell::root().join(text), &folder.join(text))?;
    }
    copy_all(&shell::root().join("book/src"), &folder.join("book/src"))?;
    // In the checkout this page only includes that file.
    copy(&shell::root().join("crates/bench/data/errata.md"), &folder.join("book/src/errata.md"))?;
    let file = dist.join(format!("{name}.tar.gz"));
    // Names are sorted and owners fixed, so that the listing does not depend on the computer.
    let mut tar =
        shell::command("tar", &["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf"]);
    shell::run(tar.arg(&file).arg("-C").arg(&dist).arg(&name))?;
    println!("written to {}", file.display());
    // The binary in the archive runs.
    shell::run(shell::command(folder.join("bin/carryless"), &["--version"]).current_dir(&dist))
}

fn copy_all(from: &Path, to: &Path) -> Outcome {
    let entries =
        std::fs::read_dir(from).map_err(|error| Stop::Failed(format!("{}: {error}", from.display())))?;
    for entry in entries.filter_map(Result::ok) {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let parent = to.parent().unwrap_or(to);
    let copied = std::fs::create_dir_all(parent).and_then(|()| std::fs::copy(from, to));
    copied.map(drop).map_err(|error| Stop::Failed(format!("{}: {error}", from.display())))
}
