//! Reads files and computes their tags. One thread reads a small file in one call; several threads read a
//! large one.
//!
//! Reads are buffered and positioned, so that a shrinking file causes an error. A memory map would cause
//! SIGBUS; it is used only on request, for files that nobody changes.
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use carryless_aead::file_mac::{FileMac, PART, Part};
use carryless_filemap as filemap;
use carryless_hash::Tag;
use rayon::prelude::*;

use crate::about::About;
use crate::holes::Holes;
use crate::open_below::Tree;
use crate::progress::Progress;
use crate::read_error::ReadError;
use crate::system::{self, Kind, Stat};
use crate::writers::{Guard, Writer};

/// Bytes of each thread's buffer: a part of a large file, or all of a small file and one byte more.
const BUFFER: usize = PART + 1;
/// Number of parts whose hashes are held in memory at a time, for one file.
const BATCH: u64 = 4096;

/// Bytes that a copy writes by one call. Calls of 1 MiB took 1.6 times as long in a virtual machine that gives free
/// memory back to its host: Linux 6.18 allocates large folios for them (ext4, Zen 3, 2026-11-29).
const WRITE: usize = 128 << 10;

/// Alignment of buffers in memory. The kernel copies from whole pages, and on some CPUs (such as Zen 3) the
/// copy is five times slower to an address within a cache line.
const ALIGNMENT: usize = 4096;

thread_local! {
    // Allocated once for each thread, and used for all of its files.
    static SPACE: RefCell<Vec<u8>> = RefCell::new(vec![0; BUFFER + ALIGNMENT]);
}

/// Calls `run` with this thread's buffer of [`BUFFER`] bytes.
fn with_space<R>(run: impl FnOnce(&mut [u8]) -> R) -> R {
    SPACE.with_borrow_mut(|space| {
        // The allocation has room for any start within a page.
        let start = space.as_ptr().align_offset(ALIGNMENT);
        run(&mut space[start..start + BUFFER])
    })
}

/// The authenticated contents of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// Length of the file in bytes.
    pub(crate) size: u64,
    /// MAC of the contents, which does not cover the name.
    pub(crate) tag: Tag,
}

/// A file as it was found.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    /// Length of the file in bytes.
    pub(crate) size: u64,
    /// MAC of the contents, if they were read.
    pub(crate) tag: Option<Tag>,
    /// Times, inode, mode and owner before reading, which changes nothing but the time of access.
    pub(crate) about: About,
}

impl Seen {
    /// Returns the contents, if they were read.
    pub(crate) fn content(&self) -> Option<Content> {
        self.tag.map(|tag| Content { size: self.size, tag })
    }
}

/// A file that is read, and the copy that is written of it meanwhile, if one is.
#[derive(Clone, Copy)]
struct Source<'f> {
    file: &'f File,
    /// Length of the file in bytes.
    size: u64,
    holes: Holes,
    copy: Option<&'f File>,
}

impl Source<'_> {
    /// Reads from position `at` until at least `enough` bytes are in `space` or the file ends, and writes them to the copy
    /// if one is made. Returns how many they are.
    fn fill(&self, space: &mut [u8], enough: usize, at: u64) -> Result<usize, ReadError> {
        let have = fill(self.file, space, enough, at)?;
        // A part of zeros becomes a hole: the file gets its length at the end.
        let is_hole = || have == PART && self.size > PART as u64 && is_zero(&space[..have]);
        if let Some(copy) = self.copy.filter(|_| !is_hole()) {
            for (piece, at) in space[..have].chunks(WRITE).zip((at..).step_by(WRITE)) {
                system::write_all_at(copy, piece, at).map_err(ReadError::Write)?;
            }
        }
        Ok(have)
    }
}

/// Returns whether all bytes are zero.
fn is_zero(bytes: &[u8]) -> bool {
    const ZEROS: [u8; 4096] = [0; 4096];
    bytes.chunks(ZEROS.len()).all(|chunk| chunk == &ZEROS[..chunk.len()])
}

