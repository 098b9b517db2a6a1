//! The analysis of bilinear kernels: what a product kernel computes, for all operands at once.
use super::soft::product as carryless;
use super::{Clmul, ClmulFn, ClmulKernel, ClmulMachine, ClmulProduct};
use std::vec::Vec;

/// The machine that checks that a kernel is bilinear in its two operands, and that it computes the product.
///
/// A kernel sees its operands as words only, of which it makes sums and half-by-half products. So it may run with
/// another meaning of "word" and "product". Here words of the first operand, of the second one and of the product
/// are elements of the field F of 2^20 elements. The two words of the product of x and y are x y and x^2 y. Both
/// are additive in x and in y, as the two words of a carry-less product are, and there is no other relation between
/// them.
///
/// Each kind of word has 20 bits of its own in a `u64`, so plain code may add words by `^`, too. A word that is no
/// sum of such words has a wrong checksum. It is an error, at the kernel's line, to add words of different kinds or
/// to compute with a constant other than zero. It is an error to multiply anything but one word of each operand,
/// and to square. What passes has bidegree (1, 1) in the operands.
///
/// What a kernel computes from random elements ([`left`](Bilinear::left), [`right`](Bilinear::right)) is a
/// polynomial in them, of degree 3 at most. If it is not that of the product, or if an operation has a wrong
/// bidegree, one run misses it with probability at most 3 / 2^20 (Schwartz and Zippel). A few runs leave no doubt.
/// Then the kernel is right for all operands, on every machine whose sums, moves and products are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bilinear<const K: usize>;

/// Number of bits of an element of F = F2\[z\]/(z^20 + z^3 + 1).
const BITS: u32 = 20;
const MASK: u64 = (1 << BITS) - 1;
/// The remainder of z^20 modulo z^20 + z^3 + 1: z^3 + 1.
const TAIL: u64 = 0b1001;

/// The product of two elements of F, which have at most 20 bits each.
fn times(x: u64, y: u64) -> u64 {
    // Each step replaces z^20 by z^3 + 1. Degree 38 at most, 21 after the first step, below 20 after the second.
    let fold = |p: u64| p & MASK ^ carryless(p >> BITS, TAIL) as u64;
    fold(fold(carryless(x, y) as u64))
}

/// The operands that a word is linear in. Zero is linear in anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Zero,
    Left,
    Right,
    Product,
}

/// The word for an element: the element at the place of its kind, and above it a checksum of all groups of four
/// bits.
fn word(kind: Kind, element: u64) -> u64 {
    let place = match kind {
        Kind::Zero => return 0,
        Kind::Left => 0,
        Kind::Right => BITS,
        Kind::Product => 2 * BITS,
    };
    let bits = (element & MASK) << place;
    bits | checksum(bits) << (3 * BITS)
}

/// The sum (XOR) of the 15 groups of four bits in 60 bits. It is linear, so sums of words have right checksums.
fn checksum(bits: u64) -> u64 {
    [32, 16, 8, 4].iter().fold(bits, |sum, shift| sum ^ sum >> shift) & 15
}

/// The kind of a word and its element. Panics if the checksum is wrong or several kinds are mixed.
#[track_caller]
fn read(word: u64) -> (Kind, u64) {
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
        parts => panic!("a sum of terms of different degrees in the operands: {parts:x?}"),
    }
}

