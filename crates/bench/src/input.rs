//! The input of a call: messages of one length, each with its key.

/// A one-time key of 32 bytes; families with shorter keys take its first bytes.
pub type Key = [u8; 32];

/// The 16 bytes of a tag or a hash; of products and other long results a digest, see `f2x::digest`.
pub type Tag = [u8; 16];

/// A function in big integers. It shares no code with any subject.
pub type Reference = fn(&Key, &[u8]) -> Tag;

/// The first half of a key: `r` of Poly1305, the whole key of a hash.
pub fn first(key: &Key) -> &[u8; 16] {
    key.first_chunk().expect("a key has 32 bytes")
}

/// The first half of a key without its upper two bits, 126 and 127: the whole key of a hash over 2^127 - 1,
/// which must be below 2^126. All subjects and the reference of such a hash take this key.
pub fn first126(key: &Key) -> [u8; 16] {
    let mut key = *first(key);
    key[15] &= 0x3f;
    key
}

/// The other half of a key: `s` of Poly1305.
pub fn last(key: &Key) -> &[u8; 16] {
    key.last_chunk().expect("a key has 32 bytes")
}

/// The key of the next call in a chain: the tag is added to the first half by exclusive or.
pub fn next_key(key: &Key, tag: &Tag) -> Key {
    let mut next = *key;
    next.iter_mut().zip(tag).for_each(|(next, tag)| *next ^= tag);
    next
}

/// Placement of messages in bytes. It is a multiple of this for every subject, so that all see the same alignment.
const ALIGNMENT: usize = 64;

/// The size of a page in bytes. A core's store queue may confuse addresses that differ by a multiple of it.
const PAGE: usize = 4096;

/// Messages of one length with their keys.
#[derive(Clone, Debug)]
pub struct Input {
    keys: Vec<Key>,
    length: usize,
    bytes: Vec<u8>,
    start: usize,
    fill: Fill,
    chained: bool,
}

/// The contents of keys and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Random bytes that are the same for the same seed.
    Random(u64),
    /// All bits one, which gives the largest limbs and the most carries.
    Ones,
}

impl Input {
    /// `count` messages of `length` bytes, one after the other in memory.
    pub fn new(length: usize, count: usize, fill: Fill) -> Input {
        Input::placed(length, count, fill, 0)
    }

    /// The same, but messages begin `place` times 64 bytes after the beginning of a page.
    pub fn placed(length: usize, count: usize, fill: Fill, place: usize) -> Input {
        let place = place * ALIGNMENT % PAGE;
        // One page to align the beginning, one for the place after it.
        let mut bytes = vec![0; length * count + 2 * PAGE];
        // The offset is valid for this allocation only. Moving the vector keeps it, copying its bytes does
        // not.
        let start = bytes.as_ptr().align_offset(PAGE) + place;
        let mut keys = vec![[0; 32]; count];
        let mut state = match fill {
            Fill::Random(seed) => seed,
            Fill::Ones => 0,
        };
        // Keys come first, so that a seed gives the same keys for every length.
        let parts =
            keys.iter_mut().map(|key| &mut key[..]).chain([&mut bytes[start..start + length * count]]);
        for chunk in parts.flat_map(|part| part.chunks_mut(8)) {
            // Words in a fixed byte order, so that all computers measure the same messages.
            let word = if fill == Fill::Ones { u64::MAX } else { split_mix(&mut state) };
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
        Input { keys, length, bytes, start, fill, chained: false }
    }

    /// The same messages, for calls that wait for each other if `chained`.
    pub fn with_chain(self, chained: bool) -> Input {
        Input { chained, ..self }
    }

    /// Whether each call takes a key made of the tag before it by [`next_key`]. The figure is then the
    /// latency of a call and not its throughput.
    pub fn chained(&self) -> bool {
        self.chained
    }

    /// The length of each message in bytes.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The contents of keys and messages.
    pub fn fill(&self) -> Fill {
        self.fill
    }

    /// The number of messages, each with its own key.
    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// The keys, one for each message.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The message of key number `index`, which counts from 0.
    pub fn message(&self, index: usize) -> &[u8] {
        &self.bytes[self.start + index * self.length..][..self.length]
    }

    /// All messages, in the order of their keys.
    pub fn messages(&self) -> Vec<&[u8]> {
        (0..self.count()).map(|index| self.message(index)).collect()
    }
}

/// The next word of Vigna's generator SplitMix64.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_below_2_126() {
        let mut key: Key = std::array::from_fn(|i| 0x80 | i as u8);
        assert_eq!(first126(&key)[..15], key[..15]);
        assert_eq!(first126(&key)[15], 0x0f);
        key[15] = 0x7f;
        assert_eq!(first126(&key)[15], 0x3f);
    }

    #[test]
    fn messages_are_aligned_distinct_and_reproducible() {
        let input = Input::new(48, 3, Fill::Random(1));
        assert_eq!(input.message(0).as_ptr().align_offset(PAGE), 0);
        let moved = Input::placed(48, 3, Fill::Random(1), 65);
        assert_eq!(moved.message(0).as_ptr() as usize % PAGE, ALIGNMENT);
        assert_eq!(moved.messages(), input.messages());
        assert_eq!(input.messages(), Input::new(48, 3, Fill::Random(1)).messages());
        assert_ne!(input.message(0), input.message(1));
        assert_ne!(input.keys()[0], input.keys()[1]);
        assert_ne!(input.keys(), Input::new(48, 3, Fill::Random(2)).keys());
        assert!(Input::new(5, 1, Fill::Ones).message(0).iter().all(|&b| b == 255));
    }
}
