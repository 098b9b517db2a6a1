//! Programs in C and C++ that use the library: tests and examples.
use super::{Places, failed};
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compilers that build the tests; [`language`] derives the language from the name.
pub(super) const COMPILERS: [&str; 4] = ["gcc", "g++", "clang", "clang++"];

/// Warning flags of every program: a warning in the header is an error.
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Libraries of the system that the static library needs.
const SYSTEM: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// C11, or C++20 by the compilers whose names say so.
fn language(compiler: &str) -> [&'static str; 3] {
    if compiler.ends_with("++") { ["-x", "c++", "-std=c++20"] } else { ["-x", "c", "-std=c11"] }
}

/// The files with this ending in a folder, sorted.
fn files(folder: &str, ending: &str) -> Result<Vec<PathBuf>, Stop> {
    let folder = shell::root().join(folder);
    let entries = std::fs::read_dir(&folder).map_err(failed(&folder))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    // Without files every test would pass.
    if files.is_empty() { fail(format!("no .{ending} in {}", folder.display())) } else { Ok(files) }
}

/// Compiles `sources` to a program with that name, with `more` at the end.
fn compile(
    places: &Places,
    compiler: &str,
    (name, sources): (&str, &[PathBuf]),
    more: &[&str],
) -> Result<PathBuf, Stop> {
    shell::need(compiler, compiler.trim_end_matches("++"))?;
    let program = places.target.join(name);
    let mut command = shell::command(compiler, &language(compiler));
    command.args(WARNINGS).args(["-O1", "-g", "-I"]).arg(places.prefix.join("include"));
    // `-x none` ends the choice of a language: a library among the flags would be read as source.
    command.args(sources).args(["-x", "none", "-o"]).arg(&program).args(more);
    shell::run(&mut command)?;
    Ok(program)
}

/// Compiles like [`compile`] and links against the installed shared library.
fn shared(
    places: &Places,
    compiler: &str,
    (name, sources): (&str, &[PathBuf]),
    flags: &[&str],
) -> Result<PathBuf, Stop> {
    let folder = format!("-L{}", places.lib().display());
    // Libraries follow the sources, since a linker resolves names from left to right.
    compile(places, compiler, (name, sources), &[flags, &[&folder, "-lcarryless"]].concat())
}

/// A command for `program`, or for a tool such as valgrind that starts it, with our library in the loader's path.
pub(super) fn with_library(places: &Places, program: &Path, arguments: &[&str]) -> Command {
    let mut command = shell::command(program, arguments);
    command.env("LD_LIBRARY_PATH", places.lib());
    command
}

fn tests() -> Result<Vec<PathBuf>, Stop> {
    files("crates/capi/tests", "c")
}

pub(super) fn test(places: &Places, compiler: &str) -> Outcome {
    let program = shared(places, compiler, (&format!("tests-{compiler}"), &tests()?), &[])?;
    shell::run(&mut with_library(places, &program, &[]))
}

pub(super) fn test_static(places: &Places) -> Outcome {
    let library = places.lib().join("libcarryless.a");
    let library = library.to_string_lossy();
    let flags = [&[&*library][..], &SYSTEM].concat();
    let program = compile(places, "gcc", ("tests-static", &tests()?), &flags)?;
    // Without the path a program that needs the shared library after all would not start.
    shell::run(shell::command(&program, &[]).env_remove("LD_LIBRARY_PATH"))
}

pub(super) fn valgrind(places: &Places) -> Outcome {
    shell::need("valgrind", "valgrind")?;
    let program = shared(places, "gcc", ("tests-valgrind", &tests()?), &[])?;
    // Tables of curves are made once and kept: they are still reachable at the end.
    let kinds = "--errors-for-leak-kinds=definite,indirect,possible";
    // Without an exit code of its own, valgrind ends with that of the program.
    let arguments = ["--quiet", "--error-exitcode=9", "--leak-check=full", kinds];
    shell::run(with_library(places, Path::new("valgrind"), &arguments).arg(program))
}

/// Runs the tests under the sanitizers of both compilers. Only the C code is instrumented: accesses of the
/// library are seen where it calls the C library.
pub(super) fn sanitized(places: &Places) -> Outcome {
    for compiler in ["gcc", "clang"] {
        // By default, undefined behaviour is printed and the program goes on to succeed.
        let flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let name = format!("tests-sanitized-{compiler}");
        let program = shared(places, compiler, (&name, &tests()?), &flags)?;
        shell::run(&mut with_library(places, &program, &[]))?;
    }
    Ok(())
}

/// Compiles the examples with the flags that pkg-config prints, as book/src/c.md tells users to, and runs them.
pub(super) fn examples(places: &Places, compiler: &str) -> Outcome {
    shell::need("pkg-config", "pkg-config")?;
    let mut command = shell::command("pkg-config", &["--cflags", "--libs", "carryless"]);
    let flags = shell::output(command.env("PKG_CONFIG_PATH", places.pkgconfig()))?;
    let flags: Vec<&str> = flags.split_whitespace().collect();
    for source in files("examples/c", "c")? {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let program = compile(places, compiler, (&format!("example-{name}-{compiler}"), &[source]), &flags)?;
        shell::run(&mut with_library(places, &program, &[]))?;
    }
    Ok(())
}
