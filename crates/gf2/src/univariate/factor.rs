//! Derivatives, irreducible factors and roots.
use super::FieldPoly;
use super::division::Divisor;
use crate::field::DynField;
use crate::random::Random;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// Roots, as the words of elements, with their multiplicities.
type Roots = Vec<(Vec<u64>, usize)>;

/// The distinct-degree parts: the product of all irreducible factors of a degree, with the degree.
type Parts<'f> = Vec<(FieldPoly<'f>, usize)>;

impl<'f> FieldPoly<'f> {
    /// The derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        let width = self.field.words();
        // Only odd exponents leave something: (X^i)' = i X^(i - 1).
        let mut words = self.words.get(width..).unwrap_or_default().to_vec();
        words.chunks_exact_mut(width).skip(1).step_by(2).for_each(|coefficient| coefficient.fill(0));
        FieldPoly::trimmed(self.field, words)
    }

    /// Whether this has no factor of lower degree but elements, and is no element.
    #[must_use]
    pub fn is_irreducible_vartime(&self) -> bool {
        let Ok(answer) = self.try_is_irreducible_vartime(|| Ok::<(), Infallible>(()));
        answer
    }

    /// [`is_irreducible_vartime`](FieldPoly::is_irreducible_vartime) for long polynomials: `proceed` is called before each square.
    ///
    /// # Errors
    /// The first error of `proceed`.
    pub fn try_is_irreducible_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        let Some(n @ 1..) = self.degree() else { return Ok(false) };
        if self.try_gcd_vartime(&self.derivative(), &mut proceed)?.len() > 1 {
            return Ok(false);
        }
        Ok(distinct_degree(self.monic(), &mut proceed)?.first().is_some_and(|(_, degree)| *degree == n))
    }

    /// The irreducible factors with the highest coefficient 1 and their multiplicities, by degree, then as numbers in base 2^m; `None` for 0. Elements have none.
    ///
    /// It takes up to m n / 2 squares modulo this of degree n, and m d for each pair of factors of equal degree d (Cantor and Zassenhaus). The polynomials
    /// that these draw come from a generator with a fixed seed.
    ///
    /// ```
    /// use carryless_gf2::field::DynField;
    /// use carryless_gf2::univariate::FieldPoly;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let [a, b] = [[5, 1], [7, 1]].map(|words| FieldPoly::from_words(&field, words.to_vec()));
    /// assert_eq!((&(&a * &a) * &b).factor_vartime(), Some(vec![(a, 2), (b, 1)]));
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    #[must_use]
    pub fn factor_vartime(&self) -> Option<Vec<(Self, usize)>> {
        let Ok(factors) = self.try_factor_vartime(|| Ok::<(), Infallible>(()));
        factors
    }

    /// [`factor_vartime`](FieldPoly::factor_vartime) for long polynomials: `proceed` is called before each square and each division of a gcd.
    ///
    /// # Errors
    /// The first error of `proceed`.
    pub fn try_factor_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<(Self, usize)>>, E> {
        if self.degree().is_none() {
            return Ok(None);
        }
        let (mut random, mut factors) = (Random(1), Vec::new());
        for (part, multiplicity) in square_free(self.monic(), &mut proceed)? {
            for (product, degree) in distinct_degree(part, &mut proceed)? {
                let found = equal_degree(product, degree, &mut random, &mut proceed)?;
                factors.extend(found.into_iter().map(|factor| (factor, multiplicity)));
            }
        }
        factors.sort_by(|(a, _), (b, _)| {
            a.len().cmp(&b.len()).then_with(|| a.words.iter().rev().cmp(b.words.iter().rev()))
        });
        Ok(Some(factors))
    }

    /// The roots in the field with their multiplicities, in ascending order as numbers; `None` for 0. Above m = 10 it takes m squares modulo
    /// this, and m for each root.
    #[must_use]
    pub fn roots_vartime(&self) -> Option<Roots> {
        let Ok(roots) = self.try_roots_vartime(|| Ok::<(), Infallible>(()));
        roots
    }

    /// [`roots_vartime`](FieldPoly::roots_vartime) for long polynomials: `proceed` is called before each square and each division of a gcd.
    ///
    /// # Errors
    /// The first error of `proceed`.
    pub fn try_roots_vartime<E>(
        &self,
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Roots>, E> {
        if self.degree().is_none() {
            return Ok(None);
        }
        let (mut random, mut roots) = (Random(1), Vec::new());
        for (part, multiplicity) in square_free(self.monic(), &mut proceed)? {
            let found = if self.field.degree() <= SMALL {
                roots_by_values(&part, &mut proceed)?
            } else {
                roots_by_factors(&part, &mut random, &mut proceed)?
            };
            roots.extend(found.into_iter().map(|root| (root, multiplicity)));
        }
        roots.sort_by(|(a, _), (b, _)| a.iter().rev().cmp(b.iter().rev()));
        Ok(Some(roots))
    }

    /// The polynomial X.
    fn x(field: &'f DynField) -> Self {
        let mut words = vec![0; 2 * field.words()];
        words[field.words()] = 1;
        FieldPoly { field, words }
    }

    /// This divided by its highest coefficient; it is not 0.
    fn monic(&self) -> Self {
        let mut inverse = vec![0; self.field.words()];
        self.field.invert_or_zero(self.lead(), &mut inverse);
        self.scaled(&inverse)
    }

    /// The quotient by a divisor, which is not 0.
    fn over(&self, d: &Self) -> Self {
        self.div_rem(d).map(|(quotient, _)| quotient).expect("the divisor is not 0")
    }

    /// The square root of a square.
    fn root(&self) -> Self {
        let width = self.field.words();
        let mut words = Vec::with_capacity(self.words.len());
        let mut root = vec![0; width];
        for coefficient in self.words.chunks_exact(width).step_by(2) {
            self.field.sqrt(coefficient, &mut root);
            words.extend_from_slice(&root);
        }
        FieldPoly::trimmed(self.field, words)
    }
}

