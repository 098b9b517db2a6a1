//! `cargo xtask fields`: GF(2^m) in all fields, its tests and its figures. `cargo xtask test` takes some of them, because each is compiled for
//! every machine.
use crate::report::{Outcome, Report};
use crate::shell;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("fields", || test(&["-p", "carryless-gf2", "--test", "field", "--test", "field_arrays"]));
    report.step("vectors of the types", || {
        test(&["-p", "carryless-cli", "--features", "fields", "--lib", "vectors::tests_gf2m"])
    });
    report.step("bench paper004", || {
        test(&["-p", "carryless-bench", "--features", "fields", "--lib", "paper004"])
    });
}

fn test(args: &[&str]) -> Outcome {
    let mut test = shell::cargo(&["test"]);
    test.args(args)
        .env("RUSTFLAGS", "--cfg=carryless_all_fields")
        .env("CARGO_TARGET_DIR", shell::target_dir().join("fields"))
        // Straight-line code of all fields takes the optimiser minutes; the checks themselves take seconds.
        .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    shell::run(&mut test)
}
