//! Joining the hashes of segments of a message that were computed separately.
use crate::base::wipe::wiped;
use crate::field::{Field, power_vartime};
use ctutils::CtEq;
use zeroize::{Zeroize as _, Zeroizing};

/// The reason why segments of a message do not join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JoinError {
    /// The segments were hashed under different keys. A segment holds its key, so this is always detected. Keys are
    /// compared in constant time; whether they differ is public.
    DifferentKeys,
    /// The first segment ends where no other can follow: polyHash joins after whole blocks, a BRW hash by
    /// the rules of its segments.
    WrongCut,
    /// Together the segments are longer than a message may be: 2^64 bytes or more for polyHash, 2^64 bits
    /// or more for BRW hashes.
    TooLong,
    /// The list of segments is empty.
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

/// The error of bytes that are not a segment. They have another length or belong to another hash, or a number
/// in them is not canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidSegment;

impl core::fmt::Display for InvalidSegment {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the bytes are no segment of a message under this hash")
    }
}

impl core::error::Error for InvalidSegment {}

/// `Ok` if two keys are equal, else [`JoinError::DifferentKeys`]. Compares in constant time.
pub(crate) fn same_key<E: Field>(a: E, b: E) -> Result<(), JoinError> {
    // A key has at most as many bits as a digest, so the digest of the residue is the whole key.
    let [a, b] = [a, b].map(|key| key.low_bits().to_le_bytes());
    if a.ct_eq(&b).to_bool() { Ok(()) } else { Err(JoinError::DifferentKeys) }
}

/// Bytes of a serialized segment: name of the hash (8), then length in bytes (8), key (16) and value (24), each
/// little-endian.
pub(crate) const SEGMENT_BYTES: usize = 56;

/// A run of bytes of a message under polyHash: its value C_1 tau^l + ... + C_l tau, the key tau, and the length in bytes.
/// Key and value are below 2p.
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

    /// Joins two runs: V(A || B) = V(A) tau^(blocks of B) + V(B). A must be whole blocks. Costs about two products for
    /// each bit of the number of blocks of B. Time depends on the lengths, not on key and values.
    pub(crate) fn join(&self, next: &Run<E>) -> Result<Run<E>, JoinError> {
        same_key(self.tau, next.tau)?;
        // A short last block is in the value with its pad behind it, so no block can follow.
        if !self.len.is_multiple_of(E::BLOCK as u64) {
            return Err(JoinError::WrongCut);
        }
        let len = self.len.checked_add(next.len).ok_or(JoinError::TooLong)?;
        // Appending l blocks multiplies the polynomial so far by tau^l. Only lengths determine the exponent.
        let shift = power_vartime(self.tau, next.len.div_ceil(E::BLOCK as u64));
        Ok(Run { tau: self.tau, value: self.value.product(shift).sum(next.value), len })
    }

    pub(crate) fn digest(&self) -> [u8; 16] {
        self.value.low_bits().to_le_bytes()
    }

    /// Serializes the run in the layout of [`SEGMENT_BYTES`], key and value canonical.
    pub(crate) fn to_secret_bytes(&self, name: &[u8; 8]) -> Zeroizing<[u8; SEGMENT_BYTES]> {
        let mut bytes = Zeroizing::new([0; SEGMENT_BYTES]);
        // Canonical words, so that equal segments have equal bytes and parsing can refuse all others.
        let [mut key, mut value] = [self.tau, self.value].map(Field::residue);
        let words = [self.len, key[0], key[1]].into_iter().chain(value);
        bytes[..8].copy_from_slice(name);
        for (eight, word) in bytes[8..].chunks_exact_mut(8).zip(words) {
            eight.copy_from_slice(&word.to_le_bytes());
        }
        // Arrays of plain words do not wipe themselves.
        key.zeroize();
        value.zeroize();
        bytes
    }

    /// Parses the bytes of [`to_secret_bytes`](Run::to_secret_bytes). Whether they are valid is public; if not, whether
    /// key or value is not canonical stays secret.
    pub(crate) fn from_secret_bytes(name: &[u8; 8], bytes: &[u8]) -> Result<Self, InvalidSegment> {
        // The name is the same for all keys, so this comparison need not take constant time.
        let rest = bytes.strip_prefix(name).ok_or(InvalidSegment)?;
        let (words, []) = rest.as_chunks::<8>() else { return Err(InvalidSegment) };
        let &[len, a, b, x, y, z] = words else { return Err(InvalidSegment) };
        let [len, a, b, x, y, z] = [len, a, b, x, y, z].map(u64::from_le_bytes);
        // `from_residue` drops bits beyond the field, and the comparisons below detect that.
        let run = Run { tau: E::from_residue([a, b, 0]), value: E::from_residue([x, y, z]), len };
        let key = u128::from(a) | u128::from(b) << 64;
        // Both numbers must be canonical, so that a segment has one encoding only. `&` instead of `&&`: both
        // comparisons always run.
        let canonical = run.tau.low_bits().to_le_bytes().ct_eq(&key.to_le_bytes())
            & run.value.residue().ct_eq(&[x, y, z]);
        if canonical.to_bool() { Ok(run) } else { Err(InvalidSegment) }
    }

    /// The length of the run in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }
}
