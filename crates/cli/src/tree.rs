//! `carryless tag` and `carryless verify` as functions: the same manifests, with values instead of lines of
//! text.
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use carryless_aead::file_mac::Algorithm;
use carryless_hash::Cpu;
use zeroize::Zeroizing;

use crate::args::ScopeArgs;
use crate::chain;
use crate::compare::{Judge, inspect};
use crate::engine::{collect, tag_all};
use crate::excluded::LeftOut;
use crate::input::ordinary_file;
use crate::key;
use crate::lock::Lock;
use crate::mac::{Keys, MasterKey};
use crate::manifest::{Demands, Edition, Header, MAX_MANIFEST_MIB, Sink, Source, Writer};
use crate::name::escape;
use crate::open_below::Tree;
use crate::output::{NewFile, PUBLIC, check_target};
use crate::part::Part;
use crate::progress::Progress;
use crate::read::Reader;
use crate::scope::Scope;
use crate::threads;
use crate::verdict::Verdict;
use crate::walk::walk;

pub use crate::about::Metadata;
pub use crate::manifest::Version;
pub use crate::progress::{Counters, Stopped};
pub use crate::scope::Symlinks;
pub use crate::verdict::Status;

/// Options for reading a tree, with the defaults of the command.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Folder to which paths and names are relative.
    pub base: PathBuf,
    /// Number of threads that read and hash; `None` means one for each processor.
    pub threads: Option<usize>,
    /// A text, not empty, that the manifest contains and that verification requires.
    pub label: Option<String>,
    /// Algorithm of the tags. Verification reads it from the manifest.
    pub algorithm: Algorithm,
    /// Version of the manifest, when tagging. A cluster always writes version 1.
    pub version: Version,
    /// How much a manifest of version 2 records of each file besides its contents, when tagging.
    pub metadata: Metadata,
    /// Policy for symbolic links, when tagging.
    pub symlinks: Symlinks,
    /// Whether FIFOs, sockets and devices are left out; otherwise they are errors.
    pub skip_special: bool,
    /// If not empty, only files that match one of these patterns, as in .gitignore, are covered; when tagging.
    pub include: Vec<String>,
    /// Files and folders that match one of these patterns are left out; when tagging.
    pub exclude: Vec<String>,
    /// Whether .gitignore files apply, when tagging.
    pub gitignore: bool,
    /// Whether folders on other file systems than their root are left out, when tagging.
    pub one_file_system: bool,
    /// Whether an existing manifest may be replaced. Nothing else ever is.
    pub overwrite: bool,
    /// Whether a manifest may have no entries, when tagging and when verifying.
    pub allow_empty: bool,
    /// Whether files without a lease are read twice, where unequal readings count as a change.
    /// Otherwise [`Counters::unguarded`] counts such files.
    pub twice: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base: ".".into(),
            threads: None,
            label: None,
            algorithm: Algorithm::default(),
            version: Version::V2,
            metadata: Metadata::Times,
            symlinks: Symlinks::Record,
            skip_special: false,
            include: Vec::new(),
            exclude: Vec::new(),
            gitignore: false,
            one_file_system: false,
            overwrite: false,
            allow_empty: false,
            twice: false,
        }
    }
}

impl Options {
    /// Returns the scope of a manifest of these paths, with the policies of these options.
    pub(crate) fn scope(&self, paths: &[PathBuf]) -> Result<Scope> {
        ensure!(!paths.is_empty(), "no path was given");
        ensure!(self.label.as_deref() != Some(""), "an empty label was given");
        let args = ScopeArgs {
            symlinks: self.symlinks,
            skip_special: self.skip_special,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            one_file_system: self.one_file_system,
        };
        args.of(&self.base, paths)
    }

    /// Returns what a verification demands of its manifest.
    pub(crate) fn demands(&self) -> Demands<'_> {
        let Self { allow_empty, skip_special, .. } = *self;
        Demands { label: self.label.as_deref(), allow_empty, skip_special }
    }

    /// Returns what version 2 says of a manifest at this path, whose chain it continues.
    fn edition(&self, key: &Key, manifest: &Path) -> Result<Option<Edition>> {
        if self.version == Version::V1 {
            return Ok(None);
        }
        // A file named `-` is meant as such here.
        let path = Path::new(".").join(manifest);
        let (edition, _) = chain::edition(Some(&path), &key.master, self.label.as_deref(), self.metadata)?;
        Ok(Some(edition))
    }
}

/// A key: its 32 bytes, wiped when dropped, and the path of its file. That file is left out if it lies inside the tree.
#[derive(Clone)]
pub struct Key {
    pub(crate) master: MasterKey,
    pub(crate) path: Option<PathBuf>,
}

impl fmt::Debug for Key {
    /// Prints the path of the key file, but no byte of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Key {
    /// Makes a key of 32 bytes. The caller must wipe its own copy.
    #[must_use]
    pub fn new(bytes: &[u8; 32]) -> Self {
        let mut master = MasterKey::zeroed();
        // Filled in its place on the heap, so that no array on the stack keeps a copy.
        master.copy_from_slice(bytes);
        Key { master, path: None }
    }

    /// Reads a key file. Nobody but its owner may read or write it.
    ///
    /// # Errors
    /// If the path is no ordinary file, if others may read, write or replace it, or if it contains no key.
    pub fn from_file(path: &Path) -> Result<Self> {
        let loaded = key::load_file(&ordinary_file(path)?)?;
        Ok(Key { master: loaded.master, path: loaded.path })
    }

