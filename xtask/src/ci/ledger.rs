//! The ledger `.ci/ledger`: when each chore last had its turn, and the commit that it passed on.
//!
//! A run of CI cannot write to the repository. It prints lines, each after [`MARK`], and `cargo xtask ci --record FILE` reads them from its
//! output.
use crate::report::{Outcome, Stop, fail};
use crate::shell;

/// Path of the ledger, from the root of the checkout.
pub(super) const FILE: &str = ".ci/ledger";

/// Prefix of each line for the ledger in the output of a run.
pub(super) const MARK: &str = "ledger: ";

/// Stands in place of a chore's name in the line about a run as a whole.
pub(super) const RUN: &str = "(run)";

/// How a turn ended. A chore that failed has no line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    Passed,
    /// No step failed, but at least one could not be run on this computer.
    Incomplete,
}

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Ending::Passed => "passed",
            Ending::Incomplete => "incomplete",
        }
    }
}

/// One line of the ledger. There is at most one for each chore and ending: the last turn with that ending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turn {
    pub chore: String,
    pub ending: Ending,
    /// Number of the run, which counts up by one from run to run.
    pub run: u32,
    pub commit: String,
    /// End of the turn in UTC, to the minute: `2026-11-26T14:05Z`.
    pub time: String,
    /// Duration without the shared build that it needed; 0 if unknown.
    pub seconds: u64,
    pub cpu: String,
}

impl std::fmt::Display for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Turn { chore, ending, run, commit, time, seconds, cpu } = self;
        write!(f, "{chore} | {} | {run} | {commit} | {time} | {seconds} s | {cpu}", ending.name())
    }
}

impl Turn {
    fn parse(line: &str) -> Option<Turn> {
        let [chore, ending, run, commit, time, seconds, cpu] =
            <[&str; 7]>::try_from(line.split('|').map(str::trim).collect::<Vec<_>>()).ok()?;
        let ending = [Ending::Passed, Ending::Incomplete].into_iter().find(|e| e.name() == ending)?;
        // git abbreviates hashes to seven digits or more.
        let hexadecimal = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let turn = Turn {
            chore: chore.into(),
            ending,
            run: run.parse().ok()?,
            commit: commit.into(),
            time: time.into(),
            seconds: seconds.strip_suffix(" s")?.parse().ok()?,
            cpu: cpu.into(),
        };
        (hexadecimal && !chore.is_empty() && turn.hours().is_some()).then_some(turn)
    }

    /// The time in whole hours since 1970, UTC. `None` if the text is no such time, which [`Turn::parse`]
    /// takes for a malformed line.
    pub(super) fn hours(&self) -> Option<u64> {
        let (date, clock) = self.time.strip_suffix('Z')?.split_once('T')?;
        let number = |text: &str| text.parse::<u64>().ok();
        let date: Vec<u64> = date.split('-').map(number).collect::<Option<_>>()?;
        let &[year @ 1970..=9999, month @ 1..=12, day @ 1..=31] = &date[..] else { return None };
        // Years begin in March, so that the leap day is the last one.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        // (153 month + 2) / 5 is the number of days in the months before, counted from March.
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
        // Days from 1 March of the year 0 to 1 January 1970.
        const UNTIL_1970: u64 = 719_468;
        Some((days - UNTIL_1970) * 24 + number(clock.split(':').next()?)?)
    }
}

/// The whole file: comment lines, which are kept and written first, and the turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ledger {
    comments: Vec<String>,
    turns: Vec<Turn>,
}

impl Ledger {
    /// The ledger of this checkout.
    pub(super) fn read() -> Result<Ledger, Stop> {
        let text = std::fs::read_to_string(shell::root().join(FILE))
            .map_err(|error| Stop::Failed(format!("{FILE}: {error}")))?;
        Ledger::parse(&text).or_else(|line| fail(format!("{FILE}: not a line of the ledger: {line}")))
    }

