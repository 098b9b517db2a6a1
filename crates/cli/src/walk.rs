//! Finds all files of a scope, hidden ones too, sorted by the bytes of their names.
use std::collections::HashSet;
use std::fs::{self, FileType};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Sender};

use anyhow::{Context as _, Result, ensure};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::excluded::LeftOut;
use crate::exit::{complain, reason};
use crate::gitignore;
use crate::manifest::Record;
use crate::name::{escape, escape_path};
use crate::part::Part;
use crate::progress::Progress;
use crate::random;
use crate::scope::{Scope, Symlinks};
use crate::settle::{Folder, RESTLESS, Settled, settle};
use crate::system::{self, Special};

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An ordinary file, to be read.
    File,
    /// A symbolic link, to be recorded as such.
    Link,
    /// A FIFO, socket or device, which is never opened.
    Special(Special),
}

/// A directory entry: its name relative to the base folder, and its kind.
pub(crate) struct Item {
    /// Bytes of the name, relative to the base folder.
    pub(crate) name: Box<[u8]>,
    /// Kind of the entry, by its own type or, if links are followed, by its target's.
    pub(crate) kind: Kind,
}

/// The result of a walk.
#[derive(Default)]
pub(crate) struct Walked {
    /// All entries of the scope except folders, sorted by name, without duplicates.
    pub(crate) items: Vec<Item>,
    /// Names that could not be examined, each with the reason, sorted.
    pub(crate) errors: Vec<(Vec<u8>, String)>,
    /// Roots that do not exist.
    pub(crate) missing_roots: Vec<Vec<u8>>,
    /// All folders of the scope, sorted by name, without duplicates.
    pub(crate) folders: Vec<Vec<u8>>,
    /// Temporary files beside the manifest, which are left out when recording.
    pub(crate) temporary: Vec<Vec<u8>>,
}

impl Walked {
    /// Takes back temporary files that have records: somebody tagged them as files like any other.
    pub(crate) fn keep_recorded(&mut self, records: &[Record<'_>]) {
        let is_recorded =
            |name: &[u8]| records.binary_search_by(|record| record.name.as_ref().cmp(name)).is_ok();
        let found = std::mem::take(&mut self.temporary);
        let (recorded, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|name| is_recorded(name));
        self.temporary = others;
        if !recorded.is_empty() {
            self.items.extend(recorded.into_iter().map(|name| Item { name: name.into(), kind: Kind::File }));
            // Records and items are merged by name, so the items must stay sorted.
            self.items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        }
    }

    /// Says on standard error which temporary files were left out.
    pub(crate) fn report_temporary(&self) {
        for name in &self.temporary {
            complain(&format!(
                "{}: temporary file of a command that was killed or still runs, left out",
                escape(name)
            ));
        }
    }
}

/// Walks a part of the scope, whose roots are relative to `base`. Counts what it finds. Ends early when the run stops.
pub(crate) fn walk(
    base: &Path,
    scope: &Scope,
    part: &Part,
    own: &LeftOut,
    progress: &Progress,
) -> Result<Walked> {
    // The hash tables of the walk would panic if the system gave no random numbers.
    random::check()?;
    // Below a base that does not exist, every root would seem to be missing.
    let about = fs::metadata(base).and_then(|about| match about.is_dir() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotADirectory.into()),
    });
    about.with_context(|| format!("{}: cannot open the folder", escape_path(base)))?;
    let filter = patterns(&system::place(base), scope)?;
    let mut walked = Walked::default();
    for root in &scope.roots {
        if part.concerns(root) {
            // Not `base/.`, below which patterns with a slash would match nothing.
            let below: &[u8] = if root == b"." { b"" } else { root };
            let Some(path) = system::join(base, below) else {
                // No file can have such a name.
                walked.missing_roots.push(root.clone());
                continue;
            };
            Walk { path: &path, root, scope, filter: &filter, own, progress }.run(part, &mut walked)?;
        }
    }
    // Roots may lie inside of each other, so that a name is found twice.
    // The walk also lists the folders on the way to the part; their other entries do not belong to it.
    walked.items.retain(|item| part.contains(&item.name));
    walked.items.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    walked.items.dedup_by(|a, b| a.name == b.name);
    walked.folders.sort_unstable();
    walked.folders.dedup();
    walked.errors.sort_unstable();
    walked.errors.dedup();
    walked.temporary.sort_unstable();
    walked.temporary.dedup();
    Ok(walked)
}

/// Most walks of one root: first of the whole, then of entries that listings of unstable folders missed.
const ROUNDS: usize = 10;

/// The walk of one root.
struct Walk<'a> {
    path: &'a Path,
    root: &'a [u8],
    scope: &'a Scope,
    filter: &'a Override,
    own: &'a LeftOut,
    progress: &'a Progress,
}

