//! Messages whose parts are hashed separately, by several threads or on several computers.
use carryless_hash::polyhash1305::Segment;
use carryless_hash::{JoinError, Tag};
use zeroize::Zeroizing;

use super::two_level::Joined;
use super::{Digest, FileMac, Fingerprint, Hash, encrypt};
use crate::wipe::{redacted, wiped, wiped_variants};

/// Bytes of a part, 2^20. Only the last part of a message may be shorter.
pub const PART: usize = 1 << 20;

/// The hash of one part of a message. As secret as the key. 96 bytes; wiped by `zeroize` and when dropped.
#[derive(Clone)]
pub struct Part {
    fingerprint: Fingerprint,
    index: u64,
    len: u64,
    value: Value,
}

wiped!(Part { fingerprint, value; index, len });
redacted!(Part, "Part");

#[derive(Clone)]
enum Value {
    PolyHash(Segment),
    TwoLevel(Digest),
}

wiped_variants!(Value { PolyHash, TwoLevel });

/// The first 7 bytes of a serialized part: a name with the version of the format.
const NAME: &[u8; 7] = b"clpart1";

/// The algorithm in a serialized part: the digit of its label for k1, in ASCII.
const TWO_LEVEL: u8 = b'3';
const POLY_HASH: u8 = b'1';

/// Bytes of a serialized part before its value.
const HEADER: usize = 40;

impl Part {
    /// Length in bytes of a serialized part, as [`to_secret_bytes`](Part::to_secret_bytes) returns it.
    pub const SECRET_BYTES: usize = HEADER + Segment::SECRET_BYTES;

    pub(super) fn new(mac: &FileMac, index: u64, msg: &[u8]) -> Self {
        // A part of more than `PART` bytes is hashed all the same; `push` refuses it.
        let value = match &mac.hash {
            Hash::PolyHash(hash) => Value::PolyHash(hash.prepared.segment(msg)),
            Hash::TwoLevel(hash) => Value::TwoLevel(hash.part(msg)),
        };
        Self { fingerprint: mac.fingerprint.clone(), index, len: msg.len() as u64, value }
    }

    /// The position of this part in the message, counted from 0.
    #[must_use]
    pub fn index(&self) -> u64 {
        self.index
    }

    /// Returns the part with the same bytes at another index, without hashing them again: the hash of a part does not
    /// depend on its place. For runs of equal parts, such as the holes of a sparse file.
    #[must_use]
    pub fn with_index(&self, index: u64) -> Self {
        Self { index, ..self.clone() }
    }

