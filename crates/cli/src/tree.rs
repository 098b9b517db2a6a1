//! What `carryless tag` and `carryless verify` do, for programs: the same manifests, and values in the place of lines of text.
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_aead::file_mac::Algorithm;
use carryless_hash::Cpu;
use zeroize::Zeroizing;

use crate::beneath::Tree;
use crate::filters;
use crate::key;
use crate::mac::{Keys, MasterKey};
use crate::manifest::{MOST_MANIFEST_MIB, Sealed, Sink, Writer};
use crate::name::{escape, escape_path, named};
use crate::output::{NewFile, PUBLIC, check_target};
use crate::progress::Progress;
use crate::read::Reader;
use crate::scope::{Scope, Specials, normal};
use crate::tag::{collect, tag_all};
use crate::threads;
use crate::verify::{inspect, read_manifest};
use crate::walk::{Own, Part, walk};

pub use crate::progress::{Counters, Stopped};
pub use crate::report::Status;
pub use crate::scope::Symlinks;

/// How a tree is read and what of it: the options of the command with its defaults.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The folder that paths and names are relative to.
    pub base: PathBuf,
    /// Threads that read and hash; as many as there are processors if none are given.
    pub threads: Option<usize>,
    /// A text, not empty, that the manifest carries and that verification asks for.
    pub label: Option<String>,
    /// How tags are made. Verification finds it in the manifest.
    pub algorithm: Algorithm,
    /// What to do with symbolic links, when tagging.
    pub symlinks: Symlinks,
    /// Whether FIFOs, sockets and devices are left out instead of being errors.
    pub skip_special: bool,
    /// If not empty, only files that match one of these patterns, as in .gitignore; when tagging.
    pub include: Vec<String>,
    /// No files or folders that match one of these; when tagging.
    pub exclude: Vec<String>,
    /// Whether .gitignore files are obeyed, when tagging.
    pub gitignore: bool,
    /// Whether folders on other file systems than the path above them are left out, when tagging.
    pub one_file_system: bool,
    /// Whether an existing manifest is replaced. Nothing else ever is.
    pub overwrite: bool,
    /// Whether a manifest may have no entries, when tagging and when verifying.
    pub allow_empty: bool,
    /// Whether files are read twice that cannot be guarded against writers ([`Counters::unguarded`] counts them otherwise), and unequal
    /// readings are a change.
    pub twice: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            base: ".".into(),
            threads: None,
            label: None,
            algorithm: Algorithm::default(),
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
    pub(crate) fn scope(&self, paths: &[PathBuf]) -> Result<Scope> {
        ensure!(!paths.is_empty(), "no path was given");
        ensure!(self.label.as_deref() != Some(""), "an empty label was given");
        let scope = Scope {
            symlinks: self.symlinks,
            specials: if self.skip_special { Specials::Skip } else { Specials::Refuse },
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            gitignore: self.gitignore,
            one_file_system: self.one_file_system,
            ..Scope::empty()
        };
        filters::with_roots(scope, &self.base, paths)
    }
}

/// A key: its 32 bytes, wiped when dropped, and the file that they came from, which is left out where it lies in the tree.
#[derive(Clone)]
pub struct Key {
    pub(crate) master: MasterKey,
    pub(crate) path: Option<PathBuf>,
}

impl fmt::Debug for Key {
    /// Nothing of the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Key {
    /// A key of 32 bytes.
    #[must_use]
    pub fn new(bytes: &[u8; 32]) -> Self {
        let mut master = MasterKey::zeroed();
        master.copy_from_slice(bytes);
        Key { master, path: None }
    }

    /// The key in a key file, which nobody else may read or write.
    ///
    /// # Errors
    /// If the path is no ordinary file, others may read or write it, or it holds no key.
    pub fn from_file(path: &Path) -> Result<Self> {
        let loaded = key::load_file(&ordinary_file(path)?)?;
        Ok(Key { master: loaded.master, path: loaded.path })
    }

    /// The 32 bytes, for another process that reads for this one.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(*self.master)
    }

    pub(crate) fn left_out(&self, manifest: &Path) -> Vec<Own> {
        [self.path.as_deref(), Some(manifest)].into_iter().flatten().flat_map(Own::at).collect()
    }
}

