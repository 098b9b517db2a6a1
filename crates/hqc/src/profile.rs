//! Profiles: what differs between the published versions of HQC, one table for each.
//!
//! Profiles have the same rings, codes and weights. NR and V5 even have the same sizes, and differ silently.
#![cfg_attr(
    not(feature = "legacy"),
    allow(dead_code, unused_imports, reason = "what only profile 2023 does")
)]
use crate::array::Array;
use crate::keccak::{Function, SHA3_256, SHA3_512, SHAKE256};

/// What goes into a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The hash of the encapsulation key, H(ek).
    KeyHash,
    /// The encapsulation key itself.
    Key,
    /// The message m.
    Message,
    /// The secret that takes the place of the message in a rejection key.
    Sigma,
    /// u and v.
    Body,
    /// The salt at the end of a ciphertext.
    Salt,
}

/// A hash: its parts, then a domain byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash {
    pub(crate) function: Function,
    pub(crate) domain: &'static [u8],
    pub(crate) parts: &'static [Part],
}

/// How positions of x and y are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeySampler {
    /// Candidates of 24 bits, of which those are rejected that are not below the largest multiple of n, or come again. y is drawn first.
    Rejection {
        /// The byte order of candidates.
        big_endian: bool,
        /// Candidates come in blocks of as many as there are positions, what is left of the last block is dropped; otherwise one by one.
        blocks: bool,
    },
    /// As the errors. x is drawn first.
    Fixed,
}

/// How 32 random bits r become a number below m.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    /// floor(r m / 2^32).
    MultiplyShift,
    /// r mod m.
    Remainder,
}

/// Where the seeds of a key come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeySeeds {
    /// From one seed: it is expanded to a seed and sigma; the hash I of that seed, with this domain byte, is the seed of y and x and the seed of h.
    Derived {
        /// Domain byte of I = SHA3-512.
        domain: &'static [u8],
    },
    /// They are drawn one after the other: the seed of x and y, sigma, the seed of h.
    Drawn,
}

impl KeySeeds {
    /// Of how many seeds and how many sigmas the seed of a key consists.
    pub(crate) const fn drawn(&self) -> [usize; 2] {
        match self {
            KeySeeds::Derived { .. } => [1, 0],
            KeySeeds::Drawn => [2, 1],
        }
    }
}

/// What a decapsulation key consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyPart {
    EncapsulationKey,
    /// The seed of y and x.
    KeySeed,
    Sigma,
    /// The seed of everything.
    Seed,
}

/// Which of the three samples of an encryption comes first, second and third.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorOrder {
    pub(crate) r1: usize,
    pub(crate) r2: usize,
    pub(crate) e: usize,
}

/// Everything that a profile decides.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// A stream is SHAKE256 of a seed and this byte.
    pub(crate) stream_domain: &'static [u8],
    /// A read takes so many bytes of a stream, or the next multiple; it drops those that it does not want.
    pub(crate) read_multiple: usize,
    pub(crate) key_seeds: KeySeeds,
    pub(crate) key_layout: &'static [KeyPart],
    pub(crate) key_sampler: KeySampler,
    pub(crate) error_reduction: Reduction,
    pub(crate) error_order: ErrorOrder,
    /// Domain byte of H = SHA3-256, where the hash of the encapsulation key stands for it.
    pub(crate) key_hash: Option<&'static [u8]>,
    /// Of the message: holds the seed of an encryption.
    pub(crate) message_hash: Hash,
    /// Where the seed of an encryption begins in that hash.
    pub(crate) seed_at: usize,
    /// The shared secret; if none, it is the beginning of the hash of the message.
    pub(crate) secret_hash: Option<Hash>,
    /// Bytes of a shared secret.
    pub(crate) secret_bytes: usize,
    /// The secret of a ciphertext that is rejected.
    pub(crate) rejection_hash: Hash,
    /// The random numbers of NIST's tests are SHAKE256 of a seed and this byte.
    #[cfg_attr(not(feature = "testing"), allow(dead_code))]
    pub(crate) response_domain: &'static [u8],
}

mod sealed {
    pub trait Sealed {}
}

/// A version of HQC. Implemented by [`Nr`], [`V5`] and, with feature `legacy`, `Legacy`.
pub trait Profile: sealed::Sealed + Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Its name, as in errors and files.
    const NAME: &'static str;
    /// Its table.
    const RULES: Rules;
    /// Bytes of the seeds inside of keys.
    const SEED_BYTES: usize;
    /// A seed inside of a key.
    type Seed: Array<u8>;
}

/// Profile `nr`: the next release of the reference code (commit 161cd4f of 2026-02-13), which liboqs 0.16 and the crate `hqc-kem` 0.1 have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nr;

/// Profile `v5`: the reference code v5.0.0 of 2025-08-22, published with the specification of that day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct V5;

/// Profile `2023`: the submission to the fourth round of NIST's competition, of 2023-04-30.
#[cfg(feature = "legacy")]
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

#[cfg(feature = "legacy")]
impl sealed::Sealed for Legacy {}

#[cfg(feature = "legacy")]
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
        seed_at: 0,
        secret_hash: Some(Hash { function: SHAKE256, domain: &[4], parts: &[Part::Message, Part::Body] }),
        secret_bytes: 64,
        rejection_hash: Hash { function: SHAKE256, domain: &[4], parts: &[Part::Sigma, Part::Body] },
        response_domain: &[1],
    };
    const SEED_BYTES: usize = 40;
    type Seed = [u8; 40];
}
