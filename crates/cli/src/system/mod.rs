//! What differs between systems: names as bytes, files opened without following links, their state, private files, and
//! what ends a program.
//!
//! Each system has a module with the same functions and types. All other modules ask no system by its name.
use std::time::SystemTime;

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;
#[cfg(any(windows, test))]
mod wide;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

#[cfg(not(any(unix, windows)))]
compile_error!("the carryless command is for Unix and Windows: other systems need a module like theirs");

/// The kind of a file, by its own type or, where links are followed, by that of their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO, a socket, a device, or what the system has besides.
    Special,
}

/// What is neither an ordinary file, a folder nor a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(windows, allow(dead_code, reason = "the system tells no more"))]
pub(crate) enum Special {
    Fifo,
    Socket,
    Device,
    /// Anything else that the system has.
    Other,
}

impl Special {
    /// Returns the words for it in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Fifo => "a FIFO",
            Self::Socket => "a socket",
            Self::Device => "a device",
            Self::Other => "neither a file, a link nor a folder",
        }
    }
}

/// Mode, owner and group of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    /// Permissions, and bits of the kind above them.
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// The state of a file. Times are seconds since 1970, rounded down, and nanoseconds after that.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// The kind of the file, or of its target where the link was followed.
    pub kind: Kind,
    /// Length in bytes.
    pub(crate) size: u64,
    /// Last change of the contents, which programs can set.
    pub(crate) modified: (i64, i64),
    /// Last change of contents or attributes, which programs cannot set.
    pub(crate) changed: (i64, i64),
    /// File system and number of the file: equal for one file only, as long as it exists.
    pub(crate) identity: (u64, u64),
    /// `None` on systems without these.
    pub(crate) owner: Option<Owner>,
}

/// What becomes of the permissions and times of a folder once it is filled.
pub(crate) enum Afterwards {
    /// They stay as they are: only its owner could set them.
    #[cfg_attr(windows, allow(dead_code, reason = "access lists decide"))]
    Keep,
    /// They become those of its original: this run has made it, or one that was killed.
    Original,
    /// Those from before come back: the time, because new names in it change that, and the permissions, if its owner was
    /// not allowed to write and had to be.
    Before { modified: SystemTime, permissions: Option<u32> },
}

/// Which links are followed when a name is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// Those in the folders of the name, and its last component.
    Follow,
    /// Those in the folders of the name, not its last component.
    NotLast,
    /// None. Where one is, opening fails with an error for which `is_link` holds.
    Nowhere,
}
