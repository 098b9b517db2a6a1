//! `ff::Field` for elements (feature `ff`), and what it asks for: `subtle`'s traits, sums and products of iterators, operators by reference.
//!
//! `ff::PrimeField` does not fit: it is for fields whose number of elements is prime.
use super::element::Element;
use super::operations::Field;
use super::{BinaryField, Shape};
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Sub, SubAssign};
use ctutils::CtSelect as _;
use rand_core::TryRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, CtOption};

/// Every element has exactly one square root, so that roots of quotients exist but for division by zero, and twice an element is 0.
///
/// ```
/// use carryless_gf2::field::{Element, Gf233};
/// use ff::Field;
///
/// let a = Element::<Gf233>::z();
/// assert_eq!(Field::pow(&a, [233]), Field::pow(&a, [74]) + Element::ONE);
/// assert_eq!(a.double(), Element::ZERO);
/// ```
impl<F: BinaryField> ff::Field for Element<F> {
    const ZERO: Self = Element::from_canonical(F::Shape::ZERO);
    const ONE: Self = Element::from_canonical(F::Shape::ONE);

    fn try_random<R: TryRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut element = Element::zero();
        for word in element.words_mut() {
            *word = rng.try_next_u64()?;
        }
        element.words_mut()[F::Shape::WORDS - 1] >>= 64 * F::Shape::WORDS - F::DEGREE;
        Ok(element)
    }

    fn is_zero(&self) -> Choice {
        self.is_zero().into()
    }

    fn square(&self) -> Self {
        self.square()
    }

    fn double(&self) -> Self {
        Element::zero()
    }

    fn invert(&self) -> CtOption<Self> {
        CtOption::new(Field::new().invert_or_zero(self), !Choice::from(self.is_zero()))
    }

    /// `(true, sqrt(num / div))`, and `(num is 0, 0)` if `div` is 0.
    fn sqrt_ratio(num: &Self, div: &Self) -> (Choice, Self) {
        let field = Field::new();
        let root = field.sqrt(&field.mul(num, &field.invert_or_zero(div)));
        ((num.is_zero() | !div.is_zero()).into(), root)
    }

    fn sqrt_alt(&self) -> (Choice, Self) {
        (Choice::from(1), self.sqrt())
    }

    fn sqrt(&self) -> CtOption<Self> {
        CtOption::new(self.sqrt(), Choice::from(1))
    }
}

impl<F: BinaryField> ConditionallySelectable for Element<F> {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        a.ct_select(b, choice.into())
    }
}

impl<F: BinaryField> ConstantTimeEq for Element<F> {
    fn ct_eq(&self, other: &Self) -> Choice {
        ctutils::CtEq::ct_eq(self, other).into()
    }
}

macro_rules! by_reference {
    ($($operator:ident $function:ident, $assign:ident $in_place:ident;)*) => { $(
        impl<F: BinaryField> $operator<&Element<F>> for Element<F> {
            type Output = Element<F>;
            fn $function(self, other: &Element<F>) -> Element<F> {
                $operator::$function(self, *other)
            }
        }

        impl<F: BinaryField> $assign<&Element<F>> for Element<F> {
            fn $in_place(&mut self, other: &Element<F>) {
                $assign::$in_place(self, *other);
            }
        }
    )* };
}

by_reference! {
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
}

impl<F: BinaryField> Sum for Element<F> {
    fn sum<I: Iterator<Item = Self>>(terms: I) -> Self {
        terms.fold(Element::zero(), |sum, term| sum + term)
    }
}

impl<'a, F: BinaryField> Sum<&'a Element<F>> for Element<F> {
    fn sum<I: Iterator<Item = &'a Self>>(terms: I) -> Self {
        terms.copied().sum()
    }
}

impl<F: BinaryField> Product for Element<F> {
    fn product<I: Iterator<Item = Self>>(factors: I) -> Self {
        factors.fold(Element::one(), |product, factor| product * factor)
    }
}

impl<'a, F: BinaryField> Product<&'a Element<F>> for Element<F> {
    fn product<I: Iterator<Item = &'a Self>>(factors: I) -> Self {
        factors.copied().product()
    }
}
