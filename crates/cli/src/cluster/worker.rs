//! What a worker does: reads and hashes what a task says, and seals the result.
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use carryless_aead::file_mac::{Algorithm, FileMac, PART, Part, Stream, Subject};
use carryless_hash::Tag;
use zeroize::Zeroizing;

use super::seal::{RunId, Seal};
use super::task::{Listed, Task};
use crate::beneath::Tree;
use crate::progress::{Counters, Progress};
use crate::read::{ReadError, Reader};
use crate::scope::Scope;
use crate::tree::Key;

/// The bytes of a part.
pub const PART_BYTES: usize = PART;

/// What a worker keeps for a run: the keys, and what the run covers.
pub struct Worker {
    mac: FileMac,
    seal: Seal,
    scope: Scope,
}

impl Worker {
    /// The worker of a run of [`Session`](super::Session), by its id, algorithm and scope.
    ///
    /// # Errors
    /// If the scope is none.
    pub fn new(key: &Key, algorithm: Algorithm, run: &RunId, scope: &str) -> Result<Self> {
        Ok(Worker {
            mac: FileMac::new(algorithm, Subject::File, &key.master),
            seal: Seal::new(&key.master, run),
            scope: Scope::from_lines(scope.lines())?,
        })
    }

    /// Reads files below a folder, which the worker's own file system has, 2^20 bytes at a time. What cannot be read is in the result.
    ///
    /// # Errors
    /// If the bytes are no task, or there is no such folder.
    pub fn read_files(&self, base: &Path, task: &[u8]) -> Result<Vec<u8>> {
        let Task { index, objects, parts } = Task::from_bytes(task)?;
        let progress = Progress::watched(&Arc::new(Counters::default()), objects.len());
        let reader = Reader::new(Tree::open(base, &self.scope)?, &self.mac, false, &progress);
        let mut results = Results::new(&objects, parts.as_ref());
        for Listed { name, identity, .. } in &objects {
            let outcome = match &parts {
                None => reader.tag_listed(name, identity).map(|tag| results.tag(&tag)),
                Some(parts) => reader.parts_listed(name, identity, parts.clone(), |part| results.part(part)),
            };
            if let Err(error) = outcome {
                results.failure(&error.to_string());
            }
        }
        self.seal.seal(index, task, &results.bytes)
    }

    /// Begins a task whose objects the caller reads.
    ///
    /// # Errors
    /// If the bytes are no task.
    pub fn begin(self: &Arc<Self>, task: &[u8]) -> Result<Reading> {
        let bytes = task.to_vec();
        let task = Task::from_bytes(task)?;
        let results = Results::new(&task.objects, task.parts.as_ref());
        let stream = self.mac.stream();
        Ok(Reading { worker: self.clone(), bytes, task, results, current: 0, read: 0, stream })
    }
}

/// A task under way: its objects one after the other, in pieces.
pub struct Reading {
    worker: Arc<Worker>,
    bytes: Vec<u8>,
    task: Task,
    results: Results,
    current: usize,
    /// Bytes of the current object, or of its parts, so far.
    read: u64,
    /// Of the current object, if objects are whole.
    stream: Stream,
}

impl Reading {
    /// The objects to be read.
    #[must_use]
    pub fn objects(&self) -> &[Listed] {
        &self.task.objects
    }

    /// Where reading begins in the object, and how many bytes there are to read: all of them, or those of some parts.
    #[must_use]
    pub fn range(&self) -> Option<(u64, u64)> {
        let parts = self.task.parts.as_ref()?;
        Some((parts.start * PART as u64, self.task.bytes()))
    }

    /// The next bytes of the current object. Of parts, a whole number of them, but at the end of the object.
    ///
    /// # Errors
    /// If parts are not whole, or there is no object left.
    pub fn update(&mut self, bytes: &[u8]) -> Result<()> {
        ensure!(self.current < self.task.objects.len(), "there is no object left to be read");
        match &self.task.parts {
            None => self.stream.update(bytes),
            Some(parts) => {
                ensure!(self.read.is_multiple_of(PART as u64), "bytes after a part that was not whole");
                let first = parts.start + self.read / PART as u64;
                let fit = bytes.len().div_ceil(PART) as u64 <= parts.end - first;
                ensure!(fit, "more bytes than there are to read");
                for (i, part) in bytes.chunks(PART).enumerate() {
                    self.results.part(&self.worker.mac.part(first + i as u64, part));
                }
            }
        }
        self.read += bytes.len() as u64;
        Ok(())
    }