/// The path, if an ordinary file is there: what may never end, or make a process wait, is not opened. `-` is a file, too.
pub(crate) fn ordinary_file(path: &Path) -> Result<PathBuf> {
    let about = std::fs::metadata(path).with_context(|| escape_path(path))?;
    ensure!(about.is_file(), "{}: not an ordinary file", escape_path(path));
    Ok(if named(path).is_some() { path.to_path_buf() } else { Path::new(".").join(path) })
}

/// Tags paths and writes the manifest, whole or not at all. Returns how many entries it has.
///
/// # Errors
/// If an option is not usable, the manifest cannot be written, there is nothing to tag, or anything could not be tagged: the first reason, and how many more there were.
/// [`Stopped`] if [`Counters::stop`] was called.
pub fn tag(
    paths: &[PathBuf],
    key: &Key,
    manifest: &Path,
    options: &Options,
    counters: &Arc<Counters>,
) -> Result<usize> {
    check_target(manifest, options.overwrite)?;
    let scope = options.scope(paths)?;
    let keys = Keys::derive(&key.master, options.algorithm, Cpu::detect());
    let walked = collect(&options.base, &scope, &key.left_out(manifest), counters)?;
    let mut failures = Failures(walked.errors.into_iter().map(|(name, why)| failure(&name, &why)).collect());
    failures.check()?;
    let progress = Progress::watched(counters, walked.items.len());
    let tree = Tree::open(&options.base, &scope)?;
    let reader = Reader::new(tree, &keys.file, false, &progress).twice(options.twice);
    let sink = Sink::File(NewFile::create(manifest, PUBLIC, options.overwrite)?);
    let mut writer =
        Writer::new(sink, &keys, options.label.as_deref(), &scope).allow_empty(options.allow_empty);
    tag_all(&threads::pool(options.threads)?, &walked.items, &reader, |item, body| {
        counters.go_on()?;
        match body {
            Ok(body) => writer.record(&item.name, &body)?,
            Err(error) => failures.0.push(failure(&item.name, &error.to_string())),
        }
        Ok(())
    })?;
    failures.check()?;
    writer.finish()?;
    Ok(walked.items.len())
}

/// What could not be tagged.
pub(crate) struct Failures(pub(crate) Vec<String>);

impl Failures {
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

/// What was found under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The bytes of the name, relative to the folder.
    pub name: Vec<u8>,
    /// How it compares with the manifest.
    pub status: Status,
    /// Why it could not be compared.
    pub message: Option<String>,
}

/// Compares what is there with a manifest: all that it records or covers, or what is below some paths.
///
/// # Errors
/// If the manifest is none by this key and label, or the tree cannot be read at all; [`Stopped`] if [`Counters::stop`] was called. What differs is in the findings.
pub fn verify(
    manifest: &Path,
    key: &Key,
    paths: &[PathBuf],
    options: &Options,
    counters: &Arc<Counters>,
) -> Result<Vec<Finding>> {
    let shown = || escape_path(manifest);
    let bytes = read_manifest(&ordinary_file(manifest)?, MOST_MANIFEST_MIB)?;
    let sealed = Sealed::new(&bytes).with_context(shown)?.allow_empty(options.allow_empty);
    let keys = Keys::derive(&key.master, sealed.algorithm, Cpu::detect());
    let label = options.label.as_deref();
    let mut opened = sealed.open_to_verify(&keys, label, options.skip_special).with_context(shown)?;
    let part = Part::new(paths.iter().map(|path| normal(path)).collect::<Result<_>>()?);
    let walked = walk(&options.base, &opened.scope, &part, &key.left_out(manifest), counters)?;
    opened.records.retain(|record| part.contains(&record.name));
    let progress = Progress::watched(counters, opened.records.len());
    let tree = Tree::open(&options.base, &opened.scope)?;
    let reader = Reader::new(tree, &keys.file, false, &progress).twice(options.twice);
    let mut findings = Vec::new();
    inspect(&opened, &part, walked, reader, &threads::pool(options.threads)?, |name, found| {
        counters.go_on()?;
        findings.extend(found.map(|(status, message)| Finding { name: name.to_vec(), status, message }));
        Ok(())
    })?;
    Ok(findings)
}
