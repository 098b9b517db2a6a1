//! What holds for every file of test vectors.
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;

use super::hex::Budget;
use super::report::{Format, Tally, print};
use super::schema::{Case, Test, parse};
use super::{Subject, check as run};

/// What `fuzzing::vector_file` is tried with.
#[cfg(test)]
pub(crate) const SEED: &str = r#"{"algorithm":"F2[X]","schema":"carryless_f2x_v1","numberOfTests":2,"testGroups":[{"type":"F2xMul","tests":[
    {"tcId":1,"sizeBits":8,"a":"53","b":"ca","product":"7e3f","result":"valid"},
    {"tcId":2,"sizeBits":8,"a":"53","b":"ca","product":"7e3e","result":"valid"}]}]}"#;

/// Bytes of messages for which a file gives rules.
const MOST_MESSAGES: u64 = 1 << 14;

/// Larger n only take time.
const MOST_BITS: usize = 1 << 10;

pub(crate) fn check(text: &str) {
    let Ok(tests) = parse(text, Budget::new(MOST_MESSAGES)) else { return };
    assert!(!tests.is_empty());
    let tests: Vec<Test> = tests.into_iter().filter(small).collect();
    let products = tests.iter().any(|test| matches!(test.case, Case::F2x(_)));
    let subject = match products {
        true => Subject::Product(ClmulCpu::detect()),
        false => Subject::Hash(Cpu::detect()),
    };
    let (ours, reference) = (run(subject, &tests), run(Subject::Reference, &tests));
    for tally in [&ours, &reference] {
        let tally = tally.as_ref().expect("a machine that is here");
        let skipped: usize = tally.skipped.values().sum();
        assert_eq!(tally.passed + skipped + tally.failures.len(), tests.len());
        for format in [Format::Text, Format::Json] {
            print(&mut Vec::new(), format, "file", subject.name(), Some(tally)).expect("memory");
        }
    }
    // The reference checks more, residues for instance, but the library must pass what it passes.
    let failed = |tally: &Option<Tally<'_>>| -> Vec<String> {
        tally.iter().flat_map(|tally| &tally.failures).map(|(test, _)| test.id.clone()).collect()
    };
    let known = failed(&reference);
    for id in failed(&ours) {
        assert!(known.contains(&id), "{id} fails in the library only");
    }
}

fn small(test: &Test) -> bool {
    match &test.case {
        Case::F2x(test) => test.modulus_bits().is_none_or(|n| n <= MOST_BITS),
        _ => true,
    }
}
