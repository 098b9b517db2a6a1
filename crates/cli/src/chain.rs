//! The chain of manifests: each names the one that it replaces, by serial number and MAC.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, Error, Result, ensure};
use carryless_hash::{Cpu, Tag};

use crate::about::Metadata;
use crate::date::Date;
use crate::mac::MasterKey;
use crate::manifest::{Body, Demands, Edition, Header, MAX_MANIFEST_MIB, Manifest, Source};
use crate::name::{decimal, escape_path};

/// The oldest manifest that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oldest {
    /// The lowest serial number that is accepted, from 1.
    Serial(u64),
    /// The earliest date that is accepted.
    Date(Date),
}

impl FromStr for Oldest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let serial = decimal(text).map(Self::Serial);
        let either = serial.or_else(|| Date::parse_day(text).map(Self::Date));
        either.context("neither a serial number nor a date as in 2026-11-29 or 2026-11-29T12:00:00Z")
    }
}

impl Oldest {
    /// Fails if the manifest is older. Those of version 1 have no age.
    pub(crate) fn check(self, header: &Header) -> Result<()> {
        let edition = header.edition.as_ref();
        let Edition { date, serial, .. } = edition.context("it has no date or serial number: version 1")?;
        match self {
            Self::Serial(oldest) => {
                ensure!(*serial >= oldest, "too old: its serial number is {serial}, not {oldest} or more");
            }
            Self::Date(oldest) => ensure!(*date >= oldest, "too old: its date is {date}, before {oldest}"),
        }
        Ok(())
    }
}

/// Earlier manifests: what names were before.
#[derive(Default)]
pub(crate) struct History {
    bodies: BTreeMap<Box<[u8]>, Vec<Body>>,
}

impl History {
    /// Reads earlier manifests of the chain that ends with `manifest`.
    ///
    /// Fails unless each is authentic under the same key and label and has a lower serial number, and if two of
    /// them, or the last one and the manifest, have successive numbers but are of different chains.
    pub(crate) fn read(
        files: &[PathBuf],
        most_mib: u32,
        master: &MasterKey,
        manifest: &Manifest<'_>,
    ) -> Result<Self> {
        let mut history = Self::default();
        let mut links = vec![Link::of(&manifest.header, manifest.mac)];
        for file in files {
            let source = Source::read(file, most_mib)?;
            let label = manifest.header.label.as_deref();
            let demands = Demands { label, allow_empty: true, skip_special: false };
            let (older, _) = source.open_to_verify(master, Cpu::detect(), demands)?;
            links.push(Link::of(&older.header, older.mac));
            ensure!(links[0].serial > links[links.len() - 1].serial, "{}: no earlier manifest", source.shown);
            let same_algorithm = older.algorithm == manifest.algorithm;
            history.add(older, same_algorithm);
        }
        // The files may be given in any order.
        links.sort_by_key(|link| link.serial);
        let broken = links.windows(2).find(|pair| !pair[1].may_follow(&pair[0]));
        ensure!(broken.is_none(), "the manifests of --history are of different chains");
        Ok(history)
    }

    /// Adds the records of a manifest. Those of another algorithm have other tags and tell nothing.
    fn add(&mut self, manifest: Manifest<'_>, same_algorithm: bool) {
        for record in manifest.records {
            if same_algorithm && !record.is_error() {
                let body = record.body();
                self.bodies.entry(record.name.into_owned().into()).or_default().push(body);
            }
        }
    }

    /// Returns whether the name had these contents.
    pub(crate) fn has(&self, name: &[u8], now: &Body) -> bool {
        self.of(name).iter().any(|body| body.same_contents(now))
    }

    /// Returns whether the name had contents of this size.
    pub(crate) fn has_size(&self, name: &[u8], size: u64) -> bool {
        self.of(name).iter().any(|body| matches!(body, Body::File(content, _) if content.size == size))
    }

    fn of(&self, name: &[u8]) -> &[Body] {
        self.bodies.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The place of a manifest in its chain.
struct Link {
    serial: u64,
    previous: Option<Tag>,
    mac: Tag,
}

impl Link {
    fn of(header: &Header, mac: Tag) -> Self {
        let edition = header.edition.as_ref();
        let previous = edition.and_then(|edition| edition.previous);
        Self { serial: serial(header), previous, mac }
    }

    /// Returns whether this manifest may come after another. Only of successive ones this is known.
    fn may_follow(&self, other: &Self) -> bool {
        self.serial > other.serial && (self.serial - other.serial > 1 || self.previous == Some(other.mac))
    }
}

/// Returns the serial number of a manifest. One of version 1 counts as the first.
fn serial(header: &Header) -> u64 {
    header.edition.as_ref().map_or(1, |edition| edition.serial)
}

/// Returns the edition of a manifest that replaces `replaced`, or of a new one.
///
/// A manifest that is not authentic under this key and label, or not readable, has no successor: then a new chain
/// begins, and the second value says why.
///
/// Fails if the date is unknown, or this system lacks some of the metadata.
pub(crate) fn edition(
    replaced: Option<&Path>,
    master: &MasterKey,
    label: Option<&str>,
    metadata: Metadata,
) -> Result<(Edition, Option<String>)> {
    // Before the manifest is read: what this system cannot record is an error in any case.
    metadata.check()?;
    let date = Date::now()?;
    let first = Edition { metadata, date, serial: 1, previous: None };
    // Nothing is there: a new manifest.
    let Some(path) = replaced.filter(|path| path.exists()) else { return Ok((first, None)) };
    match last(path, master, label).and_then(|(header, mac)| after(&header, mac, metadata, date)) {
        Ok(edition) => Ok((edition, None)),
        Err(why) => {
            let shown = escape_path(path);
            Ok((first, Some(format!("{shown}: not continued, the new manifest has serial 1: {why:#}"))))
        }
    }
}

/// Returns a warning if a manifest of version 1, which has no serial number, replaces one that has.
pub(crate) fn end(replaced: Option<&Path>, master: &MasterKey, label: Option<&str>) -> Option<String> {
    let path = replaced.filter(|path| path.exists())?;
    let (header, _) = last(path, master, label).ok()?;
    let serial = header.edition?.serial;
    let shown = escape_path(path);
    Some(format!("{shown}: not continued: serial {serial} was the last, as version 1 has no serial number"))
}

/// Returns the edition of a manifest that replaces the one with this header and MAC: its serial number is one more, where
/// version 1 counts as serial 1.
pub(crate) fn after(header: &Header, mac: Tag, metadata: Metadata, date: Date) -> Result<Edition> {
    let serial = serial(header).checked_add(1).context("there is no serial number after this one")?;
    Ok(Edition { metadata, date, serial, previous: Some(mac) })
}

/// Returns header and MAC of a manifest, if it is authentic.
fn last(path: &Path, master: &MasterKey, label: Option<&str>) -> Result<(Header, Tag)> {
    let (header, mac) = Source::read(path, MAX_MANIFEST_MIB)?.open_header(master)?;
    header.check_label(label)?;
    Ok((header, mac))
}
