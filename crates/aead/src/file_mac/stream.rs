//! Messages that come in pieces of any length.
use carryless_hash::polyhash1305::PolyHash1305;
use carryless_hash::{Tag, TagMismatch};
use zeroize::Zeroizing;

use super::two_level::TwoLevelStream;
use super::{FileMac, Hash};
use crate::check;

/// A message that comes in pieces. How it is cut does not matter. Wiped when dropped.
///
/// ```
/// use carryless_aead::file_mac::{Algorithm, FileMac, Subject};
///
/// let mac = FileMac::new(Algorithm::default(), Subject::File, &[0x42; 32]);
/// let mut stream = mac.stream();
/// stream.update(b"in two ");
/// stream.update(b"pieces");
/// assert_eq!(stream.finalize(), mac.tag(b"in two pieces"));
/// ```
pub struct Stream<'k> {
    mac: &'k FileMac,
    state: State<'k>,
}

#[allow(clippy::large_enum_variant, reason = "boxes need an allocator")]
enum State<'k> {
    PolyHash(PolyHash1305),
    TwoLevel(TwoLevelStream<'k>),
}

impl<'k> Stream<'k> {
    pub(super) fn new(mac: &'k FileMac) -> Self {
        let state = match &mac.hash {
            Hash::PolyHash(hash) => State::PolyHash(PolyHash1305::on(hash.cpu, &hash.key)),
            Hash::TwoLevel(hash) => State::TwoLevel(hash.stream()),
        };
        Self { mac, state }
    }

    /// Appends bytes.
    pub fn update(&mut self, msg: &[u8]) {
        match &mut self.state {
            State::PolyHash(state) => state.update(msg),
            State::TwoLevel(state) => state.update(msg),
        }
    }

    /// The tag of all bytes so far.
    #[must_use]
    pub fn finalize(self) -> Tag {
        self.mac.encrypt(&match self.state {
            State::PolyHash(state) => Zeroizing::new(state.finalize()),
            State::TwoLevel(state) => state.finish(),
        })
    }

    /// Checks the tag of all bytes so far, in constant time.
    ///
    /// # Errors
    /// [`TagMismatch`] if it is another.
    pub fn verify(self, tag: &Tag) -> Result<(), TagMismatch> {
        check(&self.finalize(), tag)
    }
}
