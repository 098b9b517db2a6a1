//! `ff::Field` for elements (feature `ff`) and the traits it requires: those of `subtle`, sums and products of
//! iterators, and operators by reference.
//!
//! `ff::PrimeField` does not fit: it is for fields with a prime number of elements.
use super::element::Element;
use super::{BinaryField, Shape};
use rand_core::TryRng;

/// Implements the traits for a type of elements. `$random` draws an element from a random number generator.
macro_rules! ff_traits {
    ($(#[$doc:meta])* $name:ident, $random:expr) => {
        $(#[$doc])*
        impl<F: BinaryField> ff::Field for $name<F> {
            const ZERO: Self = $name::ZERO;
            const ONE: Self = $name::ONE;

            fn try_random<R: rand_core::TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
                $random(rng)
            }

            fn is_zero(&self) -> subtle::Choice {
                self.is_zero().into()
            }

            fn square(&self) -> Self {
                self.square()
            }

            fn double(&self) -> Self {
                $name::zero()
            }

            fn invert(&self) -> subtle::CtOption<Self> {
                // `subtle` keeps a value inside in either case. For 0 it is 0.
                let inverse = self.invert().to_inner_unchecked();
                subtle::CtOption::new(inverse, !subtle::Choice::from(self.is_zero()))
            }

            /// Returns `(true, sqrt(num / div))` if `div` is not 0, else whether `num` is 0, and 0. A
            /// quotient is always a square.
            fn sqrt_ratio(num: &Self, div: &Self) -> (subtle::Choice, Self) {
                // `invert` gives 0 inside for a `div` of 0, so nothing branches.
                let root = (*num * div.invert().to_inner_unchecked()).sqrt();
                ((num.is_zero() | !div.is_zero()).into(), root)
            }

            fn sqrt_alt(&self) -> (subtle::Choice, Self) {
                // Squaring is a bijection, so every element has a root.
                (subtle::Choice::from(1), self.sqrt())
            }

            fn sqrt(&self) -> subtle::CtOption<Self> {
                subtle::CtOption::new(self.sqrt(), subtle::Choice::from(1))
            }
        }

        impl<F: BinaryField> subtle::ConditionallySelectable for $name<F> {
            fn conditional_select(a: &Self, b: &Self, choice: subtle::Choice) -> Self {
                ctutils::CtSelect::ct_select(a, b, choice.into())
            }
        }

        impl<F: BinaryField> subtle::ConstantTimeEq for $name<F> {
            fn ct_eq(&self, other: &Self) -> subtle::Choice {
                ctutils::CtEq::ct_eq(self, other).into()
            }
        }

        ff_traits! { @operators $name;
            Add add, AddAssign add_assign;
            Sub sub, SubAssign sub_assign;
            Mul mul, MulAssign mul_assign;
        }

        impl<F: BinaryField> core::iter::Sum for $name<F> {
            fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
                terms.fold($name::zero(), |sum, term| sum + term)
            }
        }

        impl<'a, F: BinaryField> core::iter::Sum<&'a $name<F>> for $name<F> {
            fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
                terms.copied().sum()
            }
        }

        impl<F: BinaryField> core::iter::Product for $name<F> {
            fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
                factors.fold($name::one(), |product, factor| product * factor)
            }
        }

        impl<'a, F: BinaryField> core::iter::Product<&'a $name<F>> for $name<F> {
            fn product<I: Iterator<Item = &'a Self>>(factors: I) -> Self {
                factors.copied().product()
            }
        }
    };
    (@operators $name:ident; $($operator:ident $function:ident, $assign:ident $in_place:ident;)*) => { $(
        impl<F: BinaryField> core::ops::$operator<&$name<F>> for $name<F> {
            type Output = $name<F>;
            fn $function(self, other: &$name<F>) -> $name<F> {
                core::ops::$operator::$function(self, *other)
            }
        }

        impl<F: BinaryField> core::ops::$assign<&$name<F>> for $name<F> {
            fn $in_place(&mut self, other: &$name<F>) {
                core::ops::$assign::$in_place(self, *other);
            }
        }
    )* };
}
pub(super) use ff_traits;

ff_traits! {
    /// Every element has exactly one square root, so `sqrt_ratio` fails only for the division of a nonzero
    /// element by 0. Twice an element is 0.
    ///
    /// ```
    /// use carryless_gf2::field::{Element, Gf233};
    /// use ff::Field;
    ///
    /// let a = Element::<Gf233>::z();
    /// assert_eq!(Field::pow(&a, [233]), Field::pow(&a, [74]) + Element::ONE);
    /// assert_eq!(a.double(), Element::ZERO);
    /// ```
    Element, random
}

/// A uniformly random element: random words, with the excess bits of the last word shifted out.
fn random<F: BinaryField, R: TryRng + ?Sized>(rng: &mut R) -> Result<Element<F>, R::Error> {
    let mut element = Element::zero();
    for word in element.words_mut() {
        *word = rng.try_next_u64()?;
    }
    // As many random words lead to each element, so that all are equally likely.
    element.words_mut()[F::Shape::WORDS - 1] >>= 64 * F::Shape::WORDS - F::DEGREE;
    Ok(element)
}
