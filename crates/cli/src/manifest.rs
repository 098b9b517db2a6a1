//! The manifest: a text file that lists files and links with their tags, and is authenticated itself.
//! book/src/formats.md describes it.
//!
//! Every manifest has exactly one form. The parser accepts what the writer prints, byte for byte, so that no
//! two readers can understand one manifest differently.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;

use std::borrow::Cow;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_aead::file_mac::{Algorithm, Stream, UnknownAlgorithm};
use carryless_hash::Tag;

use crate::family::FAMILY;
use crate::mac::{KeyId, Keys};
use crate::name::{BAD_ESCAPE, escape, escape_to, hex, unescape, unhex};
use crate::output::NewFile;
use crate::read::Content;
use crate::scope::{Scope, Specials};

/// Largest manifest that is read by default, in MiB.
pub(crate) const MOST_MANIFEST_MIB: u32 = 1024;

const VERSION: &str = "v1";
const ALGORITHM: &str = "algorithm ";
const SEGMENTS: &str = "segments ";
const KEY_ID: &str = "key-id ";
const LABEL: &str = "label ";
/// Prefix of the last line. 32 hexadecimal digits follow.
const MAC: &str = "mac ";
const MAC_LINE: usize = MAC.len() + 32 + 1;
/// Bytes of text collected before they are authenticated and written.
const BATCH: usize = 64 << 10;

/// Returns the first lines of manifests made with these keys.
fn first_lines(keys: &Keys) -> [String; 4] {
    let algorithm = keys.algorithm;
    [
        format!("{FAMILY}{VERSION}"),
        format!("{ALGORITHM}{}", algorithm.name()),
        format!("{SEGMENTS}{}", algorithm.segments()),
        format!("{KEY_ID}{}", hex(&keys.id.0)),
    ]
}

/// The recorded contents of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// A file, with its size and tag.
    File(Content),
    /// A symbolic link, with the bytes of its target.
    Link(Vec<u8>),
}

/// One line of the manifest: a name and its recorded contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    /// Bytes of the name, relative to the base folder.
    pub(crate) name: Cow<'a, [u8]>,
    /// The file or link that had this name.
    pub(crate) body: Body,
}

/// The destination of a manifest.
pub(crate) enum Sink {
    /// A new file, which gets its name when it is complete.
    File(NewFile),
    /// Standard output, where an incomplete manifest lacks its MAC.
    Stdout(std::io::Stdout),
}

impl Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => std::io::Write::write_all(out, bytes).map_err(crate::exit::stdout_error),
        }
    }

    fn commit(self) -> Result<()> {
        match self {
            Self::File(file) => file.commit(),
            Self::Stdout(mut out) => std::io::Write::flush(&mut out).map_err(crate::exit::stdout_error),
        }
    }
}

/// Writes a manifest line by line, and authenticates it meanwhile.
pub(crate) struct Writer {
    sink: Sink,
    message: Stream,
    pending: String,
    may_be_empty: bool,
}

impl Writer {
    /// Begins a manifest: its header lines and the empty line after them.
    pub(crate) fn new(sink: Sink, keys: &Keys, label: Option<&str>, scope: &Scope) -> Self {
        let mut pending = String::new();
        let label = label.map(|label| format!("{LABEL}{}", escape(label.as_bytes())));
        for line in first_lines(keys).into_iter().chain(label).chain(scope.to_lines()) {
            pending.push_str(&line);
            pending.push('\n');
        }
        pending.push('\n');
        Self { sink, message: keys.manifest.stream(), pending, may_be_empty: false }
    }

    /// Sets whether the manifest may have no entries.
    pub(crate) fn allow_empty(self, allow: bool) -> Self {
        Self { may_be_empty: allow, ..self }
    }

    /// Appends a record. The caller must pass records in the order of their names' bytes.
    pub(crate) fn record(&mut self, name: &[u8], body: &Body) -> Result<()> {
        // One entry suffices: from now on the manifest is not empty.
        self.may_be_empty = true;
        match body {
            Body::File(Content { size, tag }) => {
                // The name comes last, as it may contain spaces.
                self.pending.push_str(&format!("file {} {size} ", hex(tag.as_bytes())));
                escape_to(&mut self.pending, name);
            }
            Body::Link(target) => {
                self.pending.push_str("link ");
                escape_to(&mut self.pending, name);
                self.pending.push('\t');
                escape_to(&mut self.pending, target);
            }
        }
        self.pending.push('\n');
        if self.pending.len() >= BATCH {
            self.pass_on()?;
        }
        Ok(())
    }

