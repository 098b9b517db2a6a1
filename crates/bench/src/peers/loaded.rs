//! Libraries that are loaded when the program runs, because they are not part of the build.
use super::{authors, gf2x, ipsec_mb};
use crate::families::POLY1305;
use crate::family::Family;
use crate::subject::{Mode, Subject};
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Libraries that the user has built, by path. gf2x of the system is looked for in any case.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Loaded {
    #[command(flatten)]
    gf2x: gf2x::Libraries,
    /// A shared library with Intel IPsec-MB's Poly1305 (crates/bench/PEERS.md says how to build one)
    #[arg(long, value_name = "FILE")]
    ipsec_mb: Option<PathBuf>,
    /// A folder of shared libraries with the code of the authors of papers 001 and 002 (crates/bench/PEERS.md)
    #[arg(long, value_name = "FOLDER")]
    authors: Option<PathBuf>,
}

impl Loaded {
    /// The subjects of these libraries for a family, in a mode.
    ///
    /// # Errors
    /// If a path is no such library, or a library that is named computes nothing of the family.
    pub fn subjects(&self, family: &'static Family, mode: Mode) -> Result<Vec<Subject>> {
        let mut all = Vec::new();
        match family.operation {
            Some(operation) if mode == Mode::OneShot => all.extend(self.gf2x.subjects(operation)?),
            // A library that the user names must be measured or refused. The system's may be left out
            // silently.
            _ => ensure!(self.gf2x.is_empty(), "gf2x computes nothing of {}", family.name),
        }
        if let Some(file) = &self.ipsec_mb {
            ensure!(family.compares_with_poly1305(), "IPsec-MB computes nothing of {}", family.name);
            let macs = ipsec_mb::subjects(file, mode)?;
            // In Poly1305's own family the subjects are verified together with ours.
            let is_own = std::ptr::eq(family, &POLY1305);
            all.extend(macs.into_iter().map(|mac| if is_own { mac } else { mac.of(POLY1305.reference) }));
        }
        if let Some(folder) = &self.authors {
            let authors = authors::subjects(folder, family, mode)?;
            ensure!(!authors.is_empty(), "{}: no library there computes {}", folder.display(), family.name);
            all.extend(authors);
        }
        Ok(all)
    }
}
