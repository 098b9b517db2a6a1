//! The analysis of bilinear kernels: what a product kernel computes, for all operands at once.
mod word;

use super::{Clmul, ClmulBackend, ClmulKernel, Compiled, KernelFn, Pointer, SliceKernel};
use std::vec::Vec;
use word::{Kind, MASK, at, extension_times, product, read, sum, times, word};

/// The backend that checks that a kernel is bilinear in its two operands, and that it computes the product.
///
/// A kernel sees its operands as words only, of which it makes sums and half-by-half products. So it may run with
/// another meaning of "word" and "product". Here words of the first operand, of the second one and of the product are
/// elements of the field F of 2^20 elements. The two words of the product of x and y are x y and x^2 y. Both are
/// additive in x and in y, as the two words of a carry-less product are, and there is no other relation between them.
///
/// Each kind of word has 20 bits of its own in a `u64`, so plain code may add words by `^`, too. A word that is no
/// sum of such words has a wrong checksum. It is an error, at the kernel's line, to add words of different kinds or
/// to compute with a constant other than zero. It is an error to multiply anything but one word of each operand,
/// and to square. What passes has bidegree (1, 1) in the operands.
///
/// What a kernel computes from random elements ([`left`](Bilinear::left), [`right`](Bilinear::right)) is a
/// polynomial in them, of degree 3 at most. If it is not that of the product, or if an operation has a wrong
/// bidegree, one run misses it with probability at most 3 / 2^20 (Schwartz and Zippel). A few runs leave no doubt.
/// Then the kernel is right for all operands, on every backend whose sums, moves and products are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bilinear<const K: usize>;

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

    /// The product of two operands by the definition, `a.len() + b.len()` words: all products of
    /// words, added at their places.
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

    /// Whether `out` is the product of `a` and `b`, in linear time. It compares polynomials in one more
    /// variable at a point of a field of 2^60 elements. A product of n words that is wrong passes for a
    /// fraction of n / 2^60 of all points.
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
        // `part` checks each word, so a wrong kind panics before the values are compared.
        out.len() == a.len() + b.len() && at(y, out.iter().map(|&x| part(Kind::Product, x))) == wanted
    }
}

/// The vector of `f` for every lane. A closure is fine here: no CPU feature is involved.
fn each<const K: usize>(f: impl Fn(usize) -> [u64; 2]) -> [[u64; 2]; K] {
    core::array::from_fn(f)
}

// Operations are calls, not inlined: kernels are compiled for this backend too, and its speed does not matter.
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
        // Zero has every kind: kernels may clear accumulators.
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
        // Panics at the kernel's line unless the word is zero: a square is not linear in its operand.
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

impl<const K: usize> ClmulBackend for Bilinear<K> {
    const NAME: &'static str = "bilinear";
    fn call<T: ClmulKernel>(self, kernel: T) -> T::Out {
        self.call_outlined(kernel)
    }
    fn compile<P: SliceKernel>(self) -> KernelFn {
        <Compiled<Bilinear<K>, P> as Pointer>::POINTER
    }
}

impl<const K: usize, P: SliceKernel> Pointer for Compiled<Bilinear<K>, P> {
    const POINTER: KernelFn = {
        fn run<const K: usize, P: SliceKernel>(a: &[u64], b: &[u64], out: &mut [u64]) {
            P::run(Bilinear::<K>, a, b, out)
        }
        KernelFn(run::<K, P>)
    };
}

#[cfg(test)]
mod tests;
