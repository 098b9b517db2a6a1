//! How the values of an analysis travel through plain memory.
//!
//! A kernel reads keys from `[u64]`, stores tables and loads them again. What an analysis knows of a word does not
//! fit in 64 bits. So it stores a *tagged* word instead: a number that looks random and is the key of a map to the
//! value. Tagged words may be copied, as words or as eight little-endian bytes; plain integer code must not compute
//! with them. To notice when it does, any other word is accepted as a constant only if it is *plain* (its bits form
//! few runs, as in masks, powers of two and small numbers) or was announced.
use core::cell::RefCell;
use std::collections::HashMap;

/// The map from tagged words to the values they stand for.
pub(crate) struct TaggedWords<T> {
    values: RefCell<HashMap<u64, T>>,
}

/// The meaning of a word that a kernel loads from memory.
pub(crate) enum Word<T> {
    Tagged(T),
    Constant(u64),
    /// Neither tagged nor plain: most likely a message byte or the result of plain arithmetic.
    Unknown(u64),
}

impl<T: Copy> TaggedWords<T> {
    pub(crate) fn new() -> Self {
        TaggedWords { values: RefCell::new(HashMap::new()) }
    }

    /// A new word of 64 bits that stands for `value`.
    pub(crate) fn tag(&self, value: T) -> u64 {
        self.tag_of(64, value)
    }

    /// A new word below 2^`bits` that stands for `value`; `bits` is 1 to 64.
    pub(crate) fn tag_of(&self, bits: u32, value: T) -> u64 {
        let mut values = self.values.borrow_mut();
        // A word that is plain or in use is not unique: try the next index. The low half counts values, the high
        // half attempts.
        let mut index = values.len() as u64 + 1;
        loop {
            // The high bits are kept: a word of `bits` bits must not exceed the range that it stands for.
            let word = scramble(index) >> (64 - bits);
            if !is_plain(word) && !values.contains_key(&word) {
                values.insert(word, value);
                return word;
            }
            index += 1 << 32;
        }
    }

    /// Registers `word` for `value`, whatever it stood for before.
    pub(crate) fn announce(&self, word: u64, value: T) {
        self.values.borrow_mut().insert(word, value);
    }

    pub(crate) fn find(&self, word: u64) -> Word<T> {
        match self.values.borrow().get(&word) {
            Some(&value) => Word::Tagged(value),
            None if is_plain(word) => Word::Constant(word),
            None => Word::Unknown(word),
        }
    }
}

/// Panics at the kernel's line: the word is neither tagged nor plain.
#[track_caller]
pub(crate) fn refuse(word: u64) -> ! {
    panic!(
        "{word:#018x} is no value of this analysis and no plain constant: \
         did plain integer code compute with a tagged word, or read a message that was not filled with symbols?"
    )
}

/// Whether `word` consists of few runs of equal bits: a mask, a power of two, a small number.
pub(crate) fn is_plain(word: u64) -> bool {
    // A one of `word ^ word >> 1` marks a bit that differs from the next higher one, so this counts the runs.
    (word ^ word >> 1).count_ones() <= 8
}

/// A bijection that leaves no pattern in the bits (SplitMix64's finaliser).
fn scramble(index: u64) -> u64 {
    let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
