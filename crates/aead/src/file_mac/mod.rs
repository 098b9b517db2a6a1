//! The MAC of `carryless tag`: hash the message, then encrypt the digest with a pseudorandom function. No nonce, no
//! state.
//!
//! ```text
//! tag = HChaCha20(k2, D(message))[..16]
//!
//! 4-decbrwhash1305-hchacha20      D = H_k1(message)                              up to 2^20 bytes
//!                                 D = H_k1'(H_k1(part 1) || .. || H_k1(part s))  more: parts of 2^20 bytes, the last shorter
//! polyhash1305-hchacha20          D = polyHash1305_k1(message)
//! ```
//!
//! H is 4-decBRWHash1305 (paper 001, Construction 3), 16 bytes, little-endian. The keys come from a master key of
//! 32 bytes by HChaCha20 under labels ([`Subject`]). The tag is a function of key and message: equal messages have
//! equal tags.
//!
//! An adversary sees tags of messages of its choice, q in all with its v forgeries. It forges with probability at
//! most `q^2/2 eps + v 2^-128`, plus its advantage against HChaCha20 as a pseudorandom function. For two different
//! messages of l blocks of 16 bytes and s parts, eps bounds the probability that their digests are equal:
//!
//! | algorithm | eps | 1 KiB | 1 MiB | 1 TiB |
//! |---|---|---|---|---|
//! | `4-decbrwhash1305-hchacha20`, one part | (2l + 9) 2^-125 | 2^-117.9 | 2^-108 | |
//! | more parts | (2^17 + 9 + 2s + 9) 2^-125 | | | 2^-103.9 |
//! | `polyhash1305-hchacha20` | l 2^-125 | 2^-119 | 2^-109 | 2^-89 |
//!
//! The module `two_level` has the argument. The square of q is the price of having no nonce.
//! [`wegman_carter`](crate::wegman_carter) has a nonce and a bound without that square.
//!
//! ```
//! use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
//!
//! let mac = FileMac::new(Algorithm::default(), Subject::File, &[0x42; 32]);
//! let tag = mac.tag(b"contents");
//! assert!(mac.verify(b"contents", &tag).is_ok());
//! assert!(mac.verify(b"Contents", &tag).is_err());
//! ```
mod parts;
mod stream;
mod two_level;

use carryless_hash::polyhash1305::PreparedKey;
use carryless_hash::{Cpu, Tag, TagMismatch};
use zeroize::Zeroizing;

use crate::check;
use crate::prf::{half, hchacha20};
use crate::wipe::{clear_frames_of_keys, redacted, wiped, wiped_variants};
use two_level::TwoLevel;

pub use parts::{PART, Part, Parts, WrongPart};
pub use stream::Stream;

/// The hash of the MAC. Each algorithm has keys of its own, so tags of one say nothing about the other's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Algorithm {
    /// `4-decbrwhash1305-hchacha20`: 4-decBRWHash1305, on two levels for messages of more than 2^20 bytes.
    #[default]
    DecBrwHash1305,
    /// `polyhash1305-hchacha20`: polyHash1305, on one level.
    PolyHash1305,
}

/// The error of a name that belongs to no algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm;

impl core::fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [new, old] = Algorithm::ALL.map(Algorithm::name);
        write!(f, "unknown algorithm; there are {new} and {old}")
    }
}

impl core::error::Error for UnknownAlgorithm {}

impl Algorithm {
    /// All algorithms, the default first.
    pub const ALL: [Algorithm; 2] = [Algorithm::DecBrwHash1305, Algorithm::PolyHash1305];

    /// The name of the algorithm, as it appears in manifests.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::DecBrwHash1305 => "4-decbrwhash1305-hchacha20",
            Algorithm::PolyHash1305 => "polyhash1305-hchacha20",
        }
    }

    /// How a long message is cut, as it appears in manifests: parts of 2^20 bytes on two levels, or at multiples of
    /// 16 bytes. The latter cut does not affect the tag.
    #[must_use]
    pub const fn segments(self) -> &'static str {
        match self {
            Algorithm::DecBrwHash1305 => "two-level-1048576",
            Algorithm::PolyHash1305 => "horner-16",
        }
    }

    /// The algorithm with this name, letter by letter.
    ///
    /// # Errors
    /// [`UnknownAlgorithm`] if there is none.
    pub fn named(name: &str) -> Result<Algorithm, UnknownAlgorithm> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name).ok_or(UnknownAlgorithm)
    }
}

/// The kind of data that is authenticated. Each subject has keys of its own, so that a tag for one is
/// never valid for the other.
///
/// The keys are `HChaCha20(master key, label)`; k1, k1' and the fingerprint are the first 16 bytes. N in the label
/// is the digit in the table.
///
/// | | label, 16 bytes of ASCII | k1 | k1' | k2 | fingerprint of parts |
/// |---|---|---|---|---|---|
/// | `File` | `carryless file-N` | 3 | 4 | 5 | 6 |
/// | `Manifest` | `carryless mani-N` | 3 | 4 | 5 | 6 |
/// | with polyHash1305 | the same | 1 | | 2 | 7 |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// The contents of a file, or any message.
    File,
    /// A manifest, the list of files with their tags.
    Manifest,
}

