//! Which changes an update accepts: named ones, all, or those that somebody chooses on a terminal.
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use anyhow::{Result, bail, ensure};

use crate::date::utc;
use crate::manifest::Body;
use crate::name::{escape, printable};
use crate::part::Part;
use crate::verdict::Status;

/// A change that may be accepted.
pub(super) struct Change<'a> {
    /// The name that reports have: the new one, if the file has two.
    pub(super) name: &'a [u8],
    /// The recorded name of what was moved or copied.
    pub(super) from: Option<&'a [u8]>,
    pub(super) status: Status,
    pub(super) recorded: Option<&'a Body>,
    pub(super) now: Option<&'a Body>,
}

/// Decides which changes are accepted: by their names, or by asking.
pub(super) struct Choice {
    /// Where changes may be accepted. `None` means nowhere.
    part: Option<Part>,
    ask: bool,
    /// Decisions about files with two names: they are asked for at the first of them and hold for both.
    made: BTreeMap<Vec<u8>, bool>,
}

impl Choice {
    /// Accepts changes in `part`, or asks about each if `ask`.
    ///
    /// Fails if nobody can answer.
    pub(super) fn new(part: Option<Part>, ask: bool) -> Result<Self> {
        let terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        ensure!(!ask || terminal, "--interactive needs a terminal as standard input and standard error");
        Ok(Self { part, ask, made: BTreeMap::new() })
    }

    /// Returns whether a change is accepted. A file that was moved is accepted whole, by either name.
    ///
    /// Fails if the user wants to stop.
    pub(super) fn accepts(&mut self, change: &Change<'_>) -> Result<bool> {
        let Some(part) = &self.part else { return Ok(false) };
        let moved = matches!(change.status, Status::Moved | Status::MovedAndEdited);
        let by_old_name = change.from.filter(|_| moved).is_some_and(|name| part.contains(name));
        if !part.contains(change.name) && !by_old_name {
            return Ok(false);
        }
        if let Some(made) = self.made.get(change.name) {
            return Ok(*made);
        }
        if !self.ask {
            return Ok(true);
        }
        let accepted = self.answer(change)?;
        if moved {
            self.made.insert(change.name.to_vec(), accepted);
        }
        Ok(accepted)
    }

    /// Asks until there is an answer.
    fn answer(&mut self, change: &Change<'_>) -> Result<bool> {
        let mut error = io::stderr();
        // Names may come from others, and their control characters could forge the question.
        let what = printable(&question(change));
        loop {
            // Standard error is a terminal; if it is gone, so is the answer.
            let _ = write!(error, "{what}\naccept? y(es), n(o), a(ll that follow), q(uit): ");
            let _ = error.flush();
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line)?;
            match line.trim() {
                "y" | "yes" => return Ok(true),
                "n" | "no" => return Ok(false),
                "a" | "all" => {
                    self.ask = false;
                    return Ok(true);
                }
                "q" | "quit" => bail!("stopped: the manifest stays as it is"),
                _ if read == 0 => bail!("no answer: the manifest stays as it is"),
                _ => {}
            }
        }
    }
}

/// Returns a change in words: the verdict, and what was and is there.
fn question(change: &Change<'_>) -> String {
    let (name, word) = (escape(change.name), change.status.word());
    let (was, is) = (describe(change.recorded), describe(change.now));
    match change.from {
        Some(from) => format!("{name}: {word} from {}: now {is}", escape(from)),
        None => format!("{name}: {word}: recorded {was}, now {is}"),
    }
}

/// Returns size and time of a file, or the target of a link.
fn describe(body: Option<&Body>) -> String {
    match body {
        None => "nothing".into(),
        Some(Body::Error) => "an error".into(),
        Some(Body::Link(target)) => format!("a link to {}", escape(target)),
        Some(Body::File(content, about)) => {
            let of = about.modified().map(|moment| format!(" of {}", utc(moment.seconds)));
            format!("{} bytes{}", content.size, of.unwrap_or_default())
        }
    }
}
