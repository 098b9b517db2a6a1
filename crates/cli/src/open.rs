//! Reads the keys and manifests that arguments name.
use std::path::Path;

use anyhow::{Result, anyhow, ensure};

use crate::args::ManifestArgs;
use crate::key::{self, Key};
use crate::manifest::Source;
use crate::name::named;

/// Reads the key and these manifests. Fails if standard input would be read twice.
pub(crate) fn read<const N: usize>(args: &ManifestArgs, manifests: [&Path; N]) -> Result<(Key, [Source; N])> {
    let streams = manifests.iter().filter(|path| named(path).is_none()).count();
    let all = streams + usize::from(args.key.is_stdin());
    ensure!(all <= 1, "key and manifests cannot come from standard input together");
    let key = key::load(&args.key)?;
    let sources = manifests.iter().map(|path| Source::read(path, args.max_manifest_size));
    let sources: Vec<Source> = sources.collect::<Result<_>>()?;
    let sources = sources.try_into().map_err(|_| anyhow!("as many manifests as paths"))?;
    Ok((key, sources))
}
