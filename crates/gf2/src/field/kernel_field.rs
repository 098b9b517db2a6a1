//! Field arithmetic inside kernels, generic over the fields of [`BinaryField`] and their quadratic extensions.
use super::BinaryField;
use super::arithmetic;
use super::blocks::{self, Blocks, add_double, load_constant};
use super::constants::MAX_WORDS;
use super::inverse::{self, BySquarings};
use super::operations::Operand;
use super::reduce::reduce;
use super::shape::{BlockArray as _, Shape};
use super::unroll::unroll;
use carryless_lanes::{Clmul, ClmulPart};

/// Arithmetic on one element in each lane.
///
/// Operands and results have up to 64 W bits; only [`store`](Operand::store) makes them canonical.
/// All functions are constant time.
///
/// In a quadratic extension the costs are those of operations in the base field: `mul` three products and two
/// reductions, `mul_add_mul` six and two, `square` two squares, `sqrt` two square roots, `invert` an inversion,
/// three products and a square.
pub trait KernelField: Operand {
    /// Whether elements are so long that a function call costs little beside a product. Kernels whose time
    /// hardly matters then run on [`Clmul::Compact`].
    const LONG: bool = Self::WORDS > 6;

    /// Loads the same element, given by its words, into every lane.
    fn constant<S: Clmul>(s: S, words: &[u64]) -> Self::Vectors<S>;
    /// The element 0 or 1, as `bit` says, in every lane.
    fn bit<S: Clmul>(s: S, bit: u64) -> Self::Vectors<S>;
    /// The sum a + b, which is also the difference.
    fn add<S: Clmul>(s: S, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;
    /// The product a b, reduced to 64 W bits. Operands may be equal, and need not be canonical.
    fn mul<S: Clmul>(s: S, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;
    /// The sum of products a b + c d. The sum is reduced, not each product, but on compact backends.
    fn mul_add_mul<S: Clmul>(
        s: S,
        a: Self::Vectors<S>,
        b: Self::Vectors<S>,
        c: Self::Vectors<S>,
        d: Self::Vectors<S>,
    ) -> Self::Vectors<S>;
    /// The square a^2, reduced to 64 W bits.
    fn square<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// The square root of a, which is unique.
    fn sqrt<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// The inverse 1 / a, and 0 for a = 0, by Itoh and Tsujii's chain of squarings and products.
    fn invert<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// Selects bitwise without branches: b where the mask has ones, a where it has zeros. The same
    /// mask applies to every block.
    fn select<S: Clmul>(s: S, mask: S::X, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;

    /// Loads elements that are stored in rows of `row` words. Row i has words 2 i and 2 i + 1 of every lane's
    /// element. If the last row has one word of each element, the other word of each pair must be zero.
    fn load_rows<S: Clmul>(s: S, src: &[u64], row: usize) -> Self::Vectors<S>;

    /// Lanes `from` to `from + K - 1` of the 2 K lanes of `low` followed by `high`.
    fn lanes_from<S: Clmul>(
        s: S,
        from: usize,
        low: Self::Vectors<S>,
        high: Self::Vectors<S>,
    ) -> Self::Vectors<S>;

    /// All ones if the element is zero modulo f, else all zeros. For backends with one lane. Constant time.
    #[inline(always)]
    fn is_zero<S: Clmul>(s: S, a: Self::Vectors<S>) -> S::X {
        // Vectors have no comparison by design. Going through memory costs more, but a product of points takes
        // only a few such tests.
        const { assert!(Self::WORDS <= MAX_WORDS) };
        assert_eq!(S::K, 1, "one lane");
        let mut words = [0; MAX_WORDS];
        Self::store(s, a, &mut words[..Self::WORDS]);
        // Stored words are canonical, so that only 0 has no bits. The top bit of x | -x is set exactly if x is
        // not 0.
        let any = words[..Self::WORDS].iter().fold(0, |any, word| any | word);
        s.splat([((any | any.wrapping_neg()) >> 63).wrapping_sub(1); 2])
    }
}

/// A product that [`Clmul::call_part`] runs, as a function of its own on compact backends.
struct Product<F: BinaryField, S: Clmul> {
    a: Blocks<F, S>,
    b: Blocks<F, S>,
}

impl<F: BinaryField, S: Clmul> ClmulPart<S> for Product<F, S> {
    type Out = Blocks<F, S>;
    #[inline(always)]
    fn run(self, s: S) -> Blocks<F, S> {
        arithmetic::mul::<F, S>(s, self.a, self.b)
    }
}

/// A square that [`Clmul::call_part`] runs, as a function of its own on compact backends.
struct Square<F: BinaryField, S: Clmul>(Blocks<F, S>);

impl<F: BinaryField, S: Clmul> ClmulPart<S> for Square<F, S> {
    type Out = Blocks<F, S>;
    #[inline(always)]
    fn run(self, s: S) -> Blocks<F, S> {
        arithmetic::square::<F, S>(s, self.0)
    }
}

impl<F: BinaryField> KernelField for F {
    #[inline(always)]
    fn constant<S: Clmul>(s: S, words: &[u64]) -> Blocks<F, S> {
        load_constant::<F, S>(s, words)
    }
    #[inline(always)]
    fn bit<S: Clmul>(s: S, bit: u64) -> Blocks<F, S> {
        let mut out = F::Shape::blocks(s.zero());
        out.as_mut()[0] = s.splat([bit, 0]);
        out
    }
    #[inline(always)]
    fn add<S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
        blocks::add::<F, S>(s, a, b)
    }
    #[inline(always)]
    fn mul<S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
        if const { S::COMPACT } {
            s.call_part(Product::<F, S> { a, b })
        } else {
            arithmetic::mul::<F, S>(s, a, b)
        }
    }
    #[inline(always)]
    fn mul_add_mul<S: Clmul>(
        s: S,
        a: Blocks<F, S>,
        b: Blocks<F, S>,
        c: Blocks<F, S>,
        d: Blocks<F, S>,
    ) -> Blocks<F, S> {
        // Compact code reuses the function for products, at the price of a second reduction.
        if const { S::COMPACT } {
            return F::add(s, F::mul(s, a, b), F::mul(s, c, d));
        }
        // Reduction is linear: the sum of two products below z^(128 W - 1) is reduced as one.
        let sum = add_double::<F, S>(s, F::Shape::multiply(s, a, b), F::Shape::multiply(s, c, d));
        reduce::<F, S>(s, sum)
    }
    #[inline(always)]
    fn square<S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
        // A square of few words is no longer than the call would be.
        if const { S::COMPACT && (F::LONG || !S::CARRYLESS) } {
            s.call_part(Square::<F, S>(a))
        } else {
            arithmetic::square::<F, S>(s, a)
        }
    }
    #[inline(always)]
    fn sqrt<S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
        arithmetic::sqrt::<F, S>(s, a)
    }
    #[inline(always)]
    fn invert<S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
        inverse::invert::<F, S>(s, a, BySquarings)
    }
    #[inline(always)]
    fn load_rows<S: Clmul>(s: S, src: &[u64], row: usize) -> Blocks<F, S> {
        let mut out = F::Shape::blocks(s.zero());
        unroll!(i < F::Shape::BLOCKS, {
            out.as_mut()[i] = s.load(&src[i * row..]);
        });
        out
    }
    #[inline(always)]
    fn lanes_from<S: Clmul>(s: S, from: usize, low: Blocks<F, S>, high: Blocks<F, S>) -> Blocks<F, S> {
        let mut out = low;
        unroll!(i < F::Shape::BLOCKS, {
            out.as_mut()[i] = s.lanes_from(from, low.as_ref()[i], high.as_ref()[i]);
        });
        out
    }
    #[inline(always)]
    fn select<S: Clmul>(s: S, mask: S::X, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S> {
        let mut out = a;
        unroll!(i < F::Shape::BLOCKS, {
            out.as_mut()[i] = s.select(mask, a.as_ref()[i], b.as_ref()[i]);
        });
        out
    }
}
