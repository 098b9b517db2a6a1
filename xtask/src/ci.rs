//! `cargo xtask ci`: every check, and a summary.
use crate::report::Report;
use crate::{asm, bochs, cross, ctime, dist, docs, fuzz, lint, miri, ntl, publish, test, vectors};

/// Everything but the tests, quick ones first.
const CHECKS: &[fn(&mut Report, &[String])] = &[
    lint::run,
    docs::run,
    asm::run,
    vectors::run,
    dist::run,
    publish::run,
    ntl::run,
    ctime::run,
    cross::run,
    bochs::run,
    miri::run,
    fuzz::run,
];

/// `--after-test` leaves out the tests, which the caller has just run, but not the list of machines.
pub(crate) fn run(report: &mut Report, args: &[String]) {
    match args.first().map(String::as_str) {
        Some("--after-test") => test::machines(report),
        _ => test::run(report, &[]),
    }
    for check in CHECKS {
        check(report, &[]);
    }
}
