//! Profiles: one table for each published version of HQC, with everything in which the versions differ.
//!
//! All profiles have the same rings, codes and weights. NR and V5 even have the same sizes, so that bytes of
//! one are valid in the other but give wrong secrets.
//!
//! | | NR | V5 | Legacy |
//! |---|---|---|---|
//! | seeds | 32 bytes, all of one | the same | two of 40 bytes, and sigma |
//! | a read from a stream takes | the bytes it wants | whole words of 64 bits | whole words of 64 bits |
//! | positions of x and y | 24 bits, little-endian, rejected if not uniform | the same, big-endian, in blocks of w | as r1, r2, e |
//! | positions of r1, r2, e | 32 bits, multiply and shift | the same | 32 bits, modulo |
//! | order of samples | y, x; r2, e, r1 | y, x; r2, e, r1 | x, y; r1, r2, e |
//! | secret | G(H(ek), m, salt) | G(H(ek), m, salt) | K(m, u, v) |
//! | secret of a rejection | J(H(ek), sigma, u, v, salt) | the same | K(sigma, u, v) |
#![cfg_attr(
    not(feature = "hqc-2023"),
    allow(dead_code, unused_imports, reason = "what only profile 2023 does")
)]
#[cfg(test)]
mod draft;

use crate::array::Array;
use crate::keccak::{Function, SHA3_256, SHA3_512, SHAKE256};

/// An input of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The hash of the encapsulation key, H(ek).
    KeyHash,
    /// The encapsulation key as bytes, in profiles that do not hash it first.
    Key,
    /// The message m, which is secret.
    Message,
    /// The secret that replaces the message in the hash of a rejection.
    Sigma,
    /// The parts u and v of a ciphertext, as bytes.
    Body,
    /// The salt, the last 16 bytes of a ciphertext.
    Salt,
}

/// A hash: the function, its inputs in order, and a domain byte after them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    pub(crate) function: Function,
    pub(crate) domain: &'static [u8],
    pub(crate) parts: &'static [Part],
}

/// How the positions of x and y are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeySampler {
    /// Candidates of 24 bits. Those from the largest multiple of n on are rejected, and those that occurred
    /// before. y is sampled first.
    Rejection {
        /// The byte order of candidates.
        big_endian: bool,
        /// If set, candidates are read in blocks of w, and the rest of the last block is dropped. Otherwise
        /// they are read one by one.
        blocks: bool,
    },
    /// Like the errors, without rejection. x is sampled first.
    Fixed,
}

/// How 32 random bits r are reduced to a number below m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// floor(r m / 2^32): a multiplication and a shift.
    MultiplyShift,
    /// r mod m: the remainder, computed without a division.
    Remainder,
}

/// How the seeds of a key are obtained.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeySeeds {
    /// All are derived from one seed. It is expanded to an inner seed and sigma. The hash I of the inner
    /// seed, with this domain byte, gives the seed of y and x and the seed of h.
    Derived {
        /// Domain byte of I = SHA3-512.
        domain: &'static [u8],
    },
    /// All are random, in this order: the seed of x and y, sigma, the seed of h.
    Drawn,
}

impl KeySeeds {
    /// Returns how many seeds and how many sigmas form the seed of a key.
    pub(crate) const fn drawn(&self) -> [usize; 2] {
        match self {
            KeySeeds::Derived { .. } => [1, 0],
            KeySeeds::Drawn => [2, 1],
        }
    }
}

/// A part of a decapsulation key in its exported form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyPart {
    EncapsulationKey,
    /// The seed of y and x.
    KeySeed,
    Sigma,
    /// The seed from which the whole key is derived.
    Seed,
}

/// The places of r1, r2 and e in the stream of an encryption: 0, 1 and 2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorOrder {
    pub(crate) r1: usize,
    pub(crate) r2: usize,
    pub(crate) e: usize,
}

/// The rules of a profile. All of them are public constants.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Domain byte of streams: a stream is SHAKE256 of a seed and this byte.
    pub(crate) stream_domain: &'static [u8],
    /// Each read from a stream consumes a multiple of this number of bytes, and drops those it does not need.
    pub(crate) read_multiple: usize,
    pub(crate) key_seeds: KeySeeds,
    pub(crate) key_layout: &'static [KeyPart],
    pub(crate) key_sampler: KeySampler,
    pub(crate) error_reduction: Reduction,
    pub(crate) error_order: ErrorOrder,
    /// Domain byte of H = SHA3-256, in profiles that hash the encapsulation key once.
    pub(crate) key_hash: Option<&'static [u8]>,
    /// The hash G of the message. It contains theta, the seed of an encryption.
    pub(crate) message_hash: Hash,
    /// First byte of theta in that hash.
    pub(crate) seed_at: usize,
    /// The hash K that gives the shared secret. Without it, the secret is the beginning of G.
    pub(crate) secret_hash: Option<Hash>,
    /// Number of bytes of a shared secret.
    pub(crate) secret_bytes: usize,
    /// The hash J that gives the secret of a rejection.
    pub(crate) rejection_hash: Hash,
    /// Domain byte of the random numbers in NIST's tests: SHAKE256 of a seed and this byte.
    #[cfg_attr(not(feature = "internals"), allow(dead_code))]
    pub(crate) response_domain: &'static [u8],
}

