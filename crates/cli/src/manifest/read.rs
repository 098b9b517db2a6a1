//! Reads manifests from files and streams.
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::family::{FAMILY_LENGTH, begins};
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