impl Walk<'_> {
    /// Walks a part of the root, then walks again what turns out to be missing.
    fn run(&self, part: &Part, walked: &mut Walked) -> Result<()> {
        // A link with a slash is the folder behind it, on systems too whose paths lose the slash.
        let examine = if self.root.ends_with(b"/") { fs::metadata } else { fs::symlink_metadata };
        match examine(self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // The caller decides: an error when tagging, missing records when verifying.
                walked.missing_roots.push(self.root.to_vec());
                return Ok(());
            }
            Err(error) => {
                walked.errors.push((self.root.to_vec(), error.to_string()));
                return Ok(());
            }
            // A root that is a link is recorded: the walker would follow it.
            Ok(about) if about.is_symlink() && self.scope.symlinks != Symlinks::Follow => {
                self.add(walked, self.root.into(), about.file_type());
                return Ok(());
            }
            Ok(_) => {}
        }
        // A renamed entry can be missed by both listings that should show it. So unstable folders are listed
        // again, and names that turn up are walked.
        let mut folders = self.once(part, walked)?;
        for _ in 1..ROUNDS {
            let missed = self.missed(part, folders, walked)?;
            if missed.is_empty() {
                return Ok(());
            }
            // The next walk lists only these names and the folders on the way to them.
            let missed = Part::new(missed);
            folders = self.once(&missed, walked)?;
            // Folders on the way to what was missed have been checked already.
            folders.retain(|folder| missed.contains(&self.name(&folder.path)));
        }
        let missed = self.missed(part, folders, walked)?;
        walked.errors.extend(missed.into_iter().map(|name| (name, RESTLESS.into())));
        Ok(())
    }

    /// Walks once. Returns the folders listed, with their times before that.
    fn once(&self, part: &Part, walked: &mut Walked) -> Result<Vec<Folder>> {
        // The walker passes the root itself to no filter.
        if let Some(reason) = self.scope.gitignore.then(|| gitignore::refused(self.path)).flatten() {
            walked.errors.push((self.root.to_vec(), reason));
            return Ok(Vec::new());
        }
        let mut walker = WalkBuilder::new(self.path);
        let (refuse, refused) = mpsc::channel();
        if self.scope.gitignore || !part.is_whole() {
            walker.filter_entry(self.filter_of(part, refuse));
        }
        walker
            // Everything that `ignore` would skip by default, such as hidden files, must be found.
            .standard_filters(false)
            .git_ignore(self.scope.gitignore)
            .require_git(false)
            .overrides(self.filter.clone())
            .follow_links(self.scope.symlinks == Symlinks::Follow)
            .same_file_system(self.scope.one_file_system);
        let mut folders = Vec::new();
        for entry in walker.build() {
            self.progress.found()?;
            match entry {
                Ok(entry) => {
                    // The walker returns a folder before it reads its entries, so these times are from before
                    // the listing.
                    if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                        folders.push(Folder::before_listing(entry.path()));
                        walked.folders.push(self.name(entry.path()));
                    }
                    self.add_entry(walked, &entry);
                }
                Err(error) => self.add_error(walked, &error, self.path),
            }
        }
        walked.errors.extend(refused.try_iter());
        Ok(folders)
    }

    /// Returns the filter of a walk: it leaves out what does not concern the part, and folders whose `.gitignore` must not be
    /// opened, which `refuse` gets with the reasons. The walker opens no such file of a folder that it leaves out.
    fn filter_of(
        &self,
        part: &Part,
        refuse: Sender<(Vec<u8>, String)>,
    ) -> impl Fn(&DirEntry) -> bool + Send + Sync + use<> {
        // The walker keeps the closure, so it must own what it uses.
        let (part, path, root) = (part.clone(), self.path.to_path_buf(), self.root.to_vec());
        let obeys = self.scope.gitignore;
        move |entry| {
            let name = name_of(entry.path(), &path, &root);
            if !part.concerns(&name) {
                return false;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let reason = (obeys && is_folder).then(|| gitignore::refused(entry.path())).flatten();
            let keeps = reason.is_none();
            // The receiver lives as long as the walk.
            let _ = reason.map(|reason| refuse.send((name, reason)));
            keeps
        }
    }

    /// Returns names in unstable folders that the walk did not find. Filters may have left them out,
    /// so that walking again decides.
    fn missed(&self, part: &Part, folders: Vec<Folder>, walked: &mut Walked) -> Result<Vec<Vec<u8>>> {
        // Listed folders are known as well: a folder is no item, so it would seem to be missed.
        let listed: Vec<Vec<u8>> = folders.iter().map(|folder| self.name(&folder.path)).collect();
        let Settled { entries, errors } = settle(folders, self.progress)?;
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

    /// Returns the name that manifests use for this path.
    fn name(&self, path: &Path) -> Vec<u8> {
        name_of(path, self.path, self.root)
    }

    /// Adds what the walker found, unless it is a folder or a file to leave out.
    fn add_entry(&self, walked: &mut Walked, entry: &DirEntry) {
        if let Some(error) = entry.error() {
            self.add_error(walked, error, entry.path());
        }
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { return };
        if self.own.has(entry.path()) {
            return;
        }
        if self.own.is_temporary(entry.path()) {
            walked.temporary.push(self.name(entry.path()));
            return;
        }
        self.add(walked, self.name(entry.path()).into(), kind);
    }

    /// Adds an error of the walker under the name that it concerns.
    fn add_error(&self, walked: &mut Walked, error: &ignore::Error, at: &Path) {
        match error {
            ignore::Error::Partial(errors) => {
                errors.iter().for_each(|error| self.add_error(walked, error, at));
            }
            ignore::Error::WithDepth { err, .. } => self.add_error(walked, err, at),
            ignore::Error::WithPath { path, err } => self.add_error(walked, err, path),
            // Following links may lead in circles; the walker stops at the first repetition.
            ignore::Error::Loop { ancestor, child } => {
                let to = escape(&self.name(ancestor));
                let reason = format!("a loop: this symbolic link leads back to {to}");
                walked.errors.push((self.name(child), reason));
            }
            ignore::Error::Io(error) => walked.errors.push((self.name(at), reason(error))),
            other => walked.errors.push((self.name(at), other.to_string())),
        }
    }

    /// Adds an entry, with the policy for links applied.
    fn add(&self, walked: &mut Walked, name: Box<[u8]>, kind: FileType) {
        let kind = match kind {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_symlink() && self.scope.symlinks == Symlinks::Skip => return,
            // Never a link that is followed: the walker returns the type of its target.
            kind if kind.is_symlink() => Kind::Link,
            kind => Kind::Special(system::special(kind)),
        };
        walked.items.push(Item { name, kind });
    }
}

/// Returns whether the filters select this name, in a walk from `root`. Neither the name nor a folder between
/// it and the root may be left out.
pub(crate) fn is_selected(filter: &Override, name: &[u8], root: &[u8]) -> bool {
    let above_root = if root == b"." { 0 } else { root.len() };
    let slashes = name.iter().enumerate().filter(|(at, byte)| **byte == b'/' && *at > above_root);
    let mut folders = slashes.map(|(at, _)| &name[..at]);
    let left_out = |name: &[u8], is_folder| filter.matched(system::path_of(name), is_folder).is_ignore();
    name == root || !(folders.any(|folder| left_out(folder, true)) || left_out(name, false))
}

/// Returns the name that manifests use for a path below a root.
fn name_of(path: &Path, root_path: &Path, root: &[u8]) -> Vec<u8> {
    let below = path.strip_prefix(root_path).unwrap_or(path);
    match (root, below.as_os_str().is_empty()) {
        (_, true) => root.to_vec(),
        (b".", false) => system::name_of(below.as_os_str()).into_owned(),
        (_, false) => {
            let slash: &[u8] = if root.ends_with(b"/") { b"" } else { b"/" };
            [root, slash, &system::name_of(below.as_os_str())].concat()
        }
    }
}

/// Compiles the filters of a scope. Fails on patterns that the builder would understand differently from .gitignore.
pub(crate) fn patterns(base: &Path, scope: &Scope) -> Result<Override> {
    // Patterns with a slash are relative to this folder, names without one match everywhere.
    let mut patterns = OverrideBuilder::new(base);
    let mut add = |option: &str, sign: &str, glob: &String| {
        // In the builder's notation `!` inverts a pattern, `#` begins a comment, and an empty pattern matches
        // everything.
        ensure!(
            !glob.starts_with(['!', '#']),
            "{option} {glob}: not a usable pattern: for a name that begins with ! or #, write \\! or \\#"
        );
        ensure!(!glob.trim().is_empty(), "{option} \"{glob}\": not a usable pattern: it is empty");
        patterns
            .add(&format!("{sign}{glob}"))
            .map(|_| ())
            .with_context(|| format!("{option} {glob}: not a usable pattern"))
    };
    // The last match decides, so exclusions come last and win.
    scope.include.iter().try_for_each(|glob| add("--include", "", glob))?;
    scope.exclude.iter().try_for_each(|glob| add("--exclude", "!", glob))?;
    patterns.build().context("the patterns are not usable together")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Counters;
    use std::sync::Arc;

    /// A walk does not apply filters to the folders above its root.
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
        let counters = Arc::new(Counters::default());
        let walk = || {
            let (own, progress) = (LeftOut::default(), Progress::watched(&counters));
            walk(folder.path(), &scope, &Part::default(), &own, &progress)
        };
        assert!(walk().is_ok());
        counters.stop();
        let stopped = walk();
        assert!(stopped.is_err_and(|error| error.is::<crate::progress::Stopped>()));
    }
}
