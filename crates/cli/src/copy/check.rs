//! The verification of a copy, and its manifest.
use std::collections::BTreeMap;

use anyhow::{Result, bail};

use super::destination::{OTHER, is_incomplete};
use super::files::Copied;
use crate::counts::Counts;
use crate::exit::{Exit, Failure, complain};
use crate::mac::Keys;
use crate::manifest::{Body, Header, Writer};
use crate::name::{escape, hex};
use crate::progress::Progress;
use crate::report::Report;
use crate::verdict::{Class, Status, Verdict};
use crate::writers;

/// The message about what looks like an incomplete copy. One that the source does not have may be a file of the user.
const INCOMPLETE: &str = "temporary file of a copy that was killed or still runs, not removed";

/// A verification in progress, with its report.
pub(super) struct Session {
    keep_going: bool,
    /// Whether also names without differences are reported.
    reports_all: bool,
    json: bool,
    report: Report,
    pub(super) counts: Counts,
    /// What the manifest is to record.
    bodies: BTreeMap<Vec<u8>, Body>,
    /// Number of files that were read without a lease.
    pub(super) unguarded: u64,
}

impl Session {
    pub(super) fn new(keep_going: bool, report: Report, json: bool) -> Self {
        let (counts, bodies) = (Counts::default(), BTreeMap::new());
        Self { keep_going, reports_all: json, json, report, counts, bodies, unguarded: 0 }
    }

    /// Reports all names that were not copied.
    pub(super) fn report_failed(&mut self, failed: &BTreeMap<Vec<u8>, String>) -> Result<()> {
        failed.iter().try_for_each(|(name, reason)| self.add(name, &Verdict::error(reason)))
    }

    /// Takes a failure that comes after the verification.
    pub(super) fn fail(&mut self, copied: &mut Copied, name: Vec<u8>, reason: String) -> Result<()> {
        self.add(&name, &Verdict::error(&reason))?;
        copied.failed.insert(name, reason);
        Ok(())
    }

    /// Ends before anything is copied: these names cannot be.
    pub(super) fn stop(mut self, errors: Vec<(Vec<u8>, String)>) -> Result<Exit> {
        self.report_failed(&errors.into_iter().collect())?;
        if self.json {
            self.report.json(&Failure { error: "nothing copied" })?;
        }
        self.report.flush()?;
        Ok(Exit::Trouble)
    }

    /// Takes the verdict about a name of the copy.
    pub(super) fn take(
        &mut self,
        copied: &Copied,
        name: &[u8],
        mut verdict: Verdict,
        progress: &Progress,
    ) -> Result<()> {
        // Of a file with two names only the new one is reported. What was not copied has been reported.
        if verdict.is_elsewhere() || copied.failed.contains_key(name) {
            return Ok(());
        }
        if verdict.status.class() == Class::Changed && copied.existed(name) {
            verdict = Verdict::error(OTHER);
        } else if verdict.status == Status::Edited {
            // Nobody edited it: the disk returns other bytes than those written.
            verdict.status = Status::Changed;
        }
        let is_new_file = verdict.status.class() == Class::New && matches!(verdict.now, Some(Body::File(..)));
        if is_new_file && is_incomplete(name) {
            verdict.message = Some(INCOMPLETE.into());
        }
        if let (Status::Ok, Some(now)) = (verdict.status, verdict.now.take()) {
            self.bodies.insert(name.to_vec(), now);
        }
        progress.aside(|| self.add(name, &verdict))
    }

    fn add(&mut self, name: &[u8], verdict: &Verdict) -> Result<()> {
        self.counts.add(verdict.status);
        if let Some(message) = &verdict.message {
            complain(&format!("{}: {message}", escape(name)));
        }
        if verdict.status == Status::Ok && !self.reports_all {
            return Ok(());
        }
        self.report.verdict(name, verdict)
    }

    /// Writes the manifest, unless something is not as in the source, and returns the exit status.
    pub(super) fn finish(
        mut self,
        quiet: bool,
        copied: &Copied,
        writer: Writer,
        header: &Header,
        why_first: Option<&str>,
        keys: &Keys,
    ) -> Result<Exit> {
        let all = copied.records.len() + copied.failed.len();
        let failed = all - self.bodies.len();
        let is_written = failed == 0 || self.keep_going;
        if is_written {
            self.write(copied, writer)?;
        }
        if self.json {
            self.report.json(&self.counts.json(header.edition.as_ref().filter(|_| is_written)))?;
        }
        self.report.flush()?;
        why_first.into_iter().filter(|_| is_written).for_each(complain);
        if !quiet {
            writers::warning(self.unguarded).iter().for_each(|warning| complain(warning));
            let (text, there, read) = (self.counts.text(), copied.existed.len(), self.counts.bytes);
            complain(&format!("{text}; {there} there before; {read} bytes read, key id {}", hex(&keys.id.0)));
        }
        let stopped = format!(
            "no manifest written: {failed} of {all} files are not as in the source (see --keep-going)"
        );
        match (self.counts.class(Class::Error), self.counts.wrong(false, false)) {
            (0, 0) => return Ok(Exit::Good),
            (0, _) if is_written => return Ok(Exit::Mismatch),
            (0, _) => complain(&stopped),
            _ if is_written => {
                if failed == 0 {
                    complain("the manifest is written: these errors are of names that the source lacks");
                }
                return Ok(Exit::Trouble);
            }
            _ => bail!(stopped),
        }
        Ok(Exit::Mismatch)
    }

    /// Writes the records in order. What is not as in the source is recorded as an error.
    fn write(&mut self, copied: &Copied, mut writer: Writer) -> Result<()> {
        let names = copied.records.iter().map(|record| record.name.to_vec());
        for name in names.chain(copied.failed.keys().cloned()) {
            self.bodies.entry(name).or_insert(Body::Error);
        }
        self.bodies.iter().try_for_each(|(name, body)| writer.record(name, body))?;
        writer.finish()
    }
}
