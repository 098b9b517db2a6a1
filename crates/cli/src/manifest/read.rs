//! Reads manifests from files and streams.
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use carryless_hash::Cpu;

use super::{Manifest, Sealed};
use crate::family::{FAMILY_LENGTH, begins};
use crate::mac::{Keys, MasterKey};
use crate::name::{escape_input, named};

/// Reads a manifest of at most `most_mib` MiB. A file that does not begin as one is not read
/// further: it may be endless.
pub(crate) fn read_manifest(path: &Path, most_mib: u32) -> Result<Vec<u8>> {
    let shown = escape_input(path);
    let limit = u64::from(most_mib) << 20;
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut source: Box<dyn Read> = match named(path) {
            None => Box::new(io::stdin()),
            Some(path) => {
                let file = File::open(path)?;
                let size = file.metadata()?.len();
                // Reserved at once: growing would copy a large manifest several times. The size is a hint, as
                // the file may change.
                bytes.reserve(usize::try_from(size.min(limit)).unwrap_or(0) + 1);
                Box::new(file)
            }
        };
        // The first bytes show whether this is a manifest; a device or a large file is not read further.
        source.by_ref().take(FAMILY_LENGTH as u64).read_to_end(&mut bytes)?;
        if begins(&bytes) {
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

impl Source {
    /// Reads a manifest of at most `most_mib` MiB.
    pub(crate) fn read(path: &Path, most_mib: u32) -> Result<Self> {
        Ok(Self { bytes: read_manifest(path, most_mib)?, shown: escape_input(path) })
    }

    /// Opens the manifest with the keys of its algorithm, which are returned as well.
    pub(crate) fn open(&self, master: &MasterKey, cpu: Cpu) -> Result<(Manifest<'_>, Keys)> {
        let open = || -> Result<_> {
            let sealed = Sealed::new(&self.bytes)?;
            let keys = Keys::derive(master, sealed.algorithm, cpu);
            Ok((sealed.open(&keys)?, keys))
        };
        open().with_context(|| self.shown.clone())
    }
}
