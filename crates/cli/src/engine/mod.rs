//! Tagging and verifying by values. The commands make them from their arguments, [`tree`](crate::tree) and
//! [`cluster`](crate::cluster) from the options of a program.
mod tag;
mod target;
mod verify;

use std::path::Path;

use anyhow::Result;
use carryless_aead::file_mac::FileMac;

use crate::open_below::Tree;
use crate::progress::Progress;
use crate::read::Reader;
use crate::scope::Scope;

pub(crate) use tag::{Recorder, Tagging, collect, tag, total};
pub(crate) use target::Target;
pub(crate) use verify::{Verification, verify};

/// A tree, and how its files are read.
#[derive(Clone, Copy)]
pub(crate) struct Files<'a> {
    /// Folder to which names are relative.
    pub(crate) base: &'a Path,
    /// Whether files above 1 MiB are mapped into memory.
    pub(crate) map: bool,
    /// Whether files without a lease are read twice.
    pub(crate) twice: bool,
    /// Threads that read and hash.
    pub(crate) pool: &'a rayon::ThreadPool,
    pub(crate) progress: &'a Progress,
}

impl<'a> Files<'a> {
    /// Returns the reader of files in this scope, which computes their tags by `mac`.
    pub(crate) fn reader(self, scope: &'a Scope, mac: &'a FileMac) -> Result<Reader<'a>> {
        let tree = Tree::open(self.base, scope)?;
        Ok(Reader::new(tree, mac, self.map, self.progress).twice(self.twice))
    }
}
