//! The lines of a manifest above its records.
use anyhow::{Context as _, Result, bail, ensure};
use carryless_hash::Tag;
use clap::ValueEnum;

use crate::about::Metadata;
use crate::date::Date;
use crate::family::FAMILY;
use crate::mac::Keys;
use crate::name::{BAD_ESCAPE, decimal, escape, hex, unescape, unhex};
use crate::scope::{Scope, from_word, word};

pub(super) const ALGORITHM: &str = "algorithm ";
const SEGMENTS: &str = "segments ";
pub(super) const KEY_ID: &str = "key-id ";
const LABEL: &str = "label ";
/// The first of the lines that only version 2 has.
const METADATA: &str = "metadata ";
const DATE: &str = "date ";
const SERIAL: &str = "serial ";
const PREVIOUS: &str = "previous ";

/// Versions of the format. All are read for ever, and each can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Version {
    /// Contents of files alone: no metadata, date or serial number.
    #[value(name = "1")]
    V1,
    /// Contents, metadata of files, date and serial number.
    #[value(name = "2")]
    V2,
}

impl Version {
    /// Returns the version of this name, such as `v2`.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        [Self::V1, Self::V2].into_iter().find(|version| version.name().as_bytes() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V2 => "v2",
        }
    }
}

/// What manifests of version 2 say about themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edition {
    /// How much is recorded about each file.
    pub(crate) metadata: Metadata,
    /// When reading the files began.
    pub(crate) date: Date,
    /// 1 for a new manifest, and one more for each that replaces it.
    pub(crate) serial: u64,
    /// The MAC of the manifest that this one replaces. `None` for serial 1 alone.
    pub(crate) previous: Option<Tag>,
}

impl Edition {
    fn to_lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{METADATA}{}", word(self.metadata)),
            format!("{DATE}{}", self.date),
            format!("{SERIAL}{}", self.serial),
        ];
        lines.extend(self.previous.map(|tag| format!("{PREVIOUS}{}", hex(tag.as_bytes()))));
        lines
    }

    /// Parses the lines of an edition. Accepts only what [`Edition::to_lines`] prints.
    fn from_lines(lines: &[&str]) -> Result<Self> {
        let value = |at: usize, key: &str| lines.get(at).and_then(|line| line.strip_prefix(key));
        let edition = Self {
            metadata: from_word(value(0, METADATA).unwrap_or_default())?,
            date: value(1, DATE).and_then(Date::parse).context("the header has no valid date")?,
            serial: value(2, SERIAL).and_then(decimal).context("the header has no valid serial number")?,
            previous: value(3, PREVIOUS).and_then(|digits| unhex::<16>(digits.as_bytes())).map(Tag::from),
        };
        // Printing the result again proves that nothing follows, and that the tag of `previous` is one.
        ensure!(lines == edition.to_lines(), "header lines of version 2 are in another order, or unknown");
        ensure!(edition.serial > 0, "the serial number is 0");
        let first = edition.serial == 1;
        ensure!(
            first == edition.previous.is_none(),
            "serial number and previous manifest contradict each other"
        );
        Ok(edition)
    }
}

/// The header of a manifest, but for what follows from its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// Name that the user gave to the collection, if any.
    pub(crate) label: Option<String>,
    /// Roots, filters and policies under which the manifest was made.
    pub(crate) scope: Scope,
    /// What only version 2 has. `None` for version 1.
    pub(crate) edition: Option<Edition>,
}

impl Header {
    /// Returns how much is recorded about each file.
    pub(crate) fn metadata(&self) -> Metadata {
        self.edition.as_ref().map_or(Metadata::None, |edition| edition.metadata)
    }

    /// Fails unless the manifest was made with this label, or without one if `None`.
    pub(crate) fn check_label(&self, expected: Option<&str>) -> Result<()> {
        // Labels are not escaped here: the function that prints the message escapes control characters.
        match (self.label.as_deref(), expected) {
            (None, None) => Ok(()),
            (Some(found), Some(expected)) if found == expected => Ok(()),
            (Some(found), None) => bail!("made with the label '{found}': give it with --label"),
            (None, Some(expected)) => bail!("made without a label, not with '{expected}'"),
            (Some(found), Some(expected)) => {
                bail!("made with the label '{found}', not with '{expected}'")
            }
        }
    }

    pub(super) fn version(&self) -> Version {
        if self.edition.is_some() { Version::V2 } else { Version::V1 }
    }

    /// Returns the lines of the header, without line ends.
    pub(super) fn to_lines(&self, keys: &Keys) -> Vec<String> {
        let mut lines = first_lines(self.version(), keys).to_vec();
        lines.extend(self.label.as_ref().map(|label| format!("{LABEL}{}", escape(label.as_bytes()))));
        lines.extend(self.scope.to_lines());
        lines.extend(self.edition.iter().flat_map(Edition::to_lines));
        lines
    }

    /// Returns the lines of the header, each divided into key and value. The version has the key `version`.
    pub(crate) fn pairs(&self, keys: &Keys) -> Vec<(String, String)> {
        let pair = |line: &String| match line.split_once(' ') {
            Some((key, value)) => (key.to_owned(), value.to_owned()),
            None => ("version".to_owned(), self.version().name().to_owned()),
        };
        self.to_lines(keys).iter().map(pair).collect()
    }

    /// Parses a header without the empty line at its end. Accepts only what [`Header::to_lines`] prints.
    pub(super) fn parse(text: &str, keys: &Keys) -> Result<Self> {
        let lines: Vec<&str> = text.split('\n').collect();
        let version = lines[0].strip_prefix(FAMILY).and_then(|name| Version::named(name.as_bytes()));
        let version = version.context("an unknown version")?;
        for (at, expected) in first_lines(version, keys).iter().enumerate() {
            let line = lines.get(at).copied().unwrap_or("");
            let algorithm = keys.algorithm.name();
            ensure!(line == expected, "\"{line}\" is not supported with {algorithm}, only \"{expected}\"");
        }
        let lines = &lines[FIRST_LINES..];
        let label = lines.first().and_then(|line| line.strip_prefix(LABEL));
        let lines = if label.is_some() { &lines[1..] } else { lines };
        let (scope, edition) = match version {
            Version::V1 => (lines, None),
            Version::V2 => {
                let end = lines.iter().position(|line| line.starts_with(METADATA));
                let (scope, lines) = lines.split_at(end.context("the header has no line \"metadata\"")?);
                (scope, Some(Edition::from_lines(lines)?))
            }
        };
        let label = label.map(unescape_label).transpose()?;
        Ok(Self { label, scope: Scope::from_lines(scope.iter().copied())?, edition })
    }
}

/// Number of lines that follow from version and keys.
const FIRST_LINES: usize = 4;

/// Returns the first lines of manifests of a version, made with these keys.
fn first_lines(version: Version, keys: &Keys) -> [String; FIRST_LINES] {
    let algorithm = keys.algorithm;
    [
        format!("{FAMILY}{}", version.name()),
        format!("{ALGORITHM}{}", algorithm.name()),
        format!("{SEGMENTS}{}", algorithm.segments()),
        format!("{KEY_ID}{}", hex(&keys.id.0)),
    ]
}

/// Decodes an escaped label, which must be UTF-8.
fn unescape_label(text: &str) -> Result<String> {
    let bytes = unescape(text).context(BAD_ESCAPE)?;
    String::from_utf8(bytes.into_owned()).context("the label is not UTF-8")
}
