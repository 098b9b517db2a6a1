//! The proof of one claim.
use crate::claims::Claim;
use crate::reader::Reader;
use crate::solver::Solver;
use crate::source::Source;
use crate::value::Read;
use crate::{lemmas, sets};
use std::collections::BTreeSet;

/// Proves the claim, and that no operation in the code it calls overflows. Returns the names of the functions called.
pub(crate) fn prove(source: &Source, claim: &Claim) -> Read<BTreeSet<String>> {
    let mut reader = Reader::new(source);
    let (given, then) = (claim.build)(&mut reader)?;
    // Facts come after the claim, which met all products and sets by then.
    let mut facts = lemmas::instances(&mut reader);
    facts.extend(sets::tightened(&mut reader)?);
    let script = &mut reader.script;
    // A claim whose condition is never met, or whose call always refuses, would hold but say nothing.
    let possible = reader.returned.iter().fold(given.clone(), |all, is| script.and(&all, is));
    let obligations = script.all(&reader.obligations);
    let then = script.and(&then, &obligations);
    let goals = script.split(&then);
    let facts: String = facts.iter().map(|fact| format!("(assert {fact})\n")).collect();
    let shared = format!("(set-logic QF_BV)\n{}\n{facts}", script.text());
    let mut solver = Solver::new(&shared, "qfbv")?;
    // Before anything is assumed: `possible` includes the condition, and must agree with the facts.
    solver.possible(&possible.to_string())?;
    solver.assume(&given.to_string())?;
    let inputs = script.inputs.join(" ");
    goals.iter().try_for_each(|goal| solver.prove(&goal.to_string(), &inputs))?;
    Ok(reader.called)
}
