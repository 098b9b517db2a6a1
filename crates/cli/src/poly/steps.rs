//! Progress of a long computation with polynomials.
use std::convert::Infallible;
use std::io::{self, IsTerminal as _};
use std::time::Instant;

use indicatif::ProgressBar;

use crate::progress::{INTERVAL, bar};

/// The steps of a long computation on standard error, if that is a terminal; cleared when dropped.
pub(crate) struct Steps {
    done: u64,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Steps {
    /// Starts counting; short computations show nothing.
    pub(crate) fn new() -> Self {
        let bar = io::stderr().is_terminal().then(|| bar("{spinner} {pos} steps  {elapsed}"));
        Self { done: 0, start: Instant::now(), bar }
    }

    /// Counts a step. It never fails: a signal ends the process.
    pub(crate) fn step(&mut self) -> Result<(), Infallible> {
        self.done += 1;
        if let Some(bar) = &self.bar
            && self.start.elapsed() > INTERVAL
        {
            bar.set_position(self.done);
        }
        Ok(())
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
