//! Finds the files of a scope: every one of them, hidden ones too, in the order of their names' bytes.
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::exit::reason;
use crate::name::{escape, escape_path};
use crate::progress::Counters;
use crate::scope::{Scope, Symlinks, is_below};
use crate::settle::{Folder, RESTLESS, Settled, settle};

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An ordinary file.
    File,
    /// A symbolic link, to be recorded as such.
    Link,
    /// Something that is never opened; the word says what.
    Special(&'static str),
}

/// A name relative to the base folder, and what stands there.
pub(crate) struct Item {
    /// The name's bytes.
    pub(crate) name: Box<[u8]>,
    /// What stands there.
    pub(crate) kind: Kind,
}

/// What a walk found.
pub(crate) struct Walked {
    /// Everything in the scope but folders, sorted by name, no name twice.
    pub(crate) items: Vec<Item>,
    /// Name and reason for each thing that could not be looked at, sorted.
    pub(crate) errors: Vec<(Vec<u8>, String)>,
    /// Roots under which there is nothing.
    pub(crate) missing_roots: Vec<Vec<u8>>,
    /// Folders, if files are selected by name.
    pub(crate) folders: Vec<Vec<u8>>,
}

/// A file that is left out of the walk, the key or the manifest: this name in this folder, and nothing else that leads
/// to the same contents.
pub(crate) struct Own {
    folder: PathBuf,
    name: OsString,
    device: u64,
    inode: u64,
}

impl Own {
    /// The files to leave out for a path that the user named: what stands there and, if that is a link, what it leads to.
    pub(crate) fn at(path: &Path) -> Vec<Self> {
        let behind = fs::canonicalize(path).ok();
        [Self::entry(path), behind.as_deref().and_then(Self::entry)].into_iter().flatten().collect()
    }

    /// The directory entry itself; a link is not followed.
    fn entry(path: &Path) -> Option<Self> {
        let about = fs::symlink_metadata(path).ok()?;
        let name = path.file_name()?.to_owned();
        Some(Self { folder: canonical_parent(path)?, name, device: about.dev(), inode: about.ino() })
    }

    /// Whether the path is this directory entry. Asks the file system only if the last name is the same.
    fn is(&self, path: &Path) -> bool {
        path.file_name() == Some(&self.name)
            && fs::symlink_metadata(path)
                .is_ok_and(|about| (about.dev(), about.ino()) == (self.device, self.inode))
            && canonical_parent(path).as_ref() == Some(&self.folder)
    }
}

/// The folder in which the last name of the path stands, without links.
fn canonical_parent(path: &Path) -> Option<PathBuf> {
    let parent = path.parent()?;
    fs::canonicalize(if parent.as_os_str().is_empty() { Path::new(".") } else { parent }).ok()
}

/// A part of a tree: these normalised paths and what lies below them; everything if there are none.
#[derive(Clone, Default)]
pub(crate) struct Part(Vec<Vec<u8>>);

impl Part {
    /// The part of these paths.
    pub(crate) fn new(mut paths: Vec<Vec<u8>>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        Self(paths)
    }

    /// Whether the name lies in this part.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.0.is_empty() || self.above(name).next().is_some()
    }

    /// The paths below which there is none of these names.
    pub(crate) fn without<'n>(&self, names: impl Iterator<Item = &'n [u8]>) -> impl Iterator<Item = &[u8]> {
        let mut found = vec![false; self.0.len()];
        if !self.0.is_empty() {
            names.for_each(|name| self.above(name).for_each(|at| found[at] = true));
        }
        let paths = self.0.iter().zip(found).filter(|(_, found)| !found);
        paths.map(|(path, _)| path.as_slice())
    }

    /// Whether the name lies in this part or may lead there.
    fn concerns(&self, name: &[u8]) -> bool {
        if self.contains(name) {
            return true;
        }
        let name = name.strip_suffix(b"/").unwrap_or(name);
        if name == b"." {
            return self.0.iter().any(|path| is_below(path, name));
        }
        // Paths below a name begin with it, and those that do stand together.
        let first = self.0.partition_point(|path| path.as_slice() < name);
        self.0[first..].iter().take_while(|path| path.starts_with(name)).any(|path| is_below(path, name))
    }

    /// The indices of paths that are the name or lie above it.
    fn above(&self, name: &[u8]) -> impl Iterator<Item = usize> {
        let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at.max(1));
        let ancestors = slashes.map(|end| &name[..end]).chain([name, b"."]);
        let found =
            ancestors.filter_map(|path| self.0.binary_search_by(|have| have.as_slice().cmp(path)).ok());
        found.filter(|at| is_below(name, &self.0[*at]))
    }
}

