//! `cargo xtask python`: builds the Python package as one wheel, and tests it in a fresh environment of every
//! Python that is there.
//!
//! The build for tests has few curves, one backend for carry-less products and no full optimisation, so that
//! it takes minutes. `--all` builds everything in release.
use crate::report::{Outcome, Report, Stop, fail, worst};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Versions of Python that the wheel is tested on. It uses the stable ABI of the first.
pub(crate) const VERSIONS: [&str; 3] = ["3.11", "3.12", "3.13"];

/// Features of the build for tests.
const FEATURES: &str = "abi3,curve-233,carryless-ec/dstu-163,hqc-2023,tree";

/// The most bytes of a wheel in release, which `--all` builds.
pub(crate) const MAX_BYTES: u64 = 3_000_000;

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let all = args.iter().any(|arg| arg == "--all");
    let pythons = VERSIONS.map(|version| (version, find(version)));
    let Some(first) = pythons.iter().find_map(|(_, python)| python.clone()) else {
        let why = "there is no Python from 3.11 on, neither on the path nor of pyenv";
        return report.step("Python package", || Err(Stop::NotExercised(why.into())));
    };
    let target = shell::target_dir().join("python");
    let mut wheel = None;
    report.step("wheel", || {
        wheel = Some(build(&target, &first, all)?);
        Ok(())
    });
    let Some(wheel) = wheel else { return };
    for (version, python) in pythons.clone() {
        report.step(&format!("tests on Python {version}"), || {
            let missing = || Stop::NotExercised(format!("there is no Python {version}"));
            test(&target.join(version), &python.ok_or_else(missing)?, &wheel)
        });
    }
    report.step("types", || types(&target));
    let environment = target.join("cluster");
    let newest = pythons.into_iter().rev().find_map(|(_, python)| python).unwrap_or(first);
    report.step("cluster of Dask, objects by HTTP and S3", || dask(&environment, &newest, &wheel));
    for (engine, package) in [("Ray", "ray"), ("Spark", "pyspark")] {
        report.step(&format!("cluster of {engine}"), || other_engine(&environment, package));
    }
}

/// The interpreter of a version: the one on the path if it can make environments, else pyenv's.
pub(crate) fn find(version: &str) -> Option<PathBuf> {
    let name = format!("python{version}");
    // Debian puts these modules into a package of its own, so an interpreter on the path may lack them.
    if shell::succeeds(&name, &["-c", "import venv, ensurepip"]) {
        return Some(name.into());
    }
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let root = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")))?;
    let entries = std::fs::read_dir(root.join("versions")).ok()?;
    let mut found: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let of_version = format!("{version}.");
    found.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&of_version)));
    // By numbers: 3.11.10 is newer than 3.11.9.
    let patch = |path: &PathBuf| {
        let name = path.file_name()?.to_str()?;
        name.strip_prefix(&of_version)?.parse::<u32>().ok()
    };
    found.into_iter().max_by_key(patch).map(|path| path.join("bin/python"))
}

/// The interpreter of the newest version that is there.
pub(crate) fn newest() -> Result<PathBuf, Stop> {
    let found = VERSIONS.into_iter().rev().find_map(find);
    found.ok_or_else(|| Stop::NotExercised("there is no Python from 3.11 on".into()))
}

/// Makes an empty virtual environment and installs `packages` in it.
pub(crate) fn environment(folder: &Path, python: &Path, packages: &[&str]) -> Outcome {
    // Packages that an earlier run left would hide a dependency that the wheel does not name.
    shell::run(shell::command(python, &["-m", "venv", "--clear"]).arg(folder))?;
    if packages.is_empty() { Ok(()) } else { install(folder, packages) }
}

/// Installs packages in an environment by pip, which reads the package index.
fn install(folder: &Path, packages: &[&str]) -> Outcome {
    let mut install = shell::command(folder.join("bin/python"), &["-m", "pip", "install", "--quiet"]);
    shell::run(install.args(packages))
}

fn build(target: &Path, python: &Path, all: bool) -> Result<PathBuf, Stop> {
    let (tools, wheels) = (target.join("build"), target.join("wheels"));
    // A wheel of an earlier run would be found beside the new one.
    let _ = std::fs::remove_dir_all(&wheels);
    let packages = ["maturin>=1.16,<2", "zopflipy>=1.14,<2"];
    environment(&tools, python, if all { &packages } else { &packages[..1] })?;
    let mut command = shell::command(tools.join("bin/maturin"), &["build", "--locked", "--manifest-path"]);
    command.args(["python/Cargo.toml", "--interpreter"]).arg(python).arg("--out").arg(&wheels);
    command.arg("--target-dir").arg(target.join("target"));
    if all {
        command.arg("--release");
        // The linker that comes with Rust for this target keeps one of several identical functions (`--icf`).
        // With v0 mangling similar functions lie together: compressed, the library is 37 kB smaller.
        if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
            let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
            command
                .env("RUSTFLAGS", format!("{flags} -C symbol-mangling-version=v0 -C link-arg=-Wl,--icf=all"));
        }
    } else {
        command.args(["--profile", "dev", "--strip", "--no-default-features", "--features", FEATURES]);
        // One backend for carry-less products, as in the C library's build for tests: it compiles much
        // sooner.
        if cfg!(target_arch = "x86_64") {
            let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
            command.env("RUSTFLAGS", format!("{flags} --cfg carryless_clmul=\"pclmul\""));
        }
    }
    shell::run(&mut command)?;
    let entries = std::fs::read_dir(&wheels).map_err(|error| Stop::Failed(error.to_string()))?;
    let found: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let [wheel] = &found[..] else { return fail(format!("{} wheels instead of one", found.len())) };
    if all {
        shell::run(shell::command(tools.join("bin/python"), &["python/recompress.py"]).arg(wheel))?;
    }
    let size = wheel.metadata().map_or(0, |about| about.len());
    println!("{}: {size} bytes", wheel.display());
    if all && size > MAX_BYTES {
        return fail(format!("a wheel of more than {MAX_BYTES} bytes"));
    }
    // The tag of a wheel that serves 3.11 and all later versions.
    if !wheel.to_string_lossy().contains("-cp311-abi3-") {
        return fail("a wheel for one version");
    }
    Ok(wheel.clone())
}

