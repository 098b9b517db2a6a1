//! Inverses of many elements for one inversion and three products each (Montgomery's trick), in all lanes.
use super::arithmetic::{load, mul, store};
use super::blocks::Blocks;
use super::lanes::{Rest, run, whole};
use super::operations::{Field, FieldWords};
use super::reduce::canonical;
use super::unroll::unroll;
use super::{BinaryField, Shape, clear_frames, inverse};
use carryless_lanes::{Clmul, ClmulProduct};
use core::marker::PhantomData;

/// Words inverted together: what is read and written stays in a cache of 256 KiB, and the inversion is a small part of the work.
const BLOCK_WORDS: usize = 1 << 14;

impl<F: BinaryField> Field<F> {
    /// `out[i] = 1 / a[i]`, and 0 for 0, by Montgomery's trick: three products for each element, and an inversion for every 128 KiB of them. As
    /// [`invert_slice`](Field::invert_slice), it is constant time; it is faster from a few elements on. It needs no memory but `out`.
    ///
    /// ```
    /// use carryless_gf2::field::{Field, Gf233};
    ///
    /// let field = Field::<Gf233>::new();
    /// let a = [[2, 0, 0, 0], [0; 4], [1, 0, 0, 0]];
    /// let mut inverses = [[0; 4]; 3];
    /// field.batch_invert(&a, &mut inverses);
    /// let mut products = [[0; 4]; 3];
    /// field.mul_slices(&a, &inverses, &mut products);
    /// assert_eq!(products, [[1, 0, 0, 0], [0; 4], [1, 0, 0, 0]]);
    /// ```
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn batch_invert(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        let block = BLOCK_WORDS.div_ceil(F::Shape::WORDS);
        for (a, out) in a.chunks(block).zip(out.chunks_mut(block)) {
            run::<Batch<F>>(self.cpu(), F::Shape::flat(a), &[], F::Shape::flat_mut(out));
        }
        // Also of the elements that fill no vector.
        clear_frames();
    }
}

/// Inverses of a block.
///
/// Two vectors go through it side by side: 2K chains of products. The first pass writes, in the place of each element, the product of all
/// before it in its chain; the second pass goes back with the inverse of the product so far. A zero takes part as 1, and 1 is added to its inverse.
struct Batch<F>(PhantomData<F>);

impl<F: BinaryField> ClmulProduct for Batch<F> {
    #[inline(always)]
    fn product<S: Clmul>(s: S, a: &[u64], _: &[u64], out: &mut [u64]) {
        let step = 2 * S::K * F::Shape::WORDS;
        let end = whole(a.len(), step);
        let mut rest = Rest::<F>::new(&a[end..]);
        let (mut chains, zeros_of_rest) = load_nonzero::<F, S>(s, rest.words());
        let mut at = 0;
        while at < end {
            store_two::<F, S>(s, chains, &mut out[at..]);
            let (x, _) = load_nonzero::<F, S>(s, &a[at..]);
            chains = mul_two::<F, S>(s, chains, x);
            at += step;
        }
        let product = mul::<F, S>(s, chains[0], chains[1]);
        let both = inverse::invert::<F, S>(s, product, inverse::BySquarings);
        let mut inverses = mul_two::<F, S>(s, [both; 2], [chains[1], chains[0]]);
        while at > 0 {
            at -= step;
            let before = load_two::<F, S>(s, &out[at..]);
            let (x, zeros) = load_nonzero::<F, S>(s, &a[at..]);
            let results = mul_two::<F, S>(s, inverses, before);
            // The store of an odd number of words writes the word behind it too, which holds a result.
            let behind = out[at + step];
            store_two::<F, S>(s, plus::<F, S>(s, results, zeros), &mut out[at..]);
            out[at + step] = behind;
            inverses = mul_two::<F, S>(s, inverses, x);
        }
        store_two::<F, S>(s, plus::<F, S>(s, inverses, zeros_of_rest), rest.words());
        out[end..].copy_from_slice(&rest.words()[..a.len() - end]);
    }
}

/// Two elements in each lane.
type Two<F, S> = [Blocks<F, S>; 2];

#[inline(always)]
fn load_two<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> Two<F, S> {
    [load::<F, S>(s, src), load::<F, S>(s, &src[S::K * F::Shape::WORDS..])]
}

#[inline(always)]
fn store_two<F: BinaryField, S: Clmul>(s: S, x: Two<F, S>, out: &mut [u64]) {
    store::<F, S>(s, x[0], out);
    store::<F, S>(s, x[1], &mut out[S::K * F::Shape::WORDS..]);
}

#[inline(always)]
fn mul_two<F: BinaryField, S: Clmul>(s: S, a: Two<F, S>, b: Two<F, S>) -> Two<F, S> {
    [mul::<F, S>(s, a[0], b[0]), mul::<F, S>(s, a[1], b[1])]
}

/// The sums with 0 or 1.
#[inline(always)]
fn plus<F: BinaryField, S: Clmul>(s: S, x: Two<F, S>, bits: [S::X; 2]) -> Two<F, S> {
    let mut sums = x;
    sums[0].as_mut()[0] = s.xor(x[0].as_ref()[0], bits[0]);
    sums[1].as_mut()[0] = s.xor(x[1].as_ref()[0], bits[1]);
    sums
}

/// Two elements in each lane, 1 in the place of 0; and 1 for those that are, 0 for the others.
#[inline(always)]
fn load_nonzero<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> (Two<F, S>, [S::X; 2]) {
    let x = load_two::<F, S>(s, src);
    let (a, b) = (any_bit::<F, S>(s, x[0]), any_bit::<F, S>(s, x[1]));
    // The halves of one word each: all bits of an element come to the lowest of one half.
    let mut any = or(s, s.straddle(s.swap(a), b), s.straddle(a, s.swap(b)));
    unroll!(i < 6, {
        any = or(s, any, s.shr(any, 32 >> i));
    });
    let one = s.splat([1, 0]);
    let zeros = [s.xor(one, s.and(any, one)), s.xor(one, s.and(s.swap(any), one))];
    (plus::<F, S>(s, x, zeros), zeros)
}

/// The blocks of the canonical element in one: zero if it is.
#[inline(always)]
fn any_bit<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> S::X {
    let (x, mut any) = (canonical::<F, S>(s, x), s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        any = or(s, any, x.as_ref()[i]);
    });
    any
}

/// The bits that one of both has. The compiler makes one instruction of it.
#[inline(always)]
fn or<S: Clmul>(s: S, a: S::X, b: S::X) -> S::X {
    s.xor(s.and(a, b), s.xor(a, b))
}
