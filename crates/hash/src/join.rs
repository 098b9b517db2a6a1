//! Joining the hashes of segments of a message.
use crate::field::{Field, power_vartime};
use crate::wipe::wiped;
use ctutils::CtEq;
use zeroize::{Zeroize as _, Zeroizing};

/// Why segments of a message do not join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinError {
    /// The segments were hashed under different keys. A segment holds its key, so that this is never missed; keys are
    /// compared in constant time, and that they differ is public.
    DifferentKeys,
    /// A segment ends where no other can follow: polyHash joins after whole blocks, a BRW hash where its rule says.
    WrongCut,
    /// Together they are longer than any message: 2^64 bytes or more for polyHash, 2^64 bits or more for BRW hashes.
    TooLong,
    /// There are no segments.
    NoSegments,
}

impl core::fmt::Display for JoinError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            JoinError::DifferentKeys => "the segments were hashed under different keys",
            JoinError::WrongCut => "a segment ends where no other can follow",
            JoinError::TooLong => "the segments together are too long for one message",
            JoinError::NoSegments => "there are no segments to join",
        })
    }
}

impl core::error::Error for JoinError {}

/// The error of bytes that are no segment: of another length or another hash, or with a number in them that is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSegment;

impl core::fmt::Display for InvalidSegment {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the bytes are no segment of a message under this hash")
    }
}

impl core::error::Error for InvalidSegment {}

/// An error unless two keys are the same.
pub(crate) fn same_key<E: Field>(a: E, b: E) -> Result<(), JoinError> {
    // Keys have fewer bits than digests, so this is all of a key.
    let [a, b] = [a, b].map(|key| key.digest().to_le_bytes());
    if a.ct_eq(&b).to_bool() { Ok(()) } else { Err(JoinError::DifferentKeys) }
}

/// Bytes of a segment outside of a process: the name of the hash (8), the length (8), the key (16), the value (24), the last three
/// little-endian.
pub(crate) const SEGMENT_BYTES: usize = 56;

/// A run of bytes of a message under polyHash: its value at the key, which it holds.
#[derive(Clone)]
pub(crate) struct Run<E: Field> {
    tau: E,
    value: E,
    len: u64,
}

wiped!([E: Field] Run<E> { tau, value; len });

impl<E: Field> Run<E> {
    pub(crate) fn new(tau: E, value: E, len: usize) -> Self {
        Run { tau, value, len: len as u64 }
    }

    /// V(A || B) = V(A) tau^(blocks of B) + V(B), where A is whole blocks.
    pub(crate) fn join(&self, next: &Run<E>) -> Result<Run<E>, JoinError> {
        same_key(self.tau, next.tau)?;
        if !self.len.is_multiple_of(E::BLOCK as u64) {
            return Err(JoinError::WrongCut);
        }
        let len = self.len.checked_add(next.len).ok_or(JoinError::TooLong)?;
        let shift = power_vartime(self.tau, next.len.div_ceil(E::BLOCK as u64));
        Ok(Run { tau: self.tau, value: self.value.product(shift).sum(next.value), len })
    }

    pub(crate) fn digest(&self) -> [u8; 16] {
        self.value.digest().to_le_bytes()
    }

    /// Name of the hash, length, key and value, as [`SEGMENT_BYTES`] says.
    pub(crate) fn to_secret_bytes(&self, name: &[u8; 8]) -> Zeroizing<[u8; SEGMENT_BYTES]> {
        let mut bytes = Zeroizing::new([0; SEGMENT_BYTES]);
        let [mut key, mut value] = [self.tau, self.value].map(Field::residue);
        let words = [self.len, key[0], key[1]].into_iter().chain(value);
        bytes[..8].copy_from_slice(name);
        for (eight, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
            eight.copy_from_slice(&word.to_le_bytes());
        }
        key.zeroize();
        value.zeroize();
        bytes
    }

    /// Back from those bytes. Whether they are right is public, and which of them are not is not.
    pub(crate) fn from_secret_bytes(name: &[u8; 8], bytes: &[u8]) -> Result<Self, InvalidSegment> {
        let rest = bytes.strip_prefix(name).ok_or(InvalidSegment)?;
        let (words, []) = rest.as_chunks::<8>() else { return Err(InvalidSegment) };
        let &[len, a, b, x, y, z] = words else { return Err(InvalidSegment) };
        let [len, a, b, x, y, z] = [len, a, b, x, y, z].map(u64::from_le_bytes);
        let run = Run { tau: E::from_residue([a, b, 0]), value: E::from_residue([x, y, z]), len };
        let key = u128::from(a) | u128::from(b) << 64;
        let canonical =
            run.tau.digest().to_le_bytes().ct_eq(&key.to_le_bytes()) & run.value.residue().ct_eq(&[x, y, z]);
        if canonical.to_bool() { Ok(run) } else { Err(InvalidSegment) }
    }

    /// Bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}
