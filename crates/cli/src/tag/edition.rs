//! The options of `tag` for the version of the manifest.
use std::path::Path;

use anyhow::{Result, ensure};
use clap::Args;

use crate::about::Metadata;
use crate::chain;
use crate::mac::MasterKey;
use crate::manifest::{Edition, Version};

/// The version of the manifest, and how much it records.
#[derive(Args)]
pub(crate) struct EditionArgs {
    /// What to record of each file besides its contents: nothing, its times and inode, or also mode, owner and group [default: times]
    #[arg(long, value_enum, value_name = "LEVEL")]
    metadata: Option<Metadata>,
    /// The version of the manifest; version 1 has no metadata, date and serial number
    #[arg(long, value_enum, value_name = "N", default_value = "2")]
    manifest_version: Version,
}

impl EditionArgs {
    /// Returns what version 2 says of a manifest that replaces `target`, or `None` for version 1. The second value says
    /// why that manifest is not continued.
    ///
    /// Fails if `keep_going` asks for records that the version lacks.
    pub(crate) fn edition(
        &self,
        target: Option<&Path>,
        master: &MasterKey,
        label: Option<&str>,
        keep_going: bool,
    ) -> Result<(Option<Edition>, Option<String>)> {
        if self.manifest_version == Version::V1 {
            ensure!(self.metadata.is_none(), "manifests of version 1 have no metadata: leave --metadata out");
            ensure!(!keep_going, "manifests of version 1 record no errors: leave --keep-going out");
            return Ok((None, chain::end(target, master, label)));
        }
        let metadata = self.metadata.unwrap_or(Metadata::Times);
        let (edition, why_first) = chain::edition(target, master, label, metadata)?;
        Ok((Some(edition), why_first))
    }
}