/// Walks this part of the scope's roots, which are relative to `base`. Another thread may stop it by the counters.
pub(crate) fn walk(
    base: &Path,
    scope: &Scope,
    part: &Part,
    own: &[Own],
    counters: &Counters,
) -> Result<Walked> {
    let about = fs::metadata(base).and_then(|about| match about.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    about.with_context(|| format!("{}: cannot open the folder", escape_path(base)))?;
    let filter = patterns(base, scope)?;
    let mut walked =
        Walked { items: Vec::new(), errors: Vec::new(), missing_roots: Vec::new(), folders: Vec::new() };
    for root in &scope.roots {
        if part.concerns(root) {
            // `base/` and not `base/.`, below which patterns with a slash would match nothing.
            let below: &[u8] = if root == b"." { b"" } else { root };
            let path = base.join(OsStr::from_bytes(below));
            Walk { path: &path, root, scope, filter: &filter, own, counters }.run(part, &mut walked)?;
        }
    }
    walked.items.retain(|item| part.contains(&item.name));
    walked.items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    walked.items.dedup_by(|a, b| a.name == b.name);
    walked.errors.sort_unstable();
    walked.errors.dedup();
    Ok(walked)
}

/// How often a root is walked, at first whole and then for what lists of restless folders had been without.
const ROUNDS: usize = 10;

/// The walk of a root.
struct Walk<'a> {
    path: &'a Path,
    root: &'a [u8],
    scope: &'a Scope,
    filter: &'a Override,
    own: &'a [Own],
    counters: &'a Counters,
}

impl Walk<'_> {
    /// Walks a part of the root, and again what turns out to have been missed.
    fn run(&self, part: &Part, walked: &mut Walked) -> Result<()> {
        match fs::symlink_metadata(self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                walked.missing_roots.push(self.root.to_vec());
                return Ok(());
            }
            Err(error) => {
                walked.errors.push((self.root.to_vec(), error.to_string()));
                return Ok(());
            }
            // The walker would follow a link that is a root.
            Ok(about) if about.is_symlink() && self.scope.symlinks != Symlinks::Follow => {
                self.add(walked, self.root.into(), about.file_type());
                return Ok(());
            }
            Ok(_) => {}
        }
        let mut folders = self.once(part, walked)?;
        for _ in 1..ROUNDS {
            let missed = self.missed(part, folders, walked)?;
            if missed.is_empty() {
                return Ok(());
            }
            let missed = Part::new(missed);
            folders = self.once(&missed, walked)?;
            // Those on the way have settled.
            folders.retain(|folder| missed.contains(&self.name(&folder.path)));
        }
        let missed = self.missed(part, folders, walked)?;
        walked.errors.extend(missed.into_iter().map(|name| (name, RESTLESS.into())));
        Ok(())
    }

    /// Walks once, and returns the folders that were listed.
    fn once(&self, part: &Part, walked: &mut Walked) -> Result<Vec<Folder>> {
        let mut walker = WalkBuilder::new(self.path);
        if !part.0.is_empty() {
            // Folders that lead nowhere near are not listed.
            let (part, path, root) = (part.clone(), self.path.to_path_buf(), self.root.to_vec());
            walker.filter_entry(move |entry| part.concerns(&name_of(entry.path(), &path, &root)));
        }
        walker
            .standard_filters(false)
            .git_ignore(self.scope.gitignore)
            .require_git(false)
            .overrides(self.filter.clone())
            .follow_links(self.scope.symlinks == Symlinks::Follow)
            .same_file_system(self.scope.one_file_system);
        let mut folders = Vec::new();
        for entry in walker.build() {
            self.counters.go_on()?;
            match entry {
                Ok(entry) => {
                    // The walker hands over a folder before it reads the first entry.
                    if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                        folders.push(Folder::before_listing(entry.path()));
                        if !self.scope.include.is_empty() {
                            walked.folders.push(self.name(entry.path()));
                        }
                    }
                    self.add_entry(walked, &entry);
                }
                Err(error) => self.add_error(walked, &error, self.path),
            }
        }
        Ok(folders)
    }

    /// Names in folders that were restless, if the walk has not come by them. Filters may be why.
    fn missed(&self, part: &Part, folders: Vec<Folder>, walked: &mut Walked) -> Result<Vec<Vec<u8>>> {
        let listed: Vec<Vec<u8>> = folders.iter().map(|folder| self.name(&folder.path)).collect();
        let Settled { entries, errors } = settle(folders, self.counters)?;
        walked.errors.extend(errors.into_iter().map(|(path, reason)| (self.name(&path), reason)));
        let mut names: HashSet<Vec<u8>> = entries.iter().map(|path| self.name(path)).collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let items = walked.items.iter().map(|item| &*item.name);
        for name in items.chain(listed.iter().map(Vec::as_slice)) {
            names.remove(name);
        }
        Ok(names.into_iter().filter(|name| part.concerns(name)).collect())
    }

    /// The name under which manifests list what the walk found at this path.
    fn name(&self, path: &Path) -> Vec<u8> {
        name_of(path, self.path, self.root)
    }

    fn add_entry(&self, walked: &mut Walked, entry: &DirEntry) {
        if let Some(error) = entry.error() {
            self.add_error(walked, error, entry.path());
        }
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { return };
        if self.own.iter().any(|file| file.is(entry.path())) {
            return;
        }
        self.add(walked, self.name(entry.path()).into(), kind);
    }

    fn add_error(&self, walked: &mut Walked, error: &ignore::Error, at: &Path) {
        match error {
            ignore::Error::Partial(errors) => {
                errors.iter().for_each(|error| self.add_error(walked, error, at));
            }
            ignore::Error::WithDepth { err, .. } => self.add_error(walked, err, at),
            ignore::Error::WithPath { path, err } => self.add_error(walked, err, path),
            ignore::Error::Loop { ancestor, child } => {
                let to = escape(&self.name(ancestor));
                let reason = format!("a loop: this symbolic link leads back to {to}");
                walked.errors.push((self.name(child), reason));
            }
            ignore::Error::Io(error) => walked.errors.push((self.name(at), reason(error))),
            other => walked.errors.push((self.name(at), other.to_string())),
        }
    }

    fn add(&self, walked: &mut Walked, name: Box<[u8]>, kind: FileType) {
        let kind = match kind {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_symlink() && self.scope.symlinks == Symlinks::Skip => return,
            kind if kind.is_symlink() => Kind::Link,
            kind => Kind::Special(special(kind)),
        };
        walked.items.push(Item { name, kind });
    }
}