    /// Ends the current object, which had this identity after it was read.
    ///
    /// # Errors
    /// If there is no object left.
    pub fn end(&mut self, identity: &[u8]) -> Result<()> {
        let object = self.task.objects.get(self.current).context("there is no object left to be read")?;
        let expected = self.range().map_or(object.size, |(_, length)| length);
        if self.read != expected || *identity != *object.identity {
            return self.fail(&ReadError::Changed.to_string());
        }
        if self.task.parts.is_none() {
            self.results.tag(&self.stream.tag());
        }
        self.next();
        Ok(())
    }

    /// The current object cannot be read, for this reason.
    ///
    /// # Errors
    /// If there is no object left.
    pub fn fail(&mut self, reason: &str) -> Result<()> {
        ensure!(self.current < self.task.objects.len(), "there is no object left to be read");
        self.results.failure(reason);
        self.next();
        Ok(())
    }

    fn next(&mut self) {
        self.stream.reset();
        (self.current, self.read) = (self.current + 1, 0);
    }

    /// The sealed result.
    ///
    /// # Errors
    /// If objects are left to be read.
    pub fn seal(self) -> Result<Vec<u8>> {
        let left = self.task.objects.len() - self.current;
        ensure!(left == 0, "{left} objects are left to be read");
        self.worker.seal.seal(self.task.index, &self.bytes, &self.results.bytes)
    }
}

/// The results of a task as bytes: for each object 0 and its tag or its parts, or 1, the length of a reason in 2 bytes, little-endian, and the reason.
struct Results {
    bytes: Zeroizing<Vec<u8>>,
    of_parts: bool,
}

const DONE: u8 = 0;
const FAILED: u8 = 1;
/// Characters of a reason.
const MOST_REASON: usize = 1000;

impl Results {
    /// None so far, with room for all parts, so that no copies of them stay behind.
    fn new(objects: &[Listed], parts: Option<&Range<u64>>) -> Self {
        let room = parts
            .map_or(objects.len() * 17, |parts| 1 + (parts.end - parts.start) as usize * Part::SECRET_BYTES);
        Results { bytes: Zeroizing::new(Vec::with_capacity(room)), of_parts: parts.is_some() }
    }

    fn tag(&mut self, tag: &Tag) {
        self.bytes.push(DONE);
        self.bytes.extend_from_slice(tag.as_bytes());
    }

    /// The next part of the only object.
    fn part(&mut self, part: &Part) {
        if self.bytes.is_empty() {
            self.bytes.push(DONE);
        }
        self.bytes.extend_from_slice(&part.to_secret_bytes()[..]);
    }

    fn failure(&mut self, reason: &str) {
        if self.of_parts {
            self.bytes.clear();
        }
        let reason: String = reason.chars().take(MOST_REASON).collect();
        self.bytes.push(FAILED);
        self.bytes.extend_from_slice(&(reason.len() as u16).to_le_bytes());
        self.bytes.extend_from_slice(reason.as_bytes());
    }
}

/// What became of an object.
pub(super) enum Outcome {
    Tag(Tag),
    Parts(Zeroizing<Vec<u8>>),
    Failed(String),
}

/// The outcomes of a task's objects.
pub(super) fn outcomes(task: &Task, result: &[u8]) -> Result<Vec<Outcome>> {
    let mut rest = result;
    let mut outcomes = Vec::with_capacity(task.objects.len());
    while !rest.is_empty() {
        let outcome = outcome(task, &mut rest).ok_or_else(|| anyhow!("a malformed result of a worker"))?;
        outcomes.push(outcome);
    }
    ensure!(
        outcomes.len() == task.objects.len(),
        "a worker's result for {} objects of {}",
        outcomes.len(),
        task.objects.len()
    );
    Ok(outcomes)
}

fn outcome(task: &Task, rest: &mut &[u8]) -> Option<Outcome> {
    let (first, after) = rest.split_first()?;
    let (outcome, after) = match (*first, &task.parts) {
        (FAILED, _) => {
            let (length, after) = after.split_first_chunk()?;
            let (reason, after) = after.split_at_checked(u16::from_le_bytes(*length).into())?;
            (Outcome::Failed(String::from_utf8_lossy(reason).into_owned()), after)
        }
        (DONE, None) => {
            let (tag, after) = after.split_first_chunk::<16>()?;
            (Outcome::Tag(Tag::from(*tag)), after)
        }
        (DONE, Some(parts)) => {
            let length = usize::try_from(parts.end - parts.start).ok()? * Part::SECRET_BYTES;
            let (parts, after) = after.split_at_checked(length)?;
            (Outcome::Parts(Zeroizing::new(parts.to_vec())), after)
        }
        _ => return None,
    };
    *rest = after;
    Some(outcome)
}
