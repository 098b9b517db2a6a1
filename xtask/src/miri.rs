//! `cargo xtask miri`: the tests under an interpreter that sees undefined behaviour.
use crate::backends::WITHOUT_PROOFS;
use crate::report::{Report, Stop};
use crate::shell;

/// Every operation of the backends, in the crate that holds most `unsafe` code.
const LANES: &[&str] = &["-p", "carryless-lanes", "--test", "operations"];

/// Each entry point to the kernels, once: Miri takes a minute for what a machine does in a millisecond.
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

/// Loads and stores at the ends of messages, which differ between backends.
const HASH_MEMORY: &[&str] = &["-p", "carryless-hash", "--test", "api", "--", "memory::"];

/// Products in F2\[X\], on the soft backend, which has no intrinsics.
const PRODUCTS: &[&str] =
    &["-p", "carryless-gf2", "--test", "poly", "--", "products::all_sizes", "modulus::"];

/// Steps of HQC on the soft backend, whose code all backends share: repeated positions, copies of codewords.
/// A round trip would take Miri hours.
const HQC: &[&str] = &["-p", "carryless-hqc", "--lib", "--", "support::", "counts_of_all_bits"];

/// The C interface of libgf2x, which makes slices from pointers.
const COMPAT: &[&str] = &["-p", "carryless-gf2x-compat", "--test", "abi"];

/// Runs: a name, flags of rustc, and sets of tests. Miri answers "no" to every question about the CPU
/// unless the feature is given at build time. With AVX2 only the operations differ; the kernels and the C
/// interface are the same code.
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
                // Proofs are about values, not about memory, and kernels on their backends run slowly in Miri.
                miri.args(*tests).env("RUSTFLAGS", format!("{WITHOUT_PROOFS} {rustflags}"));
                miri.env("CARGO_TARGET_DIR", shell::target_dir().join("miri"));
                // Tests read the clock and their vector files, which Miri's isolation forbids.
                shell::run(miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("CARRYLESS_QUICK", "1"))?;
            }
            Ok(())
        });
    }
}
