//! The results of comparing one name with a manifest.
use serde::Serialize;

use crate::about::Metadata;
use crate::manifest::Body;

/// The result of verifying one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Status {
    /// The contents are as recorded.
    Ok,
    /// Contents or link target differ, and the manifest has no times that would tell more.
    Changed,
    /// Contents or link target differ, and so do size or times.
    Edited,
    /// The contents differ, but size and both times are as recorded: no program wrote to the file, unless in the tick of the
    /// clock in which it changed last.
    Decayed,
    /// The contents are those of an earlier manifest.
    Older,
    /// The name is a file, link, folder or special file now, and was of another kind; or it lies behind a link that is new,
    /// or is left out by now.
    Kind,
    /// The contents are as recorded; mode, owner, group or time of modification are not.
    Metadata,
    /// A recorded file or link has this name now, and not its old one, which is missing or has other contents.
    Moved,
    /// A recorded file has this name now, and other contents.
    MovedAndEdited,
    /// Something new has the contents of a recorded file that is still there.
    Copied,
    /// The manifest has a record, but nothing has this name.
    Missing,
    /// As [`Missing`](Self::Missing), and the folder does not exist either.
    FolderMissing,
    /// Something has this name, but the manifest has no record.
    New,
    /// The result is unknown; a line on standard error says why.
    Error,
}

/// Statuses with the same effect on the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// As recorded: exit status 0.
    Ok,
    /// Not as recorded: exit status 1, whatever options say.
    Changed,
    /// Exit status 1, unless both missing and new files are ignored.
    Moved,
    /// Exit status 1, unless missing files are ignored.
    Missing,
    /// Exit status 1, unless new files are ignored.
    New,
    /// Unknown, as something could not be read: exit status 2.
    Error,
}

impl Class {
    /// Returns the word by which summaries count a class: that of the status after which it is named.
    pub(crate) fn word(self) -> &'static str {
        let status = match self {
            Self::Ok => Status::Ok,
            Self::Changed => Status::Changed,
            Self::Moved => Status::Moved,
            Self::Missing => Status::Missing,
            Self::New => Status::New,
            Self::Error => Status::Error,
        };
        status.word()
    }
}

impl Status {
    /// Returns the word for this status in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Changed => "changed",
            Self::Edited => "edited",
            Self::Decayed => "decayed",
            Self::Older => "older",
            Self::Kind => "kind",
            Self::Metadata => "metadata",
            Self::Moved => "moved",
            Self::MovedAndEdited => "moved-and-edited",
            Self::Copied => "copied",
            Self::Missing => "missing",
            Self::FolderMissing => "folder-missing",
            Self::New => "new",
            Self::Error => "error",
        }
    }

    pub(crate) fn class(self) -> Class {
        match self {
            Self::Ok => Class::Ok,
            Self::Changed
            | Self::Edited
            | Self::Decayed
            | Self::Older
            | Self::Kind
            | Self::Metadata
            | Self::MovedAndEdited => Class::Changed,
            Self::Moved => Class::Moved,
            Self::Missing | Self::FolderMissing => Class::Missing,
            Self::New | Self::Copied => Class::New,
            Self::Error => Class::Error,
        }
    }
}

/// Returns how a name differs from what is recorded of it, both with as much metadata as `level` says.
pub(crate) fn difference(recorded: &Body, now: &Body, level: Metadata) -> Status {
    match (recorded, now) {
        (Body::File(content, about), Body::File(other, present)) => {
            if content == other {
                if about.same_attributes(present) { Status::Ok } else { Status::Metadata }
            } else if content.size == other.size && about.same_times(present) {
                Status::Decayed
            } else {
                edited(level)
            }
        }
        (Body::Link(target), Body::Link(other)) if target == other => Status::Ok,
        (Body::Link(_), Body::Link(_)) => edited(level),
        (Body::Error, _) | (_, Body::Error) => Status::Error,
        _ => Status::Kind,
    }
}

/// Returns the status of other contents. Without times, nothing tells an edit from decay.
pub(crate) fn edited(level: Metadata) -> Status {
    if level == Metadata::None { Status::Changed } else { Status::Edited }
}

/// The other name of a file that has two: an old and a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    /// The recorded name, in the verdict about the new one.
    From(Vec<u8>),
    /// The new name, in the verdict about the recorded one. That verdict is not reported: each file is once.
    To(Vec<u8>),
}

/// What a comparison tells about one name.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub(crate) status: Status,
    /// Reason of an error; rarely what is to be said besides another status.
    pub(crate) message: Option<String>,
    pub(crate) other: Option<Other>,
    /// What the name is now, as far as that was found out.
    pub(crate) now: Option<Body>,
    /// Whether the manifest records an error, and the name can be read by now.
    pub(crate) was_unread: bool,
}

/// The message about a record that is an error.
pub(crate) const NOT_RECORDED: &str = "could not be read or copied when the manifest was made";

/// A verdict, or `None` about names that the scope leaves out.
pub(crate) type Found = Option<Verdict>;

impl Verdict {
    /// Returns a verdict that needs no more words.
    pub(crate) fn of(status: Status, now: Option<Body>) -> Self {
        Self { status, message: None, other: None, now, was_unread: false }
    }

    /// Returns an error with its reason.
    pub(crate) fn error(reason: impl Into<String>) -> Self {
        Self { message: Some(reason.into()), ..Self::of(Status::Error, None) }
    }

    /// Returns the error about what could not be read when it was tagged, but can be now.
    pub(crate) fn unread(now: Option<Body>) -> Self {
        Self { now, was_unread: true, ..Self::error(NOT_RECORDED) }
    }

    /// Returns the recorded name of what was moved or copied.
    pub(crate) fn from(&self) -> Option<&[u8]> {
        match &self.other {
            Some(Other::From(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns whether another verdict reports this file.
    pub(crate) fn is_elsewhere(&self) -> bool {
        matches!(self.other, Some(Other::To(_)))
    }
}
