//! Parts of a tree, which the user names by paths.
use std::path::PathBuf;

use anyhow::Result;

use crate::scope::{is_below, normal};

/// A part of a tree: these normalised paths and everything below them. Without paths it is the whole tree.
#[derive(Clone, Default)]
pub(crate) struct Part(Vec<Vec<u8>>);

impl Part {
    /// Returns the part of these paths as somebody wrote them. Fails on an empty path.
    pub(crate) fn of(paths: &[PathBuf]) -> Result<Self> {
        Ok(Self::new(paths.iter().map(|path| normal(path)).collect::<Result<_>>()?))
    }

    /// Returns the part of these normalised paths, in any order.
    pub(crate) fn new(mut paths: Vec<Vec<u8>>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        Self(paths)
    }

    /// Returns whether the name lies in this part.
    pub(crate) fn contains(&self, name: &[u8]) -> bool {
        self.0.is_empty() || self.above(name).next().is_some()
    }

    /// Returns the paths that contain none of these names.
    pub(crate) fn without<'n>(&self, names: impl Iterator<Item = &'n [u8]>) -> impl Iterator<Item = &[u8]> {
        let mut found = vec![false; self.0.len()];
        if !self.0.is_empty() {
            names.for_each(|name| self.above(name).for_each(|at| found[at] = true));
        }
        let paths = self.0.iter().zip(found).filter(|(_, found)| !found);
        paths.map(|(path, _)| path.as_slice())
    }

    /// Returns whether this is the whole tree.
    pub(crate) fn is_whole(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the name lies in this part, or is a folder that may contain some of it.
    pub(crate) fn concerns(&self, name: &[u8]) -> bool {
        if self.contains(name) {
            return true;
        }
        let name = name.strip_suffix(b"/").unwrap_or(name);
        if name == b"." {
            return self.0.iter().any(|path| is_below(path, name));
        }
        // Paths below a name begin with it, and are adjacent in the sorted list.
        let first = self.0.partition_point(|path| path.as_slice() < name);
        self.0[first..].iter().take_while(|path| path.starts_with(name)).any(|path| is_below(path, name))
    }

    /// Returns the indices of the paths that are the name itself or lie above it.
    fn above(&self, name: &[u8]) -> impl Iterator<Item = usize> {
        // The slash at the beginning of an absolute name is itself a path; the others end one.
        let slashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at.max(1));
        // Few slashes per name and a binary search for each: cheaper than comparing all paths.
        let ancestors = slashes.map(|end| &name[..end]).chain([name, b"."]);
        let found =
            ancestors.filter_map(|path| self.0.binary_search_by(|have| have.as_slice().cmp(path)).ok());
        found.filter(|at| is_below(name, &self.0[*at]))
    }
}
