//! `cargo xtask size`: how much larger a program becomes by calling one function.
//!
//! Each program is built as a user would build it, outside of the workspace, in the release profile of this
//! one. Its stripped file is compared with that of a program that calls nothing.
use crate::backends::NO_AVX512;
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell::{self, failed, write};
use std::path::Path;

/// A program: its name, the expression that it prints, and the most bytes that it may have over the empty one.
type Program = (&'static str, &'static str, u64);

/// `a` is the program's first argument as bytes, `key` 32 bytes made of it, and `words` four words.
const PROGRAMS: &[Program] = &[
    // With multiply-add there are kernels of four and of eight lanes, each with groups of sixteen rows.
    ("poly1305-mac", "poly1305::mac(&key, &a).to_bytes()[0]", 80_500),
    (
        "poly1305-stream",
        "{ let mut mac = poly1305::Poly1305::new(&key); mac.update(&a); mac.finalize().to_bytes()[0] }",
        // With the table of powers that long streams have on the heap.
        103_000,
    ),
    // With multiply-add all but long messages take kernels of four lanes; up to 255 rows have code of their own there. The
    // first group of sixteen rows is compiled outside the loop as well (16 kB): 1024 to 1984 bytes take 0.8 of the time. From
    // 32 rows on there is a kernel without it (33 kB with AVX2 and with multiply-add): 2 to 16 KiB take 0.85 of the time (Zen 3).
    ("decbrwhash1305", "decbrwhash1305::digest(decbrwhash1305::Streams::Four, &[a[0]; 16], &a)[0]", 249_000),
    (
        "file-mac",
        "file_mac::FileMac::new(Default::default(), file_mac::Subject::File, &key).tag(&a).to_bytes()[0]",
        363_000,
    ),
    (
        "chacha20-poly1305",
        "{ use aead::{AeadInOut, KeyInit}; let mut b = a.clone(); \
         aead::ChaCha20Poly1305::new(&key.into()).encrypt_inout_detached(&[0; 12].into(), b\"\", (&mut b[..]).into()).unwrap()[0] }",
        121_500,
    ),
    (
        "gf2-small-product",
        "{ let mut out = [0; 8]; gf2::poly::SmallProduct::<4>::new().mul(&words, &words, &mut out); out[0] }",
        7_000,
    ),
    (
        "gf2-short",
        "{ let mut out = [0; 8]; gf2::poly::Short::new().mul(&words, &words, &mut out); out[0] }",
        160_000,
    ),
    (
        "gf2-mul",
        "{ let (mut out, mut scratch) = ([0; 8], [0; 64]); gf2::poly::mul(&words, &words, &mut out, &mut scratch); out[0] }",
        // Leaves are compiled for operands one after the other and for interleaved ones. Kernels that load and store by
        // masks, for all sizes up to 3072 bits, are 30 kB.
        575_000,
    ),
];

/// Ceiling of the first program in bytes, in a build without the backends with AVX-512.
const NARROW_CEILING: u64 = 28_000;

/// Name of the program that calls nothing, whose size is subtracted from the others.
const EMPTY: &str = "empty";

pub(crate) fn run(report: &mut Report, _: &[String]) {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        let why = "the ceilings are those of x86-64 Linux";
        return report.step("sizes of programs", || Err(Stop::NotExercised(why.into())));
    }
    report.step("sizes of programs", sizes);
}

fn sizes() -> Outcome {
    let folder = shell::target_dir().join("size");
    write_package(&folder)?;
    let mut too_large = Vec::new();
    println!("{:<32} {:>9} {:>9}", "program", "bytes", "ceiling");
    let programs: Vec<_> = PROGRAMS.iter().map(|&(name, _, ceiling)| (name, ceiling)).collect();
    compare(&folder, "", &programs, &mut too_large)?;
    compare(&folder, NO_AVX512, &[(PROGRAMS[0].0, NARROW_CEILING)], &mut too_large)?;
    if too_large.is_empty() { Ok(()) } else { fail(format!("too large: {}", too_large.join(", "))) }
}

/// Builds the programs with these flags of rustc, and adds to `too_large` those over their ceiling.
fn compare(
    folder: &Path,
    flags: &str,
    programs: &[(&'static str, u64)],
    too_large: &mut Vec<String>,
) -> Outcome {
    // A folder for each set of flags, because in one folder each would rebuild everything.
    let target = folder.join(if flags.is_empty() { "target" } else { "target-narrow" });
    let mut build = shell::cargo(&["build", "--release", "--bin", EMPTY]);
    build.args(programs.iter().flat_map(|(name, _)| ["--bin", name]));
    build.arg("--manifest-path").arg(folder.join("Cargo.toml"));
    shell::run(build.env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", flags))?;
    let size = |name: &str| {
        let file = target.join("release").join(name);
        std::fs::metadata(&file).map(|data| data.len()).map_err(failed(&file))
    };
    let empty = size(EMPTY)?;
    for &(name, ceiling) in programs {
        let over = size(name)?.saturating_sub(empty);
        let title = format!("{name} {}", flags.trim_start_matches("--cfg carryless_"));
        println!("{title:<32} {over:>9} {ceiling:>9}");
        if over > ceiling {
            too_large.push(title);
        }
    }
    Ok(())
}

/// Writes a package that depends on the facade crate of this checkout.
fn write_package(folder: &Path) -> Outcome {
    let sources = folder.join("src/bin");
    // The empty `[workspace]` keeps cargo from finding this workspace in the folders above.
    let manifest = format!(
        "[package]\nname = \"size\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\ncarryless = {{ path = {:?}, features = [\"aead\"] }}\n\
         [profile.release]\ncodegen-units = 1\nlto = \"thin\"\nstrip = \"symbols\"\n[workspace]\n",
        shell::root().join("crates/carryless")
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    // The workspace's lock file, so that a new release of a dependency changes no size.
    let lock = std::fs::read_to_string(shell::root().join("Cargo.lock")).map_err(failed(shell::root()))?;
    write(&folder.join("Cargo.lock"), &lock)?;
    for (name, value) in PROGRAMS.iter().map(|&(name, value, _)| (name, value)).chain([(EMPTY, "a[0]")]) {
        write(&sources.join(format!("{name}.rs")), source(value))?;
    }
    Ok(())
}

fn source(value: &str) -> String {
    format!(
        // The data come from the command line, so that the optimiser cannot compute the result.
        "#![allow(unused)]\nuse carryless::*;\nfn main() {{\n    \
         let a = std::env::args().next().unwrap().into_bytes();\n    \
         let (key, words) = ([a[0]; 32], [a[0] as u64; 4]);\n    println!(\"{{}}\", {value});\n}}\n"
    )
}
