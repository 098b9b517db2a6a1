//! Copies all files of a walk, in parallel, and tags them meanwhile.
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use rayon::prelude::*;

use super::destination::{Complete, Destination, Failure, OTHER, SAME};
use crate::about::About;
use crate::manifest::{Body, Record};
use crate::name::escape;
use crate::read::{Content, Reader};
use crate::read_error::ReadError;
use crate::scope::folder_of;
use crate::system;
use crate::walk::{Item, Kind, Walked};

/// Number of items that are copied before those complete are looked at.
const CHUNK: usize = 256;
/// Numbers of files and bytes that get their names together, once they are synchronised.
const MAX_FILES: usize = 4096;
const MAX_BYTES: u64 = 256 << 20;
/// Files from this size on are synchronised by themselves.
const LARGE: u64 = 64 << 20;

/// Copies the files of a tree.
pub(super) struct Copier<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) destination: &'a Destination,
    pub(super) pool: &'a rayon::ThreadPool,
}

/// The result of a copy: for each name, that it was copied, was there before, or failed.
#[derive(Default)]
pub(super) struct Copied {
    /// Contents of the source, for all names that the copy should have, in order. They have no metadata.
    pub(super) records: Vec<Record<'static>>,
    /// Names that were there before, and need to be compared, in order.
    pub(super) existed: Vec<Box<[u8]>>,
    /// Names that are not copied, with the reason.
    pub(super) failed: BTreeMap<Vec<u8>, String>,
}

impl Copied {
    /// Returns whether a name was there before.
    pub(super) fn existed(&self, name: &[u8]) -> bool {
        self.existed.binary_search_by(|existed| (**existed).cmp(name)).is_ok()
    }
}

/// What became of an item.
enum Step {
    /// Something of this size has the name already.
    Existed(Body),
    Link(Body),
    File(Content, Complete),
    /// A large file, which has its name.
    Named(Content),
}

/// Complete copies that have no name yet, and the number of bytes since names were given.
#[derive(Default)]
struct Pending<'a> {
    files: Vec<(&'a Item, Content, Complete)>,
    bytes: u64,
}

impl<'a> Pending<'a> {
    /// Takes what became of an item. Fails if nothing else can be copied either.
    fn take(&mut self, copied: &mut Copied, item: &'a Item, step: Result<Step, Failure>) -> Result<()> {
        match step {
            Ok(Step::Existed(body)) => {
                copied.existed.push(item.name.clone());
                copied.add(item, body);
            }
            Ok(Step::Link(body)) => copied.add(item, body),
            Ok(Step::File(content, complete)) => {
                self.bytes += content.size;
                self.files.push((item, content, complete));
            }
            Ok(Step::Named(content)) => {
                self.bytes += content.size;
                copied.add(item, Body::File(content, About::NOTHING));
            }
            Err(Failure { reason, is_fatal: true }) => bail!("{}: {reason}", escape(&item.name)),
            Err(Failure { reason, .. }) => copied.fail(item, reason),
        }
        Ok(())
    }

    /// Returns whether it is time to give them their names.
    fn is_enough(&self) -> bool {
        self.files.len() >= MAX_FILES || self.bytes >= MAX_BYTES
    }
}

