//! The worker's side: reads and hashes what a task says, and seals the result.
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use carryless_aead::file_mac::{Algorithm, FileMac, PART, Stream, Subject};

use super::results::Results;
use super::seal::{RunId, Seal};
use super::task::{Listed, Task};
use crate::key::Key;
use crate::mac::boxed;
use crate::open_below::Tree;
use crate::progress::{Counters, Progress};
use crate::read::Reader;
use crate::read_error::ReadError;
use crate::scope::Scope;

/// Number of bytes in a part of an object, except the last: 2^20.
pub const PART_BYTES: usize = PART;

/// The keys and the scope of a run, as its workers need them.
pub struct Worker {
    mac: Box<FileMac>,
    seal: Seal,
    scope: Scope,
}

impl Worker {
    /// Creates the worker of a run, given the id, the algorithm and the scope of its [`Session`](super::Session).
    ///
    /// # Errors
    /// If the scope is not valid.
    pub fn new(key: &Key, algorithm: Algorithm, run: &RunId, scope: &str) -> Result<Self> {
        Ok(Worker {
            mac: boxed(|| FileMac::new(algorithm, Subject::File, &key.master)),
            seal: Seal::new(&key.master, run),
            scope: Scope::from_lines(scope.lines())?,
        })
    }

    /// Reads files below `base` in the worker's file system, 2^20 bytes at a time. Returns the sealed result,
    /// which also says what could not be read.
    ///
    /// # Errors
    /// If the bytes are no task of this run, or of another version of the format, or if the folder cannot be opened.
    pub fn read_files(&self, base: &Path, task: &[u8]) -> Result<Vec<u8>> {
        let task = self.seal.open_task(task)?;
        let Task { index, objects, parts } = Task::from_bytes(&task)?;
        let progress = Progress::watched(&Arc::new(Counters::default()));
        let reader = Reader::new(Tree::open(base, &self.scope)?, &self.mac, false, &progress);
        // One object after the other, by this thread: the scheduler runs several workers side by side.
        let mut results = Results::new(objects.len(), parts.is_some());
        for Listed { name, size, identity } in &objects {
            let outcome = match &parts {
                // The parts of a file follow from its listed size. The identity begins with the size
                // (`read::Moment`), so both must agree.
                _ if !identity.starts_with(&size.to_le_bytes()) => Err(ReadError::Changed),
                None => reader.tag_listed(name, identity).map(|tag| results.tag(&tag)),
                Some(parts) => reader.parts_listed(name, identity, parts.clone(), |part| results.part(part)),
            };
            if let Err(error) = outcome {
                results.failure(&error.to_string());
            }
        }
        // The result is bound to the bytes of the task, so it cannot pass for the result of a different task.
        self.seal.seal(index, &task, &results.bytes)
    }

    /// Begins a task whose objects the caller reads. Memory is proportional to the length of the task, and
    /// later to what has been read.
    ///
    /// # Errors
    /// If the bytes are no task of this run, or of another version of the format.
    pub fn begin(self: &Arc<Self>, task: &[u8]) -> Result<Reading> {
        let bytes = self.seal.open_task(task)?;
        let task = Task::from_bytes(&bytes)?;
        // The room for tags is proportional to the task, which the client has sealed.
        let results = Results::new(task.objects.len(), task.parts.is_some());
        let stream = self.mac.stream();
        Ok(Reading { worker: self.clone(), bytes, task, results, current: 0, read: 0, stream })
    }
}

/// A task in progress. The caller passes its objects one after the other, in pieces.
pub struct Reading {
    worker: Arc<Worker>,
    /// The encoded task, to which the result is bound.
    bytes: Vec<u8>,
    task: Task,
    results: Results,
    current: usize,
    /// Number of bytes read so far of the current object or of its parts.
    read: u64,
    /// MAC of the current object, if objects are whole.
    stream: Stream,
}

impl Reading {
    /// Returns the objects to be read, in this order.
    #[must_use]
    pub fn objects(&self) -> &[Listed] {
        &self.task.objects
    }

    /// Returns offset and length in bytes of what must be read of the only object, if the task is for parts.
    /// `None` if objects are whole.
    #[must_use]
    pub fn range(&self) -> Option<(u64, u64)> {
        let parts = self.task.parts.as_ref()?;
        Some((parts.start * PART as u64, self.task.bytes()))
    }

