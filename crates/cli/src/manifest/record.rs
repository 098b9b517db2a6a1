//! The lines of a manifest below its header, one for each name.
use std::borrow::Cow;

use anyhow::{Context as _, Result};
use carryless_hash::Tag;

use super::header::Version;
use crate::about::{About, Metadata, field};
use crate::name::{decimal, escape_to, hex, push_decimal, unescape, unhex};
use crate::read::Content;

/// How the lines of files, links and errors begin.
const FILE: &str = "file ";
const LINK: &str = "link ";
const ERROR: &str = "error ";

/// What is recorded of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// A file: size and tag of its contents, and as much else as the manifest records.
    File(Content, About),
    /// A symbolic link, with the bytes of its target.
    Link(Vec<u8>),
    /// A name that could not be read. Only manifests of version 2 have these.
    Error,
}

/// One line of the manifest: a name and what is recorded of it.
#[derive(Clone, Debug)]
pub(crate) struct Record<'a> {
    /// Bytes of the name, relative to the base folder.
    pub(crate) name: Cow<'a, [u8]>,
    stored: Stored<'a>,
}

/// What is recorded of a name. A line takes less memory than what it says, so it is kept, and parsed again at each access.
#[derive(Clone, Debug)]
enum Stored<'a> {
    /// A line that was parsed without error, of a manifest with this version and level.
    Line(&'a str, Version, Metadata),
    Body(Box<Body>),
}

impl Body {
    /// Returns what a manifest of this level records.
    pub(crate) fn at(self, level: Metadata) -> Self {
        match self {
            Self::File(content, about) => Self::File(content, about.at(level)),
            other => other,
        }
    }

    /// Returns the number of bytes in a file, and 0 for anything else.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::File(content, _) => content.size,
            _ => 0,
        }
    }

    /// Returns whether two files have equal contents, or two links equal targets. Metadata of files do not matter.
    pub(crate) fn same_contents(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(content, _), Self::File(others, _)) => content == others,
            _ => self == other,
        }
    }

    /// Returns whether a manifest that recorded `self` has to record `now`, because contents or metadata are others.
    /// Metadata are compared at the level of `self`.
    pub(crate) fn differs(&self, now: &Self) -> bool {
        match (self, now) {
            (Self::File(content, about), Self::File(other, present)) => {
                content != other || *about != present.at(about.level())
            }
            _ => self != now,
        }
    }

    /// Appends the line of a name, with its end. `level` is that of the manifest.
    pub(super) fn push(&self, out: &mut String, name: &[u8], level: Metadata) {
        match self {
            Self::File(content, about) => {
                let Content { size, tag } = content;
                out.push_str(FILE);
                out.push_str(&hex(tag.as_bytes()));
                out.push(' ');
                push_decimal(out, *size, 1);
                out.push(' ');
                about.push(out, level);
                escape_to(out, name);
            }
            Self::Link(target) => {
                out.push_str(LINK);
                escape_to(out, name);
                out.push('\t');
                escape_to(out, target);
            }
            Self::Error => {
                out.push_str(ERROR);
                escape_to(out, name);
            }
        }
        out.push('\n');
    }
}

impl<'a> Record<'a> {
    /// Returns the record of a name.
    pub(crate) fn new(name: impl Into<Cow<'a, [u8]>>, body: Body) -> Self {
        Self { name: name.into(), stored: Stored::Body(body.into()) }
    }

    /// Parses a line without its end, of a manifest with this version and level.
    pub(super) fn parse(line: &'a str, version: Version, level: Metadata) -> Result<Self> {
        let name = parse(line, version, level).and_then(|(name, _)| unescape(name));
        let name = name.with_context(|| format!("malformed record \"{line}\""))?;
        Ok(Self { name, stored: Stored::Line(line, version, level) })
    }

    /// Returns what is recorded of the name. Parses the line if there is one.
    pub(crate) fn body(&self) -> Body {
        match &self.stored {
            Stored::Body(body) => Body::clone(body),
            // The line was parsed before.
            Stored::Line(line, version, level) => {
                parse(line, *version, *level).map_or(Body::Error, |(_, body)| body)
            }
        }
    }

    /// Returns whether the name could not be read.
    pub(crate) fn is_error(&self) -> bool {
        match &self.stored {
            Stored::Body(body) => **body == Body::Error,
            Stored::Line(line, ..) => line.starts_with(ERROR),
        }
    }

    /// Returns the length of the file in bytes; `None` for a link or an error.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.stored {
            Stored::Body(body) => match **body {
                Body::File(content, _) => Some(content.size),
                _ => None,
            },
            Stored::Line(line, ..) => line.strip_prefix(FILE)?.split(' ').nth(1).and_then(decimal),
        }
    }

    /// Returns a record that borrows nothing.
    pub(crate) fn into_owned(self) -> Record<'static> {
        let body = self.body();
        Record::new(self.name.into_owned(), body)
    }
}

/// Parses a line without its end: its name, still escaped, and what it says of it. `None` if it is malformed.
fn parse(line: &str, version: Version, level: Metadata) -> Option<(&str, Body)> {
    if let Some(mut rest) = line.strip_prefix(FILE) {
        let tag = Tag::from(unhex::<16>(field(&mut rest)?.as_bytes())?);
        let size = decimal(field(&mut rest)?)?;
        let about = About::parse(&mut rest, level)?;
        // The name comes last and may contain spaces.
        Some((rest, Body::File(Content { size, tag }, about)))
    } else if let Some(rest) = line.strip_prefix(LINK) {
        // Names escape tabs, so the first tab ends the name.
        let (link, target) = rest.split_once('\t')?;
        Some((link, Body::Link(unescape(target)?.into_owned())))
    } else {
        let rest = line.strip_prefix(ERROR).filter(|_| version == Version::V2)?;
        Some((rest, Body::Error))
    }
}

#[cfg(any(test, feature = "fuzzing"))]
impl PartialEq for Record<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.body() == other.body()
    }
}
