//! `carryless tag` and `carryless verify` as functions: the same manifests, with values instead of lines of
//! text.
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use carryless_aead::file_mac::Algorithm;
use carryless_hash::Cpu;

use crate::args::ScopeArgs;
use crate::chain::{self, History};
use crate::compare::Effort;
use crate::engine::{self, Files, Recorder, Tagging, Target, Verification};
use crate::excluded::LeftOut;
use crate::input::ordinary_file;
use crate::mac::Keys;
use crate::manifest::{Body, Demands, Edition, Header, MAX_MANIFEST_MIB, Source, Writer};
use crate::name::escape;
use crate::output::check_target;
use crate::part::Part;
use crate::progress::Progress;
use crate::read_error::ReadError;
use crate::scope::Scope;
use crate::threads;
use crate::verdict::Verdict;
use crate::walk::{Item, Walked};

pub use crate::about::Metadata;
pub use crate::key::Key;
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

    /// Returns the tree of these options, and how its files are read.
    fn files<'a>(&'a self, pool: &'a rayon::ThreadPool, progress: &'a Progress) -> Files<'a> {
        Files { base: &self.base, map: false, twice: self.twice, pool, progress }
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
    let target = Target::file(manifest)?;
    let scope = options.scope(paths)?;
    let keys = Keys::derive(&key.master, options.algorithm, Cpu::detect());
    let edition = options.edition(key, manifest)?;
    let (pool, progress) = (threads::pool(options.threads)?, Progress::watched(counters));
    let tagging = Tagging {
        files: options.files(&pool, &progress),
        keys: &keys,
        key_file: key.path.as_deref(),
        target,
        header: Header { label: options.label.clone(), scope, edition },
        allow_empty: options.allow_empty,
    };
    // All failures are collected, to name the first one and the number of the others.
    engine::tag(tagging, Failures(Vec::new()))
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

impl Recorder for Failures {
    type Done = usize;

    fn choose(&mut self, walked: Walked, _: &mut Scope) -> Result<ControlFlow<usize, Vec<Item>>> {
        self.0.extend(walked.errors.iter().map(|(name, why)| failure(name, why)));
        self.check()?;
        Ok(ControlFlow::Continue(walked.items))
    }

    fn take(&mut self, writer: &mut Writer, item: &Item, body: Result<Body, ReadError>) -> Result<()> {
        match body {
            Ok(body) => writer.record(&item.name, &body)?,
            Err(error) => self.0.push(failure(&item.name, &error.to_string())),
        }
        Ok(())
    }

    fn finish(self, writer: Writer, items: usize) -> Result<usize> {
        self.check()?;
        // The manifest gets its name here, and only if nothing failed.
        writer.finish()?;
        Ok(items)
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
    let (opened, keys) = source.open_to_verify(&key.master, Cpu::detect(), options.demands())?;
    let part = Part::of(paths)?;
    let (pool, progress) = (threads::pool(options.threads)?, Progress::watched(counters));
    let verification = Verification {
        files: options.files(&pool, &progress),
        part: &part,
        left_out: LeftOut::to_verify(key.path.as_deref(), Some(manifest)),
        effort: Effort::Verify,
        history: History::default(),
    };
    let mut findings = Vec::new();
    engine::verify(verification, opened, &keys, |name, verdict| {
        findings.extend(Finding::new(name, verdict));
        Ok(())
    })?;
    Ok(findings)
}
