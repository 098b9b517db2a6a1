//! `cargo xtask fuzz`: every fuzz target for a while, with libFuzzer; `cargo fuzz` need not be installed.
use crate::report::{Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Flags for coverage counters and comparisons, as libFuzzer expects them. Loops are not vectorised: on one
/// in the benchmark harness, which was part of the command then, LLVM 23 took more than ten minutes.
const COVERAGE: &str = "--cfg fuzzing -Cdebug-assertions -Ccodegen-units=1 -Cno-vectorize-loops -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

const TARGET: &str = "x86_64-unknown-linux-gnu";

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let (seconds, chosen) = match parse(args) {
        Ok(options) => options,
        Err(why) => return report.step("fuzz", || fail(why)),
    };
    let mut folder = None;
    report.step("fuzz: build", || build(&chosen).map(|built| folder = Some(built)));
    let Some(folder) = folder else { return };
    for target in chosen {
        report.step(&format!("fuzz {target}, {seconds} s"), || {
            let corpus = shell::root().join("fuzz/corpus").join(&target);
            let artifacts = shell::root().join("fuzz/artifacts").join(&target);
            create(&corpus)?;
            create(&artifacts)?;
            let mut fuzzer = shell::command(folder.join(&target), &["-max_len=4096", "-print_final_stats=1"]);
            fuzzer.arg(format!("-max_total_time={seconds}"));
            fuzzer.arg(format!("-artifact_prefix={}/", artifacts.display()));
            // libFuzzer writes new inputs to the first folder, which git ignores. Seeds and dictionaries are
            // in the repository.
            fuzzer.arg(corpus);
            let (seeds, words) =
                (of_target("seeds", &target), of_target("dictionaries", &format!("{target}.dict")));
            if seeds.is_dir() {
                fuzzer.arg(seeds);
            }
            if words.is_file() {
                fuzzer.arg(format!("-dict={}", words.display()));
            }
            shell::run(&mut fuzzer)
        });
    }
}

/// Path of a target's seeds or dictionary in the repository; it need not exist.
fn of_target(folder: &str, name: &str) -> PathBuf {
    shell::root().join("fuzz").join(folder).join(name)
}

/// Seconds for each target, and the targets: all of them where none is named.
fn parse(args: &[String]) -> Result<(u64, Vec<String>), String> {
    let mut seconds = 30;
    let mut targets = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--seconds" => {
                seconds =
                    args.next().and_then(|value| value.parse().ok()).ok_or("--seconds needs a number")?;
            }
            name => targets.push(name.to_string()),
        }
    }
    let known = known_targets().map_err(|error| format!("fuzz/fuzz_targets: {error}"))?;
    match targets.iter().find(|name| !known.contains(name)) {
        Some(unknown) => Err(format!("there is no fuzz target {unknown}")),
        None => Ok((seconds, if targets.is_empty() { known } else { targets })),
    }
}

/// Names of all fuzz targets, sorted: the files of `fuzz/fuzz_targets` without their extension.
fn known_targets() -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(shell::root().join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    // The order of `read_dir` depends on the file system.
    names.sort();
    Ok(names)
}

/// Builds the targets and returns the folder that they are in. The address sanitizer is on if
/// there is a nightly compiler.
fn build(targets: &[String]) -> Result<PathBuf, Stop> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(Stop::NotExercised("fuzzing is set up for x86-64 Linux only".into()));
    }
    shell::need_target(TARGET)?;
    // With `--target`, cargo keeps these RUSTFLAGS away from build scripts, which are linked without
    // libFuzzer.
    let args = ["build", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", TARGET];
    let (mut command, sanitiser): (Command, &str) = match shell::nightly(&args) {
        Ok(command) => (command, " -Zsanitizer=address"),
        Err(_) => (shell::cargo(&args), ""),
    };
    println!("address sanitiser: {}", if sanitiser.is_empty() { "off (no nightly toolchain)" } else { "on" });
    command.args(targets.iter().flat_map(|target| ["--bin", target]));
    let folder = shell::target_dir().join("fuzz");
    command.env("RUSTFLAGS", format!("{COVERAGE}{sanitiser}")).env("CARGO_TARGET_DIR", &folder);
    shell::run(&mut command)?;
    Ok(folder.join(TARGET).join("release"))
}

fn create(folder: &Path) -> Result<(), Stop> {
    std::fs::create_dir_all(folder).map_err(|error| Stop::Failed(format!("{}: {error}", folder.display())))
}
