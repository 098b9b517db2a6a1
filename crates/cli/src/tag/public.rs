//! The public list of `tag`: unkeyed digests beside the manifest, which records the list like any file.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use super::TagArgs;
use super::recorder::Made;
use crate::lists::Hash;
use crate::mac::Keys;
use crate::name::{escape_path, named};
use crate::output::{NewFile, PUBLIC};
use crate::read::{Content, Reader};
use crate::scope::{Scope, normal};
use crate::system::path_of;
use crate::walk::{Item, Kind};

/// Where the list is written, and under which name the manifest records it, once its scope is known.
pub(super) struct Public {
    hash: Hash,
    target: PathBuf,
    name: Vec<u8>,
    overwrite: bool,
}

impl Public {
    /// Returns the list that the options ask for, if they do. Fails if it cannot be written.
    pub(super) fn of(args: &TagArgs) -> Result<Option<Self>> {
        let Some(hash) = args.public else { return Ok(None) };
        let manifest = args.output.as_deref().and_then(named);
        let manifest = manifest.context("--public writes beside the manifest, which must be a file")?;
        let mut target = manifest.as_os_str().to_owned();
        target.push(hash.extension());
        let target = PathBuf::from(target);
        NewFile::check_list(&target, args.force)?;
        let name = Vec::new();
        Ok(Some(Self { hash, target, name, overwrite: args.force }))
    }

    /// Makes the list a root of its own, so that `verify` finds it wherever it is, and leaves out an older one. Its name
    /// is that which it has below another root, if it is there.
    pub(super) fn add_to(&mut self, base: &Path, scope: &mut Scope, items: &mut Vec<Item>) -> Result<()> {
        let target = resolved(&self.target)?;
        let below = |root: &Vec<u8>| {
            let root = path_of(root);
            let rest = target.strip_prefix(base.join(&root).canonicalize().ok()?).ok()?.to_owned();
            Some(root.join(rest))
        };
        let beside = || match base.canonicalize() {
            Ok(base) => Ok(target.strip_prefix(base).unwrap_or(&target).to_owned()),
            Err(error) => Err(error).with_context(|| escape_path(base)),
        };
        self.name = normal(&scope.roots.iter().find_map(below).map_or_else(beside, Ok)?)?;
        items.retain(|item| *item.name != *self.name);
        scope.roots.push(self.name.clone());
        scope.roots.sort_unstable();
        scope.roots.dedup();
        Ok(())
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

/// Returns the absolute path of a file that need not exist, without links in its folder.
fn resolved(target: &Path) -> Result<PathBuf> {
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let folder = folder.canonicalize().with_context(|| escape_path(folder))?;
    Ok(folder.join(target.file_name().unwrap_or_default()))
}
