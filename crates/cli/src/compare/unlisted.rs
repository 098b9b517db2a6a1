//! Judges recorded names that the walk did not find: they are gone, or lead to something that the walk leaves out.
use super::Judge;
use crate::manifest::Body;
use crate::read_error::ReadError;
use crate::scope::folder_of;
use crate::system::Kind;
use crate::verdict::{Status, Verdict};

/// What is said about a name that a new `.gitignore` hides, or a file system that was mounted above it.
const LEFT_OUT: &str = "there, but left out: by a .gitignore file, or on another file system";

impl Judge<'_> {
    /// Judges a record whose name the walk did not find. It may be gone, be a folder now, lie in an unlisted folder, or be
    /// left out.
    pub(super) fn unlisted(&self, name: &[u8], recorded: &Body) -> Result<Verdict, ReadError> {
        let tree = self.reader.tree();
        let has_folder = || tree.has_folder(folder_of(name));
        let found = match tree.kind(name) {
            // Nothing is in a folder that is not there, also if the name is too long to be asked for.
            Err(_) if self.walk_was_whole && !has_folder()? => None,
            found => found?,
        };
        if !self.walk_was_whole && found.is_some_and(|kind| kind != Kind::Folder) {
            return Ok(Verdict::error("there, but its folder cannot be listed"));
        }
        Ok(match self.still(name, recorded) {
            Some(verdict) => verdict,
            None if has_folder()? => Verdict::of(Status::Missing, None),
            None => Verdict::of(Status::FolderMissing, None),
        })
    }

    /// Judges a recorded name that the walk did not find, but under which programs still find something. `None` if the name
    /// is gone.
    ///
    /// Such a name is not missing: whoever ignores missing files would not notice what has taken its place.
    pub(super) fn still(&self, name: &[u8], recorded: &Body) -> Option<Verdict> {
        let tree = self.reader.tree();
        let kind = tree.state(name).ok()?.kind;
        let message = match (recorded, kind) {
            // What could not be read may have been this.
            (Body::Error, _) => return Some(Verdict::unread(None)),
            _ if tree.is_behind_link(name) => Some(ReadError::Link.to_string()),
            (Body::File(..), Kind::File) | (Body::Link(_), Kind::Link) if self.hides => Some(LEFT_OUT.into()),
            // Filters by name left it out before, too: it has come since the walk, or has another name, where file systems
            // take small letters for capital ones.
            (Body::File(..), Kind::File) | (Body::Link(_), Kind::Link) => return None,
            _ => None,
        };
        Some(Verdict { message, ..Verdict::of(Status::Kind, None) })
    }
}
