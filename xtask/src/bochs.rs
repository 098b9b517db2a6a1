//! `cargo xtask bochs`: the tests on an emulated CPU with AVX-512 IFMA and VPCLMULQDQ.
use crate::cross::{PRODUCTS, Place};
use crate::report::{Report, Stop};
use crate::shell;

/// Programs are static because the emulated machine holds nothing else.
const ICE_LAKE: Place = Place {
    name: "bochs",
    title: "Ice Lake (Bochs)",
    target: "x86_64-unknown-linux-gnu",
    linker: None,
    runner: &[
        "tools/emul/run-in-bochs",
        "-t",
        "1500",
        "-e",
        "CARRYLESS_QUICK=1",
        "-e",
        "CARRYLESS_REQUIRE_MACHINE=avx2,avx512,avx512ifma,vpclmul-ymm,vpclmul-zmm",
    ],
    runner_package: "",
    rustflags: "-Ctarget-feature=+crt-static",
    require: "avx2,avx512,avx512ifma,vpclmul-ymm,vpclmul-zmm",
    // The reference has no code for these machines, and big integers take too long here.
    tests: &[&["--tests", "-p", "carryless-lanes", "-p", "carryless-hash"], PRODUCTS],
};

pub(crate) fn run(report: &mut Report, _: &[String]) {
    report.machine_step("bochs", ICE_LAKE.title, || {
        let prepare = shell::root().join("tools/emul/run-in-bochs");
        if let Err(Stop::Failed(why)) = shell::run(&mut shell::command(prepare, &["-p"])) {
            return Err(Stop::NotExercised(format!("the emulator cannot be prepared: {why}")));
        }
        ICE_LAKE.test()
    });
}
