//! `cargo xtask fields` and `curves`: tests of all fields GF(2^m) and of all curves over them, in parts,
//! because each field is compiled for every backend. `cargo xtask test` runs some of them.
use crate::backends::WITHOUT_PROOFS;
use crate::cross::{self, CURVES, FIELD_ARRAYS, FIELDS};
use crate::report::{Outcome, Report, fail};
use crate::test::cargo_test;
use crate::{commands, shell};

/// Parts of `parts.rs` in `crates/gf2/tests/field` and `curve`: the fields of at most this many bits that the
/// part before does not have.
const DEGREES: &[&str] = &["128", "192", "256", "320", "448", "1223"];

/// The part with vectors for all fields and curves, by the lab, which by default is built with none of them.
const VECTORS: &str = "vectors";

/// Parts whose fields have curves of NIST, as in `crates/ec/tests/ec/parts.rs`.
const WITH_CURVES: &[&str] = &["192", "256", "320", "448", "1223"];

/// The part with the documented commands that need curves.
const COMMANDS: &str = "commands";

/// The part with the values and tables of `carryless-bench paper004`.
const BENCH: &str = "paper004";

/// The part with exhaustive tests: fields of at most 512 elements, curves of at most 550 points, and curves
/// over extensions. `cargo xtask test` runs some of them.
const SMALL: &str = "small";

/// Emulated processors, each of which is a part of `curves`.
const EMULATED: &[&str] = &["aarch64", "s390x"];

/// Options of cargo that optimise programs, into which some parts compile the kernels of fields and curves.
/// `Cargo.toml` does not, since programs have none by default.
const OPTIMISED: &[&str] = &[
    "--config=profile.dev.package.carryless-bench.opt-level=1",
    "--config=profile.dev.package.carryless-cli.opt-level=1",
    "--config=profile.dev.package.carryless-lab.opt-level=1",
];

pub(crate) fn parts_of_fields() -> Vec<&'static str> {
    [DEGREES, &[VECTORS, BENCH]].concat()
}

pub(crate) fn parts_of_curves() -> Vec<&'static str> {
    [DEGREES, &[SMALL], EMULATED, &[VECTORS, COMMANDS, BENCH]].concat()
}

pub(crate) fn run(report: &mut Report, args: &[String]) {
    each(report, args, "fields", &parts_of_fields(), |part| match part {
        VECTORS => {
            test(&["-p", "carryless-lab", "--features", "fields", "--lib", "vectors::tests_gf2m"], None)
        }
        BENCH => bench("fields", "paper004"),
        degree => test(&[FIELDS, FIELD_ARRAYS].concat(), Some(degree)),
    });
}

pub(crate) fn curves(report: &mut Report, args: &[String]) {
    each(report, args, "curves", &parts_of_curves(), |part| match part {
        VECTORS => {
            test(&["-p", "carryless-lab", "--features", "curves", "--lib", "vectors::tests_curves"], None)
        }
        COMMANDS => commands::run_of_curves(),
        SMALL => test(&["-p", "carryless-gf2", "--lib", "--", "field::tests", "curve::"], Some(DEGREES[0])),
        BENCH => bench("curves", "curves"),
        degree if WITH_CURVES.contains(&degree) => {
            test(&[CURVES, &["-p", "carryless-ec", "--test", "ec"]].concat(), Some(degree))?;
            // The command with its least curves.
            let command = ["-p", "carryless-cli", "--features", "curve-163", "--test", "curves"];
            if degree == DEGREES[1] { test(&command, None) } else { Ok(()) }
        }
        degree if DEGREES.contains(&degree) => test(CURVES, Some(degree)),
        place => cross::curves(place).unwrap_or_else(|| fail(format!("there is no {place}"))),
    });
}

/// Runs the parts that `args` names, or all if it is empty.
fn each(report: &mut Report, args: &[String], chore: &str, parts: &[&str], test: impl Fn(&str) -> Outcome) {
    if let Some(unknown) = args.iter().find(|arg| parts.iter().all(|part| part != arg)) {
        return report.step(chore, || fail(format!("there is no part {unknown} of the {chore}")));
    }
    for part in parts.iter().filter(|part| args.is_empty() || args.iter().any(|arg| arg == *part)) {
        report.step(&format!("{chore} {part}"), || test(part));
    }
}

/// Runs those tests of `carryless-bench` that need the feature: the module of the part, and the modules that
/// exist only with such a feature.
fn bench(feature: &str, part: &str) -> Outcome {
    test(
        &[
            "-p",
            "carryless-bench",
            "--features",
            &format!("{feature},crrl"),
            "--lib",
            "--",
            part,
            "algebra",
            "peers",
        ],
        None,
    )
}

fn test(args: &[&str], degree: Option<&str>) -> Outcome {
    // The compiler leaves out all other fields, which take most of the time.
    let part = degree.map_or(String::new(), |degree| format!("--cfg=carryless_fields=\"{degree}\""));
    let args = [OPTIMISED, args].concat();
    let mut test = cargo_test("fields", &format!("{WITHOUT_PROOFS} {part}"), &args);
    // Straight-line code takes the optimiser minutes; the checks themselves take seconds.
    test.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1").env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    shell::run_tests(&mut test)
}
