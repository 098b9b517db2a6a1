//! The codes of HQC on all backends of this CPU, held to the reference.
//!
//! `CARRYLESS_QUICK=1` makes the run small enough for an emulator.
mod common;

use carryless_hqc::code::{reed_muller, reed_solomon};
use carryless_hqc::{ClmulCpu, Hqc1, Hqc3, Hqc5, ParameterSet, Scheme};
use carryless_reference::hqc::code as reference;
use common::pick;

/// splitmix64: the same numbers in every run.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }
    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word() as u8).collect()
    }
    /// Changes so many symbols, at different places.
    fn change(&mut self, word: &mut [u8], errors: usize) {
        let mut places: Vec<usize> = (0..word.len()).collect();
        for _ in 0..errors {
            let place = places.swap_remove(self.below(places.len()));
            // Never 0, which would change nothing and leave an error less than was asked for.
            word[place] ^= 1 + self.below(255) as u8;
        }
    }
}

fn encode<S: ParameterSet>(cpu: ClmulCpu, message: &[u8]) -> Vec<u8> {
    let mut codeword = vec![0xa5; S::N1];
    reed_solomon::encode::<S>(cpu, message, &mut codeword);
    codeword
}

fn decode<S: ParameterSet>(cpu: ClmulCpu, received: &[u8]) -> Vec<u8> {
    let mut message = vec![0xa5; S::K];
    reed_solomon::decode::<S>(cpu, received, &mut message);
    message
}

/// The bits in words, the first one lowest.
fn words(bits: &[bool]) -> Vec<u64> {
    bits.chunks(64).map(|bits| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit))).collect()
}

/// All sets on all backends.
fn everywhere(test: impl Fn(ClmulCpu, usize)) {
    for cpu in ClmulCpu::available() {
        (0..3).for_each(|set| test(cpu, set));
    }
}

macro_rules! of_set {
    ($set:expr, $f:ident($($argument:expr),*)) => {
        match $set {
            0 => $f::<<Hqc1 as Scheme>::Set>($($argument),*),
            1 => $f::<<Hqc3 as Scheme>::Set>($($argument),*),
            _ => $f::<<Hqc5 as Scheme>::Set>($($argument),*),
        }
    };
}

/// Every symbol of a message alone, with every bit: the code is linear. Then random ones.
#[test]
fn reed_solomon_codewords() {
    fn test<S: ParameterSet>(cpu: ClmulCpu) {
        let mut random = Random(1);
        let single = |i: usize| (0..S::K).map(|j| if j == i / 8 { 1 << (i % 8) } else { 0 }).collect();
        let messages = (0..8 * S::K).step_by(pick(1, 5, 41)).map(single);
        let random: Vec<Vec<u8>> = (0..pick(30, 3, 1)).map(|_| random.bytes(S::K)).collect();
        for message in messages.chain(random) {
            assert_eq!(
                encode::<S>(cpu, &message),
                reference::encode_reed_solomon(&message, S::N1),
                "{}",
                cpu.name()
            );
        }
    }
    everywhere(|cpu, set| of_set!(set, test(cpu)));
}

/// From no errors to three more than are corrected: the message of the codeword that is near enough, whatever backend, if there is one. Beyond, all
/// backends give the same.
#[test]
fn reed_solomon_errors() {
    fn test<S: ParameterSet>() {
        let mut random = Random(2);
        for errors in 0..=S::DELTA + 3 {
            for _ in 0..pick(12, 1, if errors % 15 == 0 { 1 } else { 0 }) {
                let message = random.bytes(S::K);
                let codeword = encode::<S>(ClmulCpu::named("soft").expect("it is everywhere"), &message);
                let mut received = codeword.clone();
                random.change(&mut received, errors);
                let near = reference::decode_reed_solomon(&received, S::K);
                if errors <= S::DELTA {
                    assert_eq!(near.as_ref(), Some(&codeword));
                }
                // A codeword begins with the 2 DELTA symbols of parity.
                let mut seen = near.map(|codeword| codeword[2 * S::DELTA..].to_vec());
                for cpu in ClmulCpu::available() {
                    let found = decode::<S>(cpu, &received);
                    assert_eq!(
                        *seen.get_or_insert_with(|| found.clone()),
                        found,
                        "{errors} errors, {}",
                        cpu.name()
                    );
                }
            }
        }
    }
    (0..3).for_each(|set| of_set!(set, test()));
}

/// One error at every place, of every value at some, and bursts of as many as are corrected from every place on.
#[test]
fn reed_solomon_places() {
    fn test<S: ParameterSet>(cpu: ClmulCpu) {
        let mut random = Random(3);
        let message = random.bytes(S::K);
        let codeword = encode::<S>(cpu, &message);
        for place in (0..S::N1).step_by(pick(1, 3, 17)) {
            let step = if place % 16 == 0 { pick(1, 50, 120) } else { 60 };
            for value in (1..=255).step_by(step) {
                let mut received = codeword.clone();
                received[place] ^= value;
                assert_eq!(decode::<S>(cpu, &received), message, "{value} at {place}, {}", cpu.name());
            }
            let mut received = codeword.clone();
            for i in 0..S::DELTA {
                received[(place + i) % S::N1] ^= 1 + random.below(255) as u8;
            }
            assert_eq!(decode::<S>(cpu, &received), message, "from {place} on, {}", cpu.name());
        }
    }
    everywhere(|cpu, set| of_set!(set, test(cpu)));
}

