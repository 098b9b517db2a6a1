//! `cargo xtask CHORE`: every chore of the project has one name. `cargo xtask` alone lists them.
#![forbid(unsafe_code)]

mod archive;
mod asm;
mod backends;
mod bochs;
mod book;
mod capi;
mod ci;
mod commands;
mod cross;
mod ctime;
mod dist;
mod docs;
mod drop_in;
mod faults;
mod fields;
mod fuzz;
mod lint;
mod miri;
mod notice;
mod npm;
mod ntl;
mod oldest;
mod pages;
mod patch;
mod provider;
mod publish;
mod python;
mod release;
mod report;
mod rustls;
mod shell;
mod size;
mod systems;
mod test;
mod text;
mod vectors;
mod windows;
mod z3;

use report::Report;
use std::process::ExitCode;

/// A chore: its name, the arguments it takes, what it does, and the function that does it.
pub(crate) type Chore = (&'static str, &'static str, &'static str, fn(&mut Report, &[String]));

pub(crate) const CHORES: &[Chore] = &[
    (
        "test",
        "",
        "the tests of library and command, without proofs, then the backends they ran on",
        test::run,
    ),
    (
        "laboratory",
        "",
        "the tests of what only researchers run: bench, lab, kernels of hash that no threshold chooses",
        test::laboratory,
    ),
    (
        "tools",
        "",
        "the tests of `cargo xtask` itself, its tables and lists of backends included",
        test::tools,
    ),
    (
        "proofs",
        "",
        "bounds and values of kernels for all inputs, on the backends that analyse them",
        test::proofs,
    ),
    (
        "variants",
        "",
        "tests of other builds: operations, products and HQC on all backends, hash and HQC without an allocator",
        test::variants,
    ),
    ("memory", "", "what keys leave in the memory of programs as released", test::memory),
    (
        "lint",
        "[form|deny|clippy]",
        "rustfmt and the project's own rules for text; cargo-deny; clippy",
        lint::run,
    ),
    ("docs", "", "rustdoc without warnings; `test` runs the examples in it", docs::run),
    ("book", "", "the book: its examples in Rust, its pages as HTML and their links, its length", book::run),
    (
        "asm",
        "[--list] [--loops] [--table] [--mca CPU] [--target T] [--file F] [PATTERN]...",
        "count the instructions of the kernels",
        asm::run,
    ),
    ("size", "", "how much larger a program becomes by calling one function", size::run),
    ("vectors", "", "the vector files, through the command, on every backend", vectors::run),
    ("commands", "", "every command in README.md and the book, as it is printed", commands::run),
    (
        "fields",
        "[128|192|256|320|448|1223|vectors|paper004]...",
        "the tests of all fields GF(2^m), of which `test` takes some, in parts",
        fields::run,
    ),
    (
        "curves",
        "[128|192|256|320|448|1223|small|aarch64|s390x|vectors|commands|paper004]...",
        "the tests of all curves, of which `test` takes some, in parts",
        fields::curves,
    ),
    (
        "faults",
        "[--only TABLE|ID]... [--part K/N]",
        "wrong code in a copy of the sources, which the tests must notice",
        faults::run,
    ),
    ("cross", "[aarch64|s390x|i686|wasm]...", "the tests on other processors, emulated", cross::run),
    ("systems", "", "the command compiles for macOS, FreeBSD and Windows, without warnings", systems::run),
    ("windows", "", "the command for Windows under Wine: unit tests, manifests, keys, Ctrl-C", windows::run),
    (
        "bochs",
        "[hash|gf2|curves|hqc]... | --instructions",
        "the tests on an emulated CPU with AVX-512 IFMA and VPCLMULQDQ, in parts",
        bochs::run,
    ),
    ("miri", "", "the tests under Miri", miri::run),
    ("ntl", "", "the system's NTL on our libgf2x.so.3, and how much faster", ntl::run),
    (
        "capi",
        "[--all | --measure | --packages | --archive [--groups=LIST]]",
        "the C library, installed and tested through its header",
        capi::run,
    ),
    (
        "provider",
        "[--openssl PREFIX] [--oqs FOLDER] [--measure]",
        "the provider for OpenSSL: keys, KEMs, TLS 1.3, memory",
        provider::run,
    ),
    ("npm", "", "the modules for JavaScript, in Node and in a browser", npm::run),
    ("python", "[--all]", "the Python package, installed and tested on every Python there is", python::run),
    ("ctime", "", "constant time under valgrind", ctime::run),
    (
        "ctime-hqc",
        "[--million]",
        "the same for decapsulation in HQC, on the best backend of this CPU",
        ctime::hqc,
    ),
    ("dudect", "[--million]", "constant time by Welch's t-test, on every backend of this CPU", ctime::dudect),
    (
        "steps",
        "[TEXT | K/N]",
        "constant time by single steps, on every backend of this CPU: calls whose names contain TEXT, or part K of N",
        ctime::steps,
    ),
    ("z3", "", "proofs by z3: no set of the interval analysis loses a member", z3::run),
    ("fuzz", "[--seconds N] [TARGET]...", "the fuzz targets, each for N seconds (30)", fuzz::run),
    (
        "release",
        "[--only NAME]... [--out FOLDER] [--twice] [--draft]",
        "makes what a release publishes in one folder, with sums, and tries each thing where it lands",
        release::run,
    ),
    ("man", "", "write the man pages", pages::man),
    ("completions", "", "write the shell completions", pages::completions),
    ("dist", "", "an archive of the command with its man pages and completions", dist::run),
    (
        "patch",
        "",
        "the packages for [patch]: with the oldest dependencies, and without an allocator",
        patch::run,
    ),
    ("drop-in", "", "the crate in the place of pqcrypto-hqc, beside the original", drop_in::run),
    ("rustls", "", "the key exchange groups for rustls, and its example programs", rustls::run),
    ("publish", "", "packages as they would be published, and with the oldest dependencies", publish::run),
];

/// The exit code if no step failed, but one could not be run. `carryless-bench` and the driver `ctime` exit
/// with the same one, from `crates/bench/src/leaks.rs`.
const INCOMPLETE: u8 = 3;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // `ci` starts the other chores as processes and judges them by their exit codes. It has no steps of its
    // own to report.
    if args.first().is_some_and(|name| name == "ci") {
        return ci::main(&args[1..]);
    }
    let Some(&(_, _, _, chore)) = args.first().and_then(|name| CHORES.iter().find(|chore| chore.0 == name))
    else {
        list();
        // 2 is a mistake in the command line. 1 means that a step failed.
        return ExitCode::from(2);
    };
    let mut report = Report::default();
    chore(&mut report, &args[1..]);
    report.print();
    match (report.failed(), report.incomplete()) {
        // A failure decides even if other steps could not run.
        (true, _) => ExitCode::FAILURE,
        (false, true) => ExitCode::from(INCOMPLETE),
        (false, false) => ExitCode::SUCCESS,
    }
}

fn list() {
    eprintln!("usage: cargo xtask CHORE [ARGUMENT]...\n");
    // Not in the table, since it takes no report.
    let ci = ("ci", ci::USAGE.0, ci::USAGE.1);
    for (name, args, about) in CHORES.iter().map(|&(name, args, about, _)| (name, args, about)).chain([ci]) {
        eprintln!("  {:<12} {about}{}{args}", name, if args.is_empty() { "" } else { ": " });
    }
}
