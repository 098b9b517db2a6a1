//! `cargo xtask dist`: an archive with the command, its man pages, completions, documentation and licences.
use crate::archive::{self, copy, copy_all};
use crate::notice::{self, Linked};
use crate::report::{Outcome, Report};
use crate::{pages, shell};
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
    let host = shell::host()?;
    // All packages of the workspace have one version, so xtask's is that of the command.
    let name = format!("carryless-{}-{host}", env!("CARGO_PKG_VERSION"));
    let dist = target.join("dist");
    let folder = dist.join(&name);
    // A file that an earlier run copied and this one does not would get into the archive.
    archive::remove(&folder)?;
    let notice = notice::text(&Linked { package: "carryless-cli", target: &host, ..Linked::default() })?;
    lay_out(&target.join("release/carryless"), &target, &notice, &folder)?;
    let file = dist.join(format!("{name}.tar.gz"));
    archive::tar(&dist, &name, &file)?;
    println!("written to {}", file.display());
    // The binary in the archive runs.
    shell::run(shell::command(folder.join("bin/carryless"), &["--version"]).current_dir(&dist))
}

/// Lays out the archive of the command in a folder. `pages` has the folders `man` and `completions`.
pub(crate) fn lay_out(binary: &Path, pages: &Path, notice: &str, folder: &Path) -> Outcome {
    // Windows adds `.exe` to the name of the binary.
    copy(binary, &folder.join("bin").join(binary.file_name().unwrap_or_default()))?;
    for (from, to) in [("man", "share/man/man1"), ("completions", "share/completions")] {
        copy_all(&pages.join(from), &folder.join(to))?;
    }
    for text in TEXTS {
        copy(&shell::root().join(text), &folder.join(text))?;
    }
    shell::write(&folder.join("NOTICE"), notice)?;
    copy_all(&shell::root().join("book/src"), &folder.join("book/src"))
}
