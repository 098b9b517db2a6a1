//! Compares the records of a manifest with the file system.
mod unlisted;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use rayon::prelude::*;

use crate::about::{About, Metadata};
use crate::chain::History;
use crate::checks::{Check, pair};
use crate::date::Date;
use crate::manifest::{Body, Header, Record};
use crate::moves::{Entry, Moves};
use crate::part::Part;
use crate::read::{Content, Reader, Seen};
use crate::read_error::ReadError;
use crate::scope::Specials;
use crate::system::{self, Special};
use crate::threads::BATCH;
use crate::verdict::{Class, Found, Other, Status, Verdict, difference, edited};
use crate::walk::{Kind, Walked};

/// The error about a PATH that names nothing.
pub(crate) const UNKNOWN: &str = "neither in the manifest nor among the files that it covers";

/// How much of the file system a comparison reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Files of the recorded size, and new files that may have been moved.
    Verify,
    /// As before, but copies are of no interest.
    WithoutCopies,
    /// Every file, so that it can be recorded.
    All,
    /// Every file but those whose size, times and inode are as recorded, and which changed well before the manifest's date.
    Changed,
}

impl Effort {
    /// Returns whether files are read although their verdict needs no reading.
    fn records(self) -> bool {
        matches!(self, Self::All | Self::Changed)
    }
}

/// Compares records with the file system.
pub(crate) struct Judge<'a> {
    pub(crate) reader: Reader<'a>,
    specials: Specials,
    /// How much the manifest records about files.
    metadata: Metadata,
    /// The date of the manifest: when reading began.
    date: Option<Date>,
    /// Whether the walk listed every folder. If not, an unlisted file need not be missing.
    walk_was_whole: bool,
    /// Whether the walk leaves out names by something that may have changed since: `.gitignore` files, mounts.
    hides: bool,
    effort: Effort,
    /// Earlier manifests, by which a file of today is found to be older.
    history: History,
}

/// Examines, in parallel, everything in `part` that is recorded or that the walk found. All records must lie
/// in `part`.
///
/// Passes the results to `take`, each with what is recorded: first paths that name nothing and errors of the walk,
/// then all others by name.
pub(crate) fn inspect(
    records: &[Record<'_>],
    part: &Part,
    walked: Walked,
    judge: &Judge<'_>,
    pool: &rayon::ThreadPool,
    mut take: impl FnMut(&[u8], Option<&Body>, Verdict) -> Result<()>,
) -> Result<()> {
    let checks = pair(records, &walked.items);
    // A PATH that names nothing is most likely a mistake, and must not pass as verified.
    let unread = walked.errors.iter().map(|(name, _)| name.as_slice());
    for path in part.without(checks.iter().map(Check::name).chain(unread)) {
        take(path, None, Verdict::error(UNKNOWN))?;
    }
    // What is recorded as an error and is one again has one verdict, in its place below.
    let is_error = |name: &[u8]| {
        let at = records.binary_search_by(|record| record.name.as_ref().cmp(name));
        at.is_ok_and(|at| records[at].is_error())
    };
    let (again, errors): (Vec<_>, Vec<_>) = walked.errors.into_iter().partition(|(name, _)| is_error(name));
    let again: BTreeMap<Vec<u8>, String> = again.into_iter().collect();
    for (name, reason) in errors {
        take(&name, None, Verdict::error(reason))?;
    }
    let progress = judge.reader.progress();
    // Each size is parsed, which takes time.
    let bytes = if progress.shows_total() { checks.iter().map(Check::bytes).sum() } else { 0 };
    progress.start(checks.len(), bytes);
    let new = pool.install(|| judge.examine_new(&checks));
    let moves = pool.install(|| judge.moves(&checks, &new));
    for batch in checks.chunks(BATCH) {
        // In parallel within a batch only: `take` gets the results in order, on this thread.
        let examine = |check: &Check<'_>| {
            let recorded = check.record.map(Record::body);
            (judge.examine(check, recorded.as_ref(), &moves), recorded)
        };
        let found: Vec<_> = pool.install(|| batch.par_iter().map(examine).collect());
        for (check, (found, recorded)) in batch.iter().zip(found) {
            if let Some(mut verdict) = found {
                // Of a file with two names, both verdicts tell what it is now.
                let name = match &verdict.other {
                    Some(Other::To(name)) => name,
                    _ => check.name(),
                };
                let at = new.binary_search_by(|new| new.name.cmp(name));
                if let Some(reason) = again.get(name) {
                    verdict = Verdict::error(reason);
                }
                match at.ok().map(|at| &new[at]) {
                    Some(New { error: Some(error), .. }) => verdict = Verdict::error(error.to_string()),
                    Some(New { body, .. }) if verdict.now.is_none() => verdict.now = body.clone(),
                    _ => {}
                }
                take(check.name(), recorded.as_ref(), verdict)?;
            }
        }
    }
    Ok(())
}

