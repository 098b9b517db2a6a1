//! Sums, products, shifts, and other operations that only move coefficients.
use super::Poly;
use super::words::{self, Buffer, Words};
use crate::bits::gather;
use crate::poly;
use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Mul, MulAssign, Shl, Shr, Sub, SubAssign};

/// A mask of the even coefficients of a word.
const EVEN: u64 = 0x5555_5555_5555_5555;

impl Poly {
    /// The square, in linear time: (sum of a_i X^i)^2 = sum of a_i X^(2i).
    #[must_use]
    pub fn square(&self) -> Poly {
        let mut out = Buffer::for_product(&self.words, &self.words);
        poly::square(&self.words, out.words_mut());
        out.take()
    }

    /// The remainder modulo X^n: the coefficients below X^n.
    #[must_use]
    pub fn truncate(&self, n: usize) -> Poly {
        let mut words = Words::from_slice(&self.words[..self.words.len().min(n.div_ceil(64))]);
        if let (Some(top), false) = (words.get_mut(n / 64), n.is_multiple_of(64)) {
            *top &= !(!0 << (n % 64));
        }
        Poly::trimmed(words)
    }

    /// The reversal X^n a(1/X), cut off below X^0: the coefficients of X^0 to X^n in reverse order.
    ///
    /// ```
    /// # use carryless_gf2::algebra::Poly;
    /// let a = Poly::from_exponents([5, 1, 0]);
    /// assert_eq!(a.reverse(5), Poly::from_exponents([5, 4, 0]));
    /// assert_eq!(a.reverse(6), Poly::from_exponents([6, 5, 1]));
    /// ```
    #[must_use]
    pub fn reverse(&self, n: usize) -> Poly {
        // Reversing n/64 + 1 words takes X^i to X^(64 (n/64 + 1) - 1 - i); the last shift brings that to X^(n - i).
        let mut words = self.truncate(n.saturating_add(1)).words;
        words.resize(n / 64 + 1, 0);
        words.reverse();
        words.iter_mut().for_each(|word| *word = word.reverse_bits());
        Poly::trimmed(words) >> (63 - n % 64)
    }

    /// The derivative: i X^(i-1) for X^i, which is 0 for even i.
    #[must_use]
    pub fn derivative(&self) -> Poly {
        // The coefficient of X^i moves to X^(i - 1). i - 1 is even for the odd i that count, so no bit
        // crosses a word.
        let odd = self.words.iter().map(|word| word >> 1 & EVEN);
        Poly::trimmed(odd.collect())
    }

    /// The polynomial A for which the even coefficients are A^2: the square root of a square. Linear time.
    pub(super) fn even_part(&self) -> Poly {
        let halves = self.words.chunks(2).map(|pair| {
            let [low, high] = [0, 1].map(|i| gather(pair.get(i).copied().unwrap_or(0)));
            high << 32 | low
        });
        Poly::trimmed(halves.collect())
    }

    /// The value at 0 or 1 in F2.
    #[must_use]
    pub fn evaluate(&self, x: bool) -> bool {
        if x { self.weight() % 2 == 1 } else { self.coefficient(0) }
    }
}

impl AddAssign<&Poly> for Poly {
    fn add_assign(&mut self, other: &Poly) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        words::add_to(&mut self.words, &other.words);
        // Operands of equal degree cancel at the top.
        words::trim(&mut self.words);
    }
}

/// Subtraction, which is addition over F2.
#[allow(clippy::suspicious_op_assign_impl, reason = "1 + 1 = 0")]
impl SubAssign<&Poly> for Poly {
    fn sub_assign(&mut self, other: &Poly) {
        *self += other;
    }
}

impl MulAssign<&Poly> for Poly {
    fn mul_assign(&mut self, other: &Poly) {
        *self = &*self * other;
    }
}

impl Add for &Poly {
    type Output = Poly;
    fn add(self, other: &Poly) -> Poly {
        let (long, short) = if self.words.len() < other.words.len() { (other, self) } else { (self, other) };
        let mut sum = long.clone();
        sum += short;
        sum
    }
}

/// Subtraction, which is addition over F2.
#[allow(clippy::suspicious_arithmetic_impl, reason = "1 + 1 = 0")]
impl Sub for &Poly {
    type Output = Poly;
    fn sub(self, other: &Poly) -> Poly {
        self + other
    }
}

impl Mul for &Poly {
    type Output = Poly;
    fn mul(self, other: &Poly) -> Poly {
        let mut out = Buffer::for_product(&self.words, &other.words);
        words::multiply(&self.words, &other.words, out.words_mut());
        out.take()
    }
}

/// The product of the polynomial and X^n.
impl Shl<usize> for &Poly {
    type Output = Poly;
    fn shl(self, n: usize) -> Poly {
        Poly::trimmed(words::shl(&self.words, n))
    }
}

/// The quotient of the polynomial by X^n; coefficients below X^n are dropped.
impl Shr<usize> for &Poly {
    type Output = Poly;
    fn shr(self, n: usize) -> Poly {
        Poly::trimmed(words::shr(&self.words, n))
    }
}

/// Implements an operator for values, by that for references.
macro_rules! by_value {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Poly {
            type Output = Poly;
            fn $method(self, other: Poly) -> Poly {
                (&self).$method(&other)
            }
        }
        impl $trait<&Poly> for Poly {
            type Output = Poly;
            fn $method(self, other: &Poly) -> Poly {
                (&self).$method(other)
            }
        }
        impl $trait<Poly> for &Poly {
            type Output = Poly;
            fn $method(self, other: Poly) -> Poly {
                self.$method(&other)
            }
        }
    )*};
}

by_value!(Add add, Sub sub, Mul mul);

impl Shl<usize> for Poly {
    type Output = Poly;
    fn shl(self, n: usize) -> Poly {
        &self << n
    }
}

impl Shr<usize> for Poly {
    type Output = Poly;
    fn shr(self, n: usize) -> Poly {
        &self >> n
    }
}

impl<'a> Sum<&'a Poly> for Poly {
    fn sum<I: Iterator<Item = &'a Poly>>(polys: I) -> Poly {
        polys.fold(Poly::zero(), |mut sum, poly| {
            sum += poly;
            sum
        })
    }
}

impl<'a> Product<&'a Poly> for Poly {
    fn product<I: Iterator<Item = &'a Poly>>(polys: I) -> Poly {
        polys.fold(Poly::one(), |product, poly| product * poly)
    }
}
