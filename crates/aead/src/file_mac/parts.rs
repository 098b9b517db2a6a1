//! Messages whose parts are hashed apart, by several threads or on several computers.
use carryless_hash::Tag;
use carryless_hash::polyhash1305::Segment;
use zeroize::Zeroizing;

use super::two_level::Joined;
use super::{Digest, FileMac, Hash};

/// Bytes of a part: 2^20. Only the last one may be shorter.
pub const PART: usize = 1 << 20;

/// The hash of one part. As secret as the key: it has no `Debug` and is wiped when dropped.
pub struct Part {
    value: Value,
    len: usize,
}

enum Value {
    PolyHash(Segment),
    TwoLevel(Digest),
}

impl Part {
    pub(super) fn new(hash: &Hash, msg: &[u8]) -> Self {
        let value = match hash {
            Hash::PolyHash(hash) => Value::PolyHash(hash.prepared.segment(msg)),
            Hash::TwoLevel(hash) => Value::TwoLevel(hash.part(msg)),
        };
        Self { value, len: msg.len() }
    }
}

/// The error of a part that does not fit: longer than [`PART`], after a shorter one, or of another algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongPart;

impl core::fmt::Display for WrongPart {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(
            "all parts of a message but the last are 2^20 bytes long, and hashed by the same algorithm",
        )
    }
}

impl core::error::Error for WrongPart {}

/// The parts of a message, in their order. The tag is that of the message in one piece.
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
pub struct Parts<'k> {
    mac: &'k FileMac,
    so_far: SoFar,
    /// A part shorter than the others has come.
    ended: bool,
}

#[allow(clippy::large_enum_variant, reason = "boxes need an allocator")]
enum SoFar {
    PolyHash(Segment),
    TwoLevel(Joined),
}

impl<'k> Parts<'k> {
    pub(super) fn new(mac: &'k FileMac) -> Self {
        let so_far = match &mac.hash {
            Hash::PolyHash(hash) => SoFar::PolyHash(hash.prepared.segment(b"")),
            Hash::TwoLevel(hash) => SoFar::TwoLevel(hash.joined()),
        };
        Self { mac, so_far, ended: false }
    }

    /// Appends a part that was hashed under the same key. One of no bytes changes nothing.
    ///
    /// # Errors
    /// [`WrongPart`] if it is longer than [`PART`], follows a shorter one, or was hashed by another algorithm. The message
    /// is then as it was before.
    pub fn push(&mut self, part: &Part) -> Result<(), WrongPart> {
        if part.len == 0 {
            return Ok(());
        }
        if self.ended || part.len > PART {
            return Err(WrongPart);
        }
        match (&mut self.so_far, &part.value, &self.mac.hash) {
            (SoFar::PolyHash(sum), Value::PolyHash(part), Hash::PolyHash(hash)) => {
                *sum = hash.prepared.join(sum, part).map_err(|_| WrongPart)?;
            }
            (SoFar::TwoLevel(joined), Value::TwoLevel(part), _) => joined.push(part),
            _ => return Err(WrongPart),
        }
        self.ended = part.len < PART;
        Ok(())
    }

    /// The tag of the message.
    #[must_use]
    pub fn finalize(self) -> Tag {
        self.mac.encrypt(&match self.so_far {
            SoFar::PolyHash(whole) => Zeroizing::new(whole.digest()),
            SoFar::TwoLevel(joined) => joined.finish(),
        })
    }
}