/// Whether the filters leave in what has this name, as they do in a walk from this root: neither it nor a folder between it and the root is left out.
pub(crate) fn is_selected(filter: &Override, name: &[u8], root: &[u8]) -> bool {
    let above_root = if root == b"." { 0 } else { root.len() };
    let slashes = name.iter().enumerate().filter(|(at, byte)| **byte == b'/' && *at > above_root);
    let mut folders = slashes.map(|(at, _)| &name[..at]);
    let left_out = |name: &[u8], is_folder| filter.matched(OsStr::from_bytes(name), is_folder).is_ignore();
    name == root || !(folders.any(|folder| left_out(folder, true)) || left_out(name, false))
}

/// The name under which manifests list what the walk found at this path.
fn name_of(path: &Path, root_path: &Path, root: &[u8]) -> Vec<u8> {
    let below = path.strip_prefix(root_path).unwrap_or(path);
    match (root, below.as_os_str().is_empty()) {
        (_, true) => root.to_vec(),
        (b".", false) => below.as_os_str().as_bytes().to_vec(),
        (_, false) => Path::new(OsStr::from_bytes(root)).join(below).into_os_string().into_vec(),
    }
}

fn special(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_fifo() => "a FIFO",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "neither a file, a link nor a folder",
    }
}

/// The filters of a scope.
pub(crate) fn patterns(base: &Path, scope: &Scope) -> Result<Override> {
    let mut patterns = OverrideBuilder::new(base);
    let mut add = |sign: &str, glob: &String| {
        // In the notation of the builder `!` turns the meaning round, `#` begins a comment, and nothing is everything.
        ensure!(
            !glob.starts_with(['!', '#']),
            "{glob}: not a usable pattern: write \\! or \\# for the character"
        );
        ensure!(!glob.trim().is_empty(), "{glob:?}: not a usable pattern: it is empty");
        patterns
            .add(&format!("{sign}{glob}"))
            .map(|_| ())
            .with_context(|| format!("{glob}: not a usable pattern"))
    };
    // The last match decides: exclusions stand last.
    scope.include.iter().try_for_each(|glob| add("", glob))?;
    scope.exclude.iter().try_for_each(|glob| add("!", glob))?;
    patterns.build().context("the patterns are not usable together")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A walk from a root does not ask the filters about the folders above it.
    #[test]
    fn filters_begin_at_the_root() {
        let scope = Scope { exclude: vec!["inner".into()], ..Scope::empty() };
        let filter = patterns(Path::new(""), &scope).expect("a filter");
        assert!(is_selected(&filter, b"inner/deep/1", b"inner/deep"));
        assert!(!is_selected(&filter, b"inner/deep/inner/1", b"inner/deep"));
        assert!(!is_selected(&filter, b"inner/deep/1", b"."));
    }

    #[test]
    fn a_walk_ends_on_request() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut scope = Scope::empty();
        scope.set_roots(folder.path(), [Path::new(".")]).expect("a root");
        let counters = Counters::default();
        assert!(walk(folder.path(), &scope, &Part::default(), &[], &counters).is_ok());
        counters.stop();
        let stopped = walk(folder.path(), &scope, &Part::default(), &[], &counters);
        assert!(stopped.is_err_and(|error| error.is::<crate::progress::Stopped>()));
    }
}
