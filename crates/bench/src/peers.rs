//! Other libraries, each behind a feature of its name (OpenSSL, whose assembly is called directly, on x86-64 only); gf2x, which
//! and what [`Loaded`] names are loaded when the program runs.
use crate::family::{Family, POLY1305 as POLY1305_FAMILY};
use crate::subject::{Mode, Subject};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

pub mod aead;
mod authors;
mod ipsec_mb;

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(feature = "fields")]
pub(crate) mod bn_gf2m;
#[cfg(all(feature = "crrl", any(feature = "fields", feature = "curves")))]
pub(crate) mod crrl;
#[cfg(feature = "curves")]
pub(crate) mod curve_shim;
#[cfg(feature = "curves")]
pub(crate) mod ec_group;
#[cfg(feature = "fields")]
pub(crate) mod field_shim;
pub mod gf2x;
pub(crate) mod kem;
#[cfg(feature = "libsodium")]
mod libsodium;
#[cfg(all(feature = "openssl", target_arch = "x86_64"))]
mod openssl;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;
#[cfg(any(feature = "fields", feature = "curves"))]
mod shim;

/// A library's subjects in a mode.
pub type Peer = fn(Mode) -> Vec<Subject>;

/// Those that know Poly1305.
pub const POLY1305: &[Peer] = &[
    #[cfg(all(feature = "openssl", target_arch = "x86_64"))]
    openssl::subjects,
    #[cfg(feature = "rustcrypto")]
    rustcrypto::subjects,
    #[cfg(feature = "aws-lc")]
    aws_lc::subjects,
    #[cfg(feature = "libsodium")]
    libsodium::subjects,
];

/// Other functions, which a user might take instead.
const OTHERS: &[Peer] = &[
    #[cfg(feature = "blake3")]
    blake3::subjects,
];

/// Other functions in this build.
pub fn others(mode: Mode) -> Vec<Subject> {
    OTHERS.iter().flat_map(|subjects| subjects(mode)).collect()
}

/// The code of papers' authors in a folder that computes a family's function; none, if there is no such library.
///
/// # Errors
/// If the folder cannot be read, or a library in it lacks its function.
pub(crate) fn authors_of(folder: &Path, family: &'static Family, mode: Mode) -> Result<Vec<Subject>> {
    authors::subjects(folder, family, mode)
}

/// Libraries that the user has built, by path; gf2x of the system is always looked for.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Loaded {
    #[command(flatten)]
    gf2x: gf2x::Libraries,
    /// A shared library with Intel IPsec-MB's Poly1305 (docs/benchmarks.md says how to build one)
    #[arg(long, value_name = "FILE")]
    ipsec_mb: Option<PathBuf>,
    /// A folder of shared libraries with the code of the authors of papers 001 and 002 (docs/benchmarks.md)
    #[arg(long, value_name = "FOLDER")]
    authors: Option<PathBuf>,
}

impl Loaded {
    /// The subjects for a family, in a mode.
    ///
    /// # Errors
    /// If a path is no such library, or a library is named that computes nothing of the family.
    pub fn subjects(&self, family: &'static Family, mode: Mode) -> Result<Vec<Subject>> {
        let mut all = Vec::new();
        match family.operation {
            Some(operation) if mode == Mode::OneShot => all.extend(self.gf2x.subjects(operation)?),
            _ => ensure!(self.gf2x.is_empty(), "gf2x computes nothing of {}", family.name),
        }
        if let Some(file) = &self.ipsec_mb {
            ensure!(family.compares_with_poly1305(), "IPsec-MB computes nothing of {}", family.name);
            let macs = ipsec_mb::subjects(file, mode)?;
            let is_own = std::ptr::eq(family, &POLY1305_FAMILY);
            all.extend(macs.into_iter().map(|mac| if is_own { mac } else { mac.of(&POLY1305_FAMILY) }));
        }
        if let Some(folder) = &self.authors {
            let authors = authors::subjects(folder, family, mode)?;
            ensure!(!authors.is_empty(), "{}: no library there computes {}", folder.display(), family.name);
            all.extend(authors);
        }
        Ok(all)
    }
}
