//! `cargo xtask miri`: the tests under an interpreter that sees undefined behaviour.
use crate::machines::WITHOUT_PROOFS;
use crate::report::{Report, Stop};
use crate::shell;

/// The crate with `unsafe`: every operation of the machines.
const LANES: &[&str] = &["-p", "carryless-lanes", "--test", "operations"];

/// Every way into the kernels, once: Miri takes a minute for what takes a machine a millisecond.
const HASH: &[&str] = &[
    "-p",
    "carryless-hash",
    "--test",
    "api",
    "--",
    "memory::",
    "batch::",
    "verify::",
    "all_short_lengths_by_all_routes",
    "equal_pieces",
    "joining_is_associative",
];

/// Loads and stores at the ends of messages, once more.
const HASH_MEMORY: &[&str] = &["-p", "carryless-hash", "--test", "api", "--", "memory::"];

/// Products by the soft machine.
const PRODUCTS: &[&str] =
    &["-p", "carryless-gf2", "--test", "poly", "--", "products::all_sizes", "modulus::"];

/// Steps of HQC on the soft machine, whose code is that of all machines: positions that come again, copies of codewords. A round trip would take Miri hours.
const HQC: &[&str] = &["-p", "carryless-hqc", "--lib", "--", "support::", "counts_of_all_bits"];

/// The C interface: slices from pointers.
const COMPAT: &[&str] = &["-p", "carryless-gf2x-compat", "--test", "abi"];

/// What runs with which flags. Miri answers "no" to every question about the CPU unless the feature is given at build time.
/// With AVX2 it is the operations that are other ones; the kernels and the C interface are the same code.
const RUNS: &[(&str, &str, &[&[&str]])] = &[
    ("miri portable", "", &[LANES, HASH, PRODUCTS, HQC, COMPAT]),
    ("miri avx2", "-Ctarget-feature=+avx2", &[LANES, HASH_MEMORY]),
];

pub(crate) fn run(report: &mut Report, _: &[String]) {
    for (name, rustflags, all) in RUNS {
        report.step(name, || {
            if !shell::succeeds("rustup", &["run", "nightly", "cargo", "miri", "--version"]) {
                return Err(Stop::NotExercised("the nightly toolchain has no Miri".into()));
            }
            for tests in *all {
                let mut miri = shell::nightly(&["miri", "test"])?;
                miri.args(*tests).env("RUSTFLAGS", format!("{WITHOUT_PROOFS} {rustflags}"));
                miri.env("CARGO_TARGET_DIR", shell::target_dir().join("miri"));
                // Tests read the clock and their vector files.
                shell::run(miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("CARRYLESS_QUICK", "1"))?;
            }
            Ok(())
        });
    }
}
