//! `cargo xtask man` and `cargo xtask completions`: the pages and completions that packagers install with the
//! command.
use crate::report::Report;
use crate::shell;

pub(crate) fn man(report: &mut Report, _: &[String]) {
    write(report, "man");
}

pub(crate) fn completions(report: &mut Report, _: &[String]) {
    write(report, "completions");
}

fn write(report: &mut Report, what: &str) {
    report.step(what, || {
        let folder = shell::target_dir().join(what);
        let program = &[
            "run",
            "--release",
            "--quiet",
            "-p",
            "xtask",
            // Without the feature, other chores need not compile the generators.
            "--features",
            "pages",
            "--bin",
            "pages",
            "--",
            what,
        ];
        shell::run(shell::cargo(program).arg(&folder))?;
        println!("written to {}", folder.display());
        Ok(())
    });
}
