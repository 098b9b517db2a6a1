//! Reads files and computes their tags: one read for a small file, several threads for a large one.
//!
//! Reads are buffered and positioned, so that a file which shrinks is an error and not a signal; who is sure that none does
//! may have large files mapped.
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;

use carryless_aead::file_mac::{FileMac, PART, Part};
use carryless_filemap as filemap;
use carryless_hash::Tag;
use rayon::prelude::*;
use rustix::fs::{FileType, Stat, fstat};
use rustix::io::{Errno, pread};

use crate::beneath::Tree;
use crate::progress::Progress;
use crate::read_error::ReadError;
use crate::writers::Guard;

/// Bytes read at a time, by each thread into its own buffer: a part of a large file, or all of a small file and one byte
/// more.
const BUFFER: usize = PART + 1;
/// Parts of a file whose hashes are held in memory at a time.
const BATCH: u64 = 4096;

/// Where buffers begin, in memory: the kernel copies from whole pages, and on some CPUs (Zen 3 for one) its copy
/// is five times slower to an address that does not begin a cache line.
const ALIGNMENT: usize = 4096;

thread_local! {
    static SPACE: RefCell<Vec<u8>> = RefCell::new(vec![0; BUFFER + ALIGNMENT]);
}

/// Runs something with this thread's buffer of [`BUFFER`] bytes.
fn with_space<R>(run: impl FnOnce(&mut [u8]) -> R) -> R {
    SPACE.with_borrow_mut(|space| {
        let start = space.as_ptr().align_offset(ALIGNMENT);
        run(&mut space[start..start + BUFFER])
    })
}

/// What is authenticated of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// Length in bytes.
    pub(crate) size: u64,
    /// The file MAC.
    pub(crate) tag: Tag,
}

/// Reads files of a tree and authenticates them under one key.
pub(crate) struct Reader<'a> {
    tree: Tree<'a>,
    mac: &'a FileMac,
    map: bool,
    twice: bool,
    progress: &'a Progress,
}

impl<'a> Reader<'a> {
    /// A reader of this tree. With `map`, large files are mapped.
    pub(crate) fn new(tree: Tree<'a>, mac: &'a FileMac, map: bool, progress: &'a Progress) -> Self {
        Self { tree, mac, map, twice: false, progress }
    }

    /// The reader, reading files twice that cannot be guarded against writers.
    pub(crate) fn twice(self, twice: bool) -> Self {
        Self { twice, ..self }
    }

    /// The tree from which it reads.
    pub(crate) fn tree(&self) -> &Tree<'a> {
        &self.tree
    }

    /// Size and tag of a file. With `expected_size`, `None` as soon as the file is seen to have another one.
    pub(crate) fn content(
        &self,
        name: &[u8],
        expected_size: Option<u64>,
    ) -> Result<Option<Content>, ReadError> {
        let (file, about) = self.open(name)?;
        let size = size(&about);
        if expected_size.is_some_and(|expected| expected != size) {
            return Ok(None);
        }
        let (tag, guarded) = steady(&file, &about, |guard| {
            let tag = self.tag(&file, size, guard)?;
            let twice = self.twice && !guard.is_leased();
            if twice && self.tag(&file, size, guard)? != tag {
                return Err(ReadError::Changed);
            }
            Ok((tag, guard.is_leased() || twice))
        })?;
        self.progress.file(guarded);
        Ok(Some(Content { size, tag }))
    }

    /// The tag of a file that is still the one that was listed; this thread alone reads it.
    pub(crate) fn tag_listed(&self, name: &[u8], listed: &[u8]) -> Result<Tag, ReadError> {
        let (file, about) = self.open(name)?;
        expect(&about, listed)?;
        let size = size(&about);
        steady(&file, &about, |guard| match usize::try_from(size) {
            Ok(length) if length <= PART => self.small(&file, length),
            _ => {
                let mut parts = self.mac.parts();
                (0..size.div_ceil(PART as u64))
                    .try_for_each(|i| Ok::<_, ReadError>(parts.push(&self.part(&file, size, i, guard)?)?))?;
                Ok(parts.finalize())
            }
        })
    }

    /// The hashes of some parts of a file that is still the one that was listed, one after the other; this thread alone reads it.
    pub(crate) fn parts_listed(
        &self,
        name: &[u8],
        listed: &[u8],
        range: Range<u64>,
        mut take: impl FnMut(&Part),
    ) -> Result<(), ReadError> {
        let (file, about) = self.open(name)?;
        expect(&about, listed)?;
        steady(&file, &about, |guard| {
            for i in range {
                take(&self.part(&file, size(&about), i, guard)?);
            }
            Ok(())
        })
    }

    /// Opens an ordinary file.
    fn open(&self, name: &[u8]) -> Result<(File, Stat), ReadError> {
        self.progress.go_on()?;
        let file = File::from(self.tree.file(name)?);
        let about = fstat(&file)?;
        if FileType::from_raw_mode(about.st_mode) != FileType::RegularFile {
            return Err(ReadError::NotFile);
        }
        Ok((file, about))
    }

    /// The tag of what the file holds now, by all threads if it is large.
    fn tag(&self, file: &File, size: u64, guard: &Guard<'_>) -> Result<Tag, ReadError> {
        match usize::try_from(size) {
            Ok(length) if length <= PART => self.small(file, length),
            _ => self.large(file, size, guard),
        }
    }

    fn small(&self, file: &File, length: usize) -> Result<Tag, ReadError> {
        with_space(|space| {
            // One byte more than there should be: a file that has grown is noticed without another read.
            if fill(file, &mut space[..=length], length, 0)? != length {
                return Err(ReadError::Changed);
            }
            self.progress.bytes(length as u64);
            Ok(self.mac.tag(&space[..length]))
        })
    }

    fn large(&self, file: &File, size: u64, guard: &Guard<'_>) -> Result<Tag, ReadError> {
        read_ahead(file);
        let mut parts = self.mac.parts();
        let count = size.div_ceil(PART as u64);
        for first in (0..count).step_by(BATCH as usize) {
            let batch = first..count.min(first + BATCH);
            let batch: Result<Vec<Part>, _> =
                batch.into_par_iter().map(|i| self.part(file, size, i, guard)).collect();
            for part in batch? {
                parts.push(&part)?;
            }
        }
        Ok(parts.finalize())
    }

    fn part(&self, file: &File, size: u64, i: u64, guard: &Guard<'_>) -> Result<Part, ReadError> {
        self.progress.go_on()?;
        guard.check()?;
        let at = i * PART as u64;
        let length = usize::try_from(size - at).map_or(PART, |left| left.min(PART));
        if self.map {
            let part = self.mac.part(i, &filemap::Part::new(file, at, length).map_err(shorter)?);
            self.progress.bytes(length as u64);
            return Ok(part);
        }
        with_space(|space| {
            if fill(file, &mut space[..length], length, at)? != length {
                return Err(ReadError::Changed);
            }
            self.progress.bytes(length as u64);
            Ok(self.mac.part(i, &space[..length]))
        })
    }
}

