//! Progress on standard error: a bar on a terminal, JSON lines on request, otherwise nothing.
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// A bar if standard error is a terminal.
    Auto,
    /// Nothing.
    Never,
    /// A JSON line on standard error, four times a second at most.
    Json,
}

/// A line of `--progress json`.
#[derive(Serialize)]
struct Line {
    files: u64,
    of: u64,
    bytes: u64,
}

/// Files and bytes that were read so far: what other threads see of a run, and how they end it.
#[derive(Debug, Default)]
pub struct Counters {
    files: AtomicU64,
    bytes: AtomicU64,
    of: AtomicU64,
    unguarded: AtomicU64,
    stopped: AtomicBool,
}

impl Counters {
    /// Files that were read.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Files, links and other entries there are; 0 before they are known.
    #[must_use]
    pub fn of(&self) -> u64 {
        self.of.load(Ordering::Relaxed)
    }

    /// Bytes that were read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Files that were read while nothing would have told of a writer: there was no lease on them.
    #[must_use]
    pub fn unguarded(&self) -> u64 {
        self.unguarded.load(Ordering::Relaxed)
    }

    /// Ends the run: what is not read yet is not read any more, and no manifest is written.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// An error if the run was stopped.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        if self.stopped.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(()) }
    }
}

/// The error of a run that [`Counters::stop`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

/// Counts files and bytes and shows them.
pub(crate) struct Progress {
    counters: Arc<Counters>,
    shown: Shown,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// When the next line is due.
    Json(Mutex<Instant>),
}

const INTERVAL: Duration = Duration::from_millis(250);

impl Progress {
    /// Begins to count towards this many files.
    pub(crate) fn new(style: Style, of: usize) -> Self {
        let counters = Arc::new(Counters { of: (of as u64).into(), ..Counters::default() });
        let shown = match style {
            Style::Auto if io::stderr().is_terminal() => Shown::Bar(bar()),
            Style::Json => Shown::Json(Mutex::new(Instant::now())),
            Style::Auto | Style::Never => Shown::Nothing,
        };
        Self { counters, shown }
    }

    /// Counts for others, and shows nothing.
    pub(crate) fn watched(counters: &Arc<Counters>, of: usize) -> Self {
        counters.of.store(of as u64, Ordering::Relaxed);
        Self { counters: counters.clone(), shown: Shown::Nothing }
    }

    /// An error if the run was stopped.
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        self.counters.go_on()
    }

    /// Counts bytes.
    pub(crate) fn bytes(&self, more: u64) {
        let bytes = self.counters.bytes.fetch_add(more, Ordering::Relaxed) + more;
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.set_position(bytes),
            Shown::Json(due) => {
                // Whoever finds the lock taken knows that a line is just being written.
                if let Ok(mut due) = due.try_lock()
                    && Instant::now() >= *due
                {
                    *due = Instant::now() + INTERVAL;
                    self.line();
                }
            }
        }
    }

    /// Counts a file. It is `guarded` if a writer would have been noticed.
    pub(crate) fn file(&self, guarded: bool) {
        if !guarded {
            self.counters.unguarded.fetch_add(1, Ordering::Relaxed);
        }
        let files = self.counters.files.fetch_add(1, Ordering::Relaxed) + 1;
        if let Shown::Bar(bar) = &self.shown {
            bar.set_message(format!("{files}/{} files", self.counters.of()));
        }
    }

    /// Files that were read unguarded.
    pub(crate) fn unguarded(&self) -> u64 {
        self.counters.unguarded()
    }

    /// Runs something that prints, with the bar out of the way.
    pub(crate) fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(print),
            _ => print(),
        }
    }

    /// Shows the last figures, or takes the bar away; returns the number of bytes.
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

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
    let style = ProgressStyle::with_template("{spinner} {msg}  {bytes} read  {bytes_per_sec}  {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar
}
