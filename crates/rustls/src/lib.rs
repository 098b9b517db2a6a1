//! Key exchange groups of [`rustls`] 0.23 with the code-based KEM HQC, computed by `carryless-hqc`.
//!
//! ```
//! # #[cfg(feature = "aws-lc-rs")] {
//! use carryless_rustls::{Place, aws_lc_rs};
//!
//! // rustls's provider with aws-lc-rs, whose first groups are the hybrids of HQC
//! let provider = aws_lc_rs::provider(Place::First);
//! let config = rustls::ClientConfig::builder_with_provider(provider.into());
//! # let _ = config;
//! # }
//! ```
//!
//! | group | code point | classical half | feature |
//! |---|---|---|---|
//! | `x25519_hqc1` | 65077 | X25519 | `aws-lc-rs` or `ring` |
//! | `p256_hqc1` | 65076 | P-256 | `aws-lc-rs` or `ring` |
//! | `p384_hqc3` | 65079 | P-384 | `aws-lc-rs` or `ring` |
//! | [`HQC1`], [`HQC3`], [`HQC5`] | 65075, 65078, 65081 | none | |
//!
//! The modules `aws_lc_rs` and `ring` have them as statics, and `provider` there returns the provider of rustls with the
//! hybrid groups. [`HqcGroup`] makes groups with another code point or another provider's curve.
//!
//! Names, code points and formats are those of oqs-provider with liboqs 0.16 ([`carryless_hqc::tls`]). They are private to
//! such software: no registry assigns them, and the standard of HQC will change the bytes.
//!
//! The groups are for TLS 1.3 only. Shares of a wrong length and invalid keys are
//! [`PeerMisbehaved::InvalidKeyShare`](rustls::PeerMisbehaved::InvalidKeyShare). A changed ciphertext is no error in HQC: it
//! gives another secret, and the handshake fails. Secrets are wiped when dropped.
//!
//! A handshake takes up to 0.35 MB of stack: give threads at least 512 kB.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod group;
mod kem;
mod providers;

pub use group::{HQC1, HQC3, HQC5, HqcGroup};
#[cfg(feature = "aws-lc-rs")]
pub use providers::aws_lc_rs;
#[cfg(feature = "ring")]
pub use providers::ring;
pub use providers::{Place, with_groups};

/// The examples of the package's front page.
#[cfg(all(doctest, feature = "aws-lc-rs"))]
#[doc = include_str!("../README.md")]
struct Readme;
