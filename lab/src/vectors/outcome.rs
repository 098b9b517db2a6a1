//! Outcomes of tests, and the comparisons that lead to them.
use carryless_cli::base::hex;
use std::fmt::Display;

/// The outcome of one test.
pub(super) enum Outcome {
    /// Every route gave the value of the file.
    Passed,
    /// The test does not apply, for this reason.
    Skipped(String),
    /// Some routes gave other values.
    Failed(Vec<Difference>),
}

/// A route, with the expected and the computed value.
pub(super) struct Difference {
    pub(super) route: String,
    pub(super) expected: String,
    pub(super) got: String,
}

/// Number of bytes shown of a long value.
const SHOWN: usize = 32;

/// Formats a value. A long one is shown in part, from the first byte that differs.
fn shown(value: &[u8], same: usize) -> String {
    // Cutting a value that is only a little longer would hide more than it saves.
    if value.len() <= 2 * SHOWN {
        return hex(value);
    }
    // A value that is a prefix of the other differs beyond its end: its last byte is shown.
    let from = same.min(value.len() - 1);
    let part = &value[from..value.len().min(from + SHOWN)];
    format!("{} in bytes {from} to {} of {}", hex(part), from + part.len() - 1, value.len())
}

/// Collects the differences of one test.
#[derive(Default)]
pub(super) struct Checks(Vec<Difference>);

impl Checks {
    /// Compares bytes that a route gave.
    pub(super) fn bytes(&mut self, route: impl Display, expected: &[u8], got: &[u8]) {
        if expected != got {
            let same = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
            let [expected, got] = [expected, got].map(|value| shown(value, same));
            self.0.push(Difference { route: route.to_string(), expected, got });
        }
    }

    /// Compares a list that a route gave. The first number that differs is reported.
    pub(super) fn numbers(&mut self, route: impl Display, expected: &[u32], got: &[u32]) {
        let same = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
        // Equal up to the end of the shorter list is a difference, too.
        if same < expected.len().max(got.len()) {
            let [expected, got] = [expected, got].map(|list| match list.get(same) {
                Some(number) => format!("{number} as number {same} of {}", list.len()),
                None => format!("{} numbers", list.len()),
            });
            self.0.push(Difference { route: route.to_string(), expected, got });
        }
    }

    /// Compares whether a route accepted its input.
    pub(super) fn accepted(&mut self, route: impl Display, expected: bool, got: bool) {
        let word = |accepted| if accepted { "accepted" } else { "refused" }.to_owned();
        if expected != got {
            self.0.push(Difference { route: route.to_string(), expected: word(expected), got: word(got) });
        }
    }

    /// Returns [`Outcome::Passed`] if there was no difference, otherwise all differences.
    pub(super) fn outcome(self) -> Outcome {
        if self.0.is_empty() { Outcome::Passed } else { Outcome::Failed(self.0) }
    }
}
