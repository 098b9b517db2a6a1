//! Batch inversion by Montgomery's trick in all lanes: one inversion for many elements, and three products for
//! each.
use super::arithmetic::{load, mul, store};
use super::blocks::Blocks;
use super::lanes::{Rest, run, whole};
use super::operations::Field;
use super::reduce::canonical;
use super::shape::BlockArray as _;
use super::unroll::unroll;
use super::{BinaryField, FieldWords, Shape, clear_frames, inverse};
use carryless_lanes::{Clmul, ClmulCpu, SliceKernel};
use core::marker::PhantomData;

/// The number of words inverted together. What a block reads and writes fits a cache of 256 KiB, and the one
/// inversion is a small part of its work.
const BLOCK_WORDS: usize = 1 << 14;

impl<F: BinaryField> Field<F> {
    /// Sets `out[i]` to 1 / `a[i]`, or to 0 if `a[i]` is 0, by Montgomery's trick: three products for each
    /// element, and one inversion for every 128 KiB of them.
    ///
    /// Constant time, as [`invert_slice`](Field::invert_slice), and faster from a few elements on. It
    /// needs no memory besides `out`.
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
        // Longer blocks would save inversions, but the second pass would read `a` and `out` from slower memory.
        let block = BLOCK_WORDS.div_ceil(F::Shape::WORDS);
        for (a, out) in a.chunks(block).zip(out.chunks_mut(block)) {
            F::invert_block(self.cpu(), F::Shape::flat(a), F::Shape::flat_mut(out));
        }
        // Also clears what the padded last group left on the stack.
        clear_frames();
    }
}

/// Writes the inverses of the elements of one block.
#[inline]
pub(super) fn invert_block<F: BinaryField>(cpu: ClmulCpu, a: &[u64], out: &mut [u64]) {
    run::<Batch<F>>(cpu, a, &[], out);
}

/// Inverts the elements of one block.
///
/// Two vectors side by side form 2 K chains of products, whose latencies overlap. The first pass replaces each
/// element of a chain by the product of its predecessors. One inversion then gives the inverses of all chain
/// products. The second pass goes back and peels off one element after the other.
///
/// Zeros would annihilate a chain, so each takes part as 1, and 1 is added to its inverse,
/// which gives 0. Constant time.
struct Batch<F>(PhantomData<F>);

impl<F: BinaryField> SliceKernel for Batch<F> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], _: &[u64], out: &mut [u64]) {
        // The padded rest is the first group of the chains: its zeros take part as ones, so it needs no special
        // case.
        let step = 2 * S::K * F::Shape::WORDS;
        let end = whole(a.len(), step);
        let mut rest = Rest::<F>::new(&a[end..]);
        let (mut chains, zeros_of_rest) = load_nonzero::<F, S>(s, rest.words());
        let mut at = 0;
        while at < end {
            // Invariant: chains[j] is the product of all elements of chain j so far, starting with those of
            // the padded rest. One product for each element here, and two on the way back.
            store_two::<F, S>(s, chains, &mut out[at..]);
            let (x, _) = load_nonzero::<F, S>(s, &a[at..]);
            chains = mul_two::<F, S>(s, chains, x);
            at += step;
        }
        // The inverse of chains[0] is 1 / (chains[0] chains[1]) times chains[1], and vice versa: one
        // inversion for two vectors, at the price of three products. No element of a chain is 0, so neither
        // is the product.
        let product = mul::<F, S>(s, chains[0], chains[1]);
        let both = inverse::invert::<F, S>(s, product, inverse::BySquarings);
        let mut inverses = mul_two::<F, S>(s, [both; 2], [chains[1], chains[0]]);
        while at > 0 {
            at -= step;
            // Invariant: inverses[j] = 1 / the product of chain j up to and including this element.
            // 1 / x = (1 / product up to x) (product before x). Then multiplying by x removes x from the
            // inverse.
            let before = load_two::<F, S>(s, &out[at..]);
            let (x, zeros) = load_nonzero::<F, S>(s, &a[at..]);
            let results = mul_two::<F, S>(s, inverses, before);
            // With odd W the store overwrites the next word too, which already holds a result. Restore it.
            let behind = out[at + step];
            store_two::<F, S>(s, plus::<F, S>(s, results, zeros), &mut out[at..]);
            out[at + step] = behind;
            inverses = mul_two::<F, S>(s, inverses, x);
        }
        store_two::<F, S>(s, plus::<F, S>(s, inverses, zeros_of_rest), rest.words());
        out[end..].copy_from_slice(&rest.words()[..a.len() - end]);
    }
}

/// Two vectors of elements, 2 K elements in all.
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

/// Adds a bit, 0 or 1 in the lowest place of each lane, to each element.
#[inline(always)]
fn plus<F: BinaryField, S: Clmul>(s: S, x: Two<F, S>, bits: [S::X; 2]) -> Two<F, S> {
    let mut sums = x;
    sums[0].as_mut()[0] = s.xor(x[0].as_ref()[0], bits[0]);
    sums[1].as_mut()[0] = s.xor(x[1].as_ref()[0], bits[1]);
    sums
}

/// Loads 2 K elements with each 0 replaced by 1. Also returns 1 for each that was replaced and 0 for the
/// others, in the lowest bit of each lane. No branches: the time does not depend on which elements are zero.
#[inline(always)]
fn load_nonzero<F: BinaryField, S: Clmul>(s: S, src: &[u64]) -> (Two<F, S>, [S::X; 2]) {
    let x = load_two::<F, S>(s, src);
    let (a, b) = (any_bit::<F, S>(s, x[0]), any_bit::<F, S>(s, x[1]));
    // Pairs the halves of a and of b, so that one 64-bit word of `any` has all bits of one element: the lower
    // word that of a, the upper word that of b. Six shifts by 32, 16, ..., 1 fold each word onto its lowest
    // bit.
    let mut any = or(s, s.straddle(s.swap(a), b), s.straddle(a, s.swap(b)));
    unroll!(i < 6, {
        any = or(s, any, s.shr(any, 32 >> i));
    });
    let one = s.splat([1, 0]);
    let zeros = [s.xor(one, s.and(any, one)), s.xor(one, s.and(s.swap(any), one))];
    (plus::<F, S>(s, x, zeros), zeros)
}

/// The OR of all blocks of the canonical element: zero exactly if the element is zero.
#[inline(always)]
fn any_bit<F: BinaryField, S: Clmul>(s: S, x: Blocks<F, S>) -> S::X {
    // Canonical first: a multiple of f is 0 too, but has bits.
    let (x, mut any) = (canonical::<F, S>(s, x), s.zero());
    unroll!(i < F::Shape::BLOCKS, {
        any = or(s, any, x.as_ref()[i]);
    });
    any
}

/// The bitwise OR, by the operations that every backend has. The compiler makes one instruction of it.
#[inline(always)]
fn or<S: Clmul>(s: S, a: S::X, b: S::X) -> S::X {
    s.xor(s.and(a, b), s.xor(a, b))
}
