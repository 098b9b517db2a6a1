//! `cargo xtask capi`: the C library, built and installed as its users do it, and tested through its header.
//!
//! The build has few curves and is not fully optimised, so that it takes minutes and not a quarter of an hour; `--all` takes all groups in release.
mod install;
mod programs;
mod symbols;

use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};

/// The groups of the build for tests.
const GROUPS: &str = "file-mac,poly,field,curve-233,hqc";

/// The package.
const MANIFEST: &str = "crates/capi/Cargo.toml";

/// The header, as it is checked in.
const HEADER: &str = "crates/capi/include/carryless.h";

/// Where things are built and installed.
pub(crate) struct Places {
    pub(crate) target: PathBuf,
    /// A prefix: `lib`, `include`, `lib/pkgconfig`.
    pub(crate) prefix: PathBuf,
}

impl Places {
    fn new() -> Places {
        let target = shell::target_dir().join("capi");
        Places { prefix: target.join("install"), target }
    }

    pub(crate) fn lib(&self) -> PathBuf {
        self.prefix.join("lib")
    }
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let places = Places::new();
    if args.iter().any(|arg| arg == "--measure") {
        return report.step("what C adds to a call", || measure(&places));
    }
    if !cfg!(target_os = "linux") {
        let why = "the library is built and examined by tools of Linux";
        return report.step("C library", || Err(Stop::NotExercised(why.into())));
    }
    let all = args.iter().any(|arg| arg == "--all");
    report.step("header by cbindgen", || header(&places));
    report.step("unit tests and memory", || rust_tests(&places));
    let mut installed = false;
    report.step("install", || {
        install::install(&places, all)?;
        installed = true;
        Ok(())
    });
    if !installed {
        return;
    }
    report.step("install by cargo-c", install::by_cargo_c_exercised);
    report.step("name of the library", || symbols::soname(&places));
    report.step("exported symbols", || symbols::exported(&places));
    report.step("abidiff", || symbols::abi(&places, all));
    for compiler in programs::COMPILERS {
        report.step(&format!("tests by {compiler}"), || programs::test(&places, compiler));
    }
    report.step("tests with the static library", || programs::test_static(&places));
    report.step("tests under valgrind", || programs::valgrind(&places));
    report.step("tests with address and undefined-behaviour sanitizers", || programs::sanitized(&places));
    report.step("examples", || programs::examples(&places));
    report.step("Poly1305 alone", || small(&places));
}

/// cbindgen's header is the one that is checked in.
fn header(places: &Places) -> Outcome {
    if !shell::succeeds("cbindgen", &["--version"]) {
        return Err(Stop::NotExercised("cbindgen is not installed; cargo install cbindgen".into()));
    }
    std::fs::create_dir_all(&places.target).map_err(failed(&places.target))?;
    let made = places.target.join("carryless.h");
    let mut command =
        shell::command("cbindgen", &["--quiet", "--config", "crates/capi/cbindgen.toml", "--output"]);
    shell::run(command.arg(&made).arg("crates/capi"))?;
    if read(&made)? != read(&shell::root().join(HEADER))? {
        return fail(format!("{HEADER} is not what cbindgen makes of the source: copy {}", made.display()));
    }
    Ok(())
}

/// The unit tests and the test of memory of the package, which is in no workspace whose tests `cargo xtask test` runs. As released: what stays in memory depends on the
/// compiler.
fn rust_tests(places: &Places) -> Outcome {
    let mut test = shell::cargo(&["test", "--release", "--locked", "--lib", "--test", "memory"]);
    test.args(["--no-default-features", "--features", "file-mac,hqc", "--manifest-path", MANIFEST]);
    shell::run_tests(test.arg("--target-dir").arg(places.target.join("small")))
}

/// A build without the other groups: it has the symbols of Poly1305, and is as small as it says.
fn small(places: &Places) -> Outcome {
    let target = places.target.join("small");
    let mut build =
        shell::cargo(&["build", "--locked", "--no-default-features", "--manifest-path", MANIFEST]);
    shell::run(build.arg("--target-dir").arg(&target))?;
    let library = target.join("debug/libcarryless_capi.so");
    let names = symbols::of(&library)?;
    let others = names.iter().filter(|name| symbols::group(name).is_some()).count();
    println!("{} functions", names.len());
    if others > 0 || names.len() < 6 {
        return fail(format!("a build with no groups exports {}", names.join(", ")));
    }
    Ok(())
}

/// A call of 64-byte Poly1305 through the shared library, and one of Rust's function, in one run.
fn measure(places: &Places) -> Outcome {
    let target = places.target.join("measure");
    let arguments =
        ["--release", "--locked", "--no-default-features", "--manifest-path", MANIFEST, "--target-dir"];
    shell::run(shell::cargo(&["build"]).args(arguments).arg(&target))?;
    let library = target.join("release/libcarryless_capi.so");
    let mut run = shell::cargo(&["run", "--example", "measure_call"]);
    shell::run(run.args(arguments).arg(&target).arg("--").arg(library))
}

fn read(file: &Path) -> Result<String, Stop> {
    std::fs::read_to_string(file).map_err(failed(file))
}

fn failed(file: &Path) -> impl Fn(std::io::Error) -> Stop {
    move |error| Stop::Failed(format!("{}: {error}", file.display()))
}
