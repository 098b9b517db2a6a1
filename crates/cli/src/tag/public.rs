//! The public list of `tag`: unkeyed digests beside the manifest, which records the list like any file.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use super::TagArgs;
use super::made::Made;
use crate::lists::Hash;
use crate::mac::Keys;
use crate::name::{escape_path, named, parent};
use crate::output::{NewFile, PUBLIC};
use crate::read::{Content, Reader};
use crate::scope::{Scope, normal};
use crate::system::path_of;
use crate::walk::{Item, Kind, Walked};

/// Where the list is written, and under which name the manifest records it.
pub(super) struct Public {
    hash: Hash,
    target: PathBuf,
    name: Vec<u8>,
    overwrite: bool,
}

impl Public {
    /// Returns the list that the options ask for, if they do. Fails if it cannot be written.
    pub(super) fn of(args: &TagArgs, scope: &Scope) -> Result<Option<Self>> {
        let Some(hash) = args.public else { return Ok(None) };
        let manifest = args.output.as_deref().and_then(named);
        let manifest = manifest.context("--public writes beside the manifest, which must be a file")?;
        let target = hash.list_of(manifest);
        // A list that appears meanwhile is that of another command.
        let overwrite = args.force && fs::symlink_metadata(&target).is_ok();
        NewFile::check_list(&target, overwrite)?;
        let name = name(args.read.base(), scope, &target)?;
        Ok(Some(Self { hash, target, name, overwrite }))
    }

    /// Leaves out what has the name of the list: an older list, or the error that there is none yet. The list that is
    /// written has the only record of this name.
    pub(super) fn leave_out(&self, walked: &mut Walked) {
        walked.items.retain(|item| *item.name != *self.name);
        walked.errors.retain(|(name, _)| *name != self.name);
    }

    /// Makes the list a root of its own, so that `verify` finds it wherever it is.
    pub(super) fn add_to(&self, scope: &mut Scope) {
        scope.roots.push(self.name.clone());
        // Names find their root by a binary search.
        scope.roots.sort_unstable();
        scope.roots.dedup();
    }

    /// Computes the digests of all files, and writes the list under a temporary name. What cannot be read is left out:
    /// it has an error when it is tagged.
    pub(super) fn list(
        &self,
        keys: &Keys,
        items: &[Item],
        reader: &Reader<'_>,
        pool: &rayon::ThreadPool,
    ) -> Result<Made> {
        let files = items.par_iter().filter(|item| item.kind == Kind::File);
        let digest = |item: &Item| {
            let (digest, about) = self.hash.of(reader.tree(), &item.name, reader.progress()).ok()?;
            Some((item.name.to_vec(), self.hash.line(&item.name, &digest), about))
        };
        let digests: Vec<_> = pool.install(|| files.filter_map(digest).collect());
        let mut file = NewFile::create_list(&self.target, PUBLIC, self.overwrite)?;
        let mut message = keys.file.stream();
        let (mut size, mut states) = (0, BTreeMap::new());
        for (name, line, about) in digests {
            message.update(&line);
            file.write(&line)?;
            size += line.len() as u64;
            states.insert(name, about);
        }
        let content = Content { size, tag: message.finalize() };
        let about = file.about()?;
        Ok(Made { file, name: self.name.clone(), content, about, states })
    }
}

/// Returns the name of the list: that which it has below one of the roots, or else below `base`, without links. The file
/// need not exist.
fn name(base: &Path, scope: &Scope, target: &Path) -> Result<Vec<u8>> {
    let real = |path: &Path| path.canonicalize().with_context(|| escape_path(path));
    let target = real(parent(target))?.join(target.file_name().unwrap_or_default());
    let below = |root: &Vec<u8>| {
        let root = path_of(root);
        let rest = target.strip_prefix(base.join(&root).canonicalize().ok()?).ok()?.to_owned();
        Some(root.join(rest))
    };
    match scope.roots.iter().find_map(below) {
        Some(path) => normal(&path),
        None => normal(target.strip_prefix(real(base)?).unwrap_or(&target)),
    }
}
