//! Elements by their number of words: how many blocks of 128 bits they are, and which kernel multiplies them.
use crate::poly::{Leaf, METHOD, Odd};
use carryless_lanes::Clmul;
use zeroize::Zeroize;

/// The storage of elements of W words: `Blocks` of ceil(W / 2) vectors, each with 128 bits of the element in every
/// lane. If W is odd, the upper half of the last block is zero. On a backend with K lanes they hold K elements.
///
/// Array lengths are associated types, because a constant of a generic type cannot be an array length.
pub trait Shape: Copy {
    /// W, the number of 64-bit words of an element.
    const WORDS: usize;
    /// The number of blocks of 128 bits of an element, ceil(W / 2).
    const BLOCKS: usize;
    /// An element in memory, least significant word first.
    type Words: Copy
        + core::fmt::Debug
        + Eq
        + AsRef<[u64]>
        + AsMut<[u64]>
        + Zeroize
        + Default
        + Send
        + Sync
        + 'static;
    /// Elements in vectors, one in each lane: block i has bits 128 i to 128 i + 127.
    type Blocks<X: Copy>: BlockArray<X>;
    /// A product of two elements, before its reduction: twice as many blocks.
    type Double<X: Copy>: BlockArray<X>;

    /// The element 0 as words.
    const ZERO: Self::Words;
    /// The element 1 as words.
    const ONE: Self::Words;

    /// Every block set to `x`, for an element.
    fn blocks<X: Copy>(x: X) -> Self::Blocks<X>;
    /// Every block set to `x`, for a product before its reduction.
    fn double<X: Copy>(x: X) -> Self::Double<X>;
    /// The words of elements that lie side by side: W words for each element, in order.
    fn flat(elements: &[Self::Words]) -> &[u64];
    /// The words of elements, as [`flat`](Shape::flat), for writing.
    fn flat_mut(elements: &mut [Self::Words]) -> &mut [u64];
    /// Loads K elements that lie side by side, element i into lane i. For even W only: it reads whole blocks.
    fn load<S: Clmul>(s: S, src: &[u64]) -> Self::Blocks<S::X>;
    /// Writes K elements side by side, as [`load`](Shape::load) reads them. For even W only.
    fn store<S: Clmul>(s: S, x: Self::Blocks<S::X>, out: &mut [u64]);
    /// The product of two polynomials of W words in every lane: 128 W - 1 bits, not reduced. About W^(log2 3)
    /// carry-less products of words, by Karatsuba's method.
    #[inline(always)]
    fn multiply<S: Clmul>(s: S, a: Self::Blocks<S::X>, b: Self::Blocks<S::X>) -> Self::Double<S::X> {
        if const { S::CARRYLESS } { Self::product(s, a, b) } else { product_outlined::<Self, S>(s, a, b) }
    }
    /// The same product as [`multiply`](Shape::multiply), inlined on every backend.
    fn product<S: Clmul>(s: S, a: Self::Blocks<S::X>, b: Self::Blocks<S::X>) -> Self::Double<S::X>;
}

/// An array of blocks, as a slice.
///
/// `AsRef` would serve, but it is inlined late, so that every index into blocks is compiled with a branch for
/// its bound. These functions are inlined first, and constant indices need no branch.
pub trait BlockArray<X>: Copy {
    /// The blocks as a slice, lowest first.
    fn as_ref(&self) -> &[X];
    /// The blocks, lowest first, for writing.
    fn as_mut(&mut self) -> &mut [X];
}

impl<X: Copy, const N: usize> BlockArray<X> for [X; N] {
    #[inline(always)]
    fn as_ref(&self) -> &[X] {
        self
    }
    #[inline(always)]
    fn as_mut(&mut self) -> &mut [X] {
        self
    }
}

/// [`Shape::multiply`] as a function of its own. Where carry-less products are emulated, a call costs little
/// beside a product, and inlining would make the kernels of curves ten times as long.
#[inline(never)]
fn product_outlined<H: Shape, S: Clmul>(s: S, a: H::Blocks<S::X>, b: H::Blocks<S::X>) -> H::Double<S::X> {
    H::product(s, a, b)
}

/// The [`Shape`] of elements of W words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words<const W: usize>;

macro_rules! shape {
    ($($words:literal: $blocks:literal, $double:literal, |$s:ident, $a:ident, $b:ident| $product:expr;)*) => { $(
        impl Shape for Words<$words> {
            const WORDS: usize = $words;
            const BLOCKS: usize = $blocks;
            type Words = [u64; $words];
            type Blocks<X: Copy> = [X; $blocks];
            type Double<X: Copy> = [X; $double];
            const ZERO: Self::Words = [0; $words];
            const ONE: Self::Words = one();

            #[inline(always)]
            fn blocks<X: Copy>(x: X) -> [X; $blocks] {
                [x; $blocks]
            }
            #[inline(always)]
            fn double<X: Copy>(x: X) -> [X; $double] {
                [x; $double]
            }
            #[inline(always)]
            fn flat(elements: &[[u64; $words]]) -> &[u64] {
                elements.as_flattened()
            }
            #[inline(always)]
            fn flat_mut(elements: &mut [[u64; $words]]) -> &mut [u64] {
                elements.as_flattened_mut()
            }
            #[inline(always)]
            fn load<S: Clmul>(s: S, src: &[u64]) -> [S::X; $blocks] {
                s.load_blocks(src, $words)
            }
            #[inline(always)]
            fn store<S: Clmul>(s: S, x: [S::X; $blocks], out: &mut [u64]) {
                s.store_blocks(x, out, $words);
            }
            #[inline(always)]
            fn product<S: Clmul>($s: S, $a: [S::X; $blocks], $b: [S::X; $blocks]) -> [S::X; $double] {
                $product
            }
        }
    )* };
}

shape! {
    // `Odd` leaves out the products by the empty upper half of the last block; `METHOD` multiplies whole
    // blocks.
    1: 1, 2, |s, a, b| Odd.product(s, a, b);
    2: 1, 2, |s, a, b| METHOD.product(s, a, b);
    3: 2, 4, |s, a, b| Odd.product(s, a, b);
    4: 2, 4, |s, a, b| METHOD.product(s, a, b);
    5: 3, 6, |s, a, b| Odd.product(s, a, b);
    6: 3, 6, |s, a, b| METHOD.product(s, a, b);
    7: 4, 8, |s, a, b| Odd.product(s, a, b);
    8: 4, 8, |s, a, b| METHOD.product(s, a, b);
    9: 5, 10, |s, a, b| Odd.product(s, a, b);
    // 1223 bits. Fields between 10 and 19 words do not occur.
    20: 10, 20, |s, a, b| METHOD.product(s, a, b);
}

const fn one<const W: usize>() -> [u64; W] {
    let mut words = [0; W];
    words[0] = 1;
    words
}
