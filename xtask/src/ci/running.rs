//! Runs chores one after the other, and prints how each ended.
use super::ledger::{Ending, Ledger, MARK, RUN, Turn};
use super::plan::Plan;
use super::table::{Chore, Table};
use super::{code, git, print, tools};
use crate::report::{Stop, fail};
use crate::{INCOMPLETE, shell};
use std::process::ExitCode;
use std::time::Instant;

/// A chore is killed after this multiple of the seconds that it should take.
const PATIENCE: u64 = 3;

/// No chore is killed before this many seconds: the first one of a run compiles what others share.
const LEAST: u64 = 600;

/// The most lines that the summary quotes about a chore that failed.
const REASONS: usize = 12;

/// How a chore ended, by its exit code and output.
enum End {
    Passed,
    /// Exited with [`INCOMPLETE`]: the steps that could not be run.
    Incomplete(Vec<String>),
    Failed(Vec<String>),
    /// Killed by `timeout`, without a result.
    Late,
}

/// A run in progress: the chores that have ended, and the lines to print at its end.
struct Run<'a> {
    table: &'a Table,
    number: u32,
    commit: String,
    start: Instant,
    /// Names of the shared builds that earlier chores of this run made.
    built: Vec<&'a str>,
    summary: Vec<String>,
    reasons: Vec<String>,
    suspects: Vec<String>,
    turns: Vec<Turn>,
    passed: usize,
    failed: usize,
    incomplete: bool,
}

impl<'a> Run<'a> {
    fn new(table: &'a Table, number: u32) -> Self {
        Run {
            table,
            number,
            commit: git::head(),
            start: Instant::now(),
            built: Vec::new(),
            summary: Vec::new(),
            reasons: Vec::new(),
            suspects: Vec::new(),
            turns: Vec::new(),
            passed: 0,
            failed: 0,
            incomplete: false,
        }
    }

    fn build(&self, chore: &'a Chore) -> Option<(&'a str, u64)> {
        self.table.unbuilt(chore, &self.built)
    }

    /// Runs a chore for at most `limit` seconds; 0 is no limit. Returns its turn, or `None` if it failed or was killed.
    fn turn(&mut self, chore: &'a Chore, limit: u64) -> Option<Turn> {
        let (begin, build) = (Instant::now(), self.build(chore));
        let (end, suspects) = run(chore, limit);
        let seconds = begin.elapsed().as_secs();
        let name = &chore.run;
        // Also after a failure: what was compiled up to there is in the target folder.
        self.built.extend(build.map(|(build, _)| build));
        self.suspects.extend(suspects.into_iter().map(|line| format!("{name}: {line}")));
        let ending = match end {
            End::Passed => {
                self.passed += 1;
                self.line("passed", seconds, name);
                Ending::Passed
            }
            End::Incomplete(steps) => {
                self.incomplete = true;
                steps
                    .iter()
                    .for_each(|step| self.line("NOT EXERCISED:", seconds, &format!("{name}: {step}")));
                Ending::Incomplete
            }
            End::Late => {
                self.incomplete = true;
                self.line("NOT EXERCISED:", seconds, &format!("{name} (no result in its time)"));
                return None;
            }
            End::Failed(reasons) => {
                self.failed += 1;
                self.line("FAILED", seconds, name);
                self.reasons.extend([name.clone()].into_iter().chain(reasons));
                return None;
            }
        };
        let seconds = match build {
            // Outside of CI the build may have been there already, so the time without it is unknown.
            Some(_) if limit == 0 => 0,
            // Not 0, which would mean that the time is unknown.
            Some((_, shared)) => seconds.saturating_sub(shared).max(1),
            None => seconds.max(1),
        };
        let turn = self.record(name, ending, seconds);
        self.turns.push(turn.clone());
        Some(turn)
    }

    fn record(&self, chore: &str, ending: Ending, seconds: u64) -> Turn {
        let (run, commit) = (self.number, self.commit.clone());
        Turn { chore: chore.into(), ending, run, commit, time: git::now(), seconds, cpu: git::cpu() }
    }

    fn line(&mut self, word: &str, seconds: u64, what: &str) {
        self.summary.push(format!("{word:<14} {seconds:5} s  {what}"));
    }

    fn end(&self, spent: u64) {
        let seconds = self.start.elapsed().as_secs() + spent;
        println!(
            "\nsummary of run {}, after {seconds} s, {spent} of which to install what was missing",
            self.number
        );
        self.summary.iter().for_each(|line| println!("  {line}"));
        for (title, lines) in [("what failed", &self.reasons), ("times that need a look", &self.suspects)] {
            if !lines.is_empty() {
                println!("\n{title}");
                lines.iter().for_each(|line| println!("  {line}"));
            }
        }
        println!("\nfor the ledger: cargo xtask ci --record FILE reads these lines from this output");
        let clean = self.failed == 0 && !self.incomplete;
        let ending = if clean { Ending::Passed } else { Ending::Incomplete };
        let whole = self.record(RUN, ending, seconds);
        self.turns.iter().chain([&whole]).for_each(|turn| println!("{MARK}{turn}"));
        println!("{} passed, {} failed", self.passed, self.failed);
    }
}

