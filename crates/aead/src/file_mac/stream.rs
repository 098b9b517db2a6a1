//! The file MAC of messages that come in pieces of any length.
use carryless_hash::polyhash1305::PolyHash1305;
use carryless_hash::{Tag, TagMismatch};
use zeroize::Zeroizing;

use super::two_level::TwoLevelStream;
use super::{FileMac, Hash, encrypt};
use crate::check;
use crate::wipe::{redacted, wiped, wiped_variants};

/// A message that comes in pieces; the tag does not depend on how it is cut. It copies the keys that it needs and
/// borrows nothing, so it may outlive the [`FileMac`].
///
/// 2.2 KiB with the feature `alloc` of `carryless-hash`, where long messages use up to 14 KiB on the heap; 15.6 KiB
/// without. Wiped by `zeroize` and when dropped.
///
/// ```
/// use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
///
/// let mac = FileMac::new(Algorithm::default(), Subject::File, &[0x42; 32]);
/// let mut stream = mac.stream();
/// stream.update(b"in two ");
/// assert_eq!(stream.tag(), mac.tag(b"in two "));
/// stream.update(b"pieces");
/// assert_eq!(stream.finalize(), mac.tag(b"in two pieces"));
/// ```
#[derive(Clone)]
pub struct Stream {
    prf_key: Zeroizing<[u8; 32]>,
    state: State,
}

wiped!(Stream { prf_key, state });
redacted!(Stream, "Stream");

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "boxes need an allocator")]
enum State {
    PolyHash(PolyHash1305),
    TwoLevel(TwoLevelStream),
}

wiped_variants!(State { PolyHash, TwoLevel });

impl Stream {
    pub(super) fn new(mac: &FileMac) -> Self {
        // Streams start from the bytes of the key and make powers of their own once these pay.
        let state = match &mac.hash {
            Hash::PolyHash(hash) => State::PolyHash(PolyHash1305::on(hash.cpu, &hash.key)),
            Hash::TwoLevel(hash) => State::TwoLevel(hash.stream()),
        };
        Self { prf_key: mac.prf_key.clone(), state }
    }

    /// Appends bytes to the message. Never fails.
    pub fn update(&mut self, msg: &[u8]) {
        match &mut self.state {
            State::PolyHash(state) => state.update(msg),
            State::TwoLevel(state) => state.update(msg),
        }
    }

    /// Returns to the empty message under the same key. Wipes the state of the previous message.
    pub fn reset(&mut self) {
        match &mut self.state {
            State::PolyHash(state) => state.reset(),
            State::TwoLevel(state) => state.reset(),
        }
    }

    /// The tag of all bytes so far. More may follow. Works on a copy of the state.
    #[must_use]
    pub fn tag(&self) -> Tag {
        // `finalize` drops the copy, which wipes itself.
        self.clone().finalize()
    }

    /// The tag of all bytes, and the end of the stream.
    #[must_use]
    pub fn finalize(mut self) -> Tag {
        // The digest never leaves this function: only its encryption under k2 does.
        let digest = match &mut self.state {
            State::PolyHash(state) => Zeroizing::new(state.digest()),
            State::TwoLevel(state) => state.finish(),
        };
        encrypt(&self.prf_key, &digest)
    }

    /// Checks the tag of all bytes. Compares in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if the tag is not that of the message.
    pub fn verify(self, tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.finalize(), tag)
    }
}
