//! `cargo xtask capi`: the C library, built and installed as its users do it, and tested through its header.
//!
//! The build for tests has one curve and no full optimisation: it takes minutes instead of a quarter of an
//! hour. `--all` builds every group in release, `--archive` packs what it installs for others to try, and
//! `--packages` builds by package managers.
mod install;
mod languages;
mod packages;
mod programs;
mod symbols;

use crate::archive::epoch;
use crate::notice::{self, Linked};
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use install::Build;
pub(crate) use install::{pack, pkg_config, unpack};
pub(crate) use packages::cmake;
use std::path::{Path, PathBuf};

/// Cargo features of the build for tests: every group of functions, but only one curve.
const GROUPS: &str = "aead,file-mac,wegman-carter,universal,poly,gf2x,field,curve-233,hqc-2023";

/// Groups whose memory is searched for secrets.
const SECRETS: &str = "aead,file-mac,wegman-carter,universal,field,hqc";

/// Manifest of the C library, relative to the root of the checkout. The package is a workspace of its own.
const MANIFEST: &str = "crates/capi/Cargo.toml";

/// What is linked into it, but for the target.
pub(crate) const LINKED: Linked =
    Linked { manifest: MANIFEST, package: "carryless-capi", features: &[], target: "", runtime: &[] };

/// The checked-in header, relative to the root of the checkout. [`header`] compares it with the output of cbindgen.
const HEADER: &str = "crates/capi/include/carryless.h";

/// Folders that the steps of this chore share.
pub(crate) struct Places {
    pub(crate) target: PathBuf,
    /// Prefix of the installation, with `lib`, `include` and `lib/pkgconfig` in it.
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

    pub(crate) fn pkgconfig(&self) -> PathBuf {
        self.lib().join("pkgconfig")
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
    if args.iter().any(|arg| arg == "--archive") {
        return archive(report, &places, args.iter().find_map(|arg| arg.strip_prefix("--groups=")));
    }
    if args.iter().any(|arg| arg == "--packages") {
        report.step("Conan recipe", || packages::conan(&places));
        return report.step("vcpkg port", || packages::vcpkg(&places));
    }
    let build = if args.iter().any(|arg| arg == "--all") { Build::All } else { Build::Tests };
    report.step("header by cbindgen", || header(&places));
    report.step("unit tests and memory", || rust_tests(&places));
    let mut installed = false;
    report.step("install", || {
        install::by_cargo(&places, build, &[])?;
        installed = true;
        Ok(())
    });
    // All steps below use the installed files.
    if !installed {
        return;
    }
    report.step("name of the library", || symbols::soname(&places));
    report.step("exported symbols", || symbols::exported(&places));
    report.step("abidiff", || symbols::abi(&places, build.release()));
    for compiler in programs::COMPILERS {
        report.step(&format!("tests by {compiler}"), || programs::test(&places, compiler));
    }
    report.step("tests with the static library", || programs::test_static(&places));
    report.step("tests under valgrind", || programs::valgrind(&places));
    report.step("tests with address and undefined-behaviour sanitizers", || programs::sanitized(&places));
    users(report, &places);
    report.step("examples in Go", || languages::go(&places));
    report.step("examples in Java", || languages::java(&places));
    let other = Places { prefix: places.target.join("install-cargo-c"), target: places.target.clone() };
    let mut installed = false;
    report.step("install by cargo-c", || {
        install::by_cargo_c(&other, build)?;
        symbols::soname(&other)?;
        symbols::exported(&other)?;
        installed = true;
        Ok(())
    });
    if installed {
        users(report, &other);
    }
    report.step("Poly1305 alone", || small(&places));
}

/// Builds and runs the examples as users of the installed library do.
fn users(report: &mut Report, places: &Places) {
    for compiler in programs::COMPILERS {
        report.step(&format!("examples by {compiler}"), || programs::examples(places, compiler));
    }
    report.step("examples by CMake", || packages::cmake(places));
}

/// `--archive`: the library in release as an archive, all of it or some groups, and unpacked. Needs no compiler but Rust's:
/// package managers build by it. `cargo xtask release` tries it out.
fn archive(report: &mut Report, places: &Places, groups: Option<&str>) {
    let mut unpacked = None;
    report.step("archive", || {
        let build = groups.map_or(Build::All, Build::Groups);
        install::by_cargo(places, build, &[("SOURCE_DATE_EPOCH", epoch())])?;
        let features: Vec<&str> =
            groups.map_or(vec![], |groups| vec!["--no-default-features", "--features", groups]);
        let target = shell::host()?;
        let linked = Linked { features: &features, target: &target, ..LINKED };
        let file = pack(places, &notice::text(&linked)?, &shell::target_dir().join("dist"))?;
        unpacked = Some(unpack(&file, &places.target.join("unpacked"))?);
        Ok(())
    });
    if let Some(places) = unpacked {
        report.step("name of the library", || symbols::soname(&places));
        if groups.is_none() {
            report.step("exported symbols", || symbols::exported(&places));
        }
    }
}

/// Builds and installs every group in release, in a folder of its own.
pub(crate) fn installed_release(target: &Path, environment: &install::Environment) -> Result<Places, Stop> {
    let places = Places { prefix: target.join("install"), target: target.into() };
    install::by_cargo(&places, Build::All, environment)?;
    Ok(places)
}

/// Checks the interface of an installed release, and that the examples run by pkg-config and by CMake.
pub(crate) fn try_release(places: &Places) -> Outcome {
    symbols::soname(places)?;
    symbols::exported(places)?;
    programs::examples(places, "gcc")?;
    packages::cmake(places)
}

/// Compares the output of cbindgen with the header that is checked in.
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

/// Runs the unit tests and the memory test of the package, which `cargo xtask test` does not reach: it is in
/// another workspace. They run in release, because what stays in memory depends on the optimiser.
fn rust_tests(places: &Places) -> Outcome {
    let mut test = shell::cargo(&["test", "--release", "--locked", "--lib", "--test", "memory"]);
    test.args(["--no-default-features", "--features", SECRETS, "--manifest-path", MANIFEST]);
    shell::run_tests(test.arg("--target-dir").arg(places.target.join("small")))
}

/// Builds with no groups, and checks that only the functions of Poly1305 are exported.
fn small(places: &Places) -> Outcome {
    let target = places.target.join("small");
    let mut build =
        shell::cargo(&["build", "--locked", "--no-default-features", "--manifest-path", MANIFEST]);
    shell::run(build.arg("--target-dir").arg(&target))?;
    let library = target.join("debug/libcarryless_capi.so");
    // From the library itself, since a group left in by mistake would not show in the header.
    let names = symbols::of(&library)?;
    let others = names.iter().filter(|name| symbols::group(name).is_some()).count();
    println!("{} functions", names.len());
    // Poly1305 has six functions. Fewer would mean that `nm` did not see them.
    if others > 0 || names.len() < 6 {
        return fail(format!("a build with no groups exports {}", names.join(", ")));
    }
    Ok(())
}

/// Times Poly1305 of 64 bytes through the shared library and by Rust's function, in one process.
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