/// The two words x y and x^2 y of the product of words x and y. Panics unless one is of each operand, or one is
/// zero.
#[track_caller]
fn product(a: u64, b: u64) -> [u64; 2] {
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
fn sum(a: u64, b: u64) -> u64 {
    // Reading the operands refuses constants, reading the sum refuses a mixture of kinds.
    for word in [a, b, a ^ b] {
        read(word);
    }
    a ^ b
}

/// F\[w\]/(w^3 + w + 1), 2^60 elements: 3 and 20 have no common factor, so it is a field.
type Extension = [u64; 3];

/// The product in the extension, w^3 = w + 1 and w^4 = w^2 + w.
fn extension_times(a: Extension, b: Extension) -> Extension {
    let mut c = [0; 5];
    for i in 0..3 {
        for j in 0..3 {
            c[i + j] ^= times(a[i], b[j]);
        }
    }
    [c[0] ^ c[3], c[1] ^ c[3] ^ c[4], c[2] ^ c[4]]
}

/// The value of a polynomial with coefficients c_i in F at y, by Horner's rule: the sum of c_i y^i.
fn at(y: Extension, coefficients: impl DoubleEndedIterator<Item = u64>) -> Extension {
    coefficients.rev().fold([0; 3], |sum, c| {
        let [low, middle, high] = extension_times(sum, y);
        [low ^ c, middle, high]
    })
}

impl Bilinear<1> {
    /// A word of the first operand, from the low 20 bits of `random`.
    #[must_use]
    pub fn left(random: u64) -> u64 {
        word(Kind::Left, random)
    }

    /// A word of the second operand, from the low 20 bits of `random`.
    #[must_use]
    pub fn right(random: u64) -> u64 {
        word(Kind::Right, random)
    }

    /// The product of two operands by the definition, `a.len() + b.len()` words: all products of words, added at
    /// their places.
    ///
    /// # Panics
    /// If a word is none of an operand.
    #[must_use]
    pub fn product(a: &[u64], b: &[u64]) -> Vec<u64> {
        let mut out = std::vec![0; a.len() + b.len()];
        for (i, &x) in a.iter().enumerate() {
            for (j, &y) in b.iter().enumerate() {
                let [low, high] = product(x, y);
                out[i + j] ^= low;
                out[i + j + 1] ^= high;
            }
        }
        out
    }

    /// Whether `out` is the product of `a` and `b`, in linear time. It compares polynomials in one more variable at
    /// a point of a field of 2^60 elements. A product of n words that is wrong passes for a fraction of n / 2^60 of
    /// all points.
    ///
    /// # Panics
    /// If a word is none of an operand (of `out`: of a product).
    #[must_use]
    pub fn is_product(a: &[u64], b: &[u64], out: &[u64], point: u64) -> bool {
        let y = [0, 20, 40].map(|place| point >> place & MASK);
        let part = |kind: Kind, word: u64| match read(word) {
            (Kind::Zero, _) => 0,
            (found, x) => {
                assert_eq!(found, kind, "the kind of a word");
                x
            }
        };
        // With a = sum of x_i Y^i and b = sum of y_j Y^j, low words make sum x_i y_j Y^(i + j), high words sum
        // x_i^2 y_j Y^(i + j + 1). Together: (a(Y) + Y a2(Y)) b(Y), a2 having the squares of the x_i.
        let left = a.iter().map(|&x| part(Kind::Left, x));
        let low = at(y, left.clone());
        let [s0, s1, s2] = extension_times(y, at(y, left.map(|x| times(x, x))));
        let right = at(y, b.iter().map(|&x| part(Kind::Right, x)));
        let wanted = extension_times([low[0] ^ s0, low[1] ^ s1, low[2] ^ s2], right);
        out.len() == a.len() + b.len() && at(y, out.iter().map(|&x| part(Kind::Product, x))) == wanted
    }
}

/// The vector of `f` for every lane. A closure is fine here: no CPU feature is involved.
fn each<const K: usize>(f: impl Fn(usize) -> [u64; 2]) -> [[u64; 2]; K] {
    core::array::from_fn(f)
}

// Operations are calls, not inlined: kernels are compiled for this machine too, and its speed does not matter.
impl<const K: usize> Clmul for Bilinear<K> {
    const K: usize = K;
    type X = [[u64; 2]; K];
    type One = Bilinear<1>;
    type Compact = Self;

    fn one(self) -> Bilinear<1> {
        Bilinear
    }
    fn compact(self) -> Self {
        self
    }
    #[inline(never)]
    fn call_outlined<T: ClmulKernel>(self, kernel: T) -> T::Out {
        kernel.run(self)
    }
    #[inline(never)]
    fn zero(self) -> Self::X {
        [[0; 2]; K]
    }
    #[inline(never)]
    #[track_caller]
    fn load(self, src: &[u64]) -> Self::X {
        self.load_lanes(src, 2)
    }
    #[inline(never)]
    #[track_caller]
    fn load_lanes(self, src: &[u64], stride: usize) -> Self::X {
        each(|i| [src[stride * i], src[stride * i + 1]])
    }
    #[inline(never)]
    #[track_caller]
    fn store(self, x: Self::X, out: &mut [u64]) {
        self.store_lanes(x, out, 2);
    }
    #[inline(never)]
    #[track_caller]
    fn store_lanes(self, x: Self::X, out: &mut [u64], stride: usize) {
        for (i, lane) in x.iter().enumerate() {
            out[stride * i..stride * i + 2].copy_from_slice(lane);
        }
    }
    #[inline(never)]
    #[track_caller]
    fn xor(self, a: Self::X, b: Self::X) -> Self::X {
        let mut sums = a;
        for (a, b) in sums.as_flattened_mut().iter_mut().zip(b.as_flattened()) {
            *a = sum(*a, *b);
        }
        sums
    }
    #[inline(never)]
    #[track_caller]
    fn mul_ll(self, a: Self::X, b: Self::X) -> Self::X {
        products(a, b, [0, 0])
    }
    #[inline(never)]
    #[track_caller]
    fn mul_lh(self, a: Self::X, b: Self::X) -> Self::X {
        products(a, b, [0, 1])
    }
    #[inline(never)]
    #[track_caller]
    fn mul_hl(self, a: Self::X, b: Self::X) -> Self::X {
        products(a, b, [1, 0])
    }
    #[inline(never)]
    #[track_caller]
    fn mul_hh(self, a: Self::X, b: Self::X) -> Self::X {
        products(a, b, [1, 1])
    }
    #[inline(never)]
    #[track_caller]
    fn square_l(self, a: Self::X) -> Self::X {
        products(a, a, [0, 0])
    }
    #[inline(never)]
    #[track_caller]
    fn square_h(self, a: Self::X) -> Self::X {
        products(a, a, [1, 1])
    }
    #[inline(never)]
    fn swap(self, a: Self::X) -> Self::X {
        each(|i| [a[i][1], a[i][0]])
    }
    #[inline(never)]
    fn straddle(self, a: Self::X, b: Self::X) -> Self::X {
        each(|i| [a[i][1], b[i][0]])
    }
    // The operations below act on parts of words, which are no products of words. Fields need them; their kernels
    // are checked on a basis instead.
    #[inline(never)]
    #[track_caller]
    fn splat(self, words: [u64; 2]) -> Self::X {
        _ = words.map(read);
        [words; K]
    }
    #[inline(never)]
    #[track_caller]
    fn and(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a part of a word is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn shl(self, _: Self::X, _: u32) -> Self::X {
        panic!("a shift is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn shr(self, _: Self::X, _: u32) -> Self::X {
        panic!("a shift is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn shuffle(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a move of bytes is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn zip_low(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a move of bytes is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn zip_high(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a move of bytes is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn affine(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a product by a bit matrix is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn bit_masks(self, _: Self::X, _: u32) -> Self::X {
        panic!("a mask is not bilinear")
    }
    #[inline(never)]
    fn first_lane(self, a: Self::X) -> [[u64; 2]; 1] {
        [a[0]]
    }
    #[inline(never)]
    fn repeat_lane(self, [lane]: [[u64; 2]; 1]) -> Self::X {
        [lane; K]
    }
    #[inline(never)]
    fn permute_lanes(self, a: Self::X, order: [usize; 4]) -> Self::X {
        each(|i| a[order[i]])
    }
    #[inline(never)]
    #[track_caller]
    fn transpose(self, _: Self::X) -> Self::X {
        panic!("no product cuts halves into parts")
    }
    #[inline(never)]
    fn lanes_from(self, from: usize, low: Self::X, high: Self::X) -> Self::X {
        each(|i| if from + i < K { low[from + i] } else { high[from + i - K] })
    }

    const WIDE: usize = 2 * K;
    type Wide = Self::X;
    #[inline(never)]
    #[track_caller]
    fn load_wide(self, src: &[u64]) -> Self::X {
        self.load(src)
    }
    #[inline(never)]
    #[track_caller]
    fn store_wide(self, x: Self::X, out: &mut [u64]) {
        self.store(x, out);
    }
    #[inline(never)]
    #[track_caller]
    fn xor_wide(self, a: Self::X, b: Self::X) -> Self::X {
        self.xor(a, b)
    }
    #[inline(never)]
    #[track_caller]
    fn and_wide(self, a: Self::X, b: Self::X) -> Self::X {
        self.and(a, b)
    }
    #[inline(never)]
    #[track_caller]
    fn or_wide(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a product of bits is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn equal_wide(self, _: Self::X, _: Self::X) -> Self::X {
        panic!("a comparison is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn splat_wide(self, word: u64) -> Self::X {
        self.splat([word; 2])
    }
    #[inline(never)]
    #[track_caller]
    fn xor_andnot_wide(self, _: Self::X, _: Self::X, _: Self::X) -> Self::X {
        panic!("a product of bits is not bilinear")
    }
    #[inline(never)]
    #[track_caller]
    fn rotl_wide(self, _: Self::X, _: u32) -> Self::X {
        panic!("a rotation is not bilinear")
    }
}

/// The products of half `halves[0]` of `a` by half `halves[1]` of `b`, in every lane.
#[track_caller]
fn products<const K: usize>(a: [[u64; 2]; K], b: [[u64; 2]; K], halves: [usize; 2]) -> [[u64; 2]; K] {
    let mut out = a;
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = product(a[halves[0]], b[halves[1]]);
    }
    out
}

impl<const K: usize> ClmulMachine for Bilinear<K> {
    const NAME: &'static str = "bilinear";
    fn call_clmul<T: ClmulKernel>(self, kernel: T) -> T::Out {
        self.call_outlined(kernel)
    }
    fn compile<P: ClmulProduct>(self) -> ClmulFn {
        fn run<const K: usize, P: ClmulProduct>(a: &[u64], b: &[u64], out: &mut [u64]) {
            P::product(Bilinear::<K>, a, b, out)
        }
        ClmulFn(run::<K, P>)
    }
}

#[cfg(test)]
mod tests;