/// Modules for clusters. Their dependencies are only in the environment of [`dask`], so other doctests skip them.
const OF_CLUSTERS: [&str; 4] = ["_storage", "dask", "ray", "spark"];
const TESTS_OF_CLUSTERS: [&str; 2] =
    ["python/tests/test_cluster.py", "python/tests/test_cluster_refusals.py"];

/// Runs pytest. If it skips tests, the step counts as not exercised, with the reasons.
fn run_pytest(pytest: &mut Command) -> Outcome {
    let mut skipped = Vec::new();
    let status = shell::watch(pytest, shell::Streams::Output, |line| {
        skipped.extend(line.strip_prefix("SKIPPED ").map(String::from));
    })?;
    match (status.success(), skipped.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(Stop::NotExercised(format!("skipped: {}", skipped.join("; ")))),
        _ => fail(format!("pytest: {status}")),
    }
}

/// A pytest command that imports the installed wheel, not the source folder, and prints a line for each skipped test.
fn pytest(environment: &Path) -> Command {
    let arguments = ["-P", "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--import-mode=append"];
    shell::command(environment.join("bin/python"), &arguments)
}

/// The page of the book with examples in Python.
const PAGE: &str = "book/src/python.md";

/// Runs the tests, the docstring examples and those of [`PAGE`]. It is not exercised if the packages
/// that results are compared with, such as `galois`, cannot be installed.
fn test(environment: &Path, python: &Path, wheel: &Path) -> Outcome {
    // The wheel must install alone. Only the packages of the tests may be missing.
    self::environment(environment, python, &[&wheel.to_string_lossy()])?;
    install(environment, &[&format!("{}[test]", wheel.display())])
        .map_err(|_| Stop::NotExercised("the packages of the tests cannot be installed".into()))?;
    let mut tests = pytest(environment);
    tests.arg("python/tests").args(TESTS_OF_CLUSTERS.map(|tests| format!("--ignore={tests}")));
    let mut doctests = pytest(environment);
    doctests.args(["--doctest-modules", "--pyargs", "carryless"]);
    // Absolute, because pytest counts a relative pattern from the folder of the call, and the target folder may be elsewhere.
    doctests.args(OF_CLUSTERS.map(|module| format!("--ignore-glob=/*/carryless/{module}.py")));
    let interpreter = environment.join("bin/python");
    let mut page = shell::command(&interpreter, &["-P", "-m", "doctest", PAGE]);
    // An array, not `?`: all three run even if one fails.
    worst([run_pytest(&mut tests), run_pytest(&mut doctests), shell::run(&mut page)])
}

/// Runs the tests on a Dask cluster of local processes, in an environment of their own.
fn dask(environment: &Path, python: &Path, wheel: &Path) -> Outcome {
    let with_cluster = format!("{}[dask,test-cluster]", wheel.display());
    self::environment(environment, python, &[&with_cluster])
        .map_err(|_| Stop::NotExercised("the packages cannot be installed".into()))?;
    let tests = ["-k", "not ray and not spark"];
    let doctests = ["--doctest-modules", "--pyargs", "carryless.dask", "carryless.cluster"];
    worst([
        run_pytest(pytest(environment).args(TESTS_OF_CLUSTERS).args(tests)),
        run_pytest(pytest(environment).args(doctests)),
    ])
}

/// Runs the tests of another engine over the same tasks, in the environment that [`dask`] made.
fn other_engine(environment: &Path, package: &str) -> Outcome {
    let interpreter = environment.join("bin/python");
    let install = ["-m", "pip", "install", "--quiet", package];
    if !interpreter.exists() || shell::run(&mut shell::command(&interpreter, &install)).is_err() {
        return Err(Stop::NotExercised(format!("{package} cannot be installed")));
    }
    if package == "pyspark" {
        shell::need("java", "default-jre-headless")?;
    }
    // The tests have the name of the engine, which for Spark is not that of its package.
    let name = package.trim_start_matches("py");
    run_pytest(pytest(environment).args([TESTS_OF_CLUSTERS[0], "-k", name]))
}

/// Runs mypy in strict mode on the package and its tests, and compares the stubs with the module.
fn types(target: &Path) -> Outcome {
    let interpreters = VERSIONS.map(|version| target.join(version).join("bin/python"));
    // mypy is among the packages for tests, which the steps before installed.
    let Some(python) = interpreters.into_iter().rev().find(|python| python.exists()) else {
        return Err(Stop::NotExercised("no environment was made".into()));
    };
    let mut mypy =
        shell::command(&python, &["-P", "-m", "mypy", "--strict", "--config-file", "python/pyproject.toml"]);
    shell::run(mypy.args(["python/python/carryless", "python/tests"]))?;
    let config = ["--mypy-config-file", "python/pyproject.toml"];
    let stubtest = ["-P", "-m", "mypy.stubtest", "carryless", "--allowlist", "python/stubtest.txt"];
    shell::run(shell::command(&python, &stubtest).args(config))
}
