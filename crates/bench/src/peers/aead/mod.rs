//! AEADs of other libraries. Each seals in place with a key that was made ready before.
#[cfg(feature = "openssl")]
mod openssl;
#[cfg(feature = "ring")]
mod ring;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use super::Peer;

/// Libraries of this build that have ChaCha20-Poly1305.
pub const CHACHA20_POLY1305: &[Peer] = &[
    #[cfg(feature = "rustcrypto")]
    rustcrypto::chacha20_poly1305,
    #[cfg(feature = "ring")]
    ring::subjects,
    #[cfg(feature = "openssl")]
    openssl::subjects,
];

/// Libraries of this build that have XChaCha20-Poly1305.
pub const XCHACHA20_POLY1305: &[Peer] = &[
    #[cfg(feature = "rustcrypto")]
    rustcrypto::xchacha20_poly1305,
];
