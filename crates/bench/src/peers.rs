//! Other libraries, each behind a feature of its name (OpenSSL, whose assembly is called directly, on x86-64 only); gf2x, which
//! is loaded when the program runs, is always there.
use crate::subject::{Mode, Subject};

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "blake3")]
mod blake3;
pub mod gf2x;
#[cfg(feature = "libsodium")]
mod libsodium;
#[cfg(all(feature = "openssl", target_arch = "x86_64"))]
mod openssl;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

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
