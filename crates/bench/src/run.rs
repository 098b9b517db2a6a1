//! Measuring a list of lengths, each with its subjects.
use crate::clock::Clock;
use crate::report::Row;
use crate::sampler::{BATCHES, Series, Setting};
use crate::subject::Subject;
use std::io::{IsTerminal, Write};

/// How often lengths are measured at which the machine was too busy.
const PASSES: usize = 3;

/// What is measured at one length.
pub struct Point<'a> {
    /// Bytes of a message.
    pub length: usize,
    /// Messages in a call.
    pub count: usize,
    /// Whether each call takes a key made of the tag before it.
    pub chained: bool,
    /// The subjects, under the names that their rows get.
    pub subjects: Vec<(String, &'a Subject)>,
}

/// Measures every point for about so many seconds; the rows of each are in the order of its subjects.
///
/// The batches of a point are spread over the whole run, between those of the others, so that a slow phase of the machine
/// spoils one batch of many points and not all batches of one.
pub fn measure(points: &[Point], seconds: f64) -> Vec<Vec<Row>> {
    let clock = Clock::start();
    let mut rows: Vec<Vec<Row>> = vec![vec![]; points.len()];
    for _ in 0..PASSES {
        let again =
            |index: &usize| rows[*index].is_empty() || rows[*index].iter().any(|row: &Row| row.disturbed);
        let due: Vec<usize> = (0..points.len()).filter(again).collect();
        let mut all: Vec<Series> =
            due.iter().map(|&index| Series::new(points[index].subjects.len())).collect();
        for batch in 0..BATCHES {
            for (done, (&index, series)) in due.iter().zip(&mut all).enumerate() {
                let point = &points[index];
                progress(batch * due.len() + done, BATCHES * due.len(), point.length);
                let subjects: Vec<&Subject> = point.subjects.iter().map(|(_, subject)| *subject).collect();
                series.batch(&clock, point.setting(&subjects), batch, seconds / BATCHES as f64);
            }
        }
        due.iter().zip(&all).for_each(|(&index, series)| rows[index] = points[index].rows(series));
    }
    progress(1, 1, 0);
    rows
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

/// A line on a terminal that says how far the run is.
fn progress(done: usize, all: usize, length: usize) {
    let mut terminal = std::io::stderr();
    if terminal.is_terminal() {
        let text = if done < all { format!("{}/{all}: {length} bytes", done + 1) } else { String::new() };
        // A terminal that cannot be written to is no reason to stop measuring.
        let _ = write!(terminal, "\r\x1b[K{text}").and_then(|()| terminal.flush());
    }
}