    /// Returns the number of bytes reserved for the result.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(super) fn reserved(&self) -> usize {
        self.results.bytes.capacity()
    }

    /// Appends bytes of the current object. For parts, every call except the last of an object must pass
    /// a whole number of them.
    ///
    /// # Errors
    /// If there is no object left, more bytes than the task has, or bytes after an incomplete part.
    pub fn update(&mut self, bytes: &[u8]) -> Result<()> {
        ensure!(self.current < self.task.objects.len(), "there is no object left to be read");
        match &self.task.parts {
            None => self.stream.update(bytes),
            Some(parts) => {
                // A short part can only be the last one: more bytes would belong to the same part.
                ensure!(self.read.is_multiple_of(PART as u64), "bytes after a part that was not whole");
                let first = parts.start + self.read / PART as u64;
                // No underflow: earlier calls passed this check, so `first` is at most the end.
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

    /// Ends the current object. `identity` is the one it had after it was read; a different one, or a
    /// different length, makes the object a failure.
    ///
    /// # Errors
    /// If there is no object left.
    pub fn end(&mut self, identity: &[u8]) -> Result<()> {
        let object = self.task.objects.get(self.current).context("there is no object left to be read")?;
        let expected = self.range().map_or(object.size, |(_, length)| length);
        // The object changed after the listing or during the reading. Its tag would be of no consistent
        // state.
        if self.read != expected || *identity != *object.identity {
            return self.fail(&ReadError::Changed.to_string());
        }
        if self.task.parts.is_none() {
            self.results.tag(&self.stream.tag());
        }
        self.next();
        Ok(())
    }

    /// Ends the current object as a failure, for this reason.
    ///
    /// # Errors
    /// If there is no object left.
    pub fn fail(&mut self, reason: &str) -> Result<()> {
        ensure!(self.current < self.task.objects.len(), "there is no object left to be read");
        self.results.failure(reason);
        self.next();
        Ok(())
    }

    /// Proceeds to the next object.
    fn next(&mut self) {
        // A failed object may have left some of its bytes in the stream.
        self.stream.reset();
        (self.current, self.read) = (self.current + 1, 0);
    }

    /// Seals the result of the task.
    ///
    /// # Errors
    /// If objects are left to be read.
    pub fn seal(self) -> Result<Vec<u8>> {
        let left = self.task.objects.len() - self.current;
        ensure!(left == 0, "{left} objects are left to be read");
        self.worker.seal.seal(self.task.index, &self.bytes, &self.results.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::results::{Outcome, outcomes};
    use super::*;
    use crate::read::moment;
    use carryless_aead::file_mac::Part;

    const RUN: RunId = [3; 16];

    fn worker() -> Arc<Worker> {
        let scope = "symlinks record\nspecials refuse\ngitignore ignore\nroot .";
        Arc::new(Worker::new(&Key::new(&[7; 32]), Algorithm::default(), &RUN, scope).expect("a scope"))
    }

    fn task(size: u64, identity: &[u8], parts: Option<std::ops::Range<u64>>) -> Task {
        let only = Listed { name: b"a"[..].into(), size, identity: identity.into() };
        Task { index: 0, objects: vec![only], parts }
    }

    fn sealed(worker: &Worker, task: &Task) -> Vec<u8> {
        worker.seal.seal_task(&task.to_bytes()).expect("random numbers")
    }

    /// A task that claims many parts costs memory only for those that are read.
    #[test]
    fn claims_cost_nothing() {
        let worker = worker();
        for count in [1, 1 << 20] {
            let task = sealed(&worker, &task(1 << 50, b"i", Some(5..5 + count)));
            let mut reading = worker.begin(&task).expect("a task");
            assert_eq!(reading.range(), Some((5 << 20, count << 20)));
            assert_eq!(reading.reserved(), 0);
            reading.update(&vec![0; PART]).expect("a part");
            assert!(reading.reserved() < 1024);
            reading.fail("enough").expect("an object");
            let result = reading.seal().expect("complete");
            assert!(result.len() < 100);
        }
        for count in [(1 << 20) + 1, 1 << 30, 1 << 44] {
            let task = sealed(&worker, &task(u64::MAX, b"i", Some(0..count)));
            assert!(worker.begin(&task).is_err() && worker.read_files(Path::new("/"), &task).is_err());
        }
    }

    /// A file is not read if the size in the task differs from that in the identity.
    #[test]
    fn sizes_of_files_are_those_of_their_identities() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, vec![1; PART + 5]).expect("a file");
        let identity = moment(&crate::system::stat(&path).expect("about"));
        let worker = worker();
        for (size, parts, reason) in [
            (PART as u64 + 5, Some(0..2), None),
            (PART as u64 + 5, None, None),
            (1 << 50, Some(1 << 29..(1 << 29) + 1), Some("changed while it was read")),
            (1 << 40, None, Some("changed while it was read")),
            (2, None, Some("changed while it was read")),
        ] {
            let task = task(size, identity.as_flattened(), parts);
            let bytes = sealed(&worker, &task);
            let result = worker.read_files(folder.path(), &bytes).expect("a result");
            let result = worker.seal.open(&task.to_bytes(), &result).expect("of its task");
            let outcomes = outcomes(&task, &result).expect("a result");
            match (&outcomes[..], reason) {
                ([Outcome::Failed(found)], Some(reason)) => assert_eq!(found, reason),
                ([Outcome::Tag(tag)], None) => assert_eq!(*tag, worker.mac.tag(&vec![1; PART + 5])),
                ([Outcome::Parts(bytes)], None) => assert_eq!(bytes.len(), 2 * Part::SECRET_BYTES),
                _ => panic!("{size} {reason:?}"),
            }
        }
    }
}
