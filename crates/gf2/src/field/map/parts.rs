//! The map x -> x^(2^k) from a matrix for a part of x.
//!
//! With g = z^(2^k), the image of x = x0(z) + z^e x1(z) + z^(2 e) x2(z) + ... is x0(g) + g^e x1(g) + g^(2 e)
//! x2(g) + ... So one matrix serves all parts, and each part but the first takes a product.
//!
//! Backends with 8 x 8 bit matrices use as many parts as they have lanes: part p has the bytes p, p + K, p + 2
//! K, ... (e = 8). Other backends use halves where the matrix of the whole would not stay in the first level of
//! caches. The second half has the words from w on (e = 64 w), and the matrix is read once for both. Three
//! parts would need more registers than AVX2 has.
use super::super::arithmetic::{load, mul};
use super::super::blocks::{Blocks, add, load_constant};
use super::super::reduce::window;
use super::super::shape::BlockArray as _;
use super::super::unroll::unroll;
use super::super::{BinaryField, Field, Shape};
use super::kernel::{apply, by_masks, by_matrices, sum_of_lanes};
use super::layout::Layout;
use super::{fill, powers_of_image};
use carryless_lanes::Clmul;
use core::marker::PhantomData;

/// Maps x -> x^(2^k) of a field, by tables for one backend. Constant time.
pub(in super::super) struct Powers<F>(PhantomData<F>);

/// The number of words of the lower part, for elements of `words` words. The part is the whole element where
/// its matrix is small enough, or where products take too long.
const fn words_of_part(words: usize) -> usize {
    if matches!(words, 7..=9) { words.div_ceil(2) } else { words }
}

impl<F: BinaryField> Powers<F> {
    const WORDS: usize = F::Shape::WORDS;
    const PART: usize = words_of_part(Self::WORDS);

    /// The number of parts of x. All but the first are multiplied by a power of g.
    const fn parts(affine: bool, lanes: usize) -> usize {
        match affine {
            true => lanes,
            false if Self::PART < Self::WORDS => 2,
            false => 1,
        }
    }

    fn layout(affine: bool, lanes: usize) -> Layout {
        // Parts have an equal number of bytes: 8 W is a multiple of every number of lanes.
        let bytes = if affine { 8 * Self::WORDS / lanes } else { 8 * Self::PART };
        Layout::of_part::<F::Shape>(affine, lanes, bytes)
    }

    /// The number of 64-bit words of a table: the matrix, then the powers of g by which the images of parts
    /// are multiplied. There is one power for halves; for lanes there is one each, and one word more that a
    /// load of lanes may read.
    pub(in super::super) fn words(affine: bool, lanes: usize) -> usize {
        let factors = match Self::parts(affine, lanes) {
            1 => 0,
            parts if affine => parts * Self::WORDS + 1,
            _ => Self::WORDS,
        };
        Self::layout(affine, lanes).len() + factors
    }

    /// Fills the table of x -> x^(2^k), for the backend of the field.
    pub(in super::super) fn fill(field: &Field<F>, table: &mut [u64], k: usize) {
        Self::fill_for(field, field.cpu().has_affine(), field.cpu().lanes(), table, k);
    }

    /// [`fill`](Powers::fill) for a backend, which need not be that of the field.
    pub(super) fn fill_for(field: &Field<F>, affine: bool, lanes: usize, table: &mut [u64], k: usize) {
        let (layout, parts) = (Self::layout(affine, lanes), Self::parts(affine, lanes));
        let (matrix, factors) = table.split_at_mut(layout.len());
        let mut powers = powers_of_image(field, k);
        if parts == 1 {
            return fill(layout, matrix, powers);
        }
        matrix.fill(0);
        if !affine {
            // Column i is g^i. The next power, g^(64 w), is the factor of the upper half.
            for i in 0..64 * Self::PART {
                layout.write(matrix, i, powers(i).as_words());
            }
            factors[..Self::WORDS].copy_from_slice(powers(64 * Self::PART).as_words());
            return;
        }
        for i in 0..64 * Self::WORDS {
            // Part 0 has the bytes 0, P, 2 P, ...: their columns form the matrix. Part p has the factor g^(8
            // p), with g^0 = 1.
            let (power, byte) = (powers(i), i / 8);
            if byte % parts == 0 {
                layout.write(matrix, byte / parts * 8 + i % 8, power.as_words());
            }
            if byte < parts && i % 8 == 0 {
                factors[byte * Self::WORDS..][..Self::WORDS].copy_from_slice(power.as_words());
            }
        }
    }

    /// The image of x, which may have 64 W bits. The image has as many, and is not canonical in general.
    #[inline(always)]
    pub(in super::super) fn apply<S: Clmul>(s: S, x: Blocks<F, S::One>, table: &[u64]) -> Blocks<F, S::One> {
        match Self::parts(S::AFFINE, S::K) {
            1 => apply::<F::Shape, S>(s, x, table),
            _ if S::AFFINE => Self::in_lanes(s, x, table),
            _ => Self::in_halves(s, x, table),
        }
    }

    /// Computes all parts at once, one in each lane: one product of vectors multiplies their images by the powers of g.
    #[inline(always)]
    fn in_lanes<S: Clmul>(s: S, x: Blocks<F, S::One>, table: &[u64]) -> Blocks<F, S::One> {
        let (matrix, factors) = table.split_at(table.len() - (S::K * Self::WORDS + 1));
        // One product of vectors multiplies the image of part p by g^(8 p), for all p. The matrix is 1 / K of
        // that of the whole.
        let images = by_matrices::<F::Shape, S>(s, x, S::K, matrix);
        let products = mul::<F, S>(s, images, load::<F, S>(s, factors));
        let mut out = x;
        unroll!(i < F::Shape::BLOCKS, {
            out.as_mut()[i] = s.first_lane(sum_of_lanes(s, products.as_ref()[i]));
        });
        out
    }

    /// Computes both halves under the masks of the same columns, then low + high g^(64 w): one product.
    #[inline(always)]
    fn in_halves<S: Clmul>(s: S, x: Blocks<F, S::One>, table: &[u64]) -> Blocks<F, S::One> {
        let one = s.one();
        let (matrix, factor) = table.split_at(table.len() - Self::WORDS);
        // The lower half is x itself: the kernel reads its first `PART` words only. The upper half is shifted
        // down.
        let mut parts = [x; 2];
        unroll!(i < F::Shape::BLOCKS, {
            if 2 * i < Self::PART {
                parts[1].as_mut()[i] = window(one, x.as_ref(), (64 * Self::PART + 128 * i) as isize);
            }
        });
        // Both halves meet the same columns, so the table is read once for two masks a column.
        let [low, high] = by_masks::<F::Shape, S, 2>(s, parts, Self::PART, matrix);
        add::<F, S::One>(one, low, mul::<F, S::One>(one, high, load_constant::<F, S::One>(one, factor)))
    }
}
