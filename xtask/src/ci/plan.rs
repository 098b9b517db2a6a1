//! Which chores a run takes: first those whose files changed since their last turn, then the oldest.
//!
//! A changed chore is put off if it would make a different chore exceed its number of runs.
use super::ledger::Ledger;
use super::table::{Chore, Table};

/// How close what changed is to a chore, since its last turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// A file that it is there to check, and how many more of its files.
    Close(String),
    /// A file that it compiles or reads.
    Far(String),
    None,
}

impl Relation {
    fn rank(&self) -> u8 {
        match self {
            Relation::Close(_) => 0,
            Relation::Far(_) => 1,
            Relation::None => 2,
        }
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Relation::Close(what) => write!(f, "changed: {what}"),
            Relation::Far(what) => write!(f, "changed, compiled into it: {what}"),
            Relation::None => write!(f, "unchanged"),
        }
    }
}

/// A chore that could have a turn.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Its place in the table.
    pub chore: usize,
    pub seconds: u64,
    pub relation: Relation,
    /// The run of its last turn.
    pub last: Option<u32>,
}

/// Why a chore has a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reason {
    Always,
    Changed(Relation),
    /// So many runs since its last turn.
    Age(Option<u32>),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Always => write!(f, "always"),
            Reason::Changed(relation) => write!(f, "{relation}"),
            Reason::Age(None) => write!(f, "age: no turn is recorded"),
            Reason::Age(Some(runs)) => write!(f, "age: its last turn was {runs} runs ago"),
        }
    }
}

/// What a run takes, in this order.
#[derive(Debug)]
pub(super) struct Plan {
    /// The number of the run.
    pub run: u32,
    pub chosen: Vec<(usize, Reason)>,
    /// What had no time, in the order of its turns.
    pub rest: Vec<Candidate>,
}

/// Seconds that a chore takes: those that were measured, or the estimate.
pub(super) fn seconds(chore: &Chore, ledger: &Ledger) -> u64 {
    ledger.passed(&chore.run).map(|turn| turn.seconds).filter(|&seconds| seconds > 0).unwrap_or(chore.seconds)
}

/// The plan of a run with this number and so many seconds left.
pub(super) fn plan(table: &Table, ledger: &Ledger, run: u32, left: u64, relations: &[Relation]) -> Plan {
    let candidates = table.chores.iter().enumerate().map(|(chore, row)| Candidate {
        chore,
        seconds: seconds(row, ledger),
        relation: relations[chore].clone(),
        last: ledger.last(&row.run).map(|turn| turn.run),
    });
    let (always, mut rest): (Vec<_>, Vec<_>) =
        candidates.partition(|candidate| table.chores[candidate.chore].always);
    let mut first = Room { table, left, built: Vec::new() };
    always.iter().for_each(|candidate| first.take(candidate));
    let mut chosen: Vec<_> = always.iter().map(|candidate| (candidate.chore, Reason::Always)).collect();
    let mut room = first.clone();
    let mut taken = Vec::new();
    in_turn(&mut rest);
    let mut changed: Vec<Candidate> =
        rest.iter().filter(|candidate| candidate.relation != Relation::None).cloned().collect();
    changed.sort_by_key(|candidate| (candidate.relation.rank(), candidate.last));
    for candidate in changed {
        let mut then = room.clone();
        if !then.fits(&candidate) {
            continue;
        }
        then.take(&candidate);
        let others: Vec<_> = rest.iter().filter(|other| other.chore != candidate.chore).cloned().collect();
        let with: Vec<_> = taken.iter().chain([&candidate]).cloned().collect();
        if all_come_in_time(&first, run, &with, &others, then.clone()) {
            chosen.push((candidate.chore, Reason::Changed(candidate.relation)));
            (room, taken, rest) = (then, with, others);
        }
    }
    for candidate in room.fill(&mut rest) {
        chosen.push((candidate.chore, Reason::Age(candidate.last.map(|last| run - last))));
    }
    Plan { run, chosen, rest }
}

/// The oldest first; of those without a turn the ones that what changed is closest to.
fn in_turn(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| {
        let rank = if candidate.last.is_none() { candidate.relation.rank() } else { 0 };
        (candidate.last, rank, candidate.chore)
    });
}

/// Whether every chore has its turns in time, if this run has taken some, fills its room with the oldest, and all later runs take only the oldest.
fn all_come_in_time(first: &Room, run: u32, taken: &[Candidate], others: &[Candidate], room: Room) -> bool {
    let runs = first.table.runs;
    let (mut now, mut waiting, mut room) = (taken.to_vec(), others.to_vec(), room);
    // Twice as many runs: what comes in time once must do so again.
    let end = run + 2 * runs;
    for number in run..end {
        now.extend(room.fill(&mut waiting));
        let in_time = |candidate: &Candidate| candidate.last.is_some_and(|last| number - last <= runs);
        if !now.iter().all(in_time) {
            return false;
        }
        waiting.extend(now.drain(..).map(|candidate| Candidate { last: Some(number), ..candidate }));
        in_turn(&mut waiting);
        room = first.clone();
    }
    waiting.iter().all(|candidate| candidate.last.is_some_and(|last| end - last <= runs))
}

/// What is left of a run.
#[derive(Clone)]
struct Room<'a> {
    table: &'a Table,
    /// Seconds.
    left: u64,
    /// Shared builds that the run has.
    built: Vec<&'a str>,
}

impl<'a> Room<'a> {
    fn build(&self, candidate: &Candidate) -> Option<(&'a str, u64)> {
        self.table.unbuilt(&self.table.chores[candidate.chore], &self.built)
    }

    fn cost(&self, candidate: &Candidate) -> u64 {
        candidate.seconds + self.build(candidate).map_or(0, |(_, seconds)| seconds)
    }

    fn fits(&self, candidate: &Candidate) -> bool {
        self.cost(candidate) <= self.left
    }

    fn take(&mut self, candidate: &Candidate) {
        self.left = self.left.saturating_sub(self.cost(candidate));
        self.built.extend(self.build(candidate).map(|(build, _)| build));
    }

    /// Takes those that fit, in their order, and returns them.
    fn fill(&mut self, candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
        let mut filled = Vec::new();
        candidates.retain(|candidate| {
            let fits = self.fits(candidate);
            if fits {
                self.take(candidate);
                filled.push(candidate.clone());
            }
            !fits
        });
        filled
    }
}
