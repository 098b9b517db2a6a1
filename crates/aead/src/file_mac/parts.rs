//! Messages whose parts are hashed apart, by several threads or on several computers.
use carryless_hash::polyhash1305::Segment;
use carryless_hash::{JoinError, Tag};
use zeroize::Zeroizing;

use super::two_level::Joined;
use super::{Digest, FileMac, Hash, HashKey, encrypt};
use crate::wipe::{redacted, wiped, wiped_variants};

/// Bytes of a part: 2^20. Only the last one may be shorter.
pub const PART: usize = 1 << 20;

/// The hash of one part. As secret as the key, of which it holds a copy. 88 bytes; wiped by `zeroize` and when
/// dropped.
#[derive(Clone)]
pub struct Part {
    /// k1.
    key: HashKey,
    value: Value,
    len: usize,
}

wiped!(Part { key, value; len });
redacted!(Part, "Part");

#[derive(Clone)]
enum Value {
    PolyHash(Segment),
    TwoLevel(Digest),
}

wiped_variants!(Value { PolyHash, TwoLevel });

impl Part {
    pub(super) fn new(hash: &Hash, msg: &[u8]) -> Self {
        let value = match hash {
            Hash::PolyHash(hash) => Value::PolyHash(hash.prepared.segment(msg)),
            Hash::TwoLevel(hash) => Value::TwoLevel(hash.part(msg)),
        };
        Self { key: hash.key().clone(), value, len: msg.len() }
    }
}

/// Why a part does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrongPart {
    /// It is longer than [`PART`].
    TooLong,
    /// It follows a part that is shorter than [`PART`] and so is the last one.
    AfterLast,
    /// It was hashed under another key, or by another algorithm or for another subject, which have keys of their own. A part
    /// holds its key, so that this is never missed; keys are compared in constant time, and that they differ is public.
    DifferentKeys,
    /// All parts together are longer than any message, 2^64 bytes.
    MessageTooLong,
}

impl core::fmt::Display for WrongPart {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            WrongPart::TooLong => "a part of a message is longer than 2^20 bytes",
            WrongPart::AfterLast => "a part of a message follows one that is shorter than 2^20 bytes",
            WrongPart::DifferentKeys => "a part of a message was hashed under another key",
            WrongPart::MessageTooLong => "the parts of a message are too long together",
        })
    }
}

impl core::error::Error for WrongPart {}

/// The parts of a message, in their order. The tag is that of the message in one piece. It has copies of the keys that it
/// needs and borrows nothing. 1.2 KiB with the feature `alloc` of `carryless-hash`, where
/// long messages take up to 6.7 KiB on the heap, 7.8 KiB without; wiped by `zeroize` and when dropped.
///
/// ```
/// use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
///
/// let mac = FileMac::new(Algorithm::default(), Subject::File, &[0x42; 32]);
/// let message = vec![7; 2 * PART + 5];
/// let (last, middle, first) = // in any order, by any threads
///     (mac.part(&message[2 * PART..]), mac.part(&message[PART..2 * PART]), mac.part(&message[..PART]));
/// let mut parts = mac.parts();
/// for part in [first, middle, last] {
///     parts.push(&part)?;
/// }
/// assert_eq!(parts.finalize(), mac.tag(&message));
/// # Ok::<(), carryless_aead::file_mac::WrongPart>(())
/// ```
#[derive(Clone)]
pub struct Parts {
    /// k1 and k2.
    key: HashKey,
    prf_key: Zeroizing<[u8; 32]>,
    so_far: SoFar,
    /// A part shorter than the others has come.
    ended: bool,
}

wiped!(Parts { key, prf_key, so_far; ended });
redacted!(Parts, "Parts");

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "boxes need an allocator")]
enum SoFar {
    PolyHash(Segment),
    TwoLevel(Joined),
}

wiped_variants!(SoFar { PolyHash, TwoLevel });

impl Parts {
    pub(super) fn new(mac: &FileMac) -> Self {
        let so_far = match &mac.hash {
            Hash::PolyHash(hash) => SoFar::PolyHash(hash.prepared.segment(b"")),
            Hash::TwoLevel(hash) => SoFar::TwoLevel(hash.joined()),
        };
        Self { key: mac.hash.key().clone(), prf_key: mac.prf_key.clone(), so_far, ended: false }
    }

    /// Appends a part that was hashed under the same key. One of no bytes changes nothing.
    ///
    /// # Errors
    /// [`WrongPart`] if it is longer than [`PART`], follows a shorter one, or was hashed under another key or by another
    /// algorithm. The message is then as it was before.
    pub fn push(&mut self, part: &Part) -> Result<(), WrongPart> {
        if !same_key(&self.key, &part.key) {
            return Err(WrongPart::DifferentKeys);
        }
        if part.len == 0 {
            return Ok(());
        }
        if part.len > PART {
            return Err(WrongPart::TooLong);
        }
        if self.ended {
            return Err(WrongPart::AfterLast);
        }
        match (&mut self.so_far, &part.value) {
            (SoFar::PolyHash(sum), Value::PolyHash(part)) => *sum = sum.join(part)?,
            (SoFar::TwoLevel(joined), Value::TwoLevel(part)) => joined.push(part),
            _ => return Err(WrongPart::DifferentKeys),
        }
        self.ended = part.len < PART;
        Ok(())
    }

    /// The tag of the parts so far. More may follow.
    #[must_use]
    pub fn tag(&self) -> Tag {
        let digest = match &self.so_far {
            SoFar::PolyHash(whole) => Zeroizing::new(whole.digest()),
            SoFar::TwoLevel(joined) => joined.finish(),
        };
        encrypt(&self.prf_key, &digest)
    }

    /// The tag of the message.
    #[must_use]
    pub fn finalize(self) -> Tag {
        self.tag()
    }
}

impl From<JoinError> for WrongPart {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::TooLong => WrongPart::MessageTooLong,
            JoinError::WrongCut => WrongPart::AfterLast,
            _ => WrongPart::DifferentKeys,
        }
    }
}

/// Whether two keys are the same, in constant time.
fn same_key(a: &HashKey, b: &HashKey) -> bool {
    Tag::from(**a) == Tag::from(**b)
}
