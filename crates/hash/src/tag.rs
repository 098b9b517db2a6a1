//! Tags, compared in constant time.
use core::fmt;
use ctutils::CtEq;

/// An authentication tag of 16 bytes. Comparison takes the same time whatever the bytes.
#[derive(Clone, Copy)]
pub struct Tag([u8; 16]);

/// The error of a tag that does not belong to the message under the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagMismatch;

impl Tag {
    /// The bytes, little-endian.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The bytes, little-endian.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// `Ok` if both tags are the same, in constant time.
    pub(crate) fn check(&self, expected: &Tag) -> Result<(), TagMismatch> {
        if self == expected { Ok(()) } else { Err(TagMismatch) }
    }
}

impl From<[u8; 16]> for Tag {
    fn from(bytes: [u8; 16]) -> Self {
        Tag(bytes)
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).to_bool()
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tag(")?;
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for TagMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tag does not belong to this message under this key")
    }
}

impl core::error::Error for TagMismatch {}
