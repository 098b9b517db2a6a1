//! The names of a run: what becomes of each, in the manifest or as a finding.
use anyhow::{Result, bail};

use super::join::Joining;
use super::task::Listed;
use crate::about::About;
use crate::checks::Check;
use crate::manifest::{Body, Writer};
use crate::name::escape;
use crate::read::Content;
use crate::tree::{Failures, Finding, failure};
use crate::verdict::{Found, Status, Verdict};

/// A name of the run, with what is known about it.
pub(super) enum Row {
    /// A link, to be recorded with its target.
    Link(Box<[u8]>, Vec<u8>),
    /// A name whose result is known without reading.
    Found(Box<[u8]>, Found),
    /// An object to be read, by its number, with its record when verifying.
    Read(usize, Option<Content>),
}

/// Writes the manifest of all rows. Fails if anything could not be read.
pub(super) fn write(mut writer: Writer, rows: &[Row], objects: &[Listed], joining: &Joining) -> Result<()> {
    let mut failures = Failures(Vec::new());
    for row in rows {
        match row {
            Row::Link(name, target) => writer.record(name, &Body::Link(target.clone()))?,
            // A run that tags has no such rows: anything that cannot be listed stops it.
            Row::Found(..) => {}
            Row::Read(object, _) => {
                let Listed { name, size, .. } = &objects[*object];
                match &joining.tagged[*object] {
                    Some(Ok(tag)) => {
                        let (size, tag) = (*size, *tag);
                        writer.record(name, &Body::File(Content { size, tag }, About::NOTHING))?;
                    }
                    Some(Err(reason)) => failures.0.push(failure(name, reason)),
                    None => bail!("the results of {} are missing", escape(name)),
                }
            }
        }
    }
    failures.check()?;
    writer.finish()
}

/// Returns the finding about a name, or `None` if the scope leaves it out.
pub(super) fn finding(row: Row, objects: &[Listed], joining: &Joining) -> Option<Finding> {
    let (name, found) = match row {
        Row::Link(..) => return None,
        Row::Found(name, found) => (name, found),
        Row::Read(object, recorded) => {
            let Listed { name, size, .. } = &objects[object];
            let found = match &joining.tagged[object] {
                Some(Ok(tag)) if recorded == Some(Content { size: *size, tag: *tag }) => found(Status::Ok),
                Some(Ok(_)) => found(Status::Changed),
                Some(Err(reason)) => Some(Verdict::error(reason.clone())),
                None => Some(Verdict::error("its results are missing")),
            };
            (name.clone(), found)
        }
    };
    Finding::new(&name, found?)
}

/// Returns the verdict of this status, without more words.
pub(super) fn found(status: Status) -> Found {
    Some(Verdict::of(status, None))
}

/// Judges a name without a file system, where [`Judge::look`] would use one: an object exists or does not.
pub(super) fn without_reading(check: &Check<'_>) -> Found {
    match (check.record, check.item) {
        (Some(record), Some(_)) if record.is_error() => Some(Verdict::unread(None)),
        (Some(_), Some(_)) => found(Status::Changed),
        (Some(_), None) => found(Status::Missing),
        (None, _) => found(Status::New),
    }
}
