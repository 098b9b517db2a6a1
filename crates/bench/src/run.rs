//! Measures a list of points: lengths with their subjects.
use crate::clock::Clock;
use crate::report::Row;
use crate::sampler::{BATCHES, Series, Setting};
use crate::subject::Subject;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Passes over the points. Each after the first repeats only the points that were disturbed.
const PASSES: usize = 3;

/// A message length and the subjects that are measured at it in turn.
pub struct Point<'a> {
    /// Length of a message in bytes.
    pub length: usize,
    /// Messages in one call: 1 except in batch mode.
    pub count: usize,
    /// Whether each call takes a key made of the tag before it.
    pub chained: bool,
    /// The subjects, under the names that their rows get.
    pub subjects: Vec<(String, &'a Subject)>,
}

/// Measures each point for about `seconds`; the rows of a point are in the order of its subjects.
///
/// The batches of a point are spread over the whole run, between those of the other points. So a slow phase
/// of the machine spoils one batch of many points and not all batches of one.
///
/// A point with a disturbed row is measured again, up to three times in all, so that a busy
/// machine makes the run longer.
pub fn measure(points: &[Point], seconds: f64) -> Vec<Vec<Row>> {
    let (clock, mut progress) = (Clock::start(), Progress::begin());
    let mut rows: Vec<Vec<Row>> = vec![vec![]; points.len()];
    for _ in 0..PASSES {
        // All points in the first pass, then those with a disturbed row.
        let again =
            |index: &usize| rows[*index].is_empty() || rows[*index].iter().any(|row: &Row| row.disturbed);
        let due: Vec<usize> = (0..points.len()).filter(again).collect();
        let mut all: Vec<Series> =
            due.iter().map(|&index| Series::new(points[index].subjects.len())).collect();
        for batch in 0..BATCHES {
            for (done, (&index, series)) in due.iter().zip(&mut all).enumerate() {
                let point = &points[index];
                progress.say(batch * due.len() + done, BATCHES * due.len(), point.length);
                let subjects: Vec<&Subject> = point.subjects.iter().map(|(_, subject)| *subject).collect();
                series.batch(&clock, point.setting(&subjects), batch, seconds / BATCHES as f64);
            }
        }
        // A later pass replaces the rows of an earlier one, also if it was disturbed again.
        due.iter().zip(&all).for_each(|(&index, series)| rows[index] = points[index].rows(series));
    }
    // Nothing is left to do: this clears the line of progress.
    progress.say(1, 1, 0);
    rows
}

impl<'a> Point<'a> {
    /// The point of single messages of `length` bytes, by subjects under their own names.
    pub(crate) fn new(length: usize, subjects: impl IntoIterator<Item = &'a Subject>) -> Point<'a> {
        let named = subjects.into_iter().map(|subject| (subject.name.clone(), subject));
        Point { length, count: 1, chained: false, subjects: named.collect() }
    }
}

impl Point<'_> {
    fn setting<'a>(&self, subjects: &'a [&'a Subject]) -> Setting<'a> {
        Setting { subjects, length: self.length, count: self.count, chained: self.chained }
    }

    fn rows(&self, series: &Series) -> Vec<Row> {
        let row = |((name, subject), measured): (&(String, &Subject), _)| {
            Row::new(name, subject, self.length, self.count, measured)
        };
        self.subjects.iter().zip(&series.report()).map(row).collect()
    }
}

/// Time between two lines of progress if standard error is no terminal.
const QUIET: Duration = Duration::from_secs(30);

/// Writes `measuring what` to standard error.
pub(crate) fn announce(what: &str) {
    // A standard error that cannot be written to is no reason to stop measuring.
    let _ = writeln!(std::io::stderr(), "measuring {what}");
}

/// Progress of a run on standard error. On a terminal one line is overwritten, elsewhere
/// a line follows every [`QUIET`].
struct Progress {
    said: Instant,
}

impl Progress {
    fn begin() -> Progress {
        Progress { said: Instant::now() }
    }

    /// Shows that `done` of `all` batches are measured and that one of `length` bytes is next. When all
    /// are, it clears the line.
    fn say(&mut self, done: usize, all: usize, length: usize) {
        let mut stream = std::io::stderr();
        let text = if done < all { format!("{}/{all}: {length} bytes", done + 1) } else { String::new() };
        // Progress that cannot be shown is no reason to stop.
        let _ = if stream.is_terminal() {
            // The sequence returns to the first column and clears the line.
            write!(stream, "\r\x1b[K{text}").and_then(|()| stream.flush())
        } else if done < all && self.said.elapsed() >= QUIET {
            self.said = Instant::now();
            writeln!(stream, "{text}")
        } else {
            Ok(())
        };
    }
}
