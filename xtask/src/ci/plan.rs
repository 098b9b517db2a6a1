//! Chooses the chores of a run: first those whose files changed since their last turn, then the oldest.
//!
//! A changed chore is put off if another would then wait for more than `Table::runs` runs.
use super::ledger::Ledger;
use super::table::Table;

/// How a chore relates to the files that changed since its last turn. The text names one of the files.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// A file changed that the chore is there to check.
    Close(String),
    /// A file changed that the chore only compiles or reads.
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

/// A chore that competes for a turn in this run.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// Index of the chore in `Table::chores`.
    pub chore: usize,
    /// The estimate of the table, without the shared build. The times in the ledger do not count: many were
    /// measured beside other jobs, and the test of the turns computes with these.
    pub seconds: u64,
    pub relation: Relation,
    /// Number of the run in which it had its last turn; `None` if no turn is recorded.
    pub last: Option<u32>,
}

/// Why a chore has a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reason {
    Always,
    Changed(Relation),
    /// It has waited longest: the runs since its last turn, or `None` if no turn is recorded.
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

/// The chores of one run, in the order in which they run.
#[derive(Debug)]
pub(super) struct Plan {
    /// Number of the run, one more than that of the last.
    pub run: u32,
    pub chosen: Vec<(usize, Reason)>,
    /// Chores for which there was no time, the oldest first.
    pub rest: Vec<Candidate>,
}

/// Plans run number `run` within `left` seconds. `relations` has one entry for each chore of the table.
pub(super) fn plan(table: &Table, ledger: &Ledger, run: u32, left: u64, relations: &[Relation]) -> Plan {
    let candidates = table.chores.iter().enumerate().map(|(chore, row)| Candidate {
        chore,
        seconds: row.seconds,
        relation: relations[chore].clone(),
        last: ledger.last(&row.run).map(|turn| turn.run),
    });
    let (always, mut rest): (Vec<_>, Vec<_>) =
        candidates.partition(|candidate| table.chores[candidate.chore].always);
    let mut first = Room { table, left, built: Vec::new() };
    // They run even if the budget is too small, which `take` allows.
    always.iter().for_each(|candidate| first.take(candidate));
    let mut chosen: Vec<_> = always.iter().map(|candidate| (candidate.chore, Reason::Always)).collect();
    // `first` stays as it is: the simulation starts every later run from it.
    let mut room = first.clone();
    let mut taken = Vec::new();
    in_turn(&mut rest);
    let mut changed: Vec<Candidate> =
        rest.iter().filter(|candidate| candidate.relation != Relation::None).cloned().collect();
    // `None` is less than any run, so chores that never ran come first among equals.
    changed.sort_by_key(|candidate| (candidate.relation.rank(), candidate.last));
    for candidate in changed {
        let mut then = room.clone();
        // A shorter chore further down may still fit.
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

/// Sorts the oldest first. Chores without a turn come before all others, those closest to the changed files first.
fn in_turn(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|candidate| {
        let rank = if candidate.last.is_none() { candidate.relation.rank() } else { 0 };
        (candidate.last, rank, candidate.chore)
    });
}

/// Simulates this run and the following ones, which take only the oldest. Returns whether no chore ever waits
/// for more than `Table::runs` runs.
fn all_come_in_time(first: &Room, run: u32, taken: &[Candidate], others: &[Candidate], room: Room) -> bool {
    let runs = first.table.runs;
    let (mut now, mut waiting, mut room) = (taken.to_vec(), others.to_vec(), room);
    // Over twice the allowed wait, each chore's second turn is checked as well as its first.
    let end = run + 2 * runs;
    for number in run..end {
        now.extend(room.fill(&mut waiting));
        let in_time = |candidate: &Candidate| candidate.last.is_some_and(|last| number - last <= runs);
        // A chore without a turn counts as late: nothing that changed may be put before it.
        if !now.iter().all(in_time) {
            return false;
        }
        waiting.extend(now.drain(..).map(|candidate| Candidate { last: Some(number), ..candidate }));
        in_turn(&mut waiting);
        room = first.clone();
    }
    waiting.iter().all(|candidate| candidate.last.is_some_and(|last| end - last <= runs))
}

/// The time that is left in a run, and the shared builds that later chores get for free.
#[derive(Clone)]
struct Room<'a> {
    table: &'a Table,
    /// Seconds of the budget that no chore has taken yet.
    left: u64,
    /// Names of the shared builds that a chore of the run makes.
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

    /// Moves the candidates that fit out of the list, in order, and returns them.
    fn fill(&mut self, candidates: &mut Vec<Candidate>) -> Vec<Candidate> {
        let mut filled = Vec::new();
        candidates.retain(|candidate| {
            // One that does not fit does not keep shorter ones behind it from running.
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
