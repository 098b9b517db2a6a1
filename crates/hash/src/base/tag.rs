//! Authentication tags, which are compared in constant time.
use core::array::TryFromSliceError;
use core::fmt;
use core::str::FromStr;
use ctutils::{Choice, CtEq};

/// An authentication tag of 16 bytes. `==` takes the same time whatever the bytes are. So does [`CtEq`], for code
/// that continues without a branch, and with the feature `subtle` `subtle::ConstantTimeEq`. `Display` and `{:x}`
/// write 32 hexadecimal digits, `FromStr` reads them.
///
/// ```
/// use carryless_hash::Tag;
///
/// let tag = Tag::try_from(&[0xab; 16][..])?;
/// assert_eq!(tag.to_string(), "ab".repeat(16));
/// assert_eq!(tag.to_string().parse(), Ok(tag));
/// assert_eq!((tag.as_ref(), <[u8; 16]>::from(tag)), (&[0xab; 16][..], [0xab; 16]));
/// # Ok::<(), core::array::TryFromSliceError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tag([u8; 16]);

/// The error of a tag that does not belong to the message under the key. It says nothing about which bytes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagMismatch;

/// The error of a text that is not exactly 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTagError;

impl Tag {
    /// The 16 bytes of the tag as they are sent: as an integer, the residue plus s modulo 2^128, little-endian.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// The 16 bytes of the tag by value, in the order of [`as_bytes`](Tag::as_bytes).
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// `Ok` if both tags are equal. Compares in constant time; the outcome is public.
    pub(crate) fn check(&self, expected: &Tag) -> Result<(), TagMismatch> {
        // `==` is the constant-time comparison below. This branch reveals the outcome only, which the caller
        // publishes anyway.
        if self == expected { Ok(()) } else { Err(TagMismatch) }
    }
}

impl From<[u8; 16]> for Tag {
    fn from(bytes: [u8; 16]) -> Self {
        Tag(bytes)
    }
}

impl From<Tag> for [u8; 16] {
    fn from(tag: Tag) -> Self {
        tag.0
    }
}

/// Copies a tag from a slice. A slice of any length but 16 is an error.
impl TryFrom<&[u8]> for Tag {
    type Error = TryFromSliceError;

    fn try_from(bytes: &[u8]) -> Result<Self, TryFromSliceError> {
        bytes.try_into().map(Tag)
    }
}

impl AsRef<[u8]> for Tag {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Parses 32 hexadecimal digits, lower or upper case. Not constant time: tags are public.
impl FromStr for Tag {
    type Err = ParseTagError;

    fn from_str(text: &str) -> Result<Self, ParseTagError> {
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return Err(ParseTagError) };
        let mut tag = [0; 16];
        if pairs.len() != tag.len() {
            return Err(ParseTagError);
        }
        // This branches on digits: a tag that comes as a text is public.
        for (byte, pair) in tag.iter_mut().zip(pairs) {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            *byte = (high.zip(low).map(|(high, low)| high << 4 | low).ok_or(ParseTagError)?) as u8;
        }
        Ok(Tag(tag))
    }
}

#[cfg(feature = "subtle")]
impl subtle::ConstantTimeEq for Tag {
    fn ct_eq(&self, other: &Self) -> subtle::Choice {
        subtle::ConstantTimeEq::ct_eq(&self.0[..], &other.0[..])
    }
}

impl CtEq for Tag {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        // All 16 bytes are compared before the result becomes a bool.
        self.ct_eq(other).to_bool()
    }
}

impl Eq for Tag {}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({self})")
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::LowerHex for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for TagMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tag does not belong to this message under this key")
    }
}

impl core::error::Error for TagMismatch {}

impl fmt::Display for ParseTagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag is written as 32 hexadecimal digits")
    }
}

impl core::error::Error for ParseTagError {}
