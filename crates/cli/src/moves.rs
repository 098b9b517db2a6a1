//! Finds out which new names are recorded files that were moved, or copies of them.
use std::collections::{BTreeMap, VecDeque};

use crate::manifest::Body;
use crate::scope::last_of;
use crate::verdict::Status;

/// A name with what it was or is.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a, 'b> {
    pub(crate) name: &'a [u8],
    /// What the name was or is. `None` for a file that was not read.
    pub(crate) body: Option<&'b Body>,
    /// The inode, for files only.
    pub(crate) inode: Option<u64>,
}

impl<'a, 'b> Entry<'a, 'b> {
    /// Returns the entry of a name that was recorded or read.
    pub(crate) fn of((name, body): &'b (&'a [u8], Body)) -> Self {
        let inode = if let Body::File(_, about) = body { about.inode() } else { None };
        Self { name, body: Some(body), inode }
    }

    fn contents(&self) -> Option<Contents<'b>> {
        Contents::of(self.body?)
    }
}

/// What two names have in common if one of them is the other, moved or copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Contents<'a> {
    File(u64, &'a [u8]),
    Link(&'a [u8]),
}

impl<'a> Contents<'a> {
    fn of(body: &'a Body) -> Option<Self> {
        match body {
            Body::File(content, _) => Some(Self::File(content.size, content.tag.as_bytes())),
            Body::Link(target) => Some(Self::Link(target)),
            Body::Error => None,
        }
    }

    /// Returns whether equal contents mean a copy. Empty files and links are equal by chance.
    fn is_copied(self) -> bool {
        matches!(self, Self::File(1.., _))
    }
}

/// The recorded names of which a new one may be a copy, all with equal contents.
struct Sources<'a> {
    /// A name that still has these contents, or has been moved.
    kept: Option<&'a [u8]>,
    /// Names that had them, if none has.
    lost: VecDeque<&'a [u8]>,
}

impl<'a> Sources<'a> {
    /// Returns where the next new name comes from.
    fn next(&mut self) -> Option<(Status, &'a [u8])> {
        if let Some(original) = self.kept {
            return Some((Status::Copied, original));
        }
        // Further new names with these contents are copies of the one that was moved.
        self.kept = self.lost.pop_front();
        self.kept.map(|original| (Status::Moved, original))
    }
}

/// New names that have an old one, and old names that have a new one.
#[derive(Default)]
pub(crate) struct Moves<'a> {
    from: BTreeMap<&'a [u8], (Status, &'a [u8])>,
    to: BTreeMap<&'a [u8], (Status, &'a [u8])>,
}

