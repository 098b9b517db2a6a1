//! Every public function of the crates that compute with secrets is in the list of `ctime`'s cases, or in its list of
//! functions without secrets.
//!
//! Both lists are read from the source of `ctime`, so that a new function without a case fails within seconds.
use crate::shell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders that are searched for public functions, below `crates`: all of carryless-hash, carryless-aead,
/// carryless-ec and carryless-hqc, and carryless-gf2 except for `algebra`. Names of types are unique in each.
const FOLDERS: [&str; 8] = [
    "hash/src",
    "aead/src",
    "ec/src",
    "hqc/src",
    "gf2/src/poly",
    "gf2/src/field",
    "gf2/src/curve",
    "gf2/src/papers",
];

/// Traits whose implementations see no secret, only wipe it, or are parts of kernels, which nobody else calls.
const HARMLESS: &[&str] = &[
    "Debug",
    "Display",
    "Error",
    "Eq",
    "Drop",
    "Zeroize",
    "ZeroizeOnDrop",
    "LowerHex",
    "KeySizeUser",
    "BlockSizeUser",
    "OutputSizeUser",
    "MacMarker",
    "AeadCore",
    "NonceKind",
    "OneTimeMac",
    "ClmulKernel",
    "CurveKernels",
    "KernelField",
    "Operand",
    "Sealed",
    "Table",
];

/// Modules of `carryless-hqc` that are compiled for tests alone; users' secrets never reach them.
const FOR_TESTS: &[&str] = &["draft", "kat", "parts"];

/// Complaints about functions that no list has, and about listed ones that do not exist.
pub(super) fn check() -> Vec<String> {
    let listed: BTreeSet<String> =
        sources("ctime/src").iter().flat_map(|(_, source)| names_in(source)).map(String::from).collect();
    let existing: BTreeSet<String> = FOLDERS.into_iter().flat_map(functions_in).collect();
    let unlisted = existing.difference(&listed).map(|name| format!("{name}: no case in ctime/src"));
    let gone = listed.difference(&existing).map(|name| format!("{name}: listed in ctime/src, but not there"));
    unlisted.chain(gone).collect()
}

/// The literals of a source that name a function as [`functions`] does, `module::Type::function` or
/// `module::Type as Trait`.
fn names_in(source: &str) -> impl Iterator<Item = &str> {
    let is_path = |text: &str| {
        text.contains("::") && text.chars().all(|c| c == ':' || c == '_' || c.is_ascii_alphanumeric())
    };
    source
        .lines()
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .filter(move |text| is_path(text.split_once(" as ").map_or(text, |(of, _)| of)))
}

/// The Rust files in a folder of the repository and below it, and their text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    find_sources(&shell::root().join(folder), &mut files);
    let with_text = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("source is text");
        (path, text)
    };
    files.into_iter().map(with_text).collect()
}

fn find_sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("a folder can be read").path();
        match path.is_dir() {
            true => find_sources(&path, files),
            false => files.push(path),
        }
    }
}

/// The public functions in one folder of the crates, within which type names are unique.
fn functions_in(folder: &str) -> Vec<String> {
    let sources = sources(&format!("crates/{folder}"));
    let types: BTreeSet<&str> = sources.iter().flat_map(|(_, source)| public_types(source)).collect();
    let modules = sources.iter().map(|(path, source)| (module(path), source));
    let modules = modules.filter(|(name, _)| folder != "hqc/src" || !FOR_TESTS.contains(&name.as_str()));
    modules.flat_map(|(name, source)| functions(&name, source, &types)).collect()
}

/// The module of a file: `x/mod.rs` is `x`, like `x.rs`.
fn module(path: &Path) -> String {
    let path = if path.ends_with("mod.rs") { path.parent().expect("a folder") } else { path };
    path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
}

/// The types that a source declares public. (rustc warns of a `pub` item that cannot be reached from outside, so what
/// says `pub` is public.)
fn public_types(source: &str) -> impl Iterator<Item = &str> {
    let declaration =
        |line| ["pub struct ", "pub enum "].iter().find_map(|start| str::strip_prefix(line, start));
    source
        .lines()
        .filter_map(declaration)
        .map(|rest| rest.split([' ', '<', '(', ';', '{']).next().unwrap_or(rest))
}

/// The functions that a file makes public: `file::function`, `file::Type::function`, `file::Type as Trait`.
fn functions(file: &str, source: &str, types: &BTreeSet<&str>) -> Vec<String> {
    let mut found = Vec::new();
    let mut of_type = String::new();
    for line in source.lines().take_while(|line| *line != "mod tests {") {
        if let Some(header) = line.strip_prefix("impl") {
            let (interface, name) = impl_header(header);
            of_type = format!("{name}::");
            let interface = interface.filter(|t| types.contains(name) && !HARMLESS.contains(t));
            found.extend(interface.map(|t| format!("{file}::{name} as {t}")));
        } else if line == "}" {
            of_type.clear();
        }
        let words: Vec<&str> = line.trim().split(' ').collect();
        if words[0] == "pub"
            && let Some(at) = words.iter().position(|&word| word == "fn")
        {
            let name = words[at + 1].split(['(', '<']).next().expect("split gives one part");
            found.push(format!("{file}::{of_type}{name}"));
        }
    }
    found
}

/// The trait, if any, and the type of `impl<..> a::Trait<..> for Type<..> {`, both without paths and parameters.
fn impl_header(header: &str) -> (Option<&str>, &str) {
    let header = match header.starts_with('<') {
        true => header.split_once("> ").map_or(header, |(_, rest)| rest),
        false => header,
    };
    let header = header.trim().trim_end_matches(['{', ' ']);
    match header.split_once(" for ") {
        Some((interface, name)) => (Some(last_segment(interface)), last_segment(name)),
        None => (None, last_segment(header)),
    }
}

fn last_segment(path: &str) -> &str {
    let path = path.split('<').next().expect("split gives one part");
    path.rsplit("::").next().expect("split gives one part")
}

#[cfg(test)]
mod tests {
    use super::{functions, names_in, public_types};

    #[test]
    fn the_scan_sees_functions_methods_and_traits() {
        let source = "pub struct Key(u8);\npub fn a() {}\nimpl<T: X> Key<T> {\n    pub const fn b<U>(x: U) {}\n    fn c() {}\n}\n\
                      impl x::Mac<Y> for Key {\n    fn d() {}\n}\nimpl fmt::Debug for Key {\n}\nimpl Mac for Private {\n}\npub(crate) fn e() {}\npub fn f() {}\n";
        let types = public_types(source).collect();
        assert_eq!(functions("m", source, &types), ["m::a", "m::Key::b", "m::Key as Mac", "m::f"]);
    }

    #[test]
    fn names_are_told_from_reasons() {
        let source = "&[(\"m::Key::b\", \"as Key::c\"), (\"m::Key as Mac\", \"no: secret\")]";
        assert_eq!(names_in(source).collect::<Vec<_>>(), ["m::Key::b", "m::Key as Mac"]);
    }
}