    /// The number of bytes of the message that this part covers, at most [`PART`] in a valid one.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// True if this part covers no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Serializes the part, so that it can leave the process; [`FileMac::part_from_secret_bytes`] parses it.
    ///
    /// **The bytes are as secret as the key**: anyone who has them and the part of the message can compute the key
    /// of the hash. A channel that others can read or write must encrypt and authenticate them.
    ///
    /// | bytes | |
    /// |---|---|
    /// | 0 to 7 | `clpart1` and the algorithm, the digit of its label for k1, in ASCII |
    /// | 8 to 15 | the index, little-endian |
    /// | 16 to 23 | the length, little-endian |
    /// | 24 to 39 | the fingerprint of key, algorithm and subject |
    /// | 40 to 95 | the digest and zeros; with polyHash1305 the bytes of its [`Segment`] |
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; Part::SECRET_BYTES]> {
        let mut bytes = Zeroizing::new([0; Part::SECRET_BYTES]);
        let (header, value) = bytes.split_at_mut(HEADER);
        header[..7].copy_from_slice(NAME);
        header[8..16].copy_from_slice(&self.index.to_le_bytes());
        header[16..24].copy_from_slice(&self.len.to_le_bytes());
        header[24..].copy_from_slice(&*self.fingerprint);
        header[7] = match &self.value {
            Value::PolyHash(segment) => {
                value.copy_from_slice(&*segment.to_secret_bytes());
                POLY_HASH
            }
            Value::TwoLevel(digest) => {
                value[..16].copy_from_slice(&**digest);
                TWO_LEVEL
            }
        };
        bytes
    }

    pub(super) fn from_secret_bytes(mac: &FileMac, bytes: &[u8]) -> Result<Self, WrongPart> {
        // The length first, so that no cut below panics.
        let bytes: &[u8; Part::SECRET_BYTES] = bytes.try_into().map_err(|_| WrongPart::Invalid)?;
        let (header, value) = bytes.split_at(HEADER);
        let (algorithm, [index, len]) = match header[..24].as_chunks::<8>().0 {
            [[name @ .., algorithm], numbers @ ..] if name == NAME && numbers.len() == 2 => {
                (*algorithm, [numbers[0], numbers[1]].map(u64::from_le_bytes))
            }
            _ => return Err(WrongPart::Invalid),
        };
        let fingerprint = Zeroizing::new(core::array::from_fn(|i| header[24 + i]));
        // The fingerprint comes first, so that nothing after it is parsed under a wrong key.
        if !same(&mac.fingerprint, &fingerprint) {
            return Err(WrongPart::DifferentKeys);
        }
        // A longer part would cover the bytes of parts that follow it.
        if len > PART as u64 {
            return Err(WrongPart::TooLong);
        }
        let value = match (&mac.hash, algorithm) {
            (Hash::PolyHash(_), POLY_HASH) => {
                // A segment states its length, too. Both must agree, or `push` would count other bytes than it
                // joins.
                let segment = Segment::from_secret_bytes(value).map_err(|_| WrongPart::Invalid)?;
                Value::PolyHash(
                    Some(segment).filter(|segment| segment.len() == len).ok_or(WrongPart::Invalid)?,
                )
            }
            // The bytes after the digest must be zero, so that a part has one encoding. All are read before the
            // branch.
            (Hash::TwoLevel(_), TWO_LEVEL) if value[16..].iter().fold(0, |all, byte| all | byte) == 0 => {
                Value::TwoLevel(Zeroizing::new(core::array::from_fn(|i| value[i])))
            }
            _ => return Err(WrongPart::Invalid),
        };
        Ok(Self { fingerprint, index, len, value })
    }
}

/// The reason why a part is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WrongPart {
    /// The part is longer than [`PART`] bytes.
    TooLong,
    /// The part follows one that is shorter than [`PART`], which must be the last.
    AfterLast,
    /// The part is not the one that comes next in the message.
    OutOfOrder {
        /// The index of the part that must come next.
        expected: u64,
        /// The index of the part that was given.
        found: u64,
    },
    /// The part was hashed under another key, by another algorithm or for another subject. A part carries a fingerprint
    /// of these, of 16 bytes. Fingerprints are compared in constant time; whether they differ is public.
    DifferentKeys,
    /// The bytes are not a part: they have another length or format.
    Invalid,
    /// All parts together have 2^64 bytes or more, longer than a message may be.
    MessageTooLong,
}

impl core::fmt::Display for WrongPart {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            WrongPart::OutOfOrder { expected, found } => {
                return write!(f, "part {found} of a message, where part {expected} comes next");
            }
            WrongPart::Invalid => "the bytes are no part of a message",
            WrongPart::TooLong => "a part of a message is longer than 2^20 bytes",
            WrongPart::AfterLast => "a part of a message follows one that is shorter than 2^20 bytes",
            WrongPart::DifferentKeys => "a part of a message was hashed under another key",
            WrongPart::MessageTooLong => "the parts of a message are too long together",
        })
    }
}

impl core::error::Error for WrongPart {}