impl<'a> Moves<'a> {
    /// Matches missing names `gone` with new names `come`, each at most once.
    ///
    /// Among names with equal contents, those with the same inode belong together, then those with the same last
    /// component, then those that are left, by name. Empty files are equal by chance: if inodes are known, they decide.
    /// Systems use inodes again: `same` decides whether an empty file, or one with other contents, is the missing file with
    /// its inode or a new one.
    pub(crate) fn find<'b>(
        gone: &[Entry<'a, 'b>],
        come: &[Entry<'a, 'b>],
        same: impl Fn(&Entry<'a, 'b>, &Entry<'a, 'b>) -> bool,
    ) -> Self {
        let mut moves = Self::default();
        // The surest key comes first, because a name that has found its partner is not paired again.
        moves.pair(gone, come, |entry| Some((entry.contents()?, entry.inode?)));
        moves.pair(gone, come, |entry| Some((entry.contents()?, last_of(entry.name))));
        moves.pair(gone, come, Entry::contents);
        let mut inodes: BTreeMap<u64, &Entry<'a, 'b>> = BTreeMap::new();
        for entry in gone.iter().filter(|entry| !moves.to.contains_key(entry.name)) {
            inodes.extend(entry.inode.map(|inode| (inode, entry)));
        }
        for new in come {
            if !moves.from.contains_key(new.name)
                && let Some(inode) = new.inode
                && let Some(old) = inodes.get(&inode).filter(|old| same(old, new))
            {
                let equal = old.contents() == new.contents();
                let status = if equal { Status::Moved } else { Status::MovedAndEdited };
                moves.add(status, old.name, new.name);
                // A second new name with this inode is a hard link of the first one.
                inodes.remove(&inode);
            }
        }
        moves
    }

    /// Pairs names that are left and have equal keys, in the order of the names.
    fn pair<'b, K: Ord>(
        &mut self,
        gone: &[Entry<'a, 'b>],
        come: &[Entry<'a, 'b>],
        key: impl Fn(&Entry<'a, 'b>) -> Option<K>,
    ) {
        let mut left: BTreeMap<K, VecDeque<&'a [u8]>> = BTreeMap::new();
        let by_chance = |entry: &Entry<'a, 'b>| {
            entry.inode.is_some() && matches!(entry.contents(), Some(Contents::File(0, _)))
        };
        for entry in gone.iter().filter(|entry| !self.to.contains_key(entry.name) && !by_chance(entry)) {
            if let Some(key) = key(entry) {
                left.entry(key).or_default().push_back(entry.name);
            }
        }
        for entry in come {
            if !self.from.contains_key(entry.name)
                && let Some(old) = key(entry).and_then(|key| left.get_mut(&key)?.pop_front())
            {
                self.add(Status::Moved, old, entry.name);
            }
        }
    }

    /// Finds the new names that are left and have the recorded contents of a name in `present`: copies, if that still
    /// `has` them, otherwise what that name was before others took its place.
    pub(crate) fn add_copies<'b>(
        &mut self,
        come: &[Entry<'a, 'b>],
        present: impl Iterator<Item = Entry<'a, 'b>>,
        has: impl Fn(&Entry<'a, 'b>) -> bool,
    ) {
        let left = come.iter().filter(|entry| !self.from.contains_key(entry.name));
        let left: Vec<_> = left.filter_map(|entry| Some((entry.name, entry.contents()?))).collect();
        let mut originals: BTreeMap<_, Vec<Entry<'a, 'b>>> =
            left.iter().filter(|(_, contents)| contents.is_copied()).map(|(_, c)| (*c, Vec::new())).collect();
        if originals.is_empty() {
            return;
        }
        for entry in present {
            if let Some(originals) = entry.contents().and_then(|contents| originals.get_mut(&contents)) {
                originals.push(entry);
            }
        }
        let mut sources: BTreeMap<_, Sources<'a>> = originals
            .into_iter()
            .map(|(contents, originals)| {
                // `has` may read a file, so it is asked only until one name still has the contents.
                let kept = originals.iter().find(|entry| has(entry)).map(|entry| entry.name);
                let lost = originals.iter().filter(|_| kept.is_none()).map(|entry| entry.name).collect();
                (contents, Sources { kept, lost })
            })
            .collect();
        for (name, contents) in left {
            if let Some((status, original)) = sources.get_mut(&contents).and_then(Sources::next) {
                self.from.insert(name, (status, original));
            }
        }
    }

    fn add(&mut self, status: Status, old: &'a [u8], new: &'a [u8]) {
        self.from.insert(new, (status, old));
        self.to.insert(old, (status, new));
    }

    /// Returns how a new name came about, with the recorded name.
    pub(crate) fn from(&self, new: &[u8]) -> Option<(Status, &'a [u8])> {
        self.from.get(new).copied()
    }

    /// Returns what became of a missing name, with the new name.
    pub(crate) fn to(&self, old: &[u8]) -> Option<(Status, &'a [u8])> {
        self.to.get(old).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::about::About;
    use crate::read::Content;
    use carryless_hash::Tag;

    /// A file of one byte, or an empty one if that is 0.
    fn file(byte: u8) -> Body {
        Body::File(Content { size: u64::from(byte > 0), tag: Tag::from([byte; 16]) }, About::NOTHING)
    }

    /// Names, each with its one byte, and its inode unless that is 0.
    type Names = &'static [(&'static str, u8, u64)];

    /// The new names that have an old one, as `new<old`, with the status if that is not `moved`.
    fn found(gone: Names, come: Names, present: Names) -> String {
        let bodies: Vec<Body> = (0..=9).map(file).collect();
        let entries = |names: Names| -> Vec<Entry<'_, '_>> {
            let entry = |(name, byte, inode): &(&'static str, u8, u64)| Entry {
                name: name.as_bytes(),
                body: Some(&bodies[usize::from(*byte)]),
                inode: (*inode > 0).then_some(*inode),
            };
            names.iter().map(entry).collect()
        };
        let (gone, come) = (entries(gone), entries(come));
        let mut moves = Moves::find(&gone, &come, |_, new| !new.name.starts_with(b"young"));
        moves.add_copies(&come, entries(present).into_iter(), |entry| !entry.name.starts_with(b"other"));
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let lines = come.iter().filter_map(|new| {
            let (status, old) = moves.from(new.name)?;
            let word = if status == Status::Moved { String::new() } else { format!(" {}", status.word()) };
            Some(format!("{}<{}{word}", text(new.name), text(old)))
        });
        lines.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn equal_contents_are_matched_once() {
        // Of two equal files one is deleted: nothing has come.
        assert_eq!(found(&[("b", 1, 2)], &[], &[("a", 1, 1)]), "");
        // Of two empty files one is renamed. Without inodes, another new one is taken for it.
        assert_eq!(found(&[("b", 0, 2)], &[("c", 0, 2)], &[("a", 0, 1)]), "c<b");
        assert_eq!(found(&[("b", 0, 2)], &[("c", 0, 3), ("young", 0, 2)], &[]), "");
        assert_eq!(found(&[("b", 0, 0)], &[("c", 0, 3)], &[]), "c<b");
        // Two are gone, three have come: the inode decides, then the last component, then the order.
        assert_eq!(
            found(&[("a", 1, 1), ("b", 1, 2)], &[("x", 1, 2), ("y", 1, 9), ("z", 1, 1)], &[]),
            "x<b, z<a"
        );
        assert_eq!(found(&[("a", 1, 0), ("d/b", 1, 0)], &[("e/b", 1, 0), ("f", 1, 0)], &[]), "e/b<d/b, f<a");
        assert_eq!(found(&[("a", 1, 0), ("b", 2, 0)], &[("x", 2, 0), ("y", 3, 0)], &[]), "x<b");
    }

    #[test]
    fn a_rename_and_an_edit_are_told_by_the_inode() {
        assert_eq!(found(&[("a", 1, 7)], &[("b", 2, 7)], &[]), "b<a moved-and-edited");
        assert_eq!(found(&[("a", 1, 7)], &[("b", 2, 8)], &[]), "");
        // The inode was used again.
        assert_eq!(found(&[("a", 1, 7)], &[("young", 2, 7)], &[]), "");
        // Equal contents come first, whatever the inodes.
        assert_eq!(found(&[("a", 1, 7)], &[("b", 2, 7), ("c", 1, 9)], &[]), "c<a");
    }

    #[test]
    fn copies_are_files_with_contents() {
        let present: Names = &[("a", 1, 1), ("b", 1, 2), ("e", 0, 3)];
        assert_eq!(found(&[], &[("x", 1, 5), ("y", 1, 6), ("z", 0, 7)], present), "x<a copied, y<a copied");
        assert_eq!(found(&[("c", 1, 4)], &[("x", 1, 5), ("y", 1, 6)], present), "x<c, y<a copied");
        // Names that have other contents by now were moved; of two with equal contents, one may still have them.
        let changed: Names = &[("other 1", 1, 1), ("other 2", 2, 2)];
        assert_eq!(found(&[], &[("x", 1, 5), ("y", 1, 6)], changed), "x<other 1, y<other 1 copied");
        let both: Names = &[("other 1", 1, 1), ("same", 1, 2)];
        assert_eq!(found(&[], &[("x", 1, 5)], both), "x<same copied");
    }
}
