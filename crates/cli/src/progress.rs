//! Progress on standard error: a bar on a terminal, JSON lines on request, otherwise nothing.
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

/// A line of `--progress json`: entries done, entries in all, bytes read, bytes to be read.
#[derive(Serialize)]
struct Line {
    files: u64,
    of: u64,
    bytes: u64,
    total: u64,
}

/// A line of `--progress json` during the walk: entries found so far.
#[derive(Serialize)]
struct Found {
    found: u64,
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
    /// Returns the number of files, links and other entries that are done, whether they had to be read or not.
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

/// Counts entries and bytes, and shows them on standard error.
pub(crate) struct Progress {
    counters: Arc<Counters>,
    /// Number of entries that the walk has found.
    found: AtomicU64,
    /// Number of bytes to be read, as far as it is known.
    total: AtomicU64,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// Lines of JSON, and the time when the next one is due.
    Json(Mutex<Instant>),
}

/// Time between two lines of JSON, and before the first sign of a walk or of the steps of a computation.
pub(crate) const INTERVAL: Duration = Duration::from_millis(250);

/// The bar during the walk, whose end is unknown.
const WALK: &str = "{spinner} {pos} entries found  {elapsed}";
/// The bar while files are read.
const READ: &str = "{spinner} {msg}  {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";

impl Progress {
    /// Begins with the walk, which counts what it finds.
    pub(crate) fn new(style: Style) -> Self {
        Self::shown(
            Arc::default(),
            match style {
                Style::Auto if io::stderr().is_terminal() => Shown::Bar(bar(WALK)),
                Style::Json => Shown::Json(Mutex::new(Instant::now() + INTERVAL)),
                Style::Auto | Style::Never => Shown::Nothing,
            },
        )
    }

    /// Counts in the counters of another thread, and shows nothing.
    pub(crate) fn watched(counters: &Arc<Counters>) -> Self {
        Self::shown(counters.clone(), Shown::Nothing)
    }

    fn shown(counters: Arc<Counters>, shown: Shown) -> Self {
        Self { counters, found: AtomicU64::new(0), total: AtomicU64::new(0), shown }
    }

    /// Returns [`Stopped`] if the run was stopped.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        self.counters.go_on()
    }

    /// Counts an entry that the walk has found. Returns [`Stopped`] if the run was stopped.
    pub(crate) fn found(&self) -> Result<(), Stopped> {
        // Relaxed, as all of these counters: they are for display and order no other memory accesses.
        let found = self.found.fetch_add(1, Ordering::Relaxed) + 1;
        match &self.shown {
            Shown::Bar(bar) => bar.set_position(found),
            _ => self.line_if_due(&Found { found }),
        }
        self.go_on()
    }

    /// Returns whether the number of bytes to be read is shown, so that it is worth finding out.
    pub(crate) fn shows_total(&self) -> bool {
        !matches!(self.shown, Shown::Nothing)
    }

    /// Ends the walk: from now on this many entries are examined, and about so many bytes read.
    pub(crate) fn start(&self, of: usize, bytes: u64) {
        self.counters.of.store(of as u64, Ordering::Relaxed);
        self.total.store(bytes, Ordering::Relaxed);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.reset();
                bar.set_length(bytes);
                bar.set_style(style(READ));
            }
            Shown::Json(due) => {
                if let Ok(mut due) = due.lock() {
                    // The first line about reading is due at once.
                    *due = Instant::now();
                }
            }
        }
    }

    /// Changes the number of bytes to be read: fewer, for a file that need not be read, or more.
    pub(crate) fn correct(&self, fewer: u64, more: u64) {
        if !self.shows_total() {
            return;
        }
        let change = |total: u64| Some(total.saturating_add(more).saturating_sub(fewer));
        // It cannot fail, since `change` always returns a number.
        let _ = self.total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
        if let Shown::Bar(bar) = &self.shown {
            bar.set_length(self.total());
        }
    }

    /// Counts bytes that were read, and updates what is shown.
    pub(crate) fn bytes(&self, more: u64) {
        let bytes = self.counters.bytes.fetch_add(more, Ordering::Relaxed) + more;
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_position(bytes),
            Shown::Json(_) => self.line_if_due(&self.line()),
        }
    }

    /// Counts an entry that is done.
    pub(crate) fn done(&self) {
        let files = self.counters.files.fetch_add(1, Ordering::Relaxed) + 1;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(format!("{files}/{} files", self.counters.of()));
        }
    }

    /// Counts a file that was read without a lease, where a concurrent writer would not have been noticed.
    pub(crate) fn not_guarded(&self) {
        self.counters.unguarded.fetch_add(1, Ordering::Relaxed);
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
        let bytes = self.counters.bytes();
        // Files that were read twice, or not at all, make no difference at the end.
        self.total.store(bytes, Ordering::Relaxed);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Json(_) => print(&self.line()),
        }
        bytes
    }

    /// Returns the number of bytes to be read, which is never below that of the bytes read.
    fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed).max(self.counters.bytes())
    }

    fn line(&self) -> Line {
        let counters = &self.counters;
        Line { files: counters.files(), of: counters.of(), bytes: counters.bytes(), total: self.total() }
    }

    /// Prints a line of JSON, if these are wanted and one is due.
    fn line_if_due(&self, line: &impl Serialize) {
        let Shown::Json(due) = &self.shown else { return };
        // If the lock is held, another thread is writing a line right now.
        if let Ok(mut due) = due.try_lock()
            && Instant::now() >= *due
        {
            // Counted from now, so that a slow reader of standard error does not cause a burst of lines.
            *due = Instant::now() + INTERVAL;
            print(line);
        }
    }
}

/// Prints a line of JSON on standard error.
fn print(line: &impl Serialize) {
    if let Ok(line) = serde_json::to_string(line) {
        // A closed standard error is no reason to stop.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Returns a bar without a length, as the end of a walk or of a computation is unknown.
pub(crate) fn bar(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(style(template));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
