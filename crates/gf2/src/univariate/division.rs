//! Quotients, remainders, greatest common divisors, powers modulo a polynomial.
use super::FieldPoly;
use alloc::vec;
use core::convert::Infallible;

/// Up to so many coefficients of the divisor or the quotient, the schoolbook's division is faster than products with an inverse.
const SHORT: usize = 128;

/// A divisor, with what long divisions need.
pub(super) struct Divisor<'a, 'f> {
    d: &'a FieldPoly<'f>,
    /// 1 / the highest coefficient.
    inverse: alloc::vec::Vec<u64>,
    /// 1 / the reversed divisor as a power series, or nothing for short divisions.
    series: Option<FieldPoly<'f>>,
}

impl<'a, 'f> Divisor<'a, 'f> {
    /// For quotients of up to `terms` coefficients. `None` for 0.
    pub(super) fn new(d: &'a FieldPoly<'f>, terms: usize) -> Option<Self> {
        d.degree()?;
        let mut inverse = vec![0; d.field.words()];
        d.field.invert_or_zero(d.lead(), &mut inverse);
        let series = (terms.min(d.len()) > SHORT).then(|| series(&d.reversed(d.len()), &inverse, terms));
        Some(Divisor { d, inverse, series })
    }

    pub(super) fn div_rem(&self, a: &FieldPoly<'f>) -> (FieldPoly<'f>, FieldPoly<'f>) {
        let terms = (a.len() + 1).saturating_sub(self.d.len());
        match &self.series {
            Some(series) if terms > SHORT => {
                let quotient =
                    (&a.reversed(a.len()).low(terms) * &series.low(terms)).low(terms).reversed(terms);
                let rest = &a.low(self.d.len() - 1) + &(&quotient * self.d).low(self.d.len() - 1);
                (quotient, rest)
            }
            _ => self.schoolbook(a, terms),
        }
    }

    fn schoolbook(&self, a: &FieldPoly<'f>, terms: usize) -> (FieldPoly<'f>, FieldPoly<'f>) {
        let (field, width) = (a.field, a.field.words());
        let (mut rest, mut quotient) = (a.words.clone(), vec![0; terms * width]);
        let mut multiple = vec![0; self.d.words.len()];
        for i in (0..terms).rev() {
            let part = &mut rest[i * width..][..multiple.len()];
            let coefficient = &mut quotient[i * width..][..width];
            field.mul(&part[part.len() - width..], &self.inverse, coefficient);
            field.scale_slice(&self.d.words, coefficient, &mut multiple);
            part.iter_mut().zip(&multiple).for_each(|(word, add)| *word ^= add);
        }
        (FieldPoly::trimmed(field, quotient), FieldPoly::trimmed(field, rest))
    }
}

/// 1 / h modulo X^terms, where `inverse` is 1 / h(0): each step g := h g^2 doubles the terms that are right (Newton, in characteristic 2).
fn series<'f>(h: &FieldPoly<'f>, inverse: &[u64], terms: usize) -> FieldPoly<'f> {
    let (mut g, mut right) = (FieldPoly { field: h.field, words: inverse.to_vec() }, 1);
    while right < terms {
        right = (2 * right).min(terms);
        g = (&h.low(right) * &g.squared().low(right)).low(right);
    }
    g
}

impl<'f> FieldPoly<'f> {
    /// The quotient and the remainder; `None` for the divisor 0.
    ///
    /// # Panics
    /// If the fields differ.
    #[must_use]
    #[track_caller]
    pub fn div_rem(&self, d: &Self) -> Option<(Self, Self)> {
        self.check_field(d);
        Some(Divisor::new(d, (self.len() + 1).saturating_sub(d.len()))?.div_rem(self))
    }

    /// The greatest common divisor with the highest coefficient 1, or 0 for 0 and 0 (Euclid).
    ///
    /// # Panics
    /// If the fields differ.
    #[must_use]
    #[track_caller]
    pub fn gcd_vartime(&self, other: &Self) -> Self {
        let Ok(gcd) = self.try_gcd_vartime(other, || Ok::<(), Infallible>(()));
        gcd
    }

    /// [`gcd_vartime`](FieldPoly::gcd_vartime) for long polynomials: `proceed` is called before each division.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If the fields differ.
    #[track_caller]
    pub fn try_gcd_vartime<E>(
        &self,
        other: &Self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let (mut a, mut b) = (self.clone(), other.clone());
        while let Some((_, rest)) = a.div_rem(&b) {
            proceed()?;
            (a, b) = (b, rest);
        }
        let mut inverse = vec![0; a.lead().len()];
        if !inverse.is_empty() {
            a.field.invert_or_zero(a.lead(), &mut inverse);
            a = a.scaled(&inverse);
        }
        Ok(a)
    }

    /// This to a power modulo a polynomial, for the words of an exponent, the lowest first; `None` modulo 0. The time depends on the exponent.
    ///
    /// # Panics
    /// If the fields differ.
    #[must_use]
    #[track_caller]
    pub fn pow_mod_vartime(&self, exponent: &[u64], modulus: &Self) -> Option<Self> {
        let Ok(power) = self.try_pow_mod_vartime(exponent, modulus, || Ok::<(), Infallible>(()));
        power
    }

    /// [`pow_mod_vartime`](FieldPoly::pow_mod_vartime) for long polynomials or exponents: `proceed` is called for each bit of the exponent.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// If the fields differ.
    #[track_caller]
    pub fn try_pow_mod_vartime<E>(
        &self,
        exponent: &[u64],
        modulus: &Self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Self>, E> {
        self.check_field(modulus);
        let Some(divisor) = Divisor::new(modulus, modulus.len()) else { return Ok(None) };
        let Some((_, base)) = self.div_rem(modulus) else { return Ok(None) };
        let (_, mut power) = divisor.div_rem(&FieldPoly::one(self.field));
        let bits = 64 * exponent.len();
        for bit in (0..bits).rev().skip_while(|bit| exponent[bit / 64] >> (bit % 64) & 1 == 0) {
            proceed()?;
            power = divisor.div_rem(&power.squared()).1;
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                power = divisor.div_rem(&(&power * &base)).1;
            }
        }
        Ok(Some(power))
    }
}
