//! The code-based KEM HQC in constant time: HQC-1, HQC-3 and HQC-5.
//!
//! ```
//! use carryless_hqc::{Ciphertext, DecapsulationKey, EncapsulationKey, Hqc1};
//! use getrandom::{SysRng, rand_core::UnwrapErr};
//!
//! let mut rng = UnwrapErr(SysRng);
//! let alice = DecapsulationKey::<Hqc1>::generate_from_rng(&mut rng);
//!
//! // Bob has Alice's encapsulation key, and sends her the ciphertext.
//! let key = EncapsulationKey::<Hqc1>::from_bytes(alice.encapsulation_key().as_bytes())?;
//! let (ciphertext, secret) = key.encapsulate_with_rng(&mut rng);
//!
//! let received = Ciphertext::<Hqc1>::from_bytes(ciphertext.as_bytes())?;
//! assert_eq!(alice.decapsulate(&received), secret);
//! # Ok::<(), carryless_hqc::Error>(())
//! ```
//!
//! | task | item |
//! |---|---|
//! | make a key | [`DecapsulationKey::generate_from_rng`], [`DecapsulationKey::from_seed`] |
//! | make a shared secret for the holder of a key | [`EncapsulationKey::encapsulate_with_rng`] |
//! | get the secret of a ciphertext | [`DecapsulationKey::decapsulate`] |
//! | import and check keys and ciphertexts | `from_bytes`; [`Error`] |
//! | use one key many times | [`EncapsulationKey::expand`], [`DecapsulationKey::expand`] |
//! | repeat results in tests | [`DecapsulationKey::from_seed`], [`EncapsulationKey::encapsulate_deterministic`] |
//! | treat invalid keys as the reference code does | `from_bytes_unchecked` |
//! | choose a scheme by name, at run time | [`SchemeId`]; `any`, with the feature of that name |
//! | read and write PKCS #8 and SubjectPublicKeyInfo | `key_file`, with feature `pkcs8` |
//! | hybrids with X25519 (a draft) | `hybrid`, with the feature of that name |
//! | names, code points and formats of TLS groups | `tls`, with the feature of that name |
//! | choose a backend | [`DecapsulationKey::from_seed_on`], [`EncapsulationKey::from_bytes_on`] |
//!
//! # Profiles
//!
//! Three versions of HQC are in use. They have the same rings, codes and weights, but not the same bytes, and
//! two of them have the same sizes. So everything here belongs to a [`Scheme`], a parameter set in a profile:
//!
//! | profile | version | schemes |
//! |---|---|---|
//! | `nr` | next release of the reference code (2026-02-13), as in liboqs 0.16 | [`Hqc1`], [`Hqc3`], [`Hqc5`] |
//! | `v5` | reference code v5.0.0 of 2025-08-22 | [`Hqc1V5`], [`Hqc3V5`], [`Hqc5V5`] |
//! | `2023` | submission of 2023-04-30, with feature `hqc-2023` | `Hqc128`, `Hqc192`, `Hqc256` |
//!
//! Keys, ciphertexts and secrets of different schemes have different types, and errors name both parameter
//! set and profile. The crate `hqc-kem` 0.1 implements profile `nr`. NIST has not published its standard
//! (FIPS 207) yet.
//!
//! ```compile_fail,E0308
//! # use carryless_hqc::{Ciphertext, DecapsulationKey, Hqc1, Hqc1V5};
//! fn mixed(key: &DecapsulationKey<Hqc1>, ciphertext: &Ciphertext<Hqc1V5>) {
//!     let _ = key.decapsulate(ciphertext);
//! }
//! ```
//!
//! # Secrets
//!
//! Time and addresses do not depend on secrets, with one exception. The number of candidates for positions of
//! y and x that were read from their stream is visible; it tells how many were rejected.
//!
//! Secrets are wiped when dropped, and `Debug` shows nothing of them. With the feature `alloc`, which is on
//! by default, decapsulation keys and shared secrets keep their secrets on the heap, so that a move leaves no
//! copy. Without it, a move leaves a copy in the old place, as with every Rust value: make such keys where
//! they stay.
//!
//! A changed ciphertext is no error, but gives a different secret (implicit rejection).
//!
//! # Known attacks
//!
//! | attack | countermeasure |
//! |---|---|
//! | time of the decoder (Wafo-Tapa et al. 2019, on BCH codes); an early exit (liboqs #2429) | a fixed number of rounds, evaluation at all positions, no branch on an error |
//! | time of the samplers of r1, r2, e (Guo et al., eprint 2021/1485) | no rejection, masks replace duplicates |
//! | cache lines of the samplers (Huang et al., eprint 2023/102) | every position is compared with all words or bits |
//! | divisions by the sampler of 2023 (Divide and Surrender, USENIX Security 2024) | products by inverses of public numbers |
//! | tables and sparse products with secret indices (liboqs #995) | dense products, GF(2^8) without tables |
//! | a wrong mask, which gave rejections wrong secrets (CVE-2024-54137) | the secret of a rejection is always computed, and chosen in constant time |
//! | changes of the salt that show a rejection (Saarinen 2025) | in `nr` and `v5` every secret takes the salt; `2023` is exposed |
//! | keys that differ from what their seed gives (RustCrypto/KEMs #325) | `from_bytes` refuses them |
//! | power and emanation | none: no masking |
//!
//! `book/src/constant-time.md` says what is known of the time of keys.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(feature = "any")]
pub mod any;
mod array;
pub mod code;
mod decapsulation;
mod encapsulation;
mod error;
#[cfg(feature = "hybrid")]
pub mod hybrid;
#[cfg(feature = "kat")]
pub mod kat;
pub mod keccak;
mod kem;
#[cfg(feature = "pkcs8")]
pub mod key_file;
#[cfg(feature = "internals")]
pub mod parts;
mod pke;
mod profile;
mod ring;
mod sample;
mod scheme;
mod secret;
mod set;
mod support;
#[cfg(test)]
mod tests;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(feature = "kem")]
mod traits;
mod values;

pub use array::Array;
pub use carryless_gf2::ClmulCpu;
pub use decapsulation::{DecapsulationKey, ExpandedDecapsulationKey};
pub use encapsulation::{EncapsulationKey, ExpandedEncapsulationKey, Message};
pub use error::{Defect, Error, Kind};
#[cfg(test)]
pub use profile::Draft;
#[cfg(feature = "hqc-2023")]
pub use profile::Legacy;
pub use profile::{Nr, Profile, V5};
#[cfg(test)]
pub use scheme::Draft1;
pub use scheme::{
    Hqc1, Hqc1V5, Hqc3, Hqc3V5, Hqc5, Hqc5V5, SALT_BYTES, Scheme, SchemeId, SchemeVisitor, Sizes,
};
#[cfg(feature = "hqc-2023")]
pub use scheme::{Hqc128, Hqc192, Hqc256};
pub use set::ParameterSet;
pub use values::{Ciphertext, SharedSecret};

/// The examples of the package's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
