//! `cargo xtask ci`: runs the chores whose files changed, then those whose last turn is longest ago, within a budget of
//! time. It prints a summary, and lines for the ledger, the record of turns in the repository: `--record` adds them.
//! Chores and the budget stand in `.ci/chores.toml`.
mod git;
mod ledger;
mod plan;
mod running;
#[cfg(test)]
mod simulation;
mod table;
#[cfg(test)]
mod workflows;

use crate::INCOMPLETE;
use crate::report::{Stop, fail};
use ledger::Ledger;
use plan::{Plan, Relation};
use std::collections::BTreeSet;
use std::process::ExitCode;
use table::Table;

/// The arguments and the description that `cargo xtask` lists.
pub(crate) const USAGE: (&str, &str) = (
    "[--dry-run | --tools | --spent SECONDS | --all [CHORE...] | --record FILE]",
    "what changed and what is due, within the budget of .ci/chores.toml, and a summary",
);

/// Assumed hours between two runs, to estimate how many ran since the newest recorded one.
const HOURS_OF_A_RUN: u64 = 4;

pub(crate) fn main(args: &[String]) -> ExitCode {
    match run(args) {
        Ok(code) => code,
        Err(Stop::Failed(why) | Stop::NotExercised(why)) => {
            eprintln!("ci: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<ExitCode, Stop> {
    let (table, ledger) = (Table::read()?, Ledger::read()?);
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        [] => running::budgeted(&table, &ledger, &choose(&table, &ledger)?, 0),
        ["--spent", seconds] => match seconds.parse() {
            Ok(seconds) => running::budgeted(&table, &ledger, &choose(&table, &ledger)?, seconds),
            Err(_) => fail("--spent takes seconds"),
        },
        ["--dry-run"] => {
            print(&table, &ledger, &choose(&table, &ledger)?);
            Ok(ExitCode::SUCCESS)
        }
        ["--tools"] => {
            tools(&table, &choose(&table, &ledger)?).iter().for_each(|tool| println!("{tool}"));
            Ok(ExitCode::SUCCESS)
        }
        ["--all", ref names @ ..] => running::all(&table, ledger, names),
        ["--record", file] => record(ledger, file),
        _ => fail(format!("usage: cargo xtask ci {}", USAGE.0)),
    }
}

/// For each chore of the table, in order, how close it is to the files that changed since its last turn. A chore without a
/// turn is compared with the newest turn of any; with an empty ledger, everything counts as changed.
fn relations(table: &Table, ledger: &Ledger) -> Vec<Relation> {
    let of_chore = |chore: &table::Chore| {
        let Some(turn) = ledger.last(&chore.run).or(ledger.newest()) else {
            return Relation::Close("everything, without a ledger".into());
        };
        let changed = |names: &[String]| git::changed(&turn.commit, &table.pathspecs(names));
        match (changed(&chore.close), changed(&chore.far)) {
            (git::Changed::Some(what), _) => Relation::Close(what),
            (_, git::Changed::Some(what)) => Relation::Far(what),
            _ => Relation::None,
        }
    };
    table.chores.iter().map(of_chore).collect()
}

/// The plan of a run on HEAD, as far as the ledger tells which runs were before it.
fn choose(table: &Table, ledger: &Ledger) -> Result<Plan, Stop> {
    let relations = relations(table, ledger);
    let newest = ledger.newest();
    // A commit may be older than the newest turn, so the difference saturates.
    let hours = newest.and_then(ledger::Turn::hours).map_or(0, |then| git::hours().saturating_sub(then));
    // One of these intervals leads to the present run, so it is not counted. The cap suffices, since within
    // `table.runs` runs every chore has had a turn.
    let unrecorded = (hours / HOURS_OF_A_RUN).saturating_sub(1).min(table.runs.into()) as u32;
    let first = newest.map_or(1, |turn| turn.run + 1);
    Ok(after_unrecorded(table, ledger, first, unrecorded, &relations))
}

/// The plan of a run that follows `unrecorded` runs which nobody recorded. It assumes that each of them ran
/// its own plan, so that this run does not repeat their choice.
fn after_unrecorded(
    table: &Table,
    ledger: &Ledger,
    first: u32,
    unrecorded: u32,
    relations: &[Relation],
) -> Plan {
    let mut assumed = ledger.clone();
    for run in first..first + unrecorded {
        // Nobody knows the commits of these runs, so they use the changes up to HEAD.
        let plan = plan::plan(table, &assumed, run, table.budget, relations);
        for (index, _) in plan.chosen {
            assumed.assume(&table.chores[index].run, run);
        }
    }
    plan::plan(table, &assumed, first + unrecorded, table.budget, relations)
}

/// The tools that the chosen chores need installed, each as a kind and a name.
fn tools<'a>(table: &'a Table, plan: &Plan) -> BTreeSet<&'a str> {
    plan.chosen.iter().flat_map(|(index, _)| &table.chores[*index].tools).map(String::as_str).collect()
}

/// Prints what the run chooses and why, then the chores for which there is no time, with the time and commit at which each
/// last passed.
fn print(table: &Table, ledger: &Ledger, plan: &Plan) {
    println!("run {}: what it chooses, and why", plan.run);
    for (index, reason) in &plan.chosen {
        let chore = &table.chores[*index];
        println!("  {:>5} s  {:<40} {reason}", chore.seconds, chore.run);
    }
    for candidate in &plan.rest {
        let passed = ledger.passed(&table.chores[candidate.chore].run);
        let passed = passed.map_or("never".into(), |turn| format!("{} {}", turn.time, turn.commit));
        let name = &table.chores[candidate.chore].run;
        println!("  not now  {name:<40} {}; passed: {passed}", candidate.relation);
    }
}

/// Adds the lines of a run's output that the ledger lacks, from a file or, for `-`, from standard input. Fails if there is
/// none, or if one is malformed.
fn record(mut ledger: Ledger, file: &str) -> Result<ExitCode, Stop> {
    let output = match file {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let output = output.map_err(|error| Stop::Failed(format!("{file}: {error}")))?;
    match ledger.record(&output) {
        Ok(0) => fail(format!("{file}: no line that {} lacks", ledger::FILE)),
        Ok(new) => {
            ledger.write()?;
            println!("{new} lines are new in {}", ledger::FILE);
            Ok(ExitCode::SUCCESS)
        }
        Err(why) => fail(format!("{file}: {why}")),
    }
}

/// The exit code of a run; a failure outweighs steps that could not be run.
fn code(failed: bool, incomplete: bool) -> ExitCode {
    match (failed, incomplete) {
        (true, _) => ExitCode::FAILURE,
        (false, true) => ExitCode::from(INCOMPLETE),
        (false, false) => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_nobody_recorded_do_not_choose_the_same() {
        let table = Table::read().unwrap_or_else(|_| panic!("the table does not parse"));
        let relations = vec![Relation::None; table.chores.len()];
        let chosen = |unrecorded| -> BTreeSet<usize> {
            let plan = after_unrecorded(&table, &Ledger::default(), 1, unrecorded, &relations);
            let chosen = plan.chosen.into_iter().map(|(index, _)| index);
            chosen.filter(|&index| !table.chores[index].always).collect()
        };
        let runs: Vec<_> = (0..table.runs).map(chosen).collect();
        for pair in runs.windows(2) {
            // A short chore may fill the end of two runs.
            assert!(pair[0].intersection(&pair[1]).count() * 4 < pair[1].len(), "{pair:?}");
        }
        let all: BTreeSet<usize> = runs.into_iter().flatten().collect();
        assert_eq!(all.len(), table.chores.iter().filter(|chore| !chore.always).count());
    }
}