/// Pauses before a file that changed while it was read is read again.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(20), Duration::from_millis(100), Duration::from_millis(500)];

/// Reads files of a tree, and authenticates their contents under one key.
pub(crate) struct Reader<'a> {
    tree: Tree<'a>,
    mac: &'a FileMac,
    map: bool,
    twice: bool,
    past_cache: bool,
    progress: &'a Progress,
    /// The hash of a whole part of zeros, once a hole has needed it.
    zeros: OnceLock<Part>,
}

impl<'a> Reader<'a> {
    /// Creates a reader of this tree. With `map`, large files are mapped into memory.
    pub(crate) fn new(tree: Tree<'a>, mac: &'a FileMac, map: bool, progress: &'a Progress) -> Self {
        Self { tree, mac, map, twice: false, past_cache: false, progress, zeros: OnceLock::new() }
    }

    /// Sets whether files without a lease are read twice, so that a concurrent writer is noticed by unequal tags.
    pub(crate) fn twice(self, twice: bool) -> Self {
        Self { twice, ..self }
    }

    /// Makes the reader ask the system to forget what it has cached of each file, so that the disk is read.
    pub(crate) fn past_cache(self) -> Self {
        Self { past_cache: true, ..self }
    }

    /// Returns where bytes and entries are counted.
    pub(crate) fn progress(&self) -> &'a Progress {
        self.progress
    }

    /// Returns the tree from which files are read.
    pub(crate) fn tree(&self) -> &Tree<'a> {
        &self.tree
    }

    /// Examines a file, and reads it if that is `wanted`. One that changes meanwhile is tried again, three
    /// times, after each of [`PAUSES`].
    pub(crate) fn look(&self, name: &[u8], wanted: impl Fn(&Seen) -> bool) -> Result<Seen, ReadError> {
        again(|| {
            let (file, before) = self.open(name)?;
            let seen = Seen { size: before.size, tag: None, about: About::of(&before) };
            if !wanted(&seen) {
                return Ok(seen);
            }
            Ok(Seen { tag: Some(self.contents(&file, &before, None)?), ..seen })
        })
    }

    /// Reads a file, and writes what it reads to an empty one. Tries again as [`look`](Self::look) does. Also returns the
    /// metadata of the file from before it was read.
    pub(crate) fn copy(&self, name: &[u8], to: &File) -> Result<(Content, Metadata), ReadError> {
        let mut has_bytes = false;
        again(|| {
            let (file, before) = self.open(name)?;
            let about = file.metadata()?;
            if std::mem::replace(&mut has_bytes, true) {
                to.set_len(0).map_err(ReadError::Write)?;
            }
            let tag = self.contents(&file, &before, Some(to))?;
            // Its last parts may be zeros, which are not written.
            if before.size > PART as u64 {
                to.set_len(before.size).map_err(ReadError::Write)?;
                // The system also caches the copy: together they would displace twice their size.
                system::forget(&file);
            }
            Ok((Content { size: before.size, tag }, about))
        })
    }

    /// Returns the tag of an open file, in the state in which it was found. Writes what it reads to `copy`.
    fn contents(&self, file: &File, before: &Stat, copy: Option<&File>) -> Result<Tag, ReadError> {
        let source = Source { file, size: before.size, holes: Holes::of(before), copy };
        // Before the first read, as the cache need not be what is on the disk.
        if self.past_cache {
            system::forget(file);
        }
        let (tag, guarded) = steady(file, before, |guard| {
            // All reads happen under the guard: lease and times cover them from the first to the last byte.
            let tag = self.tag(source, guard)?;
            // Times do not show every writer. Without a lease, a second reading finds most torn reads.
            let twice = self.twice && !guard.is_leased();
            if twice && self.tag(Source { copy: None, ..source }, guard)? != tag {
                return Err(ReadError::Changed);
            }
            Ok((tag, guard.is_leased() || twice))
        })?;
        // Counted after the last check: a torn reading does not count.
        if !guarded {
            self.progress.not_guarded();
        }
        Ok(tag)
    }

    /// Returns the tag of a file in a cluster task, read by this thread alone. Fails if the file
    /// changed since it was listed.
    pub(crate) fn tag_listed(&self, name: &[u8], listed: &[u8]) -> Result<Tag, ReadError> {
        let (file, about) = self.open(name)?;
        expect(&about, listed)?;
        let source = Source { file: &file, size: about.size, holes: Holes::UNKNOWN, copy: None };
        steady(&file, &about, |guard| match usize::try_from(source.size) {
            Ok(length) if length <= PART => self.small(source, length),
            _ => {
                let mut parts = self.mac.parts();
                (0..source.size.div_ceil(PART as u64))
                    .try_for_each(|i| Ok::<_, ReadError>(parts.push(&self.part(source, i, guard)?)?))?;
                Ok(parts.finalize())
            }
        })
    }

    /// Hashes the given parts of a file in a cluster task, in order, by this thread alone. Fails if the file
    /// changed since it was listed.
    pub(crate) fn parts_listed(
        &self,
        name: &[u8],
        listed: &[u8],
        range: Range<u64>,
        mut take: impl FnMut(&Part),
    ) -> Result<(), ReadError> {
        // Different workers read parts of one file. Each compares it with the listing, so that all parts are
        // of one state.
        let (file, about) = self.open(name)?;
        expect(&about, listed)?;
        let source = Source { file: &file, size: about.size, holes: Holes::UNKNOWN, copy: None };
        steady(&file, &about, |guard| {
            for i in range {
                take(&self.part(source, i, guard)?);
            }
            Ok(())
        })
    }

    /// Opens an ordinary file and returns its state before reading. Fails for anything else.
    fn open(&self, name: &[u8]) -> Result<(File, Stat), ReadError> {
        self.progress.go_on()?;
        let file = self.tree.file(name)?;
        let about = system::stat_open(&file)?;
        // Checked after opening: the walk saw a file, but anything may have this name by now.
        if about.kind != Kind::File {
            return Err(ReadError::NotFile);
        }
        Ok((file, about))
    }

    /// Returns the tag of the file's present contents. All threads of the pool read a large file.
    fn tag(&self, source: Source<'_>, guard: &Guard<'_>) -> Result<Tag, ReadError> {
        match usize::try_from(source.size) {
            Ok(length) if length <= PART => self.small(source, length),
            _ => self.large(source, guard),
        }
    }

    /// Reads and tags a file of at most one part, by one `pread` in most cases.
    fn small(&self, source: Source<'_>, length: usize) -> Result<Tag, ReadError> {
        with_space(|space| {
            // One byte more than expected: a file that has grown is noticed without another call.
            if source.fill(&mut space[..=length], length, 0)? != length {
                return Err(ReadError::Changed);
            }
            self.progress.bytes(length as u64);
            Ok(self.mac.tag(&space[..length]))
        })
    }

    /// Tags a file of several parts, hashing them in parallel.
    fn large(&self, source: Source<'_>, guard: &Guard<'_>) -> Result<Tag, ReadError> {
        system::read_ahead(source.file);
        let mut parts = self.mac.parts();
        let count = source.size.div_ceil(PART as u64);
        // Batches bound the memory: a part has a hash of about 100 bytes.
        for first in (0..count).step_by(BATCH as usize) {
            let batch = first..count.min(first + BATCH);
            let batch: Result<Vec<Part>, _> =
                batch.into_par_iter().map(|i| self.part(source, i, guard)).collect();
            for part in batch? {
                parts.push(&part)?;
            }
        }
        Ok(parts.finalize())
    }

    /// Reads and hashes part `i`. Fails if the file is shorter than `size`.
    fn part(&self, source: Source<'_>, i: u64, guard: &Guard<'_>) -> Result<Part, ReadError> {
        let Source { file, size, holes, copy } = source;
        self.progress.go_on()?;
        // Asked for each part: a broken lease holds a writer up until it is dropped.
        guard.check()?;
        let at = i * PART as u64;
        let length = usize::try_from(size - at).map_or(PART, |left| left.min(PART));
        if length == PART && holes.cover(file, at, length) {
            self.progress.bytes(length as u64);
            return Ok(self.zeros.get_or_init(|| self.mac.part(0, &vec![0; PART])).with_index(i));
        }
        // A copy is written from the buffer, which a map does not fill.
        if self.map && copy.is_none() {
            let part = self.mac.part(i, &filemap::Part::new(file, at, length).map_err(shorter)?);
            self.progress.bytes(length as u64);
            return Ok(part);
        }
        with_space(|space| {
            if source.fill(&mut space[..length], length, at)? != length {
                return Err(ReadError::Changed);
            }
            self.progress.bytes(length as u64);
            Ok(self.mac.part(i, &space[..length]))
        })
    }
}

