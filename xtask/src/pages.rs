//! `cargo xtask man` and `cargo xtask completions`: the pages and completions that packagers install with the
//! command.
use crate::backends::{WITHOUT_PROOFS, fewer};
use crate::report::{Outcome, Report, Stop};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn man(report: &mut Report, _: &[String]) {
    write(report, "man");
}

pub(crate) fn completions(report: &mut Report, _: &[String]) {
    write(report, "completions");
}

/// Writes both in a folder, by a build with few kernels and without the optimiser: the text is the same, and it takes a
/// minute instead of four.
pub(crate) fn quickly(folder: &Path) -> Result<PathBuf, Stop> {
    for what in ["man", "completions"] {
        let mut generate = generator(&[]);
        generate.arg(what).arg(folder.join(what)).env("CARGO_TARGET_DIR", folder.join("target"));
        generate.env("RUSTFLAGS", format!("{WITHOUT_PROOFS} {}", fewer()));
        shell::run(generate.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"))?;
    }
    Ok(folder.into())
}

fn write(report: &mut Report, what: &str) {
    report.step(what, || -> Outcome {
        let folder = shell::target_dir().join(what);
        shell::run(generator(&["--release"]).arg(what).arg(&folder))?;
        println!("written to {}", folder.display());
        Ok(())
    });
}

/// A command that builds and runs the generator.
fn generator(profile: &[&str]) -> Command {
    let mut command = shell::cargo(&["run", "--quiet"]);
    // Without the feature, other chores need not compile the generators.
    command.args(profile).args(["-p", "xtask", "--features", "pages", "--bin", "pages", "--"]);
    command
}
