//! Operators, comparison and selection, which are the same for elements of all kinds.

/// For a type with words (`as_words`, `words_mut`), `zero` and `is_zero`, and the type of its arithmetic.
macro_rules! operators {
    ($name:ident, $field:ident) => {
        impl<F: BinaryField> $name<F> {
            /// The sum in place.
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                for (a, b) in self.words_mut().iter_mut().zip(other.as_words()) {
                    *a ^= b;
                }
            }
        }

        impl<F: BinaryField> ctutils::CtEq for $name<F> {
            fn ct_eq(&self, other: &Self) -> ctutils::Choice {
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

        impl<F: BinaryField> Default for $name<F> {
            fn default() -> Self {
                Self::zero()
            }
        }

        impl<F: BinaryField> core::ops::Neg for $name<F> {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self
            }
        }

        impl<F: BinaryField> core::ops::MulAssign for $name<F> {
            fn mul_assign(&mut self, other: Self) {
                $field::new().mul_assign(self, &other);
            }
        }

        impl<F: BinaryField> core::ops::Mul for $name<F> {
            type Output = Self;
            fn mul(self, other: Self) -> Self {
                $field::new().mul(&self, &other)
            }
        }

        // In characteristic 2 a difference is a sum.
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

/// a^n for a public n, from 1 and what squares and what multiplies by a, in place.
#[inline]
pub(super) fn pow<T>(one: T, n: u64, square: impl Fn(&mut T), mul: impl Fn(&mut T)) -> T {
    let mut power = one;
    for bit in (0..64 - n.leading_zeros()).rev() {
        square(&mut power);
        if n >> bit & 1 == 1 {
            mul(&mut power);
        }
    }
    power
}
