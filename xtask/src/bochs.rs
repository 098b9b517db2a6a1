//! `cargo xtask bochs`: the tests on an emulated CPU with AVX-512 IFMA and VPCLMULQDQ; with `--instructions`, how many of them
//! products in F2\[X\] execute there.
use crate::cross::{FIELDS, PRODUCTS, Place};
use crate::report::{Outcome, Report, Stop, fail};
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
        "CARRYLESS_REQUIRE_MACHINE=avx2,avx512,avx512ifma,vpclmul-ymm-gfni,vpclmul-zmm-gfni",
    ],
    runner_package: "",
    rustflags: "-Ctarget-feature=+crt-static",
    require: "avx2,avx512,avx512ifma,vpclmul-ymm-gfni,vpclmul-zmm-gfni",
    // The reference has no code for these machines, and big integers take too long here.
    tests: &[&["--tests", "-p", "carryless-lanes", "-p", "carryless-hash"], PRODUCTS, FIELDS],
};

/// As released, not as tested. What Bochs calls the time is the number of instructions.
const INSTRUCTIONS: &[&str] = &["--release", "-p", "carryless-bench", "--example", "instructions"];

pub(crate) fn run(report: &mut Report, args: &[String]) {
    match args {
        [] => report.machine_step("bochs", ICE_LAKE.title, || prepare().and_then(|()| ICE_LAKE.test())),
        [flag] if flag == "--instructions" => report.step("bochs", || {
            prepare()?;
            shell::run(ICE_LAKE.cargo("run").args(INSTRUCTIONS))
        }),
        _ => report.step("bochs", || fail("the only option is --instructions")),
    }
}

fn prepare() -> Outcome {
    let prepare = shell::root().join("tools/emul/run-in-bochs");
    match shell::run(&mut shell::command(prepare, &["-p"])) {
        Err(Stop::Failed(why)) => Err(Stop::NotExercised(format!("the emulator cannot be prepared: {why}"))),
        other => other,
    }
}
