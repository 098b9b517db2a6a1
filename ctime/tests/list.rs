//! Checks that every public function of carryless-hash, carryless-aead, carryless-ec, carryless-hqc and
//! carryless-gf2, except for `algebra`, is in the list of cases or in the list of functions without secrets.
use ctime::{cases, curves, ec, fields, hqc, macs, prime1271, products};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
const FOR_TESTS: &[&str] = &["kat", "parts"];

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the source is there") {
        let path = entry.expect("a folder can be read").path();
        match path.is_dir() {
            true => source_files(&path, files),
            false => files.push(path),
        }
    }
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

fn public_functions() -> BTreeSet<String> {
    ["hash/src", "aead/src", "ec/src", "hqc/src", "gf2/src/poly", "gf2/src/field", "gf2/src/curve"]
        .into_iter()
        .flat_map(functions_in)
        .collect()
}

/// The public functions in one folder of the crates, within which type names are unique.
fn functions_in(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    source_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(folder), &mut files);
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("source is text");
    let sources: Vec<String> = files.iter().map(read).collect();
    let types: BTreeSet<&str> = sources.iter().flat_map(|source| public_types(source)).collect();
    // `x/mod.rs` is the module x, like `x.rs`.
    let name = |path: &PathBuf| {
        let path = if path.ends_with("mod.rs") { path.parent().expect("a folder") } else { path };
        path.file_stem().expect("a file has a name").to_string_lossy().into_owned()
    };
    let modules = files.iter().map(name).zip(&sources);
    let modules = modules.filter(|(name, _)| folder != "hqc/src" || !FOR_TESTS.contains(&name.as_str()));
    modules.flat_map(|(name, source)| functions(&name, source, &types)).collect()
}

#[test]
fn every_public_function_is_listed() {
    let of_hashes =
        cases::CASES.iter().chain(prime1271::CASES).chain(macs::CASES).flat_map(|case| case.functions);
    let of_products = products::CASES
        .iter()
        .chain(fields::CASES)
        .chain(curves::CASES)
        .chain(ec::CASES)
        .chain(hqc::CASES)
        .flat_map(|case| case.functions);
    let of_cases = of_hashes.chain(of_products).copied();
    let public = [
        cases::PUBLIC,
        prime1271::PUBLIC,
        macs::PUBLIC,
        products::PUBLIC,
        fields::PUBLIC,
        curves::PUBLIC,
        ec::PUBLIC,
        hqc::PUBLIC,
    ]
    .concat();
    let public = public.iter().map(|entry| entry.0);
    let listed: BTreeSet<String> = of_cases.chain(public).map(String::from).collect();
    let existing = public_functions();
    let unlisted: Vec<_> = existing.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&existing).collect();
    assert!(unlisted.is_empty(), "without a case in ctime/src: {unlisted:#?}");
    assert!(gone.is_empty(), "listed, but no longer there: {gone:#?}");
}

#[test]
fn the_scan_sees_functions_methods_and_traits() {
    let source = "pub struct Key(u8);\npub fn a() {}\nimpl<T: X> Key<T> {\n    pub const fn b<U>(x: U) {}\n    fn c() {}\n}\n\
                  impl x::Mac<Y> for Key {\n    fn d() {}\n}\nimpl fmt::Debug for Key {\n}\nimpl Mac for Private {\n}\npub(crate) fn e() {}\npub fn f() {}\n";
    let types = public_types(source).collect();
    assert_eq!(functions("m", source, &types), ["m::a", "m::Key::b", "m::Key as Mac", "m::f"]);
}
