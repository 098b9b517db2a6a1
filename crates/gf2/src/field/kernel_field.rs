//! The arithmetic of a field inside kernels, for code over any field: those of [`BinaryField`] and their quadratic extensions.
use super::BinaryField;
use super::arithmetic;
use super::blocks::{self, Blocks, add_double, load_constant};
use super::inverse::{self, BySquarings};
use super::operations::Operand;
use super::reduce::reduce;
use super::shape::Shape;
use super::unroll::unroll;
use carryless_lanes::{Clmul, ClmulPart};

/// Arithmetic on one element in each lane. Elements come with 64 W bits and leave with as many; only [`store`](Operand::store) makes them canonical.
pub trait KernelField: Operand {
    /// Whether calls cost little beside products, so that kernels whose time hardly counts run on [`Clmul::Compact`].
    const LONG: bool = Self::WORDS > 6;

    /// The same element in every lane.
    fn constant<S: Clmul>(s: S, words: &[u64]) -> Self::Vectors<S>;
    /// 0 or 1 in every lane.
    fn bit<S: Clmul>(s: S, bit: u64) -> Self::Vectors<S>;
    /// a + b.
    fn add<S: Clmul>(s: S, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;
    /// a b.
    fn mul<S: Clmul>(s: S, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;
    /// a b + c d, reduced once.
    fn mul_add_mul<S: Clmul>(
        s: S,
        a: Self::Vectors<S>,
        b: Self::Vectors<S>,
        c: Self::Vectors<S>,
        d: Self::Vectors<S>,
    ) -> Self::Vectors<S>;
    /// a^2.
    fn square<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// The square root of a.
    fn sqrt<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// 1 / a, and 0 for a = 0.
    fn invert<S: Clmul>(s: S, a: Self::Vectors<S>) -> Self::Vectors<S>;
    /// b in lanes where the mask has ones, a where it is zero.
    fn select<S: Clmul>(s: S, mask: S::X, a: Self::Vectors<S>, b: Self::Vectors<S>) -> Self::Vectors<S>;

    /// Elements whose words stand in rows of `row` words, each with two words of every lane's element. A last row of half as many words has zeros besides.
    fn load_rows<S: Clmul>(s: S, src: &[u64], row: usize) -> Self::Vectors<S>;

    /// The lanes from number `from` on of `low` and `high` one after the other.
    fn lanes_from<S: Clmul>(
        s: S,
        from: usize,
        low: Self::Vectors<S>,
        high: Self::Vectors<S>,
    ) -> Self::Vectors<S>;

    /// Ones if a is zero, on a machine of one lane.
    #[inline(always)]
    fn is_zero<S: Clmul>(s: S, a: Self::Vectors<S>) -> S::X {
        const { assert!(Self::WORDS <= MOST_WORDS) };
        assert_eq!(S::K, 1, "one lane");
        let mut words = [0; MOST_WORDS];
        Self::store(s, a, &mut words[..Self::WORDS]);
        let any = words[..Self::WORDS].iter().fold(0, |any, word| any | word);
        s.splat([((any | any.wrapping_neg()) >> 63).wrapping_sub(1); 2])
    }
}

/// Words of the longest element.
pub(crate) const MOST_WORDS: usize = 20;

/// a b as a function of its own.
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

/// a^2 as a function of its own.
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
        if const { S::COMPACT } {
            return F::add(s, F::mul(s, a, b), F::mul(s, c, d));
        }
        let sum = add_double::<F, S>(s, F::Shape::multiply(s, a, b), F::Shape::multiply(s, c, d));
        reduce::<F, S>(s, sum)
    }
    #[inline(always)]
    fn square<S: Clmul>(s: S, a: Blocks<F, S>) -> Blocks<F, S> {
        // A square of few words is no longer than a call.
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