/// A name without a record, as it was found.
pub(crate) struct New<'a> {
    name: &'a [u8],
    /// What was read. `None` if reading was not needed, or failed.
    body: Option<Body>,
    about: Option<About>,
    error: Option<ReadError>,
}

impl<'a> New<'a> {
    fn entry(&self) -> Entry<'a, '_> {
        let inode = self.about.and_then(|about| about.inode());
        Entry { name: self.name, body: self.body.as_ref(), inode }
    }
}

impl<'a> Judge<'a> {
    /// Creates a judge that verifies files by a manifest with this header.
    pub(crate) fn new(reader: Reader<'a>, header: &Header, walk_was_whole: bool) -> Self {
        let (specials, metadata) = (header.scope.specials, header.metadata());
        let date = header.edition.as_ref().map(|edition| edition.date);
        let hides = header.scope.gitignore || header.scope.one_file_system;
        Self {
            reader,
            specials,
            metadata,
            date,
            walk_was_whole,
            hides,
            effort: Effort::Verify,
            history: History::default(),
        }
    }

    /// Sets how much is read.
    pub(crate) fn effort(self, effort: Effort) -> Self {
        Self { effort, ..self }
    }

    /// Sets the earlier manifests by which a file is found to be older. Without this there are none.
    pub(crate) fn history(self, history: History) -> Self {
        Self { history, ..self }
    }

