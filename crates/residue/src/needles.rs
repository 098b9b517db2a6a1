//! Words of secrets to search for. They are kept masked, so that the search does not find itself.
use std::hint::black_box;

/// The mask, which is XORed to every word that is kept.
const MASK: u64 = 0x9e37_79b9_7f4a_7c15;

/// Bytes of a word, the shortest piece of a secret that is searched for.
const WORD: usize = 8;

/// The fewest different bytes of a word that is searched for: zeros and small numbers are everywhere.
const DISTINCT: usize = 5;

/// The masked words of some secrets, each with the number of its secret.
#[derive(Default)]
pub(crate) struct Needles {
    /// Pairs of masked word and number of the secret, sorted.
    words: Vec<(u64, usize)>,
    /// Bit i is set if some word has i as its lowest 16 bits. It rejects most of memory without a search.
    filter: Vec<u64>,
}

/// Masks bytes in place, or removes the mask: XOR is its own inverse.
pub(crate) fn mask(bytes: &mut [u8]) {
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte ^= black_box(MASK).to_le_bytes()[i % WORD];
    }
}

impl Needles {
    /// The words of `secrets`, each of them masked as a whole by [`mask`]: from the first byte and from the last one on, in both byte orders.
    ///
    /// # Panics
    /// If a secret has no word that can be told from ordinary memory.
    pub(crate) fn new<'a>(secrets: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut words = Vec::new();
        for (number, (name, masked)) in secrets.enumerate() {
            let before = words.len();
            for start in (0..=masked.len().saturating_sub(WORD)).step_by(WORD) {
                for at in [start, (masked.len() - start).saturating_sub(WORD)] {
                    words.extend(
                        masked_word(&masked[at..], at).into_iter().flatten().map(|word| (word, number)),
                    );
                }
            }
            assert!(words.len() > before, "{name}: too few different bytes to be found");
        }
        words.sort_unstable();
        // Words counted from the first and from the last byte may be the same.
        words.dedup();
        let mut filter = vec![0; 1 << 10];
        for (word, _) in &words {
            filter[(*word as u16 / 64) as usize] |= 1 << (word % 64);
        }
        Needles { words, filter }
    }

    /// Calls `found` with the place and the number of the secret for each word of a secret in `memory`, at any offset.
    pub(crate) fn search(&self, memory: &[u8], mut found: impl FnMut(usize, usize)) {
        if self.filter.is_empty() {
            return;
        }
        let mask = black_box(MASK);
        for (at, word) in memory.windows(WORD).enumerate() {
            let masked = u64::from_le_bytes(word.try_into().expect("8 bytes")) ^ mask;
            if self.filter[(masked as u16 / 64) as usize] >> (masked % 64) & 1 == 0 {
                continue;
            }
            let first = self.words.partition_point(|(word, _)| *word < masked);
            self.words[first..]
                .iter()
                .take_while(|(word, _)| *word == masked)
                .for_each(|(_, of)| found(at, *of));
        }
    }
}

/// The first word of the masked bytes, in both byte orders, each masked as a word. `at` is the place of the bytes in
/// their secret. `None` if they are too few, or too few of them differ to be told from ordinary memory.
fn masked_word(bytes: &[u8], at: usize) -> Option<[u64; 2]> {
    let bytes: [u8; WORD] = bytes.get(..WORD)?.try_into().ok()?;
    // Turns the mask of bytes into that of words by one XOR, so that the word is never unmasked.
    let shift = |word: u64| word.rotate_right(8 * (at % WORD) as u32);
    let word = u64::from_le_bytes(bytes) ^ shift(MASK) ^ MASK;
    let mut sorted = (word ^ black_box(MASK)).to_le_bytes();
    sorted.sort_unstable();
    let distinct = 1 + sorted.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // The word without its mask must not stay on the stack.
    sorted.fill(0);
    black_box(&sorted);
    let reversed = word.swap_bytes() ^ MASK.swap_bytes() ^ MASK;
    (distinct >= DISTINCT).then_some([word, reversed])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A secret of any length is found as a whole and without its first or last bytes, in both byte
    /// orders and at every place.
    #[test]
    fn finds_secrets_anywhere() {
        for len in [8, 13, 21, 32, 100] {
            let secret: Vec<u8> = (0..len).map(|i| (37 * i + len) as u8).collect();
            let mut masked = secret.clone();
            mask(&mut masked);
            let needles = Needles::new([("secret", &masked[..])].into_iter());
            let found = |memory: &[u8]| {
                let mut count = 0;
                needles.search(memory, |_, _| count += 1);
                count
            };
            let reversed: Vec<u8> = secret.iter().rev().copied().collect();
            for place in 0..20 {
                for order in [&secret, &reversed] {
                    let memory = [&vec![0x55; place][..], order, &[0x55; 9]].concat();
                    assert!(found(&memory) > 0, "{len} bytes at {place}");
                }
            }
            if len >= 21 {
                assert!(found(&secret[5..]) > 0 && found(&reversed[5..]) > 0);
                assert!(found(&secret[..len - 5]) > 0 && found(&reversed[..len - 5]) > 0);
            }
            assert_eq!(found(&masked), 0);
            assert_eq!(found(&[0x55; 1000]), 0);
        }
    }
}