/// Words that are near no codeword: any answer, the same on all backends, and no panic.
#[test]
fn reed_solomon_is_total() {
    fn test<S: ParameterSet>() {
        let mut random = Random(4);
        let constant = |byte: u8| vec![byte; S::N1];
        let words: Vec<Vec<u8>> = (0..pick(300, 5, 1)).map(|_| random.bytes(S::N1)).collect();
        for word in words.into_iter().chain([0, 1, 0x80, 0xff].map(constant)) {
            let soft = decode::<S>(ClmulCpu::named("soft").expect("it is everywhere"), &word);
            ClmulCpu::available().for_each(|cpu| assert_eq!(decode::<S>(cpu, &word), soft, "{}", cpu.name()));
        }
    }
    (0..3).for_each(|set| of_set!(set, test()));
}

/// The encoder is linear up to the constant of nothing: the words of 256 symbols are the sums of those of their bits, and those of the bits are the reference's.
#[test]
fn reed_muller_codewords() {
    for copies in [3, 5] {
        let one = |symbol: u8| {
            let mut out = vec![!0; 2 * copies];
            reed_muller::encode(&[symbol], copies, &mut out);
            out
        };
        let basis: Vec<Vec<u64>> = (0..8).map(|bit| one(1 << bit)).collect();
        for (bit, word) in basis.iter().enumerate() {
            assert_eq!(*word, words(&reference::encode_reed_muller(&[1 << bit], copies)));
        }
        for symbol in 0..=255 {
            let mut sum = vec![0; 2 * copies];
            for word in (0..8).filter(|bit| symbol >> bit & 1 == 1).map(|bit| &basis[bit]) {
                sum.iter_mut().zip(word).for_each(|(sum, word)| *sum ^= word);
            }
            assert_eq!(one(symbol), sum);
        }
    }
}

/// Decodes blocks, on all backends, and compares with the reference. There are at least four.
fn check_blocks(blocks: &[Vec<bool>], copies: usize) {
    let received: Vec<u64> = blocks.iter().flat_map(|block| words(block)).collect();
    let wanted: Vec<u8> = blocks.iter().map(|block| reference::decode_reed_muller(block)).collect();
    for cpu in ClmulCpu::available() {
        let mut symbols = vec![0xa5; blocks.len()];
        reed_muller::decode(cpu, &received, copies, &mut symbols);
        assert_eq!(symbols, wanted, "{copies} copies, {}", cpu.name());
    }
}

/// All 256 symbols, without errors and with every number of them, up to all bits.
#[test]
fn reed_muller_symbols() {
    let mut random = Random(5);
    for copies in [3, 5] {
        for errors in (0..=128 * copies).step_by(pick(8, 100, 300)) {
            let noisy = |symbol: u8| {
                let mut block = reference::encode_reed_muller(&[symbol], copies);
                let mut places: Vec<usize> = (0..block.len()).collect();
                for _ in 0..errors {
                    let place = places.swap_remove(random.below(places.len()));
                    block[place] ^= true;
                }
                block
            };
            check_blocks(&(0..=255).step_by(pick(1, 9, 51)).map(noisy).collect::<Vec<_>>(), copies);
        }
    }
}

/// Blocks as near to one codeword as to another, for pairs of all kinds: the bits where the two differ are those of one in half of the places.
#[test]
fn reed_muller_ties() {
    let mut random = Random(6);
    for copies in [3, 5] {
        let mut blocks = Vec::new();
        for first in (0..=255_u8).step_by(pick(1, 17, 100)) {
            for _ in 0..pick(12, 2, 1) {
                let second = random.word() as u8;
                let codewords =
                    [first, second].map(|symbol| reference::encode_reed_muller(&[symbol], copies));
                let mut block = codewords[0].clone();
                let differ: Vec<usize> = (0..block.len()).filter(|&i| codewords[1][i] != block[i]).collect();
                // An even number: one at random stays, so that every subset of half may come.
                let mut places = differ.clone();
                while places.len() > differ.len() / 2 {
                    let place = places.swap_remove(random.below(places.len()));
                    block[place] ^= true;
                }
                blocks.push(block);
            }
        }
        // Functions with many peaks of the same height: all zeros, all ones, single bits, products of bits of the index.
        for pattern in 0..128_usize {
            blocks.push((0..128 * copies).map(|i| i % 128 == pattern).collect());
            blocks.push((0..128 * copies).map(|i| (i % 128) & pattern == pattern).collect());
            blocks.push((0..128 * copies).map(|i| (i % 128) & pattern == pattern && i < 128).collect());
            blocks.push((0..128 * copies).map(|i| (i & i >> 1 & pattern).count_ones() % 2 == 1).collect());
        }
        blocks.push(vec![false; 128 * copies]);
        blocks.push(vec![true; 128 * copies]);
        for blocks in blocks.chunks(45) {
            check_blocks(blocks, copies);
        }
    }
}

/// Random blocks, in numbers that fill vectors and that do not.
#[test]
fn reed_muller_blocks() {
    let mut random = Random(7);
    for copies in [3, 5] {
        for count in 4..=pick(20, 7, 5) {
            let mut block = |_| (0..128 * copies).map(|_| random.word() & 1 == 1).collect();
            check_blocks(&(0..count).map(&mut block).collect::<Vec<_>>(), copies);
        }
    }
}
