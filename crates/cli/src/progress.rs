//! Progress on standard error: a bar on a terminal, JSON lines on request, otherwise nothing.
use std::convert::Infallible;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

/// Styles of progress on standard error. None of them touches standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// A bar if standard error is a terminal.
    Auto,
    /// Nothing, even on a terminal.
    Never,
    /// A JSON line on standard error, four times a second at most.
    Json,
}

/// A line of `--progress json`: files read, files in all, bytes read.
#[derive(Serialize)]
struct Line {
    files: u64,
    of: u64,
    bytes: u64,
}

/// Counters of a run, which other threads may read, and by which they may stop it.
#[derive(Debug, Default)]
pub struct Counters {
    files: AtomicU64,
    bytes: AtomicU64,
    of: AtomicU64,
    unguarded: AtomicU64,
    stopped: AtomicBool,
}

impl Counters {
    /// Returns the number of files read so far.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Returns the number of files, links and other entries, or 0 while it is unknown.
    #[must_use]
    pub fn of(&self) -> u64 {
        self.of.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes read so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns the number of files read without a lease, where a concurrent writer would not have been noticed.
    #[must_use]
    pub fn unguarded(&self) -> u64 {
        self.unguarded.load(Ordering::Relaxed)
    }

    /// Stops the run: nothing further is read, and no manifest is written.
    pub fn stop(&self) {
        // Relaxed: the flag is polled before each read, and no other data depend on it.
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns [`Stopped`] if the run was stopped.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

/// The error of a run that [`Counters::stop`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

/// Counts files and bytes, and shows them on standard error.
pub(crate) struct Progress {
    counters: Arc<Counters>,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// Lines of JSON, and the time when the next one is due.
    Json(Mutex<Instant>),
}

/// Time between two lines of JSON, and before the first steps of a computation are shown.
const INTERVAL: Duration = Duration::from_millis(250);

impl Progress {
    /// Starts counting towards this many files.
    pub(crate) fn new(style: Style, of: usize) -> Self {
        let counters = Arc::new(Counters { of: (of as u64).into(), ..Counters::default() });
        let shown = match style {
            Style::Auto if io::stderr().is_terminal() => {
                Shown::Bar(bar("{spinner} {msg}  {bytes} read  {bytes_per_sec}  {elapsed}"))
            }
            Style::Json => Shown::Json(Mutex::new(Instant::now())),
            Style::Auto | Style::Never => Shown::Nothing,
        };
        Self { counters, shown }
    }

    /// Counts in the counters of another thread, and shows nothing.
    pub(crate) fn watched(counters: &Arc<Counters>, of: usize) -> Self {
        counters.of.store(of as u64, Ordering::Relaxed);
        Self { counters: counters.clone(), shown: Shown::Nothing }
    }

    /// Returns [`Stopped`] if the run was stopped.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        self.counters.go_on()
    }

    /// Counts bytes that were read, and updates what is shown.
    pub(crate) fn bytes(&self, more: u64) {
        // Relaxed: the counters are for display and order no other memory accesses.
        let bytes = self.counters.bytes.fetch_add(more, Ordering::Relaxed) + more;
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_position(bytes),
            Shown::Json(due) => {
                // If the lock is held, another thread is writing a line right now.
                if let Ok(mut due) = due.try_lock()
                    && Instant::now() >= *due
                {
                    // Counted from now, so that a slow reader of standard error does not cause a burst of
                    // lines.
                    *due = Instant::now() + INTERVAL;
                    self.line();
                }
            }
        }
    }

    /// Counts a file. It is `guarded` if a concurrent writer would have been noticed.
    pub(crate) fn file(&self, guarded: bool) {
        if !guarded {
            self.counters.unguarded.fetch_add(1, Ordering::Relaxed);
        }
        let files = self.counters.files.fetch_add(1, Ordering::Relaxed) + 1;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(format!("{files}/{} files", self.counters.of()));
        }
    }

    /// Returns the number of files read without a lease.
    pub(crate) fn unguarded(&self) -> u64 {
        self.counters.unguarded()
    }

    /// Runs a function that prints, with the bar hidden meanwhile.
    pub(crate) fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(print),
            _ => print(),
        }
    }

    /// Shows the final figures, or removes the bar. Returns the number of bytes read.
    pub(crate) fn finish(&self) -> u64 {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Json(_) => self.line(),
        }
        self.counters.bytes()
    }

    fn line(&self) {
        let counters = &self.counters;
        let line = Line { files: counters.files(), of: counters.of(), bytes: counters.bytes() };
        if let Ok(line) = serde_json::to_string(&line) {
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

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

/// A bar without a length: neither the bytes of a walk nor the steps of a computation are known before its end.
fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}
