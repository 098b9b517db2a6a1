//! A [`Poly`] in data formats: the string `0x…` of its hexadecimal number.
use super::Poly;
use core::fmt;
use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, Serializer};

/// Writes the string that `{:#x}` gives.
impl Serialize for Poly {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{self:#x}"))
    }
}

/// Reads a string in any form that `FromStr` reads, with its limit. Exponents in sums and lists go up to
/// [`Poly::MAX_TEXT_EXPONENT`], and a hexadecimal number takes half a byte of memory for each digit. So a string of
/// n bytes makes a polynomial of at most 8 KiB or n / 2 bytes.
impl<'de> Deserialize<'de> for Poly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Poly, D::Error> {
        deserializer.deserialize_str(Text)
    }
}

struct Text;

impl Visitor<'_> for Text {
    type Value = Poly;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a polynomial over F2 as text, such as \"0x23\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Poly, E> {
        text.parse().map_err(E::custom)
    }
}