    /// Parses a ledger; the error is the first malformed line.
    pub(super) fn parse(text: &str) -> Result<Ledger, String> {
        let mut ledger = Ledger::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match Turn::parse(line) {
                _ if line.starts_with('#') => ledger.comments.push(line.into()),
                Some(turn) => ledger.turns.push(turn),
                None => return Err(line.into()),
            }
        }
        Ok(ledger)
    }

    pub(super) fn write(&self) -> Outcome {
        let written = std::fs::write(shell::root().join(FILE), self.text());
        written.map_err(|error| Stop::Failed(format!("{FILE}: {error}")))
    }

    fn text(&self) -> String {
        let lines = self.comments.iter().cloned().chain(self.turns.iter().map(Turn::to_string));
        lines.map(|line| line + "\n").collect()
    }

    /// The newest turn of a chore, whether it passed or was incomplete.
    pub(super) fn last(&self, chore: &str) -> Option<&Turn> {
        self.turns.iter().filter(|turn| turn.chore == chore).max_by_key(|turn| turn.run)
    }

    /// The last turn in which a chore passed. There is at most one line of that kind.
    pub(super) fn passed(&self, chore: &str) -> Option<&Turn> {
        let passed = |turn: &&Turn| turn.chore == chore && turn.ending == Ending::Passed;
        self.turns.iter().find(passed)
    }

    /// The line with the greatest run number, the latest among equals.
    pub(super) fn newest(&self) -> Option<&Turn> {
        self.turns.iter().max_by_key(|turn| (turn.run, turn.hours()))
    }

    /// Replaces the turn of the same chore and ending, unless that is newer. Returns whether the ledger changed.
    pub(super) fn add(&mut self, turn: Turn) -> bool {
        let same = |old: &&mut Turn| old.chore == turn.chore && old.ending == turn.ending;
        match self.turns.iter_mut().find(same) {
            // Outputs may be recorded late, or twice.
            Some(old) if old.run > turn.run || *old == turn => return false,
            Some(old) => *old = turn,
            None => self.turns.push(turn),
        }
        // In the order of names a new turn changes one line of the file, wherever it was added.
        self.turns.sort_by(|a, b| (&a.chore, a.ending.name()).cmp(&(&b.chore, b.ending.name())));
        true
    }

    /// Enters a turn that passed in a run that nobody recorded, for planning only: commit, time,
    /// seconds and processor are unknown.
    pub(super) fn assume(&mut self, chore: &str, run: u32) {
        let ending = Ending::Passed;
        let (commit, time, cpu) = (String::new(), String::new(), String::new());
        self.add(Turn { chore: chore.into(), ending, run, commit, time, seconds: 0, cpu });
    }

    /// Adds the marked lines of a run's output, also where a program quoted them by `> `. Returns how many
    /// changed the ledger; the error is the first malformed line.
    pub(super) fn record(&mut self, output: &str) -> Result<usize, String> {
        let mut new = 0;
        for line in output.lines() {
            // `trim` also removes the `\r` that terminals add.
            let Some(line) = line.trim_start_matches("> ").trim().strip_prefix(MARK) else { continue };
            let turn = Turn::parse(line).ok_or_else(|| format!("not a line of the ledger: {line}"))?;
            new += usize::from(self.add(turn));
        }
        Ok(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "curves 256 | passed | 12 | a97ce9a | 2026-11-26T14:05Z | 312 s | AMD EPYC (family 25 model 1)";

    #[test]
    fn lines_are_read_as_they_are_written() {
        let turn = Turn::parse(LINE).expect("a line");
        assert_eq!(turn.to_string(), LINE);
        // 20,783 days: `date -d 2026-11-26 +%s` / 86400.
        assert_eq!(turn.hours(), Some(20_783 * 24 + 14));
        let text = format!("# about\n{LINE}\n");
        assert_eq!(Ledger::parse(&text).expect("a ledger").text(), text);
        for bad in [
            "",
            "curves",
            &LINE.replace("passed", "failed"),
            &LINE.replace("12", "x"),
            &LINE.replace("312 s", "312"),
            &LINE.replace("a97ce9a", "nothing"),
            &LINE.replace("-11-", "-13-"),
            &LINE.replace("curves 256", ""),
        ] {
            assert_eq!(Turn::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn output_of_a_run_is_recorded_also_quoted() {
        let mut ledger = Ledger::parse(&format!("# about\n{LINE}\n")).expect("a ledger");
        let newer = LINE.replace("| 12 |", "| 13 |").replace("312", "299");
        let older = LINE.replace("| 12 |", "| 11 |");
        let other = newer.replace("passed", "incomplete").replace("curves 256", "steps 1/16");
        let output = format!("noise\n> {MARK}{newer}\n{MARK}{other}\r\n{MARK}{older}\nledger lines\n");
        assert_eq!(ledger.record(&output), Ok(2));
        assert_eq!(ledger.text(), format!("# about\n{newer}\n{other}\n"));
        assert_eq!(ledger.record(&output), Ok(0), "once is enough");
        assert_eq!(ledger.passed("steps 1/16"), None);
        assert_eq!(ledger.last("steps 1/16").map(|turn| turn.run), Some(13));
        assert!(ledger.record(&format!("{MARK}curves 256 | passed")).is_err());
    }
}