impl Copier<'_> {
    /// Copies all folders and items.
    pub(super) fn copy(&self, walked: Walked) -> Result<Copied> {
        let Walked { items, errors, folders, .. } = walked;
        let mut copied = Copied { failed: errors.into_iter().collect(), ..Copied::default() };
        let [new, unmade] = self.make(&mut copied, &folders);
        let mut pending = Pending::default();
        for chunk in items.chunks(CHUNK) {
            let step = |item: &Item| {
                let blocked = blocked(&unmade, &item.name).map_err(Failure::from);
                let is_new = new.contains(folder_of(&item.name));
                let step = blocked.and_then(|()| self.step(item, is_new));
                self.reader.progress().done();
                step
            };
            let steps: Vec<_> = self.pool.install(|| chunk.par_iter().map(step).collect());
            self.reader.progress().go_on()?;
            let take = |taken: Result<()>, (item, step)| taken.and(pending.take(&mut copied, item, step));
            let taken = chunk.iter().zip(steps).fold(Ok(()), take);
            // What is complete gets its name even if nothing else can be copied.
            if taken.is_err() || pending.is_enough() {
                let placed = self.place(&mut copied, std::mem::take(&mut pending));
                taken.and(placed)?;
            }
        }
        self.place(&mut copied, pending)?;
        if !copied.existed.is_empty() {
            // The system forgets only what is on the disk.
            self.destination.synchronise_all()?;
        }
        // Large files were recorded before smaller ones that waited for their names.
        copied.records.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(copied)
    }

    /// Makes all folders. Returns those that are new, in which nothing can be, and those that cannot be made.
    fn make<'f>(&self, copied: &mut Copied, folders: &'f [Vec<u8>]) -> [BTreeSet<&'f [u8]>; 2] {
        let [mut new, mut unmade] = [BTreeSet::new(), BTreeSet::new()];
        // In order: each comes after the one that it lies in.
        for folder in folders {
            match blocked(&unmade, folder).and_then(|()| self.destination.folder(folder)) {
                Ok(true) => drop(new.insert(folder.as_slice())),
                Ok(false) => {}
                Err(reason) => {
                    unmade.insert(folder.as_slice());
                    copied.failed.insert(folder.clone(), reason);
                }
            }
        }
        [new, unmade]
    }

    /// Synchronises copies, and gives them their names.
    fn place(&self, copied: &mut Copied, pending: Pending<'_>) -> Result<()> {
        // Before the names are given: a crash could otherwise leave a name with incomplete contents.
        self.destination.synchronise(pending.files.iter().map(|(_, _, complete)| complete))?;
        for (item, content, complete) in pending.files {
            match complete.place() {
                Ok(()) => copied.add(item, Body::File(content, About::NOTHING)),
                Err(reason) => copied.fail(item, reason),
            }
        }
        Ok(())
    }

    /// Copies one item, or finds out that it is there already, unless its folder is new.
    fn step(&self, item: &Item, is_new: bool) -> Result<Step, Failure> {
        let name = &item.name;
        // In a folder that this run has made there is nothing to be found.
        let found = if is_new { None } else { self.destination.found(name)? };
        match (item.kind, found) {
            (Kind::Link, found) => {
                let target = self.reader.tree().target(name).map_err(failure)?;
                match found {
                    None => self.destination.link(name, &target)?,
                    Some(found) if found.kind == system::Kind::Link => {
                        return Ok(Step::Existed(Body::Link(target)));
                    }
                    Some(_) => return Err(OTHER.to_owned().into()),
                }
                Ok(Step::Link(Body::Link(target)))
            }
            (_, None) => {
                let temporary = self.destination.begin(name)?;
                let (content, about) = self.reader.copy(name, &temporary.0).map_err(failure)?;
                let large = content.size >= LARGE;
                let complete = self.destination.complete(name, temporary, &about, large)?;
                if !large {
                    return Ok(Step::File(content, complete));
                }
                // At once, as it is synchronised: if the command is killed, its work is not lost.
                complete.place()?;
                Ok(Step::Named(content))
            }
            (_, Some(found)) => {
                if self.reader.tree().state(name).is_ok_and(|original| original.identity == found.identity) {
                    return Err(SAME.to_owned().into());
                }
                // Its contents are compared when the whole copy is verified.
                let seen = self.reader.look(name, |seen| seen.size == found.size).map_err(failure)?;
                match seen.content().filter(|_| found.kind == system::Kind::File) {
                    Some(content) => Ok(Step::Existed(Body::File(content, About::NOTHING))),
                    None => Err(OTHER.to_owned().into()),
                }
            }
        }
    }
}

impl Copied {
    fn add(&mut self, item: &Item, body: Body) {
        self.records.push(Record::new(item.name.to_vec(), body));
    }

    fn fail(&mut self, item: &Item, reason: String) {
        self.failed.insert(item.name.to_vec(), reason);
    }
}

/// Fails if a folder above a name could not be made.
fn blocked(unmade: &BTreeSet<&[u8]>, name: &[u8]) -> Result<(), String> {
    let mut folder = folder_of(name);
    while !unmade.is_empty() && !folder.is_empty() {
        if unmade.contains(folder) {
            return Err(format!("its folder {} was not copied", escape(folder)));
        }
        folder = folder_of(folder);
    }
    Ok(())
}

fn failure(error: ReadError) -> Failure {
    match error {
        ReadError::Write(error) => Failure::of_write(&error),
        error => error.to_string().into(),
    }
}