/// Polynomials whose factors come once each, with their multiplicity in `f`, which is monic (Musser).
fn square_free<'f, E>(
    mut f: FieldPoly<'f>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Parts<'f>, E> {
    let (mut parts, mut scale) = (Vec::new(), 1);
    while f.len() > 1 {
        // Factors of even multiplicity divide the derivative as often as f.
        let mut others = f.try_gcd_vartime(&f.derivative(), &mut *proceed)?;
        let (mut odd, mut multiplicity) = (f.over(&others), 1);
        while odd.len() > 1 {
            let more = odd.try_gcd_vartime(&others, &mut *proceed)?;
            let part = odd.over(&more);
            if part.len() > 1 {
                parts.push((part, scale * multiplicity));
            }
            (others, odd, multiplicity) = (others.over(&more), more, multiplicity + 1);
        }
        // What is left is a square.
        (f, scale) = (others.root(), 2 * scale);
    }
    Ok(parts)
}

/// Up to this degree of a field, values at all elements take less than factors.
const SMALL: usize = 10;

/// The roots of a polynomial over a small field.
fn roots_by_values<E>(
    f: &FieldPoly<'_>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<Vec<u64>>, E> {
    let points: Vec<u64> = (0..1 << f.field.degree()).collect();
    let values = f.try_values(&points, proceed)?;
    Ok(points.into_iter().zip(values).filter(|(_, value)| *value == 0).map(|(x, _)| vec![x]).collect())
}

/// The roots of a polynomial whose factors differ.
fn roots_by_factors<E>(
    f: &FieldPoly<'_>,
    random: &mut Random,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<Vec<u64>>, E> {
    let x = FieldPoly::x(f.field);
    let power = conjugate(f, &x, proceed)?;
    let linear = f.try_gcd_vartime(&(&power + &x), &mut *proceed)?;
    let factors = equal_degree(linear, 1, random, proceed)?;
    // X + a has the root a.
    Ok(factors.into_iter().map(|factor| factor.words[..f.field.words()].to_vec()).collect())
}

/// The power a^(2^m) modulo f, by m squares.
fn conjugate<'f, E>(
    f: &FieldPoly<'f>,
    a: &FieldPoly<'f>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<FieldPoly<'f>, E> {
    let divisor = Divisor::new(f, f.len()).expect("f is not 0");
    let mut power = divisor.div_rem(a).1;
    for _ in 0..f.field.degree() {
        proceed()?;
        power = divisor.div_rem(&power.squared()).1;
    }
    Ok(power)
}

/// For each degree of an irreducible factor, in ascending order, the product of the factors of that degree. All factors of `f`, which is monic, differ.
fn distinct_degree<'f, E>(
    mut f: FieldPoly<'f>,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Parts<'f>, E> {
    let x = FieldPoly::x(f.field);
    let (mut parts, mut power, mut degree) = (Vec::new(), x.clone(), 0);
    // Two factors of degree d have 2 d + 1 coefficients together.
    while f.len() > 2 * degree + 2 {
        degree += 1;
        // X^(q^d) - X is the product of all monic irreducible polynomials whose degrees divide d.
        power = conjugate(&f, &power, proceed)?;
        let part = f.try_gcd_vartime(&(&power + &x), &mut *proceed)?;
        if part.len() > 1 {
            f = f.over(&part);
            parts.push((part, degree));
        }
    }
    if f.len() > 1 {
        let degree = f.len() - 1;
        parts.push((f, degree));
    }
    Ok(parts)
}

/// The irreducible factors of a product of different ones of this degree.
fn equal_degree<'f, E>(
    product: FieldPoly<'f>,
    degree: usize,
    random: &mut Random,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<FieldPoly<'f>>, E> {
    let (mut found, mut open) = (Vec::new(), vec![product]);
    while let Some(f) = open.pop() {
        if f.len() <= degree + 1 {
            found.extend((f.len() > 1).then_some(f));
            continue;
        }
        // The trace to F2 of a polynomial modulo each factor is 0 or 1, with equal chances.
        let trace = trace(&f, &random.polynomial(&f), degree, proceed)?;
        let part = f.try_gcd_vartime(&trace, &mut *proceed)?;
        if part.len() > 1 && part.len() < f.len() {
            open.extend([f.over(&part), part]);
        } else {
            open.push(f);
        }
    }
    Ok(found)
}

/// a + a^2 + a^4 + ... modulo f, of m d terms.
fn trace<'f, E>(
    f: &FieldPoly<'f>,
    a: &FieldPoly<'f>,
    degree: usize,
    proceed: &mut impl FnMut() -> Result<(), E>,
) -> Result<FieldPoly<'f>, E> {
    let divisor = Divisor::new(f, f.len()).expect("f is not 0");
    let (mut sum, mut power) = (a.clone(), a.clone());
    for _ in 1..f.field.degree() * degree {
        proceed()?;
        power = divisor.div_rem(&power.squared()).1;
        sum = &sum + &power;
    }
    Ok(sum)
}

impl Random {
    /// A polynomial of lower degree than `f`.
    fn polynomial<'f>(&mut self, f: &FieldPoly<'f>) -> FieldPoly<'f> {
        let (field, width) = (f.field, f.field.words());
        let unused = 64 * width - field.degree();
        let mut words: Vec<u64> = (0..width * (f.len() - 1)).map(|_| self.word()).collect();
        words.chunks_exact_mut(width).for_each(|element| element[width - 1] >>= unused);
        FieldPoly::trimmed(field, words)
    }
}