    /// Ends the manifest with its MAC, and gives the file its name.
    ///
    /// Fails if the manifest has no records but must have some. The manifest of a disk that is not mounted
    /// must not replace that of the disk.
    pub(crate) fn finish(mut self) -> Result<()> {
        ensure!(self.may_be_empty, "no manifest written: nothing was found to be tagged (see --allow-empty)");
        self.pass_on()?;
        let mac = self.message.finalize();
        self.sink.write(format!("{MAC}{}\n", hex(mac.as_bytes())).as_bytes())?;
        self.sink.commit()
    }

    /// Authenticates and writes the pending lines, then clears them.
    fn pass_on(&mut self) -> Result<()> {
        // The MAC covers the text as written, header included, so that the reader checks bytes before
        // meaning.
        self.message.update(self.pending.as_bytes());
        self.sink.write(self.pending.as_bytes())?;
        self.pending.clear();
        Ok(())
    }
}

/// A manifest whose MAC has not been checked. Nothing in it is trusted: algorithm and key id only tell how to check it.
pub(crate) struct Sealed<'a> {
    /// Algorithm of all tags, including the manifest's MAC.
    pub(crate) algorithm: Algorithm,
    made_with: KeyId,
    /// Everything but the last line.
    text: &'a [u8],
    mac: Tag,
    may_be_empty: bool,
}

impl<'a> Sealed<'a> {
    /// Finds the MAC, the algorithm and the key id. Accepts no more than that before authentication, to keep
    /// the parser of untrusted bytes small.
    pub(crate) fn new(bytes: &'a [u8]) -> Result<Self> {
        ensure!(!bytes.is_empty(), "the manifest is empty");
        let first = bytes.split(|b| *b == b'\n').next().unwrap_or(bytes);
        let version = first.strip_prefix(FAMILY.as_bytes()).context("not a carryless manifest")?;
        ensure!(
            version.strip_suffix(b"\r") != Some(VERSION.as_bytes()),
            "damaged: its line ends were converted to CR LF"
        );
        if version != VERSION.as_bytes() {
            bail!("manifest version \"{}\", this program reads {VERSION} only", escape(version));
        }
        // A truncated file lacks its last line, so every truncation is noticed here or by the MAC.
        let incomplete = "incomplete: the last line is not the manifest's MAC";
        // In a file shorter than that line the index wraps, and is beyond its end.
        let (text, last) = bytes.split_at_checked(bytes.len().wrapping_sub(MAC_LINE)).context(incomplete)?;
        let digits = last.strip_prefix(MAC.as_bytes()).and_then(|digits| digits.strip_suffix(b"\n"));
        let mac = digits.and_then(unhex::<16>).filter(|_| text.ends_with(b"\n")).context(incomplete)?;
        // Only algorithm and key id are read before authentication. The first chooses the keys; the second
        // gives a clear error for a wrong key.
        let mut lines = text.split(|b| *b == b'\n').skip(1);
        let algorithm = value(lines.next(), ALGORITHM).context("damaged: the header names no algorithm")?;
        let named = std::str::from_utf8(algorithm).map_err(|_| UnknownAlgorithm).and_then(Algorithm::named);
        let algorithm = named.with_context(|| format!("algorithm \"{}\"", escape(algorithm)))?;
        // One line is skipped: the parser checks the segments after authentication.
        let made_with = value(lines.nth(1), KEY_ID).and_then(unhex).map(KeyId);
        let made_with = made_with.context("damaged: the header names no key")?;
        Ok(Self { algorithm, made_with, text, mac: Tag::from(mac), may_be_empty: false })
    }

    /// Sets whether the manifest may have no entries.
    pub(crate) fn allow_empty(self, allow: bool) -> Self {
        Self { may_be_empty: allow, ..self }
    }

