//! The manifest: a text file that lists files and links with their tags, and is authenticated itself.
//! book/src/formats.md describes it.
//!
//! Every manifest has exactly one form. The parser accepts what the writer prints, byte for byte, so that no
//! two readers can understand one manifest differently.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;
mod header;
mod read;
mod record;
mod writer;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_aead::file_mac::{Algorithm, UnknownAlgorithm};
use carryless_hash::Tag;

use crate::family::FAMILY;
use crate::mac::{KeyId, Keys};
use crate::name::{escape, hex, unhex};

pub use header::Version;
use header::{ALGORITHM, KEY_ID};
pub(crate) use header::{Edition, Header};
pub(crate) use read::{Demands, Source};
pub(crate) use record::{Body, Record};
pub(crate) use writer::{Sink, Writer};

/// Largest manifest that is read by default, in MiB.
pub(crate) const MAX_MANIFEST_MIB: u32 = 1024;

/// Prefix of the last line. 32 hexadecimal digits follow.
const MAC: &str = "mac ";
/// Bytes of the last line, with its end.
const MAC_LINE: usize = MAC.len() + 32 + 1;
/// Bytes of text collected before they are authenticated and written.
const BATCH: usize = 64 << 10;

/// A manifest whose MAC has not been checked. Nothing in it is trusted: algorithm and key id only tell how to check it.
struct Sealed<'a> {
    /// Algorithm of all tags, including the manifest's MAC.
    algorithm: Algorithm,
    /// Id of the key under which the header says it was made.
    made_with: KeyId,
    /// Everything but the last line.
    text: &'a [u8],
    mac: Tag,
}

impl<'a> Sealed<'a> {
    /// Finds the MAC, the algorithm and the key id. Accepts no more than that before authentication, to keep
    /// the parser of untrusted bytes small.
    fn new(bytes: &'a [u8]) -> Result<Self> {
        ensure!(!bytes.is_empty(), "the manifest is empty");
        let first = bytes.split(|b| *b == b'\n').next().unwrap_or(bytes);
        let version = first.strip_prefix(FAMILY.as_bytes()).context("not a carryless manifest")?;
        ensure!(
            version.strip_suffix(b"\r").and_then(Version::named).is_none(),
            "damaged: its line ends were converted to CR LF"
        );
        if Version::named(version).is_none() {
            bail!("manifest version \"{}\", this program reads v1 and v2", excerpt(version));
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
        let algorithm = named.with_context(|| format!("algorithm \"{}\"", excerpt(algorithm)))?;
        // One line is skipped: the parser checks the segments after authentication.
        let made_with = value(lines.nth(1), KEY_ID).and_then(unhex).map(KeyId);
        let made_with = made_with.context("damaged: the header names no key")?;
        Ok(Self { algorithm, made_with, text, mac: Tag::from(mac) })
    }

    /// Checks the MAC in constant time, then parses the manifest. The keys must be those of its algorithm.
    fn open(self, keys: &Keys) -> Result<Manifest<'a>> {
        self.check(keys)?;
        Manifest::parse(self.text, self.mac, keys)
    }

    /// Checks the MAC, then parses the header alone. Returns it with the MAC.
    fn open_header(self, keys: &Keys) -> Result<(Header, Tag)> {
        self.check(keys)?;
        let (header, _) = halves(self.text)?;
        Ok((Header::parse(header, keys)?, self.mac))
    }

    /// Fails unless the MAC is right under these keys. Only then may the text be parsed: the parser meets nothing
    /// but what a holder of the key wrote.
    fn check(&self, keys: &Keys) -> Result<()> {
        // An early check for a better message. The MAC decides, as it covers the key id.
        if self.made_with != keys.id {
            bail!("made with another key (id {}, this key is {})", hex(&self.made_with.0), hex(&keys.id.0));
        }
        let verified = keys.manifest.verify(self.text, &self.mac);
        ensure!(verified.is_ok(), "its MAC is wrong: the manifest was changed or damaged");
        Ok(())
    }
}

/// Returns the beginning of a text for messages, escaped. Before authentication a line may be as long as the manifest.
fn excerpt(text: &[u8]) -> String {
    escape(&text[..text.len().min(64)])
}

/// Returns the rest of a line after `key`, or `None` if the line begins differently.
fn value<'a>(line: Option<&'a [u8]>, key: &str) -> Option<&'a [u8]> {
    line?.strip_prefix(key.as_bytes())
}

/// A manifest whose MAC is correct.
pub(crate) struct Manifest<'a> {
    /// What the manifest says about all of its records.
    pub(crate) header: Header,
    /// All records, sorted by the bytes of their names, none twice.
    pub(crate) records: Vec<Record<'a>>,
    /// Algorithm of all tags: those of the records, and the MAC.
    pub(crate) algorithm: Algorithm,
    /// The MAC of the manifest, by which the next one names it.
    pub(crate) mac: Tag,
}

impl<'a> Manifest<'a> {
    /// Parses a manifest without its last line, which has this MAC. Accepts only the text that [`Writer`]
    /// produces, so that nothing has two forms.
    fn parse(text: &'a [u8], mac: Tag, keys: &Keys) -> Result<Self> {
        let (header, records) = halves(text)?;
        let (header, records) = (Header::parse(header, keys)?, utf8(records)?);
        ensure!(records.is_empty() || records.ends_with('\n'), "the last record does not end");
        let (version, level) = (header.version(), header.metadata());
        let lines = records.split_terminator('\n');
        // Reserved at once: a vector that grows needs up to three times the memory for a moment.
        let mut records = Vec::with_capacity(lines.clone().count());
        for line in lines {
            records.push(Record::parse(line, version, level)?);
        }
        // Strictly ascending: no name occurs twice with different tags, and `verify` can merge without
        // sorting.
        ensure!(records.is_sorted_by(|a, b| a.name < b.name), "the records are not in order");
        Ok(Self { header, records, algorithm: keys.algorithm, mac })
    }
}

/// Splits a manifest without its last line into its header, without the empty line after it, and its records.
fn halves(text: &[u8]) -> Result<(&str, &[u8])> {
    // No header line is empty, and names escape newlines: the first empty line ends the header.
    let end = text.windows(2).position(|pair| pair == b"\n\n").context("the header does not end")?;
    Ok((utf8(&text[..end])?, &text[end + 2..]))
}

fn utf8(text: &[u8]) -> Result<&str> {
    std::str::from_utf8(text).context("the manifest is not UTF-8")
}
