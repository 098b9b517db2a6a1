//! Measuring a list of lengths, each with its subjects.
use crate::clock::Clock;
use crate::report::Row;
use crate::sampler;
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
    /// The subjects, under the names that their rows get.
    pub subjects: Vec<(String, &'a Subject)>,
}

/// Measures every point for about so many seconds; the rows of each are in the order of its subjects.
pub fn measure(points: &[Point], seconds: f64) -> Vec<Vec<Row>> {
    let clock = Clock::start();
    let mut rows: Vec<Vec<Row>> = vec![vec![]; points.len()];
    for _ in 0..PASSES {
        for (index, point) in points.iter().enumerate() {
            if rows[index].is_empty() || rows[index].iter().any(|row| row.disturbed) {
                progress(index, points.len(), point.length);
                rows[index] = measure_point(&clock, point, seconds);
            }
        }
    }
    progress(points.len(), points.len(), 0);
    rows
}

fn measure_point(clock: &Clock, point: &Point, seconds: f64) -> Vec<Row> {
    let Point { length, count, .. } = *point;
    let subjects: Vec<&Subject> = point.subjects.iter().map(|(_, subject)| *subject).collect();
    let measured = sampler::measure(clock, &subjects, length, count, seconds);
    let row = |((name, subject), measured): (&(String, &Subject), _)| {
        Row::new(name, subject, length, count, measured)
    };
    point.subjects.iter().zip(&measured).map(row).collect()
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
