//! Squares by 8 x 8 bit matrices, for backends with GFNI. Other backends run the same kernel with
//! [`Clmul::affine`] emulated by shifts.
use super::arithmetic::{load, store};
use super::blocks::Blocks;
use super::element::Element;
use super::operations::Field;
use super::reduce::reduce;
use super::shape::BlockArray as _;
use super::unroll::unroll;
use super::{BinaryField, FieldWords, Shape};
use carryless_lanes::{Clmul, ClmulKernel};
use core::marker::PhantomData;

impl<F: BinaryField> Field<F> {
    /// The square a^2 by 8 x 8 bit matrices, two for each byte, with the same value as [`square`](Field::square). For
    /// backends with GFNI: elsewhere a product by a matrix takes some 70 instructions. Constant time.
    #[must_use]
    pub fn square_by_affine(&self, a: &Element<F>) -> Element<F> {
        let mut out = Element::zero();
        self.run_squares(a.as_words(), out.words_mut());
        out
    }

    /// Sets `out[i]` to the square of `a[i]` by 8 x 8 bit matrices, as [`square_by_affine`](Field::square_by_affine).
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_by_affine_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        self.run_squares(F::Shape::flat(a), F::Shape::flat_mut(out));
    }

    fn run_squares(&self, a: &[u64], out: &mut [u64]) {
        self.cpu().affine().call(Squares::<F> { a, out, of: PhantomData });
    }
}

/// Squares elements side by side, K at a time and then one by one. Backends with one lane have no bit matrices,
/// so a single element is repeated in every lane and read back from the first.
pub(super) struct Squares<'a, F> {
    pub(super) a: &'a [u64],
    pub(super) out: &'a mut [u64],
    pub(super) of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Squares<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let Squares { a, out, .. } = self;
        let (one, words, mut at) = (s.one(), F::Shape::WORDS, 0);
        // Lanes are loaded and stored with the word after them, so the last element never belongs to such a
        // group.
        while S::K > 1 && at + S::K * words < a.len() {
            store::<F, S>(s, square::<F, S>(s, load::<F, S>(s, &a[at..])), &mut out[at..]);
            at += S::K * words;
        }
        while at < a.len() {
            let single = load::<F, S::One>(one, &a[at..]);
            let (mut x, mut result) = (F::Shape::blocks(s.zero()), single);
            unroll!(i < F::Shape::BLOCKS, {
                x.as_mut()[i] = s.repeat_lane(single.as_ref()[i]);
            });
            x = square::<F, S>(s, x);
            unroll!(i < F::Shape::BLOCKS, {
                result.as_mut()[i] = s.first_lane(x.as_ref()[i]);
            });
            store::<F, S::One>(one, result, &mut out[at..]);
            at += words;
        }
    }
}

/// The square a^2, of 64 W bits. One matrix maps every byte to the square of its lower nibble, another to that
/// of its upper nibble; interleaving the two puts them next to each other. Costs 2 ceil(W / 2) matrices, W
/// moves of bytes and a reduction.
#[inline(always)]
fn square<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
    let (lower, upper) = (s.splat([SPREAD_LOWER; 2]), s.splat([SPREAD_UPPER; 2]));
    let mut c = F::Shape::double(s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        let (low, high) = (s.affine(a.as_ref()[i], lower), s.affine(a.as_ref()[i], upper));
        // The squares of the nibbles of byte j become bytes 2 j and 2 j + 1: 16 bits for each byte of a.
        c.as_mut()[2 * i] = s.zip_low(low, high);
        if 2 * i + 1 < F::Shape::WORDS {
            c.as_mut()[2 * i + 1] = s.zip_high(low, high);
        }
    });
    // As after `square_by_shuffles`, c is a square before its reduction: all of its odd bits are 0.
    reduce::<F, S>(s, c)
}

/// The matrix of the lower nibble: byte u7 ... u0 -> 0 u3 0 u2 0 u1 0 u0.
const SPREAD_LOWER: u64 = spread_from(0);
/// The matrix of the upper nibble: byte u7 ... u0 -> 0 u7 0 u6 0 u5 0 u4.
const SPREAD_UPPER: u64 = spread_from(4);

/// The matrix that moves bit `first` + i of a byte to bit 2 i, for i from 0 to 3. In the format of
/// GF2P8AFFINEQB, byte 7 - j of a matrix selects the bits that sum up to bit j of the image.
const fn spread_from(first: u32) -> u64 {
    let (mut matrix, mut i) = (0, 0);
    while i < 4 {
        // Row 2 i of the image, in byte 7 - 2 i, selects bit first + i. The odd rows stay 0.
        matrix |= 1 << (8 * (7 - 2 * i) + first + i);
        i += 1;
    }
    matrix
}
