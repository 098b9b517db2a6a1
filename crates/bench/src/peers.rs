//! Other libraries, each behind a feature of its name. OpenSSL, whose assembly is called directly, is there
//! on x86-64 alone. gf2x and the libraries of [`Loaded`](loaded::Loaded) need no feature: they are loaded
//! when the program runs.
use crate::family::{Family, Peer};
use crate::subject::{Mode, Subject};
use anyhow::Result;
use std::path::Path;

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
pub mod loaded;
#[cfg(all(feature = "openssl", target_arch = "x86_64"))]
mod openssl;
pub(crate) mod polynomial_shim;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;
mod shim;

/// Libraries of this build that compute Poly1305.
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

/// Libraries of this build that compute another function, which a user might take instead.
const OTHERS: &[Peer] = &[
    #[cfg(feature = "blake3")]
    blake3::subjects,
];

/// The subjects in a mode that compute other functions.
pub fn others(mode: Mode) -> Vec<Subject> {
    OTHERS.iter().flat_map(|subjects| subjects(mode)).collect()
}

/// The code of papers' authors in a folder, as far as it computes a family's function; none if no library there does.
///
/// # Errors
/// If the folder cannot be read, or a library in it lacks its function.
pub(crate) fn authors_of(folder: &Path, family: &'static Family, mode: Mode) -> Result<Vec<Subject>> {
    authors::subjects(folder, family, mode)
}
