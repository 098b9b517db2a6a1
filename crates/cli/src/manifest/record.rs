//! The lines of a manifest below its header, one for each name.
use std::borrow::Cow;

use anyhow::{Context as _, Result};
use carryless_hash::Tag;

use super::header::Version;
use crate::about::{About, Metadata, field};
use crate::name::{decimal, escape_to, hex, push_decimal, unescape, unhex};
use crate::read::Content;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Bytes of the name, relative to the base folder.
    pub(crate) name: Cow<'a, [u8]>,
    /// The file or link that had this name.
    pub(crate) body: Body,
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

    /// Returns whether contents or targets are equal, whatever else is known.
    pub(crate) fn same_contents(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(content, _), Self::File(others, _)) => content == others,
            _ => self == other,
        }
    }

    /// Returns whether a manifest that recorded `self` has to record `now`: other contents, or other metadata of its
    /// level.
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
                out.push_str("file ");
                out.push_str(&hex(tag.as_bytes()));
                out.push(' ');
                push_decimal(out, *size, 1);
                out.push(' ');
                about.push(out, level);
                escape_to(out, name);
            }
            Self::Link(target) => {
                out.push_str("link ");
                escape_to(out, name);
                out.push('\t');
                escape_to(out, target);
            }
            Self::Error => {
                out.push_str("error ");
                escape_to(out, name);
            }
        }
        out.push('\n');
    }
}

impl<'a> Record<'a> {
    /// Parses a line without its end, of a manifest with this version and level.
    pub(super) fn parse(line: &'a str, version: Version, level: Metadata) -> Result<Self> {
        Self::try_parse(line, version, level).with_context(|| format!("malformed record \"{line}\""))
    }

    fn try_parse(line: &'a str, version: Version, level: Metadata) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "file" => {
                let mut rest = rest;
                let tag = Tag::from(unhex::<16>(field(&mut rest)?.as_bytes())?);
                let size = decimal(field(&mut rest)?)?;
                let about = About::parse(&mut rest, level)?;
                // The name comes last and may contain spaces.
                Some(Self { name: unescape(rest)?, body: Body::File(Content { size, tag }, about) })
            }
            "link" => {
                // Names escape tabs, so the first tab ends the name.
                let (link, target) = rest.split_once('\t')?;
                Some(Self { name: unescape(link)?, body: Body::Link(unescape(target)?.into_owned()) })
            }
            "error" if version == Version::V2 => Some(Self { name: unescape(rest)?, body: Body::Error }),
            _ => None,
        }
    }

    /// Returns a record that borrows nothing.
    pub(crate) fn into_owned(self) -> Record<'static> {
        Record { name: Cow::Owned(self.name.into_owned()), body: self.body }
    }
}