    /// Returns the 32 bytes, for another process that reads on behalf of this one. They are wiped when dropped.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 32]> {
        // The copy lies in the caller's frame; a move may leave another, which nothing wipes.
        Zeroizing::new(*self.master)
    }
}

/// Tags paths and writes the manifest, complete or not at all. Returns the number of its entries.
///
/// # Errors
/// If an option is invalid, the manifest cannot be written, there is nothing to tag, or anything could not be tagged.
/// The error has the first reason and the number of the others. [`Stopped`] if [`Counters::stop`] was called.
pub fn tag(
    paths: &[PathBuf],
    key: &Key,
    manifest: &Path,
    options: &Options,
    counters: &Arc<Counters>,
) -> Result<usize> {
    // An unusable target is reported before anything is read.
    check_target(manifest, options.overwrite)?;
    let lock = Lock::existing(manifest)?;
    let scope = options.scope(paths)?;
    let keys = Keys::derive(&key.master, options.algorithm, Cpu::detect());
    let edition = options.edition(key, manifest)?;
    let progress = Progress::watched(counters);
    let own = LeftOut::to_record(key.path.as_deref(), Some(manifest));
    let walked = collect(&options.base, &scope, &own, &progress)?;
    // All failures are collected, to name the first one and the number of the others.
    let mut failures = Failures(walked.errors.into_iter().map(|(name, why)| failure(&name, &why)).collect());
    failures.check()?;
    let header = Header { label: options.label.clone(), scope, edition };
    let tree = Tree::open(&options.base, &header.scope)?;
    let reader = Reader::new(tree, &keys.file, false, &progress).twice(options.twice);
    // After the walk, which would find the temporary file.
    let sink = Sink::File(NewFile::create(manifest, PUBLIC, lock.is_some())?);
    let mut writer = Writer::new(sink, &keys, &header).allow_empty(options.allow_empty);
    let pool = threads::pool(options.threads)?;
    progress.start(walked.items.len(), 0);
    tag_all(&pool, &walked.items, &reader, header.metadata(), |item, body| {
        // After a stop the reads of a batch fail one by one. The run fails with `Stopped`, not with their reasons.
        counters.go_on()?;
        match body {
            Ok(body) => writer.record(&item.name, &body)?,
            Err(error) => failures.0.push(failure(&item.name, &error.to_string())),
        }
        Ok(())
    })?;
    failures.check()?;
    let _held = lock.map(Lock::last).transpose()?;
    // The manifest gets its name here, and only if nothing failed.
    writer.finish()?;
    Ok(walked.items.len())
}

/// Reasons why names could not be tagged.
pub(crate) struct Failures(pub(crate) Vec<String>);

impl Failures {
    /// Fails if there is any reason, naming the first one.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.0[..] {
            [] => Ok(()),
            [only] => bail!("no manifest written: {only}"),
            [first, rest @ ..] => bail!("no manifest written: {first}; and {} more", rest.len()),
        }
    }
}

pub(crate) fn failure(name: &[u8], why: &str) -> String {
    format!("{}: {why}", escape(name))
}

/// The result of verifying one name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Bytes of the name, relative to the base folder.
    pub name: Vec<u8>,
    /// Comparison of the contents with the manifest.
    pub status: Status,
    /// Reason of an error, if the status is [`Status::Error`]; rarely what is to be said besides another status.
    pub message: Option<String>,
    /// The recorded name, if the file was moved or copied.
    pub from: Option<Vec<u8>>,
}

impl Finding {
    /// Returns a finding. `None` if that of the new name reports the same file.
    pub(crate) fn new(name: &[u8], verdict: Verdict) -> Option<Self> {
        if verdict.is_elsewhere() {
            return None;
        }
        let from = verdict.from().map(<[u8]>::to_vec);
        Some(Self { name: name.to_vec(), status: verdict.status, message: verdict.message, from })
    }
}

/// Compares a tree with a manifest: everything that the manifest covers, or only what lies below `paths`.
///
/// # Errors
/// If the manifest is not authentic under this key and label, or the tree cannot be read at all. [`Stopped`]
/// if [`Counters::stop`] was called. Differences are no errors but findings.
pub fn verify(
    manifest: &Path,
    key: &Key,
    paths: &[PathBuf],
    options: &Options,
    counters: &Arc<Counters>,
) -> Result<Vec<Finding>> {
    let source = Source::read(&ordinary_file(manifest)?, MAX_MANIFEST_MIB)?;
    let (mut opened, keys) = source.open_to_verify(&key.master, Cpu::detect(), options.demands())?;
    let part = Part::of(paths)?;
    let progress = Progress::watched(counters);
    let own = LeftOut::to_verify(key.path.as_deref(), Some(manifest));
    let walked = walk(&options.base, &opened.header.scope, &part, &own, &progress)?;
    // Records outside of the paths are neither verified nor missing.
    opened.records.retain(|record| part.contains(&record.name));
    let tree = Tree::open(&options.base, &opened.header.scope)?;
    let reader = Reader::new(tree, &keys.file, false, &progress).twice(options.twice);
    let mut findings = Vec::new();
    let judge = Judge::new(reader, &opened.header, walked.errors.is_empty());
    inspect(&opened.records, &part, walked, &judge, &threads::pool(options.threads)?, |name, _, verdict| {
        counters.go_on()?;
        findings.extend(Finding::new(name, verdict));
        Ok(())
    })?;
    Ok(findings)
}