impl Subject {
    fn label(self, digit: u8) -> [u8; 16] {
        let mut label = *match self {
            Subject::File => b"carryless file-?",
            Subject::Manifest => b"carryless mani-?",
        };
        // The last byte of the label names the key; the other 15 name the subject.
        label[15] = digit;
        label
    }
}

/// A digest before the pseudorandom function is applied. Digests are secret: seen, they give the key of the hash away.
type Digest = Zeroizing<[u8; 16]>;

/// A key of a hash: k1 or k1', 16 bytes. Wiped when dropped.
type HashKey = Zeroizing<[u8; 16]>;

/// A value derived from key, algorithm and subject, 16 bytes, which parts carry so that parts of others are refused.
type Fingerprint = Zeroizing<[u8; 16]>;

/// A key of the MAC with its precomputed powers, for many messages. 6.4 KiB, aligned to 64 bytes; wiped
/// by `zeroize` and when dropped.
#[derive(Clone)]
pub struct FileMac {
    hash: Hash,
    prf_key: Zeroizing<[u8; 32]>,
    fingerprint: Fingerprint,
}

wiped!(FileMac { hash, prf_key, fingerprint });
redacted!(FileMac, "FileMac");

/// The hash of the algorithm, with its keys.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "a key is made once, and boxes need an allocator")]
enum Hash {
    PolyHash(PolyHash),
    TwoLevel(TwoLevel),
}

/// polyHash1305 with its key: as bytes for streams, with powers for messages in memory.
#[derive(Clone)]
struct PolyHash {
    cpu: Cpu,
    key: HashKey,
    prepared: PreparedKey,
}

wiped!(PolyHash { key, prepared; cpu });

wiped_variants!(Hash { PolyHash, TwoLevel });

impl FileMac {
    /// Derives the keys from a master key of 32 bytes, on the best backend of this CPU.
    #[must_use]
    pub fn new(algorithm: Algorithm, subject: Subject, key: &[u8; 32]) -> Self {
        Self::on(Cpu::detect(), algorithm, subject, key)
    }

    /// [`FileMac::new`] on a backend of the caller's choice.
    #[must_use]
    pub fn on(cpu: Cpu, algorithm: Algorithm, subject: Subject, key: &[u8; 32]) -> Self {
        // Every key has a label of its own, so all are independent. The digits are in the table at `Subject`.
        let hash_key = |digit| half(key, &subject.label(digit));
        let prf_key = |digit| hchacha20(key, &subject.label(digit));
        let (hash, prf_key, fingerprint) = match algorithm {
            Algorithm::DecBrwHash1305 => {
                let hash = TwoLevel::on(cpu, hash_key(b'3'), hash_key(b'4'));
                (Hash::TwoLevel(hash), prf_key(b'5'), hash_key(b'6'))
            }
            Algorithm::PolyHash1305 => {
                let key = hash_key(b'1');
                // 6.3 KiB of powers, made once: a key serves many messages.
                let prepared = PreparedKey::on(cpu, &key);
                (Hash::PolyHash(PolyHash { cpu, key, prepared }), prf_key(b'2'), hash_key(b'7'))
            }
        };
        // Keys passed through the stack while they were derived and moved.
        clear_frames_of_keys();
        FileMac { hash, prf_key, fingerprint }
    }

    /// The tag of a message in memory.
    #[must_use]
    pub fn tag(&self, msg: &[u8]) -> Tag {
        let digest = match &self.hash {
            Hash::PolyHash(hash) => Zeroizing::new(hash.prepared.digest(msg)),
            Hash::TwoLevel(hash) => hash.message(msg),
        };
        // The digest is wiped when it goes out of scope; only its encryption leaves.
        encrypt(&self.prf_key, &digest)
    }

    /// Checks a tag. Compares in constant time.
    pub fn verify(&self, msg: &[u8], tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.tag(msg), tag)
    }

    /// Starts a message that comes in pieces of any length.
    #[must_use]
    pub fn stream(&self) -> Stream {
        Stream::new(self)
    }

    /// Hashes part `index` of a message, counted from 0: [`PART`] bytes, or the rest for the last part. Parts can
    /// be hashed by several threads and in any order.
    #[must_use]
    pub fn part(&self, index: u64, msg: &[u8]) -> Part {
        Part::new(self, index, msg)
    }

    /// Parses a part from [`Part::to_secret_bytes`], of this process or another.
    ///
    /// # Errors
    /// [`WrongPart::DifferentKeys`] if it was hashed under another key, by another algorithm or for another
    /// subject; [`WrongPart::Invalid`] if the bytes are not a part.
    pub fn part_from_secret_bytes(&self, bytes: &[u8]) -> Result<Part, WrongPart> {
        Part::from_secret_bytes(self, bytes)
    }

    /// Starts a message whose parts are hashed separately; no part is in it yet.
    #[must_use]
    pub fn parts(&self) -> Parts {
        Parts::new(self)
    }
}

/// The tag of a message: the first 16 bytes of HChaCha20 of its digest under k2. One call, constant time.
fn encrypt(prf_key: &[u8; 32], digest: &Digest) -> Tag {
    // The digest is the input and k2 the key of HChaCha20: without k2, tags only show whether two digests are
    // equal.
    Tag::from(*half(prf_key, digest))
}
