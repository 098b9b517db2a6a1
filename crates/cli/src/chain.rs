//! The chain of manifests: each names the one that it replaces, by serial number and MAC.
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context as _, Error, Result, ensure};
use carryless_hash::{Cpu, Tag};

use crate::about::Metadata;
use crate::date::Date;
use crate::mac::{Keys, MasterKey};
use crate::manifest::{Edition, Header, MOST_MANIFEST_MIB, Sealed, read_manifest};
use crate::name::{decimal, escape_path};

/// The oldest manifest that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oldest {
    /// By its serial number.
    Serial(u64),
    /// By its date.
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

/// Returns the edition of a manifest that replaces `replaced`, or of a new one.
///
/// A manifest that is not authentic under this key and label, or not readable, has no successor: then a new chain
/// begins, and the second value says why.
///
/// Fails if the date is unknown.
pub(crate) fn edition(
    replaced: Option<&Path>,
    master: &MasterKey,
    label: Option<&str>,
    metadata: Metadata,
) -> Result<(Edition, Option<String>)> {
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

/// Returns the edition of a manifest that replaces the one with this header and MAC. A manifest of version 1 counts
/// as serial 1.
pub(crate) fn after(header: &Header, mac: Tag, metadata: Metadata, date: Date) -> Result<Edition> {
    let serial = header.edition.as_ref().map_or(1, |edition| edition.serial);
    let serial = serial.checked_add(1).context("there is no serial number after this one")?;
    Ok(Edition { metadata, date, serial, previous: Some(mac) })
}

/// Returns header and MAC of a manifest, if it is authentic.
fn last(path: &Path, master: &MasterKey, label: Option<&str>) -> Result<(Header, Tag)> {
    let bytes = read_manifest(path, MOST_MANIFEST_MIB)?;
    let sealed = Sealed::new(&bytes)?;
    let keys = Keys::derive(master, sealed.algorithm, Cpu::detect());
    let (header, mac) = sealed.open_header(&keys)?;
    header.check_label(label)?;
    Ok((header, mac))
}
