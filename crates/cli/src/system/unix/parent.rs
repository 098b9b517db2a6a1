//! Creates names in folders without following links.
//!
//! Other users may be allowed to write to a folder that is filled. If one replaces a folder by a link meanwhile, nothing
//! may be written where the link leads.
use std::fs::{File, Metadata, Permissions, TryLockError};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::fs::{
    AtFlags, Dir, Mode, OFlags, fstat, linkat, mkdirat, openat, renameat, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::copy::{set_attributes, synchronise};
use super::folder::resolve::without_links;
use super::output::Entry;
use crate::system::{Afterwards, Stat};

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// Permissions of a new folder until it is filled. Nobody gives a folder this sticky bit otherwise, so that it tells a later
/// run of what a killed one has made.
const FILLING: u32 = 0o1700;
/// Permissions that a folder needs to be filled.
const WRITABLE: u32 = 0o300;
/// Permissions that folders keep, with the sticky bit: without it, everybody could remove files of others.
const PERMISSIONS: u32 = 0o1777;

/// How often another process is awaited that renames a file under a lock, and how long each time.
const LOCK_ATTEMPTS: usize = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// An open folder in which names are created. It stays the same folder when it is renamed.
pub(crate) struct Parent(File);

impl Parent {
    /// Creates a folder, to be finished later. Links in the path are followed, except for its last component.
    pub(crate) fn create(path: &Path) -> io::Result<()> {
        Ok(rustix::fs::mkdir(path, Mode::from_raw_mode(FILLING as _))?)
    }

    /// Opens a folder, to which links may lead.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        // The user has given this path, so its links are meant.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(rustix::fs::open(path, flags, Mode::empty())?.into()))
    }

    /// Opens a folder below this one, or this one if the name is empty. Fails if a component of the name is a link.
    pub(crate) fn folder(&self, name: &[u8]) -> io::Result<Self> {
        if name.is_empty() {
            return self.0.try_clone().map(Self);
        }
        let opened: OwnedFd = match without_links(&self.0, name, FOLDER) {
            // The system, or a sandbox, has no such call: step by step.
            Err(Errno::NOSYS | Errno::PERM) => {
                let mut parts = name.split(|byte| *byte == b'/');
                let first = openat(&self.0, parts.next().unwrap_or_default(), FOLDER, Mode::empty())?;
                parts.try_fold(first, |folder, part| openat(folder, part, FOLDER, Mode::empty()))?
            }
            result => result?,
        };
        Ok(Self(opened.into()))
    }

    /// Returns a handle for locks, and to synchronise the folder.
    pub(crate) fn entry(&self) -> io::Result<Entry> {
        self.0.try_clone().map(Entry)
    }

    /// Writes everything to the disk that was written to its file system.
    pub(crate) fn synchronise(&self) -> io::Result<()> {
        synchronise(&self.0)
    }

    /// Returns the state of the folder.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        Ok(fstat(&self.0).map(|about| Stat::of(&about))?)
    }

    /// Returns the state of what has this name in the folder, a link itself if it is one.
    pub(crate) fn state(&self, name: &[u8]) -> io::Result<Stat> {
        Ok(statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).map(|about| Stat::of(&about))?)
    }

    /// Returns the names in the folder, until one cannot be read.
    pub(crate) fn names(&self) -> Vec<Vec<u8>> {
        let entries = Dir::read_from(&self.0).into_iter().flatten().map_while(Result::ok);
        let names = entries.map(|entry| entry.file_name().to_bytes().to_vec());
        names.filter(|name| ![&b"."[..], b".."].contains(&&**name)).collect()
    }

    /// Creates a file for writing, with this mode less the umask from the start. Fails if the name exists, also as a link.
    pub(crate) fn create_file(&self, name: &[u8], mode: u32) -> io::Result<File> {
        // EXCL: nothing that another user may have put there is opened or truncated.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(openat(&self.0, name, flags, Mode::from_raw_mode(mode as _))?.into())
    }

    /// Creates a folder, to be finished later.
    pub(crate) fn create_folder(&self, name: &[u8]) -> io::Result<()> {
        Ok(mkdirat(&self.0, name, Mode::from_raw_mode(FILLING as _))?)
    }

    /// Makes a symbolic link with this target.
    pub(crate) fn make_link(&self, target: &[u8], name: &[u8]) -> io::Result<()> {
        Ok(symlinkat(target, &self.0, name)?)
    }

    /// Removes a file or a link from this folder; for a folder it fails.
    pub(crate) fn remove(&self, name: &[u8]) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// Renames a file, replacing the target in one step.
    pub(crate) fn rename(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        Ok(renameat(&self.0, from, &self.0, to)?)
    }

    /// Renames a file, unless the target exists.
    pub(crate) fn rename_new(&self, from: &[u8], to: &[u8]) -> io::Result<()> {
        let mut result = rename_noreplace(&self.0, from, to);
        for way in [Self::rename_by_link, Self::rename_after_a_look] {
            match result {
                // Its file system cannot do that.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::PERM) => {
                    result = way(self, from, to)
                }
                _ => break,
            }
        }
        Ok(result?)
    }

    fn rename_by_link(&self, from: &[u8], to: &[u8]) -> Result<(), Errno> {
        // A link replaces nothing. A crash between both calls leaves two names of one complete file.
        linkat(&self.0, from, &self.0, to, AtFlags::empty())?;
        unlinkat(&self.0, from, AtFlags::empty())
    }

    /// Renames a file if the target does not exist a moment before. A lock of the folder keeps out other commands that do
    /// the same; a file that another program creates in between is replaced.
    fn rename_after_a_look(&self, from: &[u8], to: &[u8]) -> Result<(), Errno> {
        // Whoever holds the lock for longer, as `copy` does, creates no such name. It is released with the folder.
        for _ in 0..LOCK_ATTEMPTS {
            match self.0.try_lock() {
                Err(TryLockError::WouldBlock) => thread::sleep(LOCK_PAUSE),
                // Also where there are no locks.
                _ => break,
            }
        }
        // A link counts too, also one that leads nowhere: a rename would replace it.
        match statat(&self.0, to, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Err(Errno::EXIST),
            Err(Errno::NOENT) => renameat(&self.0, from, &self.0, to),
            Err(error) => Err(error),
        }
    }

    /// Makes it possible to fill the folder, and returns what is to become of its attributes afterwards. `made` tells
    /// whether this process has just created it.
    pub(crate) fn prepare(&self, made: bool) -> io::Result<Afterwards> {
        let about = self.0.metadata()?;
        // The owner of a new folder may be another user, where a server or a mount decides.
        let is_own = made || about.uid() == geteuid().as_raw();
        let mode = about.mode() & 0o7777;
        if is_own && mode & PERMISSIONS == FILLING {
            return Ok(Afterwards::Original);
        }
        // The system, a mask or the file system has changed the permissions, or somebody has replaced the folder.
        if made && self.names().is_empty() {
            let _ = self.0.set_permissions(Permissions::from_mode(FILLING));
            return Ok(Afterwards::Original);
        }
        let is_root = geteuid().is_root();
        // Only the owner and root could give the folder its attributes back.
        if !is_own && !is_root {
            return Ok(Afterwards::Keep);
        }
        // Permissions are extended only where the folder could not be filled otherwise.
        let forbids = !made && mode & WRITABLE != WRITABLE && !is_root;
        let allow = || self.0.set_permissions(Permissions::from_mode(mode | WRITABLE)).is_ok();
        let permissions = (forbids && allow()).then_some(mode);
        Ok(Afterwards::Before { modified: about.modified()?, permissions })
    }

    /// Gives the folder the permissions and times of another.
    pub(crate) fn finish(&self, from: &Metadata) -> io::Result<()> {
        set_attributes(from, PERMISSIONS, &self.0)
    }

    /// Gives the folder its time of modification back, and permissions that [`prepare`](Self::prepare) has changed.
    pub(crate) fn restore(&self, modified: SystemTime, permissions: Option<u32>) -> io::Result<()> {
        // A folder in which nothing was created keeps its time by itself.
        if self.0.metadata()?.modified()? != modified {
            self.0.set_modified(modified)?;
        }
        permissions.map_or(Ok(()), |mode| self.0.set_permissions(Permissions::from_mode(mode)))
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_noreplace(folder: &File, from: &[u8], to: &[u8]) -> Result<(), Errno> {
    rustix::fs::renameat_with(folder, from, folder, to, rustix::fs::RenameFlags::NOREPLACE)
}

/// Fails: this system has no such call.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_noreplace(_: &File, _: &[u8], _: &[u8]) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// Nothing is created, renamed, removed or opened through a link, and nothing is replaced.
    #[test]
    fn no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("outside/below")).expect("mkdir");
        fs::create_dir(path("in")).expect("mkdir");
        fs::create_dir(path("in/real")).expect("mkdir");
        symlink("../outside", path("in/link")).expect("symlink");
        let parent = Parent::open(&path("in")).expect("open");
        for name in ["link", "link/below", "real/../link"] {
            assert!(parent.folder(name.as_bytes()).is_err(), "{name}");
        }
        assert!(parent.folder(b"real").is_ok() && parent.folder(b"").is_ok());
        for name in [&b"link"[..], b"real"] {
            assert_eq!(
                parent.create_file(name, 0o600).expect_err("it exists").kind(),
                io::ErrorKind::AlreadyExists
            );
            assert_eq!(
                parent.create_folder(name).expect_err("it exists").kind(),
                io::ErrorKind::AlreadyExists
            );
        }
        fs::write(path("in/a"), "a").expect("write");
        for way in [Parent::rename_by_link, Parent::rename_after_a_look] {
            assert_eq!(way(&parent, b"a", b"link"), Err(Errno::EXIST));
            way(&parent, b"a", b"b").expect("rename");
            assert_eq!(
                parent.rename_new(b"b", b"real").expect_err("it exists").kind(),
                io::ErrorKind::AlreadyExists
            );
            parent.rename_new(b"b", b"a").expect("rename");
        }
        assert_eq!(fs::read(path("in/a")).expect("read"), b"a");
        assert_eq!(parent.rename_after_a_look(b"none", b"b"), Err(Errno::NOENT));
        let mut names = parent.names();
        names.sort_unstable();
        assert_eq!(names, [&b"a"[..], b"link", b"real"]);
        parent.remove(b"link").expect("the link");
        assert!(path("outside/below").is_dir());
        // A folder could not replace a file: none has the name before, which a killed process would leave behind.
        parent.rename_after_a_look(b"real", b"new").expect("rename");
    }

    /// Of two commands that give a file the same name, one fails.
    #[test]
    fn a_look_waits_for_others_that_rename() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let [parent, other] = [0; 2].map(|_| Parent::open(folder.path()).expect("open"));
        fs::write(path("a"), "a").expect("write");
        other.0.lock().expect("lock");
        let work = thread::spawn(move || parent.rename_after_a_look(b"a", b"b"));
        thread::sleep(LOCK_PAUSE * 10);
        fs::write(path("b"), "b").expect("write");
        drop(other);
        assert_eq!(work.join().expect("a thread"), Err(Errno::EXIST));
        assert_eq!(fs::read(path("b")).expect("read"), b"b");
    }
}