/// Examines a file until it does not change meanwhile, at most four times, after each of [`PAUSES`].
fn again<R>(mut once: impl FnMut() -> Result<R, ReadError>) -> Result<R, ReadError> {
    for pause in PAUSES {
        match once() {
            // Whoever writes to a file at this moment may soon be done.
            Err(ReadError::Changed | ReadError::Writer(Writer::Came)) => thread::sleep(pause),
            result => return result,
        }
    }
    once()
}

/// Runs `read` on a file, and fails if anything changed the file meanwhile. `before` is its state before the call.
///
/// Two checks complement each other. The lease tells of writers that change no times yet; the times tell
/// where no lease is available.
pub fn steady<R>(
    file: &File,
    before: &Stat,
    read: impl FnOnce(&Guard<'_>) -> Result<R, ReadError>,
) -> Result<R, ReadError> {
    // The lease was taken after `before` was examined. A write in between shows in the times, which are
    // compared last.
    let guard = Guard::of(file)?;
    let result = read(&guard)?;
    guard.check()?;
    // Asks the descriptor: the name may lead to another file by now.
    if moment(&system::stat_open(file)?) != moment(before) {
        return Err(ReadError::Changed);
    }
    Ok(result)
}

/// Translates the error of a memory map: a file too short for it has changed.
fn shorter(error: io::Error) -> ReadError {
    if error.kind() == io::ErrorKind::UnexpectedEof { ReadError::Changed } else { error.into() }
}

/// Reads until at least `enough` bytes are in `space` or the file ends. Returns their number.
pub(crate) fn fill(file: &File, space: &mut [u8], enough: usize, at: u64) -> io::Result<usize> {
    let mut have = 0;
    loop {
        match system::read_at(file, &mut space[have..], at + have as u64) {
            Ok(0) => return Ok(have),
            Ok(more) => have += more,
            // A signal interrupted the call: read on.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if have >= enough {
            return Ok(have);
        }
    }
}

/// Fails unless the file is in the state that was listed.
fn expect(about: &Stat, listed: &[u8]) -> Result<(), ReadError> {
    if moment(about).as_flattened() == listed { Ok(()) } else { Err(ReadError::Changed) }
}

/// The state of a file: size, modification time, and change time of contents or attributes, which programs
/// cannot set. Each number has 8 bytes, little-endian.
pub(crate) type Moment = [[u8; 8]; 5];

/// Returns the state that workers of a cluster compare.
pub(crate) fn moment(about: &Stat) -> Moment {
    let (modified, changed) = (about.modified, about.changed);
    [about.size.cast_signed(), modified.0, modified.1, changed.0, changed.1].map(i64::to_le_bytes)
}
