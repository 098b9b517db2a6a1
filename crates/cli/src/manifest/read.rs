//! Reads manifests from files and streams.
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_hash::{Cpu, Tag};

use super::{Header, Manifest, Sealed};
use crate::family::{FAMILY_LENGTH, begins};
use crate::mac::{Keys, MasterKey};
use crate::name::{escape_input, named};
use crate::scope::Specials;

/// Reads a manifest of at most `most_mib` MiB. A file that does not begin as one is not read
/// further: it may be endless.
fn read_manifest(path: &Path, most_mib: u32) -> Result<Vec<u8>> {
    let shown = escape_input(path);
    let limit = u64::from(most_mib) << 20;
    let read = || -> io::Result<Vec<u8>> {
        let (mut bytes, mut size) = (Vec::new(), 0);
        let mut source: Box<dyn Read> = match named(path) {
            None => Box::new(io::stdin()),
            Some(path) => {
                let file = File::open(path)?;
                size = file.metadata()?.len();
                Box::new(file)
            }
        };
        // The first bytes show whether this is a manifest; a device or a large file is not read further.
        source.by_ref().take(FAMILY_LENGTH as u64).read_to_end(&mut bytes)?;
        if begins(&bytes) {
            // Reserved at once: growing would copy a large manifest several times. The size is a hint, as the file
            // may change. Too little memory is an error, and must not end the process.
            bytes.try_reserve_exact(usize::try_from(size.min(limit)).unwrap_or(0).saturating_add(1))?;
            // One byte more than the limit shows that there is more.
            source.take(limit + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let bytes = read().with_context(|| format!("{shown}: cannot read the manifest"))?;
    ensure!(bytes.len() as u64 <= limit, "{shown}: larger than {most_mib} MiB (see --max-manifest-size)");
    Ok(bytes)
}

/// The bytes of a manifest, from which it is opened.
pub(crate) struct Source {
    bytes: Vec<u8>,
    /// The name of the file for messages, escaped.
    pub(crate) shown: String,
}

/// What a verification demands of its manifest.
#[derive(Clone, Copy)]
pub(crate) struct Demands<'a> {
    /// The label that the manifest must have; `None` means that it must have none.
    ///
    /// Otherwise a genuine manifest of another collection under the same key could be substituted.
    pub(crate) label: Option<&'a str>,
    /// Whether a manifest without entries is accepted. It compares nothing; most likely it was made in the wrong folder.
    pub(crate) allow_empty: bool,
    /// Whether special files are left out even if the manifest refuses them.
    pub(crate) skip_special: bool,
}

impl Source {
    /// Reads a manifest of at most `most_mib` MiB. `-` is standard input, which only one source can read.
    pub(crate) fn read(path: &Path, most_mib: u32) -> Result<Self> {
        Ok(Self { bytes: read_manifest(path, most_mib)?, shown: escape_input(path) })
    }

    /// Opens the manifest with the keys of its algorithm, which are returned as well. Fails unless it is authentic, and has
    /// this label if one is given; without one every label is accepted.
    pub(crate) fn open(
        &self,
        master: &MasterKey,
        cpu: Cpu,
        label: Option<&str>,
    ) -> Result<(Manifest<'_>, Keys)> {
        let open = || -> Result<_> {
            let (sealed, keys) = self.sealed(master, cpu)?;
            let manifest = sealed.open(&keys)?;
            if label.is_some() {
                manifest.header.check_label(label)?;
            }
            Ok((manifest, keys))
        };
        open().with_context(|| self.shown.clone())
    }

    /// Opens the manifest for a verification. Fails unless it is authentic and meets the demands.
    pub(crate) fn open_to_verify(
        &self,
        master: &MasterKey,
        cpu: Cpu,
        demands: Demands<'_>,
    ) -> Result<(Manifest<'_>, Keys)> {
        let (mut manifest, keys) = self.open(master, cpu, None)?;
        let check = || -> Result<()> {
            manifest.header.check_label(demands.label)?;
            ensure!(
                demands.allow_empty || !manifest.records.is_empty(),
                "the manifest has no entries: there is nothing to verify (see --allow-empty)"
            );
            Ok(())
        };
        check().with_context(|| self.shown.clone())?;
        if demands.skip_special {
            manifest.header.scope.specials = Specials::Skip;
        }
        Ok((manifest, keys))
    }

    /// Opens the header of an authentic manifest, and parses no record. Returns it with the manifest's MAC. Errors
    /// do not name the file.
    pub(crate) fn open_header(&self, master: &MasterKey) -> Result<(Header, Tag)> {
        let (sealed, keys) = self.sealed(master, Cpu::detect())?;
        sealed.open_header(&keys)
    }

    fn sealed(&self, master: &MasterKey, cpu: Cpu) -> Result<(Sealed<'_>, Keys)> {
        let sealed = Sealed::new(&self.bytes)?;
        let keys = Keys::derive(master, sealed.algorithm, cpu);
        Ok((sealed, keys))
    }
}
