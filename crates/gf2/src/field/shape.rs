//! Elements by their number of words: how many blocks of 128 bits they are, and which kernel multiplies them.
use crate::poly::{Leaf, METHOD, Odd};
use carryless_lanes::Clmul;
use zeroize::Zeroize;

/// Elements of W words: `Blocks` of ceil(W / 2) vectors, of whose last one the upper half is zero if W is odd. With K lanes they hold K elements.
///
/// Arrays have these lengths by associated types, because a constant of a generic type cannot be one.
pub trait Shape: Copy {
    /// W.
    const WORDS: usize;
    /// ceil(W / 2).
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
    /// An element in vectors.
    type Blocks<X: Copy>: Copy + AsRef<[X]> + AsMut<[X]>;
    /// A product of two elements, before its reduction: twice as many blocks.
    type Double<X: Copy>: Copy + AsRef<[X]> + AsMut<[X]>;

    /// The words of 0.
    const ZERO: Self::Words;
    /// The words of 1.
    const ONE: Self::Words;

    /// Equal blocks.
    fn blocks<X: Copy>(x: X) -> Self::Blocks<X>;
    /// Equal blocks.
    fn double<X: Copy>(x: X) -> Self::Double<X>;
    /// Elements side by side, as their words.
    fn flat(elements: &[Self::Words]) -> &[u64];
    /// The same, to be written.
    fn flat_mut(elements: &mut [Self::Words]) -> &mut [u64];
    /// For even W an element in each lane, side by side in memory.
    fn load<S: Clmul>(s: S, src: &[u64]) -> Self::Blocks<S::X>;
    /// Writes what [`load`](Shape::load) reads.
    fn store<S: Clmul>(s: S, x: Self::Blocks<S::X>, out: &mut [u64]);
    /// The product of polynomials of W words, in every lane. W^(log2 3) carry-less products, or one more level of Karatsuba's method than that.
    #[inline(always)]
    fn multiply<S: Clmul>(s: S, a: Self::Blocks<S::X>, b: Self::Blocks<S::X>) -> Self::Double<S::X> {
        if const { S::CARRYLESS } { Self::product(s, a, b) } else { product_outlined::<Self, S>(s, a, b) }
    }
    /// The same, always inlined.
    fn product<S: Clmul>(s: S, a: Self::Blocks<S::X>, b: Self::Blocks<S::X>) -> Self::Double<S::X>;
}

/// Where carry-less products are functions of their own, a call costs little, and kernels of curves would be ten times as long without.
#[inline(never)]
fn product_outlined<H: Shape, S: Clmul>(s: S, a: H::Blocks<S::X>, b: H::Blocks<S::X>) -> H::Double<S::X> {
    H::product(s, a, b)
}

/// Elements of W words.
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
    1: 1, 2, |s, a, b| Odd.product(s, a, b);
    2: 1, 2, |s, a, b| METHOD.product(s, a, b);
    3: 2, 4, |s, a, b| Odd.product(s, a, b);
    4: 2, 4, |s, a, b| METHOD.product(s, a, b);
    5: 3, 6, |s, a, b| Odd.product(s, a, b);
    6: 3, 6, |s, a, b| METHOD.product(s, a, b);
    7: 4, 8, |s, a, b| Odd.product(s, a, b);
    8: 4, 8, |s, a, b| METHOD.product(s, a, b);
    9: 5, 10, |s, a, b| Odd.product(s, a, b);
    20: 10, 20, |s, a, b| METHOD.product(s, a, b);
}

const fn one<const W: usize>() -> [u64; W] {
    let mut words = [0; W];
    words[0] = 1;
    words
}
