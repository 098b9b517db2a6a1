//! Products, squares, powers and compositions modulo a polynomial.
use super::words::{self, Buffer};
use super::{Divisor, Poly};
use crate::poly;
use alloc::vec;
use core::convert::Infallible;

/// The largest k for which powers a^(2^k) are always computed by squarings; also if k is at most the degree.
const SQUARED_TO: usize = 1024;

/// The sum of the chosen powers, in time that depends on degrees only, not on the choice: all
/// powers are added under masks.
fn masked_sum(powers: &[Poly], chosen: &dyn Fn(usize) -> bool) -> Poly {
    let mut sum = vec![0; powers.iter().map(|power| power.words.len()).max().unwrap_or(0)];
    for (i, power) in powers.iter().enumerate() {
        let mask = u64::from(chosen(i)).wrapping_neg();
        sum.iter_mut().zip(&power.words).for_each(|(sum, word)| *sum ^= word & mask);
    }
    Poly::from(sum)
}

/// The width of windows, from 1 to 8, with the fewest products for an exponent of this many bits: 2^(width - 1) - 1
/// prepared powers, and a product for each width + 1 bits on average.
fn window_width(bits: usize) -> usize {
    (1..=8).min_by_key(|width| (1 << (width - 1)) + bits / (width + 1)).unwrap_or(1)
}

impl Divisor {
    /// The product a b modulo this polynomial, at the cost of three products; of one for a polynomial with few terms.
    #[must_use]
    pub fn mul_mod(&self, a: &Poly, b: &Poly) -> Poly {
        if let Some(product) = self.sparse().and_then(|sparse| sparse.mul(a, b)) {
            return product;
        }
        let mut product = Buffer::for_product(&a.words, &b.words);
        words::multiply(&a.words, &b.words, product.words_mut());
        self.reduce(&mut product)
    }

    /// The square a^2 modulo this polynomial, at the cost of two products; in linear time for one with few terms.
    #[must_use]
    pub fn square_mod(&self, a: &Poly) -> Poly {
        let mut square = Buffer::for_product(&a.words, &a.words);
        poly::square(&a.words, square.words_mut());
        self.reduce(&mut square)
    }

    /// The power a^(2^k) modulo this polynomial of degree n. It takes k squares for k up to the larger of n and
    /// 1024. For larger k it computes a(X^(2^k)): a composition for each bit of k, and one more. Each takes about 2
    /// sqrt(n) products modulo this polynomial, with sqrt(n) + 1 polynomials in memory.
    #[must_use]
    pub fn frobenius_mod(&self, a: &Poly, k: usize) -> Poly {
        let a = self.rem(a);
        if k <= self.degree().max(SQUARED_TO) {
            return (0..k).fold(a, |power, _| self.square_mod(&power));
        }
        // Squaring is linear, and coefficients are their own squares: h(X^(2^j)) = h^(2^j), also for h = X^(2^j)
        // itself. Bits of k from the top: composition doubles the exponent j, a square adds one.
        let image_of_x = (0..=k.ilog2()).rev().fold(self.rem(&Poly::x()), |image, bit| {
            let twice = self.compose_fixed(&image, &image);
            if k >> bit & 1 == 1 { self.square_mod(&twice) } else { twice }
        });
        self.compose_fixed(&a, &image_of_x)
    }

    /// The composition a(b), in time that depends on degrees alone.
    fn compose_fixed(&self, a: &Poly, b: &Poly) -> Poly {
        match self.compose(a, b, masked_sum, || Ok::<(), Infallible>(())) {
            Ok(value) => value,
        }
    }

    /// The power a^e modulo this polynomial, e in words, least significant first. It takes a square for each bit of
    /// e, and a product for about six bits of a long e (sliding windows): not constant time. 0^0 is 1.
    #[must_use]
    pub fn pow_mod_vartime(&self, a: &Poly, e: &[u64]) -> Poly {
        match self.try_pow_mod_vartime(a, e, || Ok::<(), Infallible>(())) {
            Ok(power) => power,
        }
    }

