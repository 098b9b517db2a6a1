//! Opens manifests for the commands that read no files.
use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use clap::{Args, value_parser};

use crate::args::KeyArgs;
use crate::key;
use crate::mac::MasterKey;
use crate::manifest::{MOST_MANIFEST_MIB, Source};
use crate::name::named;

/// Options of the commands that read manifests and no files: the key, and the limit of size.
#[derive(Args)]
pub(crate) struct ManifestArgs {
    #[command(flatten)]
    pub(crate) key: KeyArgs,
    /// Refuse a manifest of more than this many MiB; it is held in memory before it is authenticated
    #[arg(long, value_name = "MIB", default_value_t = MOST_MANIFEST_MIB, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_manifest_size: u32,
}

impl ManifestArgs {
    /// Reads the key and the manifests. Fails if standard input would be read twice.
    pub(crate) fn read<const N: usize>(&self, manifests: [&Path; N]) -> Result<(MasterKey, [Source; N])> {
        let streams = manifests.iter().filter(|path| named(path).is_none()).count();
        let all = streams + usize::from(self.key.is_stdin());
        ensure!(all <= 1, "key and manifests cannot come from standard input together");
        let loaded = key::load(&self.key)?;
        let sources = manifests.iter().map(|path| Source::read(path, self.max_manifest_size));
        let sources: Vec<Source> = sources.collect::<Result<_>>()?;
        let sources = sources.try_into().map_err(|_| anyhow!("as many manifests as paths"))?;
        Ok((loaded.master, sources))
    }
}