#[cfg(test)]
pub use draft::Draft;

mod sealed {
    pub trait Sealed {}
}

/// A version of HQC: [`Nr`], [`V5`] or, with feature `hqc-2023`, `Legacy`. The trait is sealed.
pub trait Profile: sealed::Sealed + Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Name of the profile, as errors and files show it.
    const NAME: &'static str;
    /// The rules by which this version differs from the others.
    const RULES: Rules;
    /// Number of bytes of the seeds inside keys.
    const SEED_BYTES: usize;
    /// A seed inside a key, of [`SEED_BYTES`](Self::SEED_BYTES) bytes.
    type Seed: Array<u8>;
}

/// Profile `nr`: the next release of the reference code (commit 161cd4f of 2026-02-13). liboqs 0.16 and the
/// crate `hqc-kem` 0.1 implement it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nr;

/// Profile `v5`: the reference code v5.0.0 of 2025-08-22, published with the specification of that date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct V5;

/// Profile `2023`: the submission to the fourth round of NIST's competition, dated 2023-04-30. For old data only.
#[cfg(feature = "hqc-2023")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Legacy;

const NR: Rules = Rules {
    stream_domain: &[1],
    read_multiple: 1,
    key_seeds: KeySeeds::Derived { domain: &[2] },
    key_layout: &[KeyPart::EncapsulationKey, KeyPart::KeySeed, KeyPart::Sigma, KeyPart::Seed],
    key_sampler: KeySampler::Rejection { big_endian: false, blocks: false },
    error_reduction: Reduction::MultiplyShift,
    error_order: ErrorOrder { r2: 0, e: 1, r1: 2 },
    key_hash: Some(&[1]),
    message_hash: Hash {
        function: SHA3_512,
        domain: &[0],
        parts: &[Part::KeyHash, Part::Message, Part::Salt],
    },
    // G begins with the shared secret, 32 bytes; theta follows.
    seed_at: 32,
    secret_hash: None,
    secret_bytes: 32,
    rejection_hash: Hash {
        function: SHA3_256,
        domain: &[3],
        parts: &[Part::KeyHash, Part::Sigma, Part::Body, Part::Salt],
    },
    response_domain: &[0],
};

impl sealed::Sealed for Nr {}

impl Profile for Nr {
    const NAME: &'static str = "nr";
    const RULES: Rules = NR;
    const SEED_BYTES: usize = 32;
    type Seed = [u8; 32];
}

impl sealed::Sealed for V5 {}

impl Profile for V5 {
    const NAME: &'static str = "v5";
    const RULES: Rules = Rules {
        read_multiple: 8,
        key_sampler: KeySampler::Rejection { big_endian: true, blocks: true },
        ..NR
    };
    const SEED_BYTES: usize = 32;
    type Seed = [u8; 32];
}

#[cfg(feature = "hqc-2023")]
impl sealed::Sealed for Legacy {}

#[cfg(feature = "hqc-2023")]
impl Profile for Legacy {
    const NAME: &'static str = "2023";
    const RULES: Rules = Rules {
        stream_domain: &[2],
        read_multiple: 8,
        key_seeds: KeySeeds::Drawn,
        key_layout: &[KeyPart::KeySeed, KeyPart::Sigma, KeyPart::EncapsulationKey],
        key_sampler: KeySampler::Fixed,
        error_reduction: Reduction::Remainder,
        error_order: ErrorOrder { r1: 0, r2: 1, e: 2 },
        key_hash: None,
        message_hash: Hash {
            function: SHAKE256,
            domain: &[3],
            parts: &[Part::Message, Part::Key, Part::Salt],
        },
        // The secret has a hash of its own, so theta is the beginning of G.
        seed_at: 0,
        // The salt takes no part, as in the submission. Two ciphertexts that differ in their salts thus
        // reveal a rejection.
        secret_hash: Some(Hash { function: SHAKE256, domain: &[4], parts: &[Part::Message, Part::Body] }),
        secret_bytes: 64,
        rejection_hash: Hash { function: SHAKE256, domain: &[4], parts: &[Part::Sigma, Part::Body] },
        response_domain: &[1],
    };
    const SEED_BYTES: usize = 40;
    type Seed = [u8; 40];
}