    /// Checks the MAC in constant time, then parses the manifest. The keys must be those of its algorithm.
    pub(crate) fn open(self, keys: &Keys) -> Result<Manifest<'a>> {
        // An early check for a better message. The MAC decides, as it covers the key id.
        if self.made_with != keys.id {
            bail!("made with another key (id {}, this key is {})", hex(&self.made_with.0), hex(&keys.id.0));
        }
        // Before parsing: the parser meets only what a holder of the key wrote.
        let verified = keys.manifest.verify(self.text, &self.mac);
        ensure!(verified.is_ok(), "its MAC is wrong: the manifest was changed or damaged");
        Manifest::parse(self.text, keys)
    }

    /// Opens the manifest for a verification with this label. With `skip_special`, special files are left out
    /// even if the manifest refuses them.
    ///
    /// Fails on another label: otherwise a genuine manifest of another collection under the
    /// same key could be substituted.
    pub(crate) fn open_to_verify(
        self,
        keys: &Keys,
        label: Option<&str>,
        skip_special: bool,
    ) -> Result<Manifest<'a>> {
        let may_be_empty = self.may_be_empty;
        let mut manifest = self.open(keys)?;
        manifest.check_label(label)?;
        ensure!(
            // Without entries there is nothing to compare. Most likely the manifest was made in the wrong
            // folder.
            may_be_empty || !manifest.records.is_empty(),
            "the manifest has no entries: there is nothing to verify (see --allow-empty)"
        );
        if skip_special {
            manifest.scope.specials = Specials::Skip;
        }
        Ok(manifest)
    }
}

/// Returns the rest of a line after `key`, or `None` if the line begins differently.
fn value<'a>(line: Option<&'a [u8]>, key: &str) -> Option<&'a [u8]> {
    line?.strip_prefix(key.as_bytes())
}

/// A manifest whose MAC is correct.
pub(crate) struct Manifest<'a> {
    /// Name that the user gave to the collection, if any.
    label: Option<String>,
    /// Roots, filters and policies under which the manifest was made.
    pub(crate) scope: Scope,
    /// All records, sorted by the bytes of their names, none twice.
    pub(crate) records: Vec<Record<'a>>,
}

impl<'a> Manifest<'a> {
    /// Parses a manifest without its last line. Accepts only the text that [`Writer`] produces, so
    /// that nothing has two forms.
    fn parse(text: &'a [u8], keys: &Keys) -> Result<Self> {
        let text = std::str::from_utf8(text).context("the manifest is not UTF-8")?;
        // No header line is empty, and names escape newlines: the first empty line ends the header.
        let (header, records) = text.split_once("\n\n").context("the header does not end")?;
        let mut lines = header.split('\n').peekable();
        for expected in first_lines(keys) {
            let line = lines.next().unwrap_or("");
            let algorithm = keys.algorithm.name();
            ensure!(line == expected, "{line:?} is not supported with {algorithm}, only {expected:?}");
        }
        let label = lines.next_if(|line| line.starts_with(LABEL)).map(|line| label(&line[LABEL.len()..]));
        let scope = Scope::from_lines(lines)?;
        ensure!(records.is_empty() || records.ends_with('\n'), "the last record does not end");
        let records = records.split_terminator('\n').map(Record::parse).collect::<Result<Vec<_>>>()?;
        // Strictly ascending: no name occurs twice with different tags, and `verify` can merge without
        // sorting.
        ensure!(records.is_sorted_by(|a, b| a.name < b.name), "the records are not in order");
        Ok(Self { label: label.transpose()?, scope, records })
    }

    /// Fails unless the manifest was made with this label, or without one if `None`.
    fn check_label(&self, expected: Option<&str>) -> Result<()> {
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
}

/// Decodes an escaped label, which must be UTF-8.
fn label(text: &str) -> Result<String> {
    let bytes = unescape(text).context(BAD_ESCAPE)?;
    String::from_utf8(bytes.into_owned()).context("the label is not UTF-8")
}

impl<'a> Record<'a> {
    fn parse(line: &'a str) -> Result<Self> {
        Self::try_parse(line).with_context(|| format!("malformed record {line:?}"))
    }

    /// Parses a line of the form `file TAG SIZE NAME` or `link NAME<tab>TARGET`.
    fn try_parse(line: &'a str) -> Option<Self> {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "file" => {
                // Three fields at most: the name comes last and may contain spaces.
                let mut fields = rest.splitn(3, ' ');
                let tag = Tag::from(unhex::<16>(fields.next()?.as_bytes())?);
                let size = decimal(fields.next()?)?;
                Some(Self { name: unescape(fields.next()?)?, body: Body::File(Content { size, tag }) })
            }
            "link" => {
                // Names escape tabs, so the first tab ends the name.
                let (link, target) = rest.split_once('\t')?;
                Some(Self { name: unescape(link)?, body: Body::Link(unescape(target)?.into_owned()) })
            }
            _ => None,
        }
    }
}

/// Parses a decimal number. Refuses signs and leading zeros, so that each number has one form.
fn decimal(text: &str) -> Option<u64> {
    let canonical = text == "0" || text.starts_with(|first| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| canonical)
}
