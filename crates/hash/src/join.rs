//! Joining the hashes of segments of a message.
use crate::field::{Field, power_vartime};
use crate::wipe::wiped;
use ctutils::CtEq;

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

/// An error unless two keys are the same.
pub(crate) fn same_key<E: Field>(a: E, b: E) -> Result<(), JoinError> {
    // Keys have fewer bits than digests, so this is all of a key.
    let [a, b] = [a, b].map(|key| key.digest().to_le_bytes());
    if a.ct_eq(&b).to_bool() { Ok(()) } else { Err(JoinError::DifferentKeys) }
}

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

    /// Bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}