/// Runs the chosen chores, then others that fit into the time that is left. `spent` is the seconds that
/// installations took before. The exit code is 0 unless a chore failed.
pub(super) fn budgeted(table: &Table, ledger: &Ledger, plan: &Plan, spent: u64) -> Result<ExitCode, Stop> {
    print(table, ledger, plan);
    let installed = tools(table, plan);
    let mut run = Run::new(table, plan.run);
    let chosen = plan.chosen.iter().map(|(index, reason)| (*index, reason.to_string(), true));
    // Chores often take less time than estimated. Then some of the rest fit in.
    let rest = plan.rest.iter().map(|candidate| (candidate.chore, candidate.relation.to_string(), false));
    for (index, why, is_chosen) in chosen.chain(rest) {
        let chore = &table.chores[index];
        let seconds = chore.seconds + run.build(chore).map_or(0, |(_, seconds)| seconds);
        let left = table.budget.saturating_sub(spent + run.start.elapsed().as_secs());
        let has_tools = chore.tools.iter().all(|tool| installed.contains(tool.as_str()));
        // `.ci/run` installs tools for the chosen chores only; another may run if it needs no further
        // tool.
        if !chore.always && (seconds > left || !is_chosen && !has_tools) {
            run.line("NOT EXERCISED:", 0, &format!("{} (due, no time; {why})", chore.run));
            continue;
        }
        // A chore that every run begins with may exceed the budget rather than end without a result.
        let most = if chore.always { table.budget } else { left };
        run.turn(chore, most.min((PATIENCE * seconds).max(LEAST)));
        // On code whose tests fail, the results of other chores mean little.
        if run.failed > 0 && chore.run == "test" {
            break;
        }
    }
    run.end(spent);
    Ok(code(run.failed > 0, false))
}

/// Runs all chores, or those whose lines begin with one of `names`, without a budget. Each that passes is recorded at
/// once, and one that passed on this commit is left out: the same command continues an interrupted run.
pub(super) fn all(table: &Table, mut ledger: Ledger, names: &[&str]) -> Result<ExitCode, Stop> {
    let asked = |chore: &&Chore| {
        let begins = |name: &&str| {
            chore.run.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        names.is_empty() || names.iter().any(begins)
    };
    let chores: Vec<&Chore> = table.chores.iter().filter(asked).collect();
    if chores.is_empty() {
        return fail(format!("no chore of the table begins with {}", names.join(" or ")));
    }
    let clean = !git::is_changed();
    if !clean {
        println!("files differ from HEAD: what passes is not recorded");
    }
    // It has the number of the newest run. A new one would make all chores of CI a run older.
    let mut run = Run::new(table, ledger.newest().map_or(1, |turn| turn.run));
    for chore in chores {
        if let Some(turn) = ledger.passed(&chore.run).filter(|turn| turn.commit == run.commit && clean) {
            run.line("passed before", turn.seconds, &chore.run);
            continue;
        }
        if let Some(turn) = run.turn(chore, 0).filter(|_| clean) {
            ledger.add(turn);
            ledger.write()?;
        }
    }
    run.end(0);
    Ok(code(run.failed > 0, run.incomplete))
}

/// Runs a chore for at most `limit` seconds; 0 is no limit. Returns how it ended, and its lines about suspected times.
fn run(chore: &Chore, limit: u64) -> (End, Vec<String>) {
    // `timeout` signals its whole process group, so that programs which the chore started end too.
    // For `timeout`, too, a limit of 0 is none.
    let mut command = shell::command("timeout", &["--kill-after=10", &limit.to_string()]);
    command.arg(std::env::var_os("CARGO").unwrap_or("cargo".into())).arg("xtask").args(chore.words());
    let mut lines = Vec::new();
    let status = shell::watch(&mut command, shell::Streams::Both, |line| lines.push(line.to_string()));
    let suspects = lines.iter().filter(|line| line.starts_with("SUSPECT ")).cloned().collect();
    let end = match status.map(|status| status.code()) {
        Ok(Some(0)) => End::Passed,
        Ok(Some(code)) if code == i32::from(INCOMPLETE) => End::Incomplete(not_exercised(&lines)),
        // `timeout` exits with 124 after SIGTERM, and with 137 if SIGKILL was needed.
        Ok(Some(124 | 137)) => End::Late,
        Ok(_) => End::Failed(reasons(&lines)),
        Err(Stop::Failed(why) | Stop::NotExercised(why)) => End::Failed(vec![why]),
    };
    (end, suspects)
}

/// The steps that the summary of a chore names as not exercised.
fn not_exercised(lines: &[String]) -> Vec<String> {
    // Tests print the prefix before the summary, and backends are listed with it below.
    let summary = lines.iter().skip_while(|line| *line != "summary").take_while(|line| *line != "backends");
    summary.filter_map(|line| line.trim().strip_prefix("NOT EXERCISED: ")).map(String::from).collect()
}

/// The lines that say why a chore failed.
fn reasons(lines: &[String]) -> Vec<String> {
    let tells = |line: &&String| {
        ["error", "  FAILED", "thread "].iter().any(|start| line.starts_with(start))
            || line.starts_with("test ") && line.ends_with("FAILED")
    };
    lines.iter().filter(tells).take(REASONS).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_a_chore_is_read() {
        let lines: Vec<String> = [
            "NOT EXERCISED: noise",
            "summary",
            "  passed 1 s a",
            "  NOT EXERCISED: b (no such program)",
            "backends",
            "  NOT EXERCISED: avx512 (no processor)",
            "thread 'x' panicked at",
            "test a::b ... FAILED",
            "test c ... ok",
        ]
        .map(String::from)
        .into();
        assert_eq!(not_exercised(&lines), ["b (no such program)"]);
        assert_eq!(reasons(&lines), ["thread 'x' panicked at", "test a::b ... FAILED"]);
    }
}
