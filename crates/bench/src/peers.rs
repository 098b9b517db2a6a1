//! Other libraries, each behind a feature of its name.
use crate::subject::{Family, Mode, Subject};

#[cfg(feature = "aws-lc")]
mod aws_lc;
#[cfg(feature = "blake3")]
mod blake3;
#[cfg(feature = "libsodium")]
mod libsodium;
#[cfg(feature = "openssl")]
mod openssl;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

/// The peers in this build that know the family (keyed BLAKE3 stands beside each as what a user might take instead).
pub fn subjects(family: Family, mode: Mode) -> Vec<Subject> {
    let mut all: Vec<Subject> = Vec::new();
    if family == Family::Poly1305 {
        #[cfg(feature = "openssl")]
        all.extend(openssl::subjects(mode));
        #[cfg(feature = "rustcrypto")]
        all.push(rustcrypto::subject(mode));
        #[cfg(feature = "aws-lc")]
        all.push(aws_lc::subject(mode));
        #[cfg(feature = "libsodium")]
        all.push(libsodium::subject(mode));
    }
    #[cfg(feature = "blake3")]
    all.push(blake3::subject());
    let _ = mode;
    all
}