/// What `read` makes of a file that looked like this before and that nobody changes meanwhile.
pub fn steady<R>(
    file: &File,
    before: &Stat,
    read: impl FnOnce(&Guard<'_>) -> Result<R, ReadError>,
) -> Result<R, ReadError> {
    let guard = Guard::of(file)?;
    let result = read(&guard)?;
    guard.check()?;
    if moment(&fstat(file)?) != moment(before) {
        return Err(ReadError::Changed);
    }
    Ok(result)
}

/// Tells the system that a file will be read from its beginning to its end.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn read_ahead(file: &File) {
    // Advice may be refused; the file is read all the same.
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
}

/// There is no such call here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn read_ahead(_: &File) {}

/// What a map that cannot be made says of the file.
fn shorter(error: io::Error) -> ReadError {
    if error.kind() == io::ErrorKind::UnexpectedEof { ReadError::Changed } else { error.into() }
}

/// Reads until at least `enough` bytes are there or the file ends; returns their number.
fn fill(file: &File, space: &mut [u8], enough: usize, at: u64) -> Result<usize, Errno> {
    let mut have = 0;
    loop {
        match pread(file, &mut space[have..], at + have as u64) {
            Ok(0) => return Ok(have),
            Ok(more) => have += more,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        if have >= enough {
            return Ok(have);
        }
    }
}

/// Bytes of a file.
fn size(about: &Stat) -> u64 {
    u64::try_from(about.st_size).unwrap_or(0)
}

/// An error if the file is not what was listed.
fn expect(about: &Stat, listed: &[u8]) -> Result<(), ReadError> {
    if moment(about).as_flattened() == listed { Ok(()) } else { Err(ReadError::Changed) }
}

/// What must not change while a file is read: size, time of modification, and time of the last change of contents or
/// attributes, which a program cannot set back. Numbers as bytes, little-endian.
pub(crate) type Moment = [[u8; 8]; 5];

/// The types of these fields depend on the platform.
#[allow(clippy::unnecessary_cast)]
fn moment(about: &Stat) -> Moment {
    [
        about.st_size as i64,
        about.st_mtime as i64,
        about.st_mtime_nsec as i64,
        about.st_ctime as i64,
        about.st_ctime_nsec as i64,
    ]
    .map(i64::to_le_bytes)
}

/// The same, of a file that is listed and not opened.
pub(crate) fn moment_listed(about: &Metadata) -> Moment {
    [about.size() as i64, about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()]
        .map(i64::to_le_bytes)
}
