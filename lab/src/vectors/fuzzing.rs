//! Properties that hold for every file of test vectors.
use carryless_gf2::ClmulCpu;
use carryless_hash::Cpu;

use super::case::{Case, Test};
use super::hex::Budget;
use super::outcome::Outcome;
use super::reference::on_reference;
use super::report::{Format, Tally, print};
use super::schema::parse;
use super::{Subject, check as run};

/// The first input of `fuzzing::vector_file`.
#[cfg(test)]
pub(crate) const SEED: &str = r#"{"algorithm":"F2[X]","schema":"carryless_f2x_v1","numberOfTests":2,"testGroups":[{"type":"F2xMul","tests":[
    {"tcId":1,"sizeBits":8,"a":"53","b":"ca","product":"7e3f","result":"valid"},
    {"tcId":2,"sizeBits":8,"a":"53","b":"ca","product":"7e3e","result":"valid"}]}]}"#;

/// The first input with tests of fields.
#[cfg(test)]
pub(crate) const SEED_OF_FIELDS: &str = r#"{"algorithm":"GF(2^m)","schema":"carryless_gf2m_v1","numberOfTests":3,"testGroups":[
    {"type":"Gf2mTest","m":8,"poly":[8,4,3,1,0],"tests":[{"tcId":1,"a":"53","b":"ca","mul":"01","sqr":"b5","sqrt":"f7","trace":0,
    "inv":"ca","k":3,"multiSqr":"16","result":"valid"}]},{"type":"Gf2mTest","m":3,"poly":[3,1,0],"tests":[{"tcId":1,"a":"00","b":"07",
    "mul":"00","sqr":"00","sqrt":"00","trace":0,"halfTrace":"00","inv":null,"k":1,"multiSqr":"00","result":"valid"}]},
    {"type":"IrreducibleTest","tests":[{"tcId":1,"poly":[7,2,0],"irreducible":false,"result":"valid"}]}]}"#;

/// The first input with tests of HQC.
#[cfg(test)]
pub(crate) const SEED_OF_HQC: &str = include_str!("../../../fuzz/seeds/vector_file/hqc");

/// Bytes for all messages that a file gives by rules.
// A fuzz target must try many inputs in a second, so long messages are left to other tests.
const MAX_MESSAGES: u64 = 1 << 14;

pub(crate) fn check(text: &str) {
    let Ok(tests) = parse(text, Budget::new(MAX_MESSAGES)) else { return };
    assert!(!tests.is_empty());
    // Large parameters cost time and reach no other code.
    let tests: Vec<Test> = tests.into_iter().filter(small).collect();
    // A file is for one kind of backend, as `VectorsArgs::subjects` has it.
    let subject = match tests.iter().any(|test| test.case.is_carryless()) {
        true => Subject::Product(ClmulCpu::detect()),
        false => Subject::Hash(Cpu::detect()),
    };
    let (ours, reference) = (run(subject, &tests), run(Subject::Reference, &tests));
    for tally in [&ours, &reference] {
        let tally = tally.as_ref().expect("a backend that is here");
        let skipped: usize = tally.skipped.values().sum();
        assert_eq!(tally.passed + skipped + tally.failures.len(), tests.len());
        for format in [Format::Text, Format::Json] {
            // Remarks and names come from the input, and none may make the output fail.
            print(&mut Vec::new(), format, "file", subject.name(), Some(tally)).expect("memory");
        }
    }
    // The reference checks more, residues for instance, but the library must pass what it passes.
    let failed = |tally: &Option<Tally<'_>>| -> Vec<String> {
        tally.iter().flat_map(|tally| &tally.failures).map(|(test, _)| test.id.clone()).collect()
    };
    let known = failed(&reference);
    for (test, _) in ours.iter().flat_map(|tally| &tally.failures) {
        let is_computed = !matches!(on_reference(&test.case), Outcome::Skipped(_));
        assert!(known.contains(&test.id) || !is_computed, "{} fails in the library only", test.id);
    }
}

fn small(test: &Test) -> bool {
    match &test.case {
        Case::OnHashes(test) => test.is_small(),
        Case::OnProducts(test) => test.is_small(),
        _ => true,
    }
}
