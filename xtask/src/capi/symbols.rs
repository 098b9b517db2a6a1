//! The interface of the built library: its soname, its exported functions, and their types.
use super::{Places, read};
use crate::report::{Outcome, Stop, fail};
use crate::shell;
use std::path::Path;

/// The soname: a program linked against the library asks the loader for this file.
const SONAME: &str = "libcarryless.so.0";

/// The exported functions, sorted, one per line.
const LIST: &str = "crates/capi/symbols.txt";

/// Types and functions as abidw sees them in a build with debug information.
const ABI: &str = "crates/capi/carryless.abi";

pub(super) fn soname(places: &Places) -> Outcome {
    shell::need("readelf", "binutils")?;
    let library = places.lib().join(SONAME);
    let text = shell::output(shell::command("readelf", &["--dynamic", "--wide"]).arg(&library))?;
    let found = text.lines().find_map(|line| line.split_once("soname: [")?.1.strip_suffix(']'));
    match found {
        Some(SONAME) => Ok(()),
        _ => fail(format!("the name of {} is {found:?}, not {SONAME}", library.display())),
    }
}

/// The version that every exported symbol has, behind its name.
const VERSION: &str = "@@CARRYLESS_0";

/// The functions and variables that a library exports, sorted, without their versions.
pub(super) fn of(library: &Path) -> Result<Vec<String>, Stop> {
    shell::need("nm", "binutils")?;
    // Of the formats of nm, this one has the name at the beginning of the line.
    let text =
        shell::output(shell::command("nm", &["--dynamic", "--defined-only", "--format=posix"]).arg(library))?;
    let names = text.lines().filter_map(|line| line.split(' ').next());
    let names = names.map(|name| name.strip_suffix(VERSION).unwrap_or(name));
    // GNU ld makes a symbol of the version itself.
    let names = names.filter(|name| !VERSION.ends_with(name));
    let mut names: Vec<String> = names.map(String::from).collect();
    names.sort();
    Ok(names)
}

/// The group of a function by its name; `None` for functions that every build has.
pub(super) fn group(name: &str) -> Option<&str> {
    let group = name.strip_prefix("carryless_")?.split('_').next()?;
    ["aead", "file", "wegman", "universal", "poly", "gf2x", "field", "curve", "hqc"]
        .contains(&group)
        .then_some(group)
}

/// Compares the exported symbols with the list that is checked in, and checks that they have a version.
pub(super) fn exported(places: &Places) -> Outcome {
    let symbols = ["--dyn-syms", "--wide"];
    let text = shell::output(shell::command("readelf", &symbols).arg(places.lib().join(SONAME)))?;
    let without =
        text.lines().filter(|line| line.contains(" carryless_") && !line.ends_with(VERSION)).count();
    if without > 0 {
        return fail(format!("{without} symbols have no version {VERSION}"));
    }
    let found = of(&places.lib().join(SONAME))?;
    let text = read(&shell::root().join(LIST))?;
    let listed: Vec<&str> = text.lines().collect();
    // A missing function breaks programs; a new one must be listed on purpose.
    let missing: Vec<_> = listed.iter().filter(|name| found.iter().all(|found| found != *name)).collect();
    let new: Vec<_> = found.iter().filter(|name| !listed.contains(&name.as_str())).collect();
    println!("{} symbols", found.len());
    if missing.is_empty() && new.is_empty() {
        return Ok(());
    }
    fail(format!("{LIST} differs from the library: missing {missing:?}, new {new:?}"))
}

/// Compares the types of all functions with the file that is checked in. On a library without debug
/// information abidw sees no types and reports no difference, so functions and parameters are counted first.
pub(super) fn abi(places: &Places, release: bool) -> Outcome {
    if release {
        return Err(Stop::NotExercised(
            "a release has no debug information of all types: run without --all".into(),
        ));
    }
    shell::need("abidw", "abigail-tools")?;
    let (library, made) = (places.lib().join(SONAME), places.target.join("carryless.abi"));
    let include = places.prefix.join("include");
    // Without source locations and paths, which differ between computers.
    let mut write = shell::command(
        "abidw",
        &["--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--no-architecture"],
    );
    write.arg("--headers-dir").arg(&include).arg("--out-file").arg(&made).arg(&library);
    shell::run(&mut write)?;
    // From line tables alone abidw would still show functions, but without their parameters.
    let (text, symbols) = (read(&made)?, of(&library)?.len());
    let [functions, parameters] = ["<function-decl ", "<parameter "].map(|tag| text.matches(tag).count());
    if functions < symbols || parameters < 2 * symbols {
        return fail(format!("abidw sees {functions} functions of {symbols}, with {parameters} parameters"));
    }
    let kept = shell::root().join(ABI);
    if !kept.exists() {
        return fail(format!("there is no {ABI}: copy {}", made.display()));
    }
    // New functions are no change of the interface, and `exported` compares their names.
    shell::run(shell::command("abidiff", &["--no-added-syms"]).arg(&kept).arg(&made))
}