    /// The power of [`pow_mod_vartime`](Divisor::pow_mod_vartime), for large degrees and exponents, which take long:
    /// `proceed` is called before each square and product.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the computation.
    pub fn try_pow_mod_vartime<E>(
        &self,
        a: &Poly,
        e: &[u64],
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Poly, E> {
        let (a, e) = (self.rem(a), Poly::from_words(e));
        let bits = e.degree().map_or(0, |top| top + 1);
        let width = window_width(bits);
        // The powers a, a^3, a^5, .. below a^(2^width).
        let (square, mut odd) = (self.square_mod(&a), vec![a]);
        for i in 1..1 << (width - 1) {
            proceed()?;
            odd.push(self.mul_mod(&odd[i - 1], &square));
        }
        let (mut power, mut left) = (self.rem(&Poly::one()), bits);
        // Invariant: `power` is a to the bits of e from `left` on.
        while left > 0 {
            proceed()?;
            if !e.coefficient(left - 1) {
                (power, left) = (self.square_mod(&power), left - 1);
                continue;
            }
            // The longest window that begins at this bit and ends with a 1, so that its value is odd.
            let low = (left.saturating_sub(width)..left).find(|&i| e.coefficient(i)).unwrap_or(left - 1);
            let value = (low..left).rev().fold(0, |value, i| value << 1 | usize::from(e.coefficient(i)));
            if left == bits {
                // The power was 1.
                (power, left) = (odd[value >> 1].clone(), low);
                continue;
            }
            for _ in low..left {
                proceed()?;
                power = self.square_mod(&power);
            }
            (power, left) = (self.mul_mod(&power, &odd[value >> 1]), low);
        }
        Ok(power)
    }

    /// The power X^e modulo this polynomial, e in words, least significant first. It takes a square for each bit of e
    /// and no products, because a shift multiplies by X: not constant time.
    ///
    /// ```
    /// # use carryless_gf2::algebra::{Divisor, Poly};
    /// let f = Divisor::new(&Poly::from_exponents([8, 4, 3, 1, 0])).expect("not zero");
    /// assert!(f.x_power_mod_vartime(&[51]).is_one());
    /// ```
    #[must_use]
    pub fn x_power_mod_vartime(&self, e: &[u64]) -> Poly {
        let e = Poly::from_words(e);
        let bits = (0..e.degree().map_or(0, |top| top + 1)).rev();
        bits.fold(self.rem(&Poly::one()), |power, i| {
            let mut square = Buffer::for_product(&power.words, &power.words);
            poly::square(&power.words, square.words_mut());
            if e.coefficient(i) {
                // A square has even exponents only, so no bit leaves its word.
                square.words_mut().iter_mut().for_each(|word| *word <<= 1);
            }
            self.reduce(&mut square)
        })
    }

    /// The composition a(b) modulo this polynomial.
    ///
    /// It takes about twice the square root of deg a products (Brent and Kung). Write a = sum of a_j(X) X^(s j)
    /// with deg a_j < s. Every a_j(b) is a sum of the powers b^0 to b^(s-1), and Horner's rule at b^s joins them.
    #[must_use]
    pub fn compose_mod_vartime(&self, a: &Poly, b: &Poly) -> Poly {
        match self.try_compose_mod_vartime(a, b, || Ok::<(), Infallible>(())) {
            Ok(value) => value,
        }
    }

    /// The composition of [`compose_mod_vartime`](Divisor::compose_mod_vartime), for large degrees, which take long:
    /// `proceed` is called before each product.
    ///
    /// # Errors
    /// The first error of `proceed`, which ends the computation.
    pub fn try_compose_mod_vartime<E>(
        &self,
        a: &Poly,
        b: &Poly,
        proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Poly, E> {
        let sum = |powers: &[Poly], chosen: &dyn Fn(usize) -> bool| {
            powers.iter().enumerate().filter(|(i, _)| chosen(*i)).map(|(_, power)| power).sum()
        };
        self.compose(a, b, sum, proceed)
    }

    /// The composition a(b) modulo this polynomial. Its time depends on degrees alone if that of `sum` does. `proceed` is
    /// called before each product.
    fn compose<E>(
        &self,
        a: &Poly,
        b: &Poly,
        sum: impl Fn(&[Poly], &dyn Fn(usize) -> bool) -> Poly,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Poly, E> {
        let len = a.degree().map_or(0, |degree| degree + 1);
        let s = len.isqrt().max(1);
        // Small steps: b^0 to b^s, one product each. With s about the square root of the number of
        // coefficients, both kinds of steps take as many.
        let mut powers = vec![self.rem(&Poly::one())];
        for i in 0..s {
            proceed()?;
            powers.push(self.mul_mod(&powers[i], b));
        }
        // b^s is the step alone: the coefficients of a_j go with the powers below.
        let step = powers.pop().expect("b^s");
        // Large steps: Horner's rule at b^s, one product for each s coefficients of a.
        (0..len.div_ceil(s)).rev().try_fold(Poly::zero(), |value, j| {
            proceed()?;
            Ok(self.mul_mod(&value, &step) + sum(&powers, &|i| a.coefficient(s * j + i)))
        })
    }
}

/// Each function prepares f as a [`Divisor`]. For many computations modulo one f, prepare it once. All return
/// `None` if f is 0.
impl Poly {
    /// The product a b modulo f; `None` if f is 0.
    #[must_use]
    pub fn mul_mod(&self, other: &Poly, f: &Poly) -> Option<Poly> {
        (self * other).rem(f)
    }

    /// The square a^2 modulo f; `None` if f is 0.
    #[must_use]
    pub fn square_mod(&self, f: &Poly) -> Option<Poly> {
        self.square().rem(f)
    }

    /// The power a^(2^k) modulo f: k squares, or a few compositions for each bit of k if k is larger
    /// than the degree. See [`Divisor::frobenius_mod`].
    #[must_use]
    pub fn frobenius_mod(&self, k: usize, f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.frobenius_mod(self, k))
    }

    /// The power a^e modulo f, e in words, least significant first. 0^0 is 1.
    #[must_use]
    pub fn pow_mod_vartime(&self, e: &[u64], f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.pow_mod_vartime(self, e))
    }

    /// The power X^e modulo f by [`Divisor::x_power_mod_vartime`], e in words, least significant first.
    #[must_use]
    pub fn x_power_mod_vartime(e: &[u64], f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.x_power_mod_vartime(e))
    }

    /// The composition a(b) modulo f: see [`Divisor::compose_mod_vartime`].
    #[must_use]
    pub fn compose_mod_vartime(&self, b: &Poly, f: &Poly) -> Option<Poly> {
        Some(Divisor::new(f)?.compose_mod_vartime(self, b))
    }
}
