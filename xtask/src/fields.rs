//! `cargo xtask fields`: GF(2^m) in all fields, its tests and its figures, in parts, because each field is compiled for every machine.
//! `cargo xtask test` takes some of them.
use crate::cross::{FIELD_ARRAYS, FIELDS};
use crate::report::{Outcome, Report, fail};
use crate::shell;

/// The parts of `crates/gf2/tests/field/parts.rs`: fields of up to as many bits, above the part before.
const DEGREES: &[&str] = &["128", "192", "256", "320", "448", "1223"];

/// Vectors by the types of all fields, through the command, which by default has none of them.
const VECTORS: &str = "vectors";

/// Values and tables of `carryless-bench paper004`.
const BENCH: &str = "paper004";

pub(crate) fn run(report: &mut Report, args: &[String]) {
    let parts = || DEGREES.iter().copied().chain([VECTORS, BENCH]);
    if let Some(unknown) = args.iter().find(|arg| parts().all(|part| part != arg.as_str())) {
        return report.step("fields", || fail(format!("there is no part {unknown} of the fields")));
    }
    for part in parts().filter(|part| args.is_empty() || args.iter().any(|arg| arg == part)) {
        report.step(&format!("fields {part}"), || test(part));
    }
}

fn test(part: &str) -> Outcome {
    let mut test = shell::cargo(&["test"]);
    match part {
        VECTORS => test.args(["-p", "carryless-cli", "--features", "fields", "--lib", "vectors::tests_gf2m"]),
        BENCH => test.args(["-p", "carryless-bench", "--features", "fields", "--lib", "paper004"]),
        degree => test
            .args(FIELDS)
            .args(FIELD_ARRAYS)
            .env("RUSTFLAGS", format!("--cfg=carryless_fields=\"{degree}\"")),
    };
    // Straight-line code takes the optimiser minutes; the checks themselves take seconds.
    test.env("CARGO_TARGET_DIR", shell::target_dir().join("fields"))
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    shell::run(&mut test)
}
