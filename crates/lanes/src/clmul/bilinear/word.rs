//! Words of the analysis: elements of F, each in the bits of its kind, with a checksum.
use crate::clmul::soft::product as carryless;

/// Number of bits of an element of F = F2\[z\]/(z^20 + z^3 + 1).
pub(super) const BITS: u32 = 20;
pub(super) const MASK: u64 = (1 << BITS) - 1;
/// The remainder of z^20 modulo z^20 + z^3 + 1: z^3 + 1.
pub(super) const TAIL: u64 = 0b1001;

/// The product of two elements of F, which have at most 20 bits each.
pub(super) fn times(x: u64, y: u64) -> u64 {
    // Each step replaces z^20 by z^3 + 1. Degree 38 at most, 21 after the first step, below 20 after the second.
    let fold = |p: u64| p & MASK ^ carryless(p >> BITS, TAIL) as u64;
    fold(fold(carryless(x, y) as u64))
}

/// The operands that a word is linear in. Zero is linear in anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Zero,
    Left,
    Right,
    Product,
}

/// The word for an element: the element at the place of its kind, and above it a checksum of all groups of four bits.
pub(super) fn word(kind: Kind, element: u64) -> u64 {
    let place = match kind {
        Kind::Zero => return 0,
        Kind::Left => 0,
        Kind::Right => BITS,
        Kind::Product => 2 * BITS,
    };
    // Fields of 20 bits side by side, so that XOR of two words adds elements of each kind apart.
    let bits = (element & MASK) << place;
    bits | checksum(bits) << (3 * BITS)
}

/// The sum (XOR) of the 15 groups of four bits in 60 bits. It is linear, so sums of words have right checksums.
pub(super) fn checksum(bits: u64) -> u64 {
    [32, 16, 8, 4].iter().fold(bits, |sum, shift| sum ^ sum >> shift) & 15
}

/// The kind of a word and its element. Panics if the checksum is wrong or several kinds are mixed.
#[track_caller]
pub(super) fn read(word: u64) -> (Kind, u64) {
    let bits = word & (u64::MAX >> 4);
    assert!(
        checksum(bits) == word >> (3 * BITS),
        "{word:#x} is a constant, or plain code did more than add words"
    );
    match [0, BITS, 2 * BITS].map(|place| bits >> place & MASK) {
        [0, 0, 0] => (Kind::Zero, 0),
        [x, 0, 0] => (Kind::Left, x),
        [0, x, 0] => (Kind::Right, x),
        [0, 0, x] => (Kind::Product, x),
        // Two kinds in one word: a sum that no bilinear kernel makes.
        parts => panic!("a sum of terms of different degrees in the operands: {parts:x?}"),
    }
}

/// The two words x y and x^2 y of the product of words x and y. Panics unless one is of each operand, or one is zero.
#[track_caller]
pub(super) fn product(a: u64, b: u64) -> [u64; 2] {
    let (x, y) = match (read(a), read(b)) {
        ((Kind::Zero, _), _) | (_, (Kind::Zero, _)) => return [0; 2],
        ((Kind::Left, x), (Kind::Right, y)) | ((Kind::Right, y), (Kind::Left, x)) => (x, y),
        ((a, _), (b, _)) => panic!("a product of {a:?} and {b:?} is not linear in both operands"),
    };
    let xy = times(x, y);
    [word(Kind::Product, xy), word(Kind::Product, times(x, xy))]
}

/// The sum of two words. Panics unless both and their sum are words of one kind.
#[track_caller]
pub(super) fn sum(a: u64, b: u64) -> u64 {
    // Reading the operands refuses constants, reading the sum refuses a mixture of kinds.
    for word in [a, b, a ^ b] {
        read(word);
    }
    a ^ b
}

/// F\[w\]/(w^3 + w + 1), 2^60 elements: 3 and 20 have no common factor, so it is a field.
pub(super) type Extension = [u64; 3];

/// The product in the extension, w^3 = w + 1 and w^4 = w^2 + w.
pub(super) fn extension_times(a: Extension, b: Extension) -> Extension {
    let mut c = [0; 5];
    for i in 0..3 {
        for j in 0..3 {
            c[i + j] ^= times(a[i], b[j]);
        }
    }
    [c[0] ^ c[3], c[1] ^ c[3] ^ c[4], c[2] ^ c[4]]
}

/// The value of a polynomial with coefficients c_i in F at y, by Horner's rule: the sum of c_i y^i.
pub(super) fn at(y: Extension, coefficients: impl DoubleEndedIterator<Item = u64>) -> Extension {
    coefficients.rev().fold([0; 3], |sum, c| {
        let [low, middle, high] = extension_times(sum, y);
        [low ^ c, middle, high]
    })
}