/// The parts of a message, appended in order. The tag is that of the message in one piece. It copies the keys that
/// it needs and borrows nothing.
///
/// 1.2 KiB with the feature `alloc` of `carryless-hash`, where long messages use up to 6.7 KiB on the heap; 7.8 KiB
/// without. Wiped by `zeroize` and when dropped.
///
/// ```
/// use carryless_aead::file_mac::{Algorithm, FileMac, PART, Subject};
///
/// let mac = FileMac::new(Algorithm::default(), Subject::File, &[0x42; 32]);
/// let message = vec![7; 2 * PART + 5];
/// let (last, middle, first) = // in any order, by any threads
///     (mac.part(2, &message[2 * PART..]), mac.part(1, &message[PART..2 * PART]), mac.part(0, &message[..PART]));
/// let mut parts = mac.parts();
/// for part in [first, middle, last] {
///     parts.push(&part)?;
/// }
/// assert_eq!(parts.finalize(), mac.tag(&message));
/// # Ok::<(), carryless_aead::file_mac::WrongPart>(())
/// ```
#[derive(Clone)]
pub struct Parts {
    fingerprint: Fingerprint,
    /// k2, the key that encrypts the digest of the whole message.
    prf_key: Zeroizing<[u8; 32]>,
    so_far: SoFar,
    /// The index of the part that must come next, counted from 0.
    next: u64,
    /// True if a part shorter than [`PART`] was appended; it was the last one.
    ended: bool,
}

wiped!(Parts { fingerprint, prf_key, so_far; next, ended });
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
        let (fingerprint, prf_key) = (mac.fingerprint.clone(), mac.prf_key.clone());
        Self { fingerprint, prf_key, so_far, next: 0, ended: false }
    }

    /// Appends the next part, hashed under the same key. A part of no bytes changes nothing, whatever its index.
    ///
    /// # Errors
    /// [`WrongPart`] if it is longer than [`PART`], follows a shorter one, is not the next part, or was hashed
    /// under another key or by another algorithm. The state is then unchanged.
    pub fn push(&mut self, part: &Part) -> Result<(), WrongPart> {
        if !same(&self.fingerprint, &part.fingerprint) {
            return Err(WrongPart::DifferentKeys);
        }
        // An empty part adds nothing to the message, so its index does not matter.
        if part.len == 0 {
            return Ok(());
        }
        if part.len > PART as u64 {
            return Err(WrongPart::TooLong);
        }
        if self.ended {
            return Err(WrongPart::AfterLast);
        }
        if part.index != self.next {
            return Err(WrongPart::OutOfOrder { expected: self.next, found: part.index });
        }
        // `join` may still fail. It returns a new segment, so the state is unchanged then.
        match (&mut self.so_far, &part.value) {
            (SoFar::PolyHash(sum), Value::PolyHash(part)) => *sum = sum.join(part)?,
            (SoFar::TwoLevel(joined), Value::TwoLevel(part)) => joined.push(part),
            // Never reached in practice: the algorithms derive their fingerprints under different labels.
            _ => return Err(WrongPart::DifferentKeys),
        }
        // A short part can only be the last one: parts after it would not start at a multiple of 2^20.
        self.ended = part.len < PART as u64;
        self.next += 1;
        Ok(())
    }

    /// The tag of the parts so far, as a message of its own. More may follow.
    #[must_use]
    pub fn tag(&self) -> Tag {
        let digest = match &self.so_far {
            SoFar::PolyHash(whole) => Zeroizing::new(whole.digest()),
            SoFar::TwoLevel(joined) => joined.finish(),
        };
        encrypt(&self.prf_key, &digest)
    }

    /// The tag of the message that all parts form.
    #[must_use]
    pub fn finalize(self) -> Tag {
        self.tag()
    }
}

impl From<JoinError> for WrongPart {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::TooLong => WrongPart::MessageTooLong,
            // Segments join at multiples of a block, and only a last part may end elsewhere.
            JoinError::WrongCut => WrongPart::AfterLast,
            _ => WrongPart::DifferentKeys,
        }
    }
}

/// True if two fingerprints are equal. Compares in constant time.
fn same(a: &Fingerprint, b: &Fingerprint) -> bool {
    // Tags compare in constant time, and fingerprints have their size.
    Tag::from(**a) == Tag::from(**b)
}
