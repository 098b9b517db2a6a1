//! Libraries that have HQC: the crate `hqc-kem`, with `shake`, which computes its hashes, and liboqs and
//! leancrypto, which the user builds and names.
#[cfg(feature = "hqc-kem")]
mod hqc_kem;
mod leancrypto;
mod liboqs;
mod loaded;
#[cfg(feature = "hqc-kem")]
mod shake;

use crate::hqc::case::{Operation, Set};
use crate::subject::Subject;
use anyhow::{Context, Result};
pub(crate) use loaded::Library;
use std::path::{Path, PathBuf};

/// KEM libraries that are loaded by path.
#[derive(Clone, Debug, Default, clap::Args)]
// clap names the group after the struct, and gf2x has a struct of this name. It notices in debug builds only.
#[group(id = "kem")]
pub(crate) struct Libraries {
    /// liboqs.so, of 0.16 or later, whose HQC is of profile NR
    #[arg(long, value_name = "FILE")]
    liboqs: Option<PathBuf>,
    /// libleancrypto.so, whose HQC is of a profile of its own
    #[arg(long, value_name = "FILE")]
    leancrypto: Option<PathBuf>,
}

impl Libraries {
    /// Loads all libraries that are named.
    ///
    /// # Errors
    /// If a file is no such library.
    pub(crate) fn load(&self) -> Result<Vec<Library>> {
        let mut all = Vec::new();
        let mut add = |file: &Option<PathBuf>, load: fn(&Path) -> Result<Library>| {
            let Some(file) = file else { return Ok(()) };
            all.push(load(file).with_context(|| file.display().to_string())?);
            anyhow::Ok(())
        };
        add(&self.liboqs, liboqs::load)?;
        add(&self.leancrypto, leancrypto::load)?;
        Ok(all)
    }
}

/// The subjects of the libraries in this build for a parameter set.
pub(crate) fn subjects(set: &Set) -> Vec<(Operation, Subject)> {
    #[cfg(feature = "hqc-kem")]
    return [hqc_kem::subjects(set), vec![shake::subject(*set)]].concat();
    #[cfg(not(feature = "hqc-kem"))]
    {
        // Nothing else uses the parameter in a build without the crate.
        let _ = set;
        vec![]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_such_library() {
        let this = std::env::current_exe().expect("a test is a program");
        for load in [liboqs::load, leancrypto::load] {
            assert!(load(Path::new("/nowhere.so")).is_err());
            assert!(load(&this).is_err());
        }
    }
}
