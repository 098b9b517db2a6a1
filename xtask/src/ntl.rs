//! `cargo xtask ntl`: NTL on our `libgf2x.so.3` and on the system's, the same results, and how much faster.
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use std::path::{Path, PathBuf};

/// A line that `crates/gf2x-compat/ntl/ntl.cpp` prints: the task, a digest of its results, and
/// the time of one operation.
#[derive(Debug, PartialEq)]
struct Task {
    name: String,
    digest: String,
    nanoseconds: f64,
}

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("ntl: the system's NTL on our libgf2x.so.3", || {
        let (folder, program) = (library()?, program()?);
        let theirs = tasks(&program, None, "other")?;
        let ours = tasks(&program, Some(&folder), "ours")?;
        compare(&theirs, &ours)
    });
}

/// Builds our library, and returns a folder that holds only it, under the name that the loader looks for.
fn library() -> Result<PathBuf, Stop> {
    if !cfg!(target_os = "linux") {
        return Err(Stop::NotExercised("libgf2x.so.3 is a file of Linux".into()));
    }
    shell::run(&mut shell::cargo(&["build", "--release", "-p", "carryless-gf2x-compat"]))?;
    let folder = shell::target_dir().join("gf2x-compat");
    let built = shell::target_dir().join("release/libgf2x.so");
    let copy = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::copy(&built, folder.join("libgf2x.so.3")).map(drop));
    copy.map_err(|error| Stop::Failed(format!("{}: {error}", built.display())))?;
    Ok(folder)
}

/// Compiles the C++ program, linked against the system's NTL, and returns its path.
fn program() -> Result<PathBuf, Stop> {
    shell::need("g++", "g++")?;
    // Preprocesses an empty file with NTL's header before it, which fails if the header is not installed.
    if !shell::succeeds("g++", &["-x", "c++", "-E", "-include", "NTL/GF2X.h", "/dev/null"]) {
        return Err(Stop::NotExercised("NTL is not installed; Debian: apt-get install libntl-dev".into()));
    }
    let program = shell::target_dir().join("gf2x-compat/ntl");
    let source = "crates/gf2x-compat/ntl/ntl.cpp";
    let mut compile = shell::command("g++", &["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", source]);
    shell::run(compile.arg("-o").arg(&program).args(["-lntl", "-lgmp", "-ldl"]))?;
    Ok(program)
}

/// Runs the program with the libraries of a folder before those of the system. It fails unless the program
/// reports that it found `whose` libgf2x.
fn tasks(program: &Path, folder: Option<&Path>, whose: &str) -> Result<Vec<Task>, Stop> {
    let mut command = shell::command(program, &[]);
    match folder {
        Some(folder) => command.env("LD_LIBRARY_PATH", folder),
        // An inherited path could put another libgf2x before the system's.
        None => command.env_remove("LD_LIBRARY_PATH"),
    };
    let text = shell::output(&mut command)?;
    let (first, rest) = text.split_once('\n').unwrap_or_default();
    println!("{first}");
    // The first line also names the file that was loaded. Of the system's library the folder is not known.
    let of_folder = folder.is_none_or(|folder| first.contains(&*folder.to_string_lossy()));
    if !first.ends_with(whose) || !of_folder {
        return fail(format!("the loader took another library than {whose}: {first}"));
    }
    rest.lines().map(|line| task(line).ok_or(Stop::Failed(format!("'{line}' is no task")))).collect()
}

fn task(line: &str) -> Option<Task> {
    let [name, digest, nanoseconds] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
    Some(Task { name: name.into(), digest: digest.into(), nanoseconds: nanoseconds.parse().ok()? })
}

/// Prints both times, and fails if any result differs.
fn compare(theirs: &[Task], ours: &[Task]) -> Outcome {
    // Two empty runs would agree.
    if theirs.is_empty() || theirs.len() != ours.len() {
        return fail("the two runs did different tasks");
    }
    println!("{:<20} {:>14} {:>14}  faster", "task", "system, ns", "ours, ns");
    for (theirs, ours) in theirs.iter().zip(ours) {
        if (&theirs.name, &theirs.digest) != (&ours.name, &ours.digest) {
            return fail(format!("{}: different results", theirs.name));
        }
        let (before, after) = (theirs.nanoseconds, ours.nanoseconds);
        println!("{:<20} {before:>14.1} {after:>14.1}  {:.2}", theirs.name, before / after);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Task {
        task(line).expect("a task")
    }

    #[test]
    fn lines_are_tasks() {
        assert_eq!(
            of("a/1 00ff 12.5"),
            Task { name: "a/1".into(), digest: "00ff".into(), nanoseconds: 12.5 }
        );
        assert!(["", "a", "a b", "a b c", "a b 1 2"].iter().all(|line| task(line).is_none()));
    }

    #[test]
    fn different_results_fail() {
        assert!(compare(&[of("a 1 5")], &[of("a 1 2")]).is_ok());
        for other in ["a 2 5", "b 1 5"] {
            assert!(compare(&[of("a 1 5")], &[of(other)]).is_err(), "{other}");
        }
        assert!(compare(&[], &[]).is_err());
        assert!(compare(&[of("a 1 5")], &[]).is_err());
    }
}
