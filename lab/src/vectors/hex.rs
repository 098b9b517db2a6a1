//! Bytes and messages in the notation of vector files.
use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Memory left for messages that a file gives by rules. It bounds what a short file can request.
pub(super) struct Budget(u64);

impl Budget {
    /// Allows this many bytes in all.
    pub(super) const fn new(bytes: u64) -> Self {
        Budget(bytes)
    }

    /// Takes `bytes` from the budget. Returns the number as a length, or an error if too few are left.
    pub(super) fn spend(&mut self, bytes: u64) -> Result<usize, &'static str> {
        let too_long = "the messages that the file generates are too long in all";
        // The subtraction comes first, so that no length above the budget reaches an allocation.
        self.0 = self.0.checked_sub(bytes).ok_or(too_long)?;
        usize::try_from(bytes).map_err(|_| too_long)
    }
}

/// A string of any length, in hexadecimal digits.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes(pub(super) Vec<u8>);

/// A string of exactly `N` bytes, in hexadecimal digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array<const N: usize>(pub(super) [u8; N]);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        // Borrowed where the JSON has no escapes, which is every string of digits.
        let digits = Cow::<'de, str>::deserialize(input)?;
        decode(&digits)
            .map(Bytes)
            .ok_or_else(|| D::Error::custom("bytes that are not pairs of hexadecimal digits"))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Array<N> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        let Bytes(bytes) = Bytes::deserialize(input)?;
        let found = bytes.len();
        bytes.try_into().map(Array).map_err(|_| D::Error::custom(format!("{found} bytes where {N} belong")))
    }
}

fn decode(digits: &str) -> Option<Vec<u8>> {
    // Not `u8::from_str_radix`, which accepts a sign: "+1" would be a byte.
    let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
    // By bytes, because a character of several bytes must be refused and not split.
    let (pairs, odd) = digits.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    if odd.is_empty() { bytes.collect() } else { None }
}

/// A message of a number of bits. The unused bits of its last byte are zero.
pub(super) struct Message {
    pub(super) data: Vec<u8>,
    pub(super) bits: usize,
}

/// A rule that generates a message too long to be written in a file.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Rule {
    /// The pattern, repeated to the given length.
    Repeat { pattern: Bytes, bits: u64 },
    /// The outputs of splitmix64 from this seed, little-endian.
    Splitmix64 { seed: String, bits: u64 },
}

impl Rule {
    /// Generates the message, or returns what is wrong with the rule.
    pub(super) fn message(&self, budget: &mut Budget) -> Result<Message, &'static str> {
        let (Rule::Repeat { bits, .. } | Rule::Splitmix64 { bits, .. }) = *self;
        // Spent before anything is allocated.
        let len = budget.spend(bits.div_ceil(8))?;
        let bits = usize::try_from(bits).map_err(|_| "a message too long for this computer")?;
        let data = match self {
            Rule::Repeat { pattern: Bytes(pattern), .. } => {
                pattern.iter().copied().cycle().take(len).collect()
            }
            Rule::Splitmix64 { seed, .. } => {
                splitmix64(parse_seed(seed).ok_or("a seed that is not 0x and digits")?, len)
            }
        };
        // `cycle` of nothing ends at once.
        if data.len() < len {
            return Err("an empty pattern to repeat");
        }
        Ok(Message::cut(data, bits))
    }
}

impl Message {
    /// Returns the first `bits` bits of the bytes, which must hold as many.
    pub(super) fn cut(mut data: Vec<u8>, bits: usize) -> Message {
        data.truncate(bits.div_ceil(8));
        // With 0 used bits the last byte is whole.
        if let (Some(last), used @ 1..) = (data.last_mut(), bits % 8) {
            *last &= (1 << used) - 1;
        }
        Message { data, bits }
    }

    /// Returns a message of whole bytes.
    pub(super) fn of_bytes(data: Vec<u8>) -> Message {
        Message { bits: 8 * data.len(), data }
    }
}

fn parse_seed(seed: &str) -> Option<u64> {
    let digits = seed.strip_prefix("0x")?;
    // `from_str_radix` alone would also accept a sign.
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

fn splitmix64(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    // The constants and shifts of splitmix64.c (Vigna, 2015).
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    words.take(len.div_ceil(8)).flat_map(u64::to_le_bytes).take(len).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(json: &str) -> Result<Message, &'static str> {
        serde_json::from_str::<Rule>(json).expect("a rule").message(&mut Budget::new(1 << 10))
    }

    #[test]
    fn rules_make_messages() {
        let message = rule(r#"{"kind":"repeat","pattern":"0aff","bits":21}"#).expect("a message");
        assert_eq!((&message.data[..], message.bits), (&[0x0a, 0xff, 0x0a][..], 21));
        // The first output of splitmix64 from 0 is 0xe220a8397b1dcdaf.
        let message = rule(r#"{"kind":"splitmix64","seed":"0x0","bits":12}"#).expect("a message");
        assert_eq!((&message.data[..], message.bits), (&[0xaf, 0x0d][..], 12));
        assert!(rule(r#"{"kind":"repeat","pattern":"","bits":8}"#).is_err());
        assert!(rule(r#"{"kind":"repeat","pattern":"00","bits":8192}"#).is_ok());
        assert!(rule(r#"{"kind":"repeat","pattern":"00","bits":8193}"#).is_err());
        assert!(rule(r#"{"kind":"splitmix64","seed":"0x0","bits":18446744073709551615}"#).is_err());
        for bad in ["12", "0x+5", "0x", "0x1_0"] {
            assert!(rule(&format!(r#"{{"kind":"splitmix64","seed":"{bad}","bits":8}}"#)).is_err(), "{bad}");
        }
        assert!(serde_json::from_str::<Rule>(r#"{"kind":"dice","bits":8}"#).is_err());
    }

    #[test]
    fn all_messages_of_a_file_share_its_budget() {
        let mut budget = Budget::new(100);
        assert_eq!((budget.spend(60), budget.spend(40), budget.spend(0)), (Ok(60), Ok(40), Ok(0)));
        assert!(budget.spend(1).is_err());
    }

    #[test]
    fn bytes_are_pairs_of_digits() {
        assert_eq!(decode("00fFA9"), Some(vec![0, 0xff, 0xa9]));
        for bad in ["0", "0g", "+1", "é", "0x00"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
        assert!(serde_json::from_str::<Array<2>>("\"000000\"").is_err());
    }
}
