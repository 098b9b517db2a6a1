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
    let same: Vec<fn(Mode) -> Vec<Subject>> = match family {
        Family::Poly1305 => Vec::from([
            #[cfg(feature = "openssl")]
            openssl::subjects,
            #[cfg(feature = "rustcrypto")]
            rustcrypto::subjects,
            #[cfg(feature = "aws-lc")]
            aws_lc::subjects,
            #[cfg(feature = "libsodium")]
            libsodium::subjects,
        ]),
        Family::PolyHash1305 => Vec::new(),
    };
    let others: Vec<fn(Mode) -> Vec<Subject>> = Vec::from([
        #[cfg(feature = "blake3")]
        blake3::subjects,
    ]);
    same.into_iter().chain(others).flat_map(|subjects| subjects(mode)).collect()
}
