//! A macro for the operators, comparison, selection and methods that elements of fields and of extensions
//! share.
use super::BinaryField;
use super::element::Element;
use super::operations::{Field, Inverse, Product, Solution, Square, SquareRoot};
use ctutils::CtOption;

/// Implements them for a type with words (`as_words`, `words_mut`), `zero`, `one`, `is_zero` and `trace`;
/// `$field` is the type of its arithmetic.
macro_rules! operators {
    ($name:ident, $field:ident) => {
        impl<F: BinaryField> $name<F> {
            /// The square of the element. In constant time, as all functions of elements.
            #[must_use]
            pub fn square(&self) -> Self {
                $field::on_best::<Square>(self, &[])
            }

            /// The square root. Every element has exactly one, because squaring is a bijection.
            #[must_use]
            pub fn sqrt(&self) -> Self {
                $field::on_best::<SquareRoot>(self, &[])
            }

            /// The power a^n, by squarings and products along the bits of n; 0^0 is 1. n is public:
            /// the time depends on it.
            #[must_use]
            pub fn pow(&self, n: u64) -> Self {
                let (field, mut power) = ($field::new(), Self::one());
                // Left to right: power = a^(the bits of n above this one). For n = 0 it stays 1.
                for bit in (0..64 - n.leading_zeros()).rev() {
                    field.square_assign(&mut power);
                    if n >> bit & 1 == 1 {
                        field.mul_assign(&mut power, self);
                    }
                }
                power
            }

            /// The inverse 1 / a, or none if a is zero. Constant time: the result is computed in both cases.
            #[must_use]
            pub fn invert(&self) -> CtOption<Self> {
                CtOption::new($field::on_best::<Inverse>(self, &[]), !self.is_zero())
            }

            /// A solution x of x^2 + x = a, or none if the trace of a is 1. The other solution is x + 1. Constant time.
            #[must_use]
            pub fn solve_quadratic(&self) -> CtOption<Self> {
                CtOption::new($field::on_best::<Solution>(self, &[]), !self.trace())
            }

            /// Adds `other` to the element, word by word. The sum of canonical elements is canonical.
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                for (a, b) in self.words_mut().iter_mut().zip(other.as_words()) {
                    *a ^= b;
                }
            }
        }

        impl<F: BinaryField> ctutils::CtEq for $name<F> {
            fn ct_eq(&self, other: &Self) -> ctutils::Choice {
                // Both are canonical, so they are equal exactly if their sum has no bits.
                (*self + *other).is_zero()
            }
        }

        impl<F: BinaryField> ctutils::CtSelect for $name<F> {
            fn ct_select(&self, other: &Self, choice: ctutils::Choice) -> Self {
                let mut out = *self;
                for (out, other) in out.words_mut().iter_mut().zip(other.as_words()) {
                    *out = choice.select_u64(*out, *other);
                }
                out
            }
        }

        impl<F: BinaryField> PartialEq for $name<F> {
            fn eq(&self, other: &Self) -> bool {
                ctutils::CtEq::ct_eq(self, other).to_bool()
            }
        }

        impl<F: BinaryField> Eq for $name<F> {}

        impl<F: BinaryField> core::fmt::Debug for $name<F> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}<{}>(..)", stringify!($name), F::NAME)
            }
        }

        impl<F: BinaryField> Default for $name<F> {
            fn default() -> Self {
                Self::zero()
            }
        }

        impl<F: BinaryField> core::ops::Neg for $name<F> {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                // In characteristic 2 every element is its own negative.
                self
            }
        }

        impl<F: BinaryField> core::ops::MulAssign for $name<F> {
            fn mul_assign(&mut self, other: Self) {
                $field::on_best_in_place::<Product>(self, other.as_words());
            }
        }

        impl<F: BinaryField> core::ops::Mul for $name<F> {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                $field::on_best::<Product>(&self, other.as_words())
            }
        }

        // In characteristic 2, subtraction is addition.
        operators! { @sum $name, Add add, AddAssign add_assign }
        operators! { @sum $name, Sub sub, SubAssign sub_assign }
    };
    (@sum $name:ident, $operator:ident $function:ident, $assign:ident $in_place:ident) => {
        impl<F: BinaryField> core::ops::$assign for $name<F> {
            #[inline]
            fn $in_place(&mut self, other: Self) {
                self.accumulate(&other);
            }
        }

        impl<F: BinaryField> core::ops::$operator for $name<F> {
            type Output = Self;
            #[inline]
            fn $function(mut self, other: Self) -> Self {
                self.accumulate(&other);
                self
            }
        }
    };
}
pub(super) use operators;

operators! { Element, Field }