    /// Examines all files and links without a record, in order. Reads files that may have an old name, by their size.
    fn examine_new<'c>(&self, checks: &[Check<'c>]) -> Vec<New<'c>> {
        let new: Vec<_> = checks.iter().filter_map(|check| Some((check.name(), check.new_kind()?))).collect();
        if new.is_empty() {
            return Vec::new();
        }
        let mut sizes: Vec<u64> = checks.iter().filter_map(|check| self.size_of_interest(check)).collect();
        // Sorted for the binary search, as every new file asks.
        sizes.sort_unstable();
        sizes.dedup();
        let wanted = |seen: &Seen| {
            let wanted = self.effort.records() || sizes.binary_search(&seen.size).is_ok();
            self.reader.progress().correct(0, if wanted { seen.size } else { 0 });
            wanted
        };
        let examine = |(name, kind): &(&'c [u8], Kind)| {
            let found = match kind {
                Kind::Link => self.reader.tree().target(name).map(|target| (Some(Body::Link(target)), None)),
                Kind::File => self
                    .reader
                    .look(name, wanted)
                    .map(|seen| (seen.content().map(|content| self.body(content, &seen)), Some(seen.about))),
                Kind::Special(_) => Ok((None, None)),
            };
            // A file that cannot be read is new without doubt. Only those that are recorded need to be read.
            let (found, error) = match found {
                Ok(found) => (found, None),
                Err(error) => ((None, None), Some(error).filter(|_| self.effort.records())),
            };
            New { name, body: found.0, about: found.1, error }
        };
        new.par_iter().map(examine).collect()
    }

    /// Returns the size that a new file must have if it was this one before, or is a copy of it.
    fn size_of_interest(&self, check: &Check<'_>) -> Option<u64> {
        let size = check.record?.size()?;
        let copies = self.effort != Effort::WithoutCopies && size > 0;
        (check.item.is_none() || copies).then_some(size)
    }

    /// Finds out which new names are recorded files.
    fn moves<'c>(&self, checks: &[Check<'c>], new: &'c [New<'c>]) -> Moves<'c> {
        // In a folder that could not be listed, files are unknown and not gone.
        if new.is_empty() || !self.walk_was_whole {
            return Moves::default();
        }
        let recorded = |check: &Check<'c>| check.record.map(|record| (record.name.as_ref(), record.body()));
        let (gone, present): (Vec<_>, Vec<_>) =
            checks.iter().filter(|check| check.record.is_some()).partition(|check| check.item.is_none());
        // A name that still leads to something is not gone, whatever became of the contents.
        let is_gone = |(name, body): &(&[u8], Body)| self.still(name, body).is_none();
        let gone: Vec<_> = gone.into_par_iter().filter_map(recorded).filter(is_gone).collect();
        let gone: Vec<_> = gone.iter().map(Entry::of).collect();
        let come: Vec<_> = new.iter().map(New::entry).collect();
        let mut moves = Moves::find(&gone, &come, |old, new| self.is_same_file(old, new));
        if self.effort != Effort::WithoutCopies {
            let is_file = |check: &&Check<'c>| check.item.is_some_and(|item| item.kind == Kind::File);
            // Only these can have the contents of a new file.
            let sizes: BTreeSet<_> = new.iter().filter_map(|new| Some(new.body.as_ref()?.size())).collect();
            let has_size = |check: &&Check<'c>| {
                check.record.and_then(Record::size).is_some_and(|size| sizes.contains(&size))
            };
            let present: Vec<_> =
                present.into_iter().filter(is_file).filter(has_size).filter_map(recorded).collect();
            moves.add_copies(&come, present.iter().map(Entry::of), |entry| self.has_contents(entry));
        }
        moves
    }

    /// Returns whether a file still has its recorded contents. It is read only if times or inode are others.
    fn has_contents(&self, recorded: &Entry<'_, '_>) -> bool {
        let Some(Body::File(content, about)) = recorded.body else { return false };
        let unchanged = |seen: &Seen| about.same_state(&seen.about);
        let read = |seen: &Seen| seen.size == content.size && !unchanged(seen);
        self.reader.look(recorded.name, read).is_ok_and(|seen| {
            seen.size == content.size
                && seen.content().map_or_else(|| unchanged(&seen), |now| now == *content)
        })
    }

    /// Returns whether a new file with the inode of a missing one is that file. Inodes are used again, but a file made
    /// later was not there when the other was recorded.
    fn is_same_file(&self, old: &Entry<'_, '_>, new: &Entry<'_, '_>) -> bool {
        let Some(Body::File(_, about)) = old.body else { return false };
        self.reader.tree().born(new.name).is_some_and(|born| about.is_not_before(born))
    }

    /// Compares one name, and counts it as done.
    fn examine(&self, check: &Check<'_>, recorded: Option<&Body>, moves: &Moves<'_>) -> Found {
        let found = self.look(check, recorded, moves);
        self.reader.progress().done();
        found
    }

    /// Compares one name with what is recorded of it, reading its file if needed.
    pub(crate) fn look(&self, check: &Check<'_>, recorded: Option<&Body>, moves: &Moves<'_>) -> Found {
        let name = check.name();
        let compared = match (recorded, check.item.map(|item| item.kind)) {
            (None, Some(Kind::Special(_))) if self.specials == Specials::Skip => return None,
            (None, Some(Kind::Special(what))) => Ok(Verdict::error(unread(what))),
            (None, _) => Ok(match moves.from(name) {
                None => Verdict::of(Status::New, None),
                Some((status, old)) => {
                    Verdict { other: Some(Other::From(old.to_vec())), ..Verdict::of(status, None) }
                }
            }),
            (Some(recorded), None) => match moves.to(name) {
                None => self.unlisted(name, recorded),
                Some((status, new)) => {
                    Ok(Verdict { other: Some(Other::To(new.to_vec())), ..Verdict::of(status, None) })
                }
            },
            (Some(recorded), Some(kind)) => self.compare(name, recorded, kind),
        };
        Some(compared.unwrap_or_else(|failure| Verdict::error(failure.to_string())))
    }

    /// Compares a record with what has its name. A file of another size is not read, unless somebody wants to know.
    fn compare(&self, name: &[u8], recorded: &Body, kind: Kind) -> Result<Verdict, ReadError> {
        match (recorded, kind) {
            (Body::File(content, about), Kind::File) => self.file(name, recorded, *content, about),
            (Body::Link(_), Kind::Link) => {
                let now = Body::Link(self.reader.tree().target(name)?);
                let status = self.difference(name, recorded, &now);
                Ok(Verdict::of(status, Some(now)))
            }
            (Body::Error, Kind::Special(what)) => Ok(Verdict::error(unread(what))),
            // What `tag` refuses cannot be recorded.
            (_, Kind::Special(what)) if self.effort.records() && self.specials == Specials::Refuse => {
                Ok(Verdict::error(unread(what)))
            }
            (Body::Error, _) => Ok(Verdict::unread(self.now(name, kind)?)),
            // Another kind than the recorded one, such as a link in the place of a file.
            _ => Ok(Verdict::of(Status::Kind, self.now(name, kind)?)),
        }
    }

    /// Compares a file with its record.
    fn file(
        &self,
        name: &[u8],
        recorded: &Body,
        content: Content,
        about: &About,
    ) -> Result<Verdict, ReadError> {
        if self.effort == Effort::Changed
            && let Ok(now) = self.reader.tree().state(name)
            && (now.kind, now.size) == (system::Kind::File, content.size)
            && about.same_state(&About::of(&now))
            && self.date.is_some_and(|date| about.is_settled(date))
        {
            self.reader.progress().go_on()?;
            self.reader.progress().correct(content.size, 0);
            let now = Body::File(content, About::of(&now).at(self.metadata));
            return Ok(Verdict::of(Status::Ok, Some(now)));
        }
        let seen = self.reader.look(name, |seen| {
            let same_size = seen.size == content.size;
            let wanted = same_size || self.effort.records() || self.history.has_size(name, seen.size);
            self.reader.progress().correct(content.size, if wanted { seen.size } else { 0 });
            wanted
        })?;
        let now = seen.content().map(|content| self.body(content, &seen));
        // A file of another size that was not read has other contents.
        let status = now.as_ref().map_or(edited(self.metadata), |now| self.difference(name, recorded, now));
        Ok(Verdict::of(status, now))
    }

    /// Returns how a name differs from its record and from the history.
    fn difference(&self, name: &[u8], recorded: &Body, now: &Body) -> Status {
        match difference(recorded, now, self.metadata) {
            status if status.class() == Class::Changed && !recorded.same_contents(now) => {
                if self.history.has(name, now) { Status::Older } else { status }
            }
            status => status,
        }
    }

    /// Returns what a name is now, if that is to be recorded.
    fn now(&self, name: &[u8], kind: Kind) -> Result<Option<Body>, ReadError> {
        if !self.effort.records() {
            return Ok(None);
        }
        Ok(match kind {
            Kind::Link => Some(Body::Link(self.reader.tree().target(name)?)),
            Kind::File => {
                let seen = self.reader.look(name, |_| true)?;
                seen.content().map(|content| self.body(content, &seen))
            }
            Kind::Special(_) => None,
        })
    }

    fn body(&self, content: Content, seen: &Seen) -> Body {
        Body::File(content, seen.about.at(self.metadata))
    }
}

/// Returns the reason why a special file has an error: it is never opened.
pub(crate) fn unread(what: Special) -> String {
    format!("{}, not read (see --skip-special)", what.words())
}
