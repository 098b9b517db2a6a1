//! `cargo xtask bochs`: the tests on an emulated CPU with AVX-512 IFMA and VPCLMULQDQ, in parts; with `--instructions`, how many of them
//! products in F2\[X\] execute there.
use crate::cross::{CURVES, FIELD_ARRAYS, FIELDS, HQC, PRODUCTS, Place, SMALL_CURVE};
use crate::report::{Outcome, Report, Stop, fail};
use crate::shell;
use crate::test::RESEARCH_KERNELS;

/// What runs there. Hashes and F2\[X\]: 940 and 1220 seconds on two cores of a Zen 3, three and thirteen minutes of which compile; HQC: 710 seconds
/// on two cores of a Zen 4 beside other jobs, four minutes of which compile.
const PARTS: &[(&str, Place)] = &[
    // The reference has no code for these backends, and big integers take too long here.
    ("hash", Place { title: "Ice Lake (Bochs, hash)", tests: &[HASHES], ..ICE_LAKE }),
    ("gf2", Place { title: "Ice Lake (Bochs, gf2)", tests: &[PRODUCTS, FIELDS, FIELD_ARRAYS], ..ICE_LAKE }),
    (
        WITH_LARGE_CURVE,
        Place { title: "Ice Lake (Bochs, curves)", tests: &[SMALL_CURVE, CURVES], ..ICE_LAKE },
    ),
    ("hqc", Place { title: "Ice Lake (Bochs, HQC)", tests: &[HQC, HQC_PARTS], ..ICE_LAKE }),
];

/// The part that has the tests of a large curve after the others.
const WITH_LARGE_CURVE: &str = "curves";

/// Steps of HQC by themselves: supports and samples in lanes, the Hadamard transform.
const HQC_PARTS: &[&str] = &["-p", "carryless-hqc", "--lib", "--test", "keccak"];

/// Tests of the operations of all backends, and of the hashes with all their kernels.
const HASHES: &[&str] =
    &["--tests", "-p", "carryless-lanes", "-p", "carryless-hash", "--features", RESEARCH_KERNELS];

/// The backends of Ice Lake that others imply are not named.
macro_rules! required {
    () => {
        "avx2,avx512,avx512vlifma,avx512ifma,vpclmul-ymm-gfni,vpclmul-zmm-gfni"
    };
}

/// Programs are static because the emulated machine holds nothing else.
const ICE_LAKE: Place = Place {
    name: "bochs",
    title: "Ice Lake (Bochs)",
    target: "x86_64-unknown-linux-gnu",
    linker: None,
    runner: &[
        "tools/emul/run-in-bochs",
        // Seconds that one program may take.
        "-t",
        "1500",
        "-e",
        "CARRYLESS_QUICK=1",
        "-e",
        concat!("CARRYLESS_REQUIRE_BACKEND=", required!()),
    ],
    runner_package: "",
    // Bochs before 2.8 returns the complement of what GF2P8AFFINEQB does; Debian has 2.7.
    rustflags: "-Ctarget-feature=+crt-static --cfg carryless_bochs_complements",
    require: required!(),
    tests: &[],
};

/// As released, not as tested. What Bochs calls the time is the number of instructions.
const INSTRUCTIONS: &[&str] = &["--release", "-p", "carryless-bench", "--example", "instructions"];

pub(crate) fn run(report: &mut Report, args: &[String]) {
    if args == ["--instructions"] {
        return report.step("bochs", || {
            prepare()?;
            shell::run(ICE_LAKE.cargo("run").args(INSTRUCTIONS))
        });
    }
    if let Some(unknown) = args.iter().find(|arg| PARTS.iter().all(|(part, _)| part != arg)) {
        return report.step("bochs", || {
            fail(format!("there is no part {unknown}; the only option is --instructions"))
        });
    }
    for (part, place) in
        PARTS.iter().filter(|(part, _)| args.is_empty() || args.iter().any(|arg| arg == part))
    {
        report.backend_step(&format!("bochs {part}"), place.title, || {
            prepare()?;
            let seen = place.test()?;
            // Last, because it needs a build with other fields.
            if *part == WITH_LARGE_CURVE {
                place.test_large_curve()?;
            }
            Ok(seen)
        });
    }
}

/// The backends that must not be missing, as they are written.
#[cfg(test)]
pub(crate) fn required() -> &'static str {
    ICE_LAKE.require
}

/// For the table of chores.
#[cfg(test)]
pub(crate) fn parts() -> Vec<&'static str> {
    PARTS.iter().map(|(part, _)| *part).collect()
}

fn prepare() -> Outcome {
    let prepare = shell::root().join("tools/emul/run-in-bochs");
    match shell::run(&mut shell::command(prepare, &["-p"])) {
        // Preparation installs packages and unpacks a kernel. Where that is impossible, no test has failed.
        Err(Stop::Failed(why)) => Err(Stop::NotExercised(format!("the emulator cannot be prepared: {why}"))),
        other => other,
    }
}
