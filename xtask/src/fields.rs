//! `cargo xtask fields`: the tests of GF(2^m) for all fields. `cargo xtask test` takes some of them, because each is compiled for every machine.
use crate::report::Report;
use crate::shell;

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.step("fields", || {
        let mut test = shell::cargo(&["test", "-p", "carryless-gf2", "--test", "field"]);
        test.env("RUSTFLAGS", "--cfg=carryless_all_fields")
            .env("CARGO_TARGET_DIR", shell::target_dir().join("fields"))
            // Straight-line code of all fields takes the optimiser minutes; the checks themselves take seconds.
            .env("CARGO_PROFILE_TEST_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
        shell::run(&mut test)
    });
}
