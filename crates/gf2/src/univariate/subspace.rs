//! Values on all elements of a subspace at once, by the additive transform of Gao and Mateer (2010).
//!
//! Let b be the first basis element and f(b X) = sum of (u_i + v_i X) (X^2 + X)^i. With x = b y and w = y^2 + y, the value
//! f(x) is u(w) + y v(w), and at x + b, where y is y + 1 and w is the same, it is v(w) more. All w lie in an affine subspace
//! of half the size, on which both polynomials u and v are evaluated in the same way.
use super::FieldPoly;
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

impl<'f> FieldPoly<'f> {
    /// The values on the affine subspace of a point and a basis of d elements: value number j is that at the `offset` plus
    /// the basis elements i for which j has bit i. `None` if the basis is linearly dependent. The basis z^0 to z^(m - 1) and
    /// the offset 0 give the values of all elements in the order of their integers.
    ///
    /// For n coefficients up to the power of two 2^k, k <= d: about k 2^(d - 1) products in the field, k 2^k for the basis, and k^2
    /// 2^(k - 2) sums. From 2^d coefficients on a remainder with d n products comes first. Memory is some three times the
    /// values. The basis is public.
    ///
    /// ```
    /// use carryless_gf2::field::DynField;
    /// use carryless_gf2::univariate::FieldPoly;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let a = FieldPoly::from_words(&field, vec![7, 0, 1]);
    /// let values = a.values_on_subspace(&[1, 2], &[0x10]).expect("linearly independent");
    /// assert_eq!(values, a.values(&[0x10, 0x11, 0x12, 0x13]));
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// If the offset is no element, or there is a part of a basis element, or one has a bit from z^m on.
    #[must_use]
    #[track_caller]
    pub fn values_on_subspace(&self, basis: &[u64], offset: &[u64]) -> Option<Vec<u64>> {
        let Ok(values) = self.try_values_on_subspace(basis, offset, || Ok::<(), Infallible>(()));
        values
    }

    /// [`values_on_subspace`](FieldPoly::values_on_subspace) for many: `proceed` is called before each step on all elements of a subspace, of up to n elements.
    ///
    /// # Errors
    /// The first error of `proceed`.
    ///
    /// # Panics
    /// As [`values_on_subspace`](FieldPoly::values_on_subspace).
    #[track_caller]
    pub fn try_values_on_subspace<E>(
        &self,
        basis: &[u64],
        offset: &[u64],
        mut proceed: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<u64>>, E> {
        let (field, width) = (self.field, self.field.words());
        assert_eq!(offset.len(), width, "an element has {width} words");
        assert!(basis.len().is_multiple_of(width), "elements have {width} words");
        assert!(
            [basis, offset].iter().all(|part| super::are_reduced(field, part)),
            "an element is not reduced"
        );
        if Subspace::new(field, basis).is_none() {
            return Ok(None);
        }
        let f = self.on_subspace(basis, offset, &mut proceed)?;
        // A short polynomial has its values on parts of the subspace, translates of each other, for which the first half of
        // the work is the same.
        let short = width * f.len().next_power_of_two().ilog2() as usize;
        let (part, others) = basis.split_at(short);
        let Some(part) = Subspace::new(field, part) else { return Ok(None) };
        let mut coefficients = f.words;
        coefficients.resize(width << part.levels.len(), 0);
        part.expand(&mut coefficients, &mut proceed)?;
        let offsets = sums(offset, others);
        let mut values = Vec::with_capacity(coefficients.len() / width * offsets.len());
        for offset in offsets.chunks_exact(width) {
            let start = values.len();
            values.extend_from_slice(&coefficients);
            part.evaluate(&mut values[start..], offset, &mut proceed)?;
        }
        Ok(Some(values))
    }

    /// The remainder modulo the polynomial that vanishes on the subspace, which has the same values there.
    fn on_subspace<E>(
        &self,
        basis: &[u64],
        offset: &[u64],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let (field, width) = (self.field, self.field.words());
        let size = (basis.len() / width < usize::BITS as usize).then(|| 1 << (basis.len() / width));
        let Some(size) = size.filter(|size| *size < self.len()) else { return Ok(self.clone()) };
        let vanishing = Linearised::vanishing(field, basis);
        let constant = vanishing.value(offset);
        // X^size is a sum of lower powers, of which X^(size / 2) is the highest. So half as many coefficients can be replaced
        // at a time, from the top.
        let (mut words, half) = (self.words.clone(), (size / 2).max(1));
        let mut scaled = vec![0; half * width];
        while words.len() > size * width {
            proceed()?;
            let count = half.min(words.len() / width - size);
            let top = words.split_off(words.len() - count * width);
            let below = words.len() - size * width;
            let terms = vanishing.coefficients.chunks_exact(width).enumerate().take(basis.len() / width);
            for (place, by) in terms.map(|(i, by)| (1 << i, by)).chain([(0, &constant[..])]) {
                field.scale_slice(&top, by, &mut scaled[..top.len()]);
                add(&mut words[below + place * width..], &scaled[..top.len()]);
            }
        }
        Ok(FieldPoly::trimmed(field, words))
    }
}

/// The sums of an element and the subsets of others: number j has those for which j has the bit.
fn sums(first: &[u64], others: &[u64]) -> Vec<u64> {
    let mut sums = first.to_vec();
    for other in others.chunks_exact(first.len()) {
        let with_it: Vec<u64> = sums.iter().zip(other.iter().cycle()).map(|(sum, add)| sum ^ add).collect();
        sums.extend(with_it);
    }
    sums
}

/// Adds to the first words.
fn add(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(word, add)| *word ^= add);
}

/// A sum of c_i X^(2^i), which is linear over F2.
struct Linearised<'f> {
    field: &'f DynField,
    /// c_0, c_1 and so on.
    coefficients: Vec<u64>,
}

impl<'f> Linearised<'f> {
    /// The monic one that vanishes on the span of linearly independent elements: X for none, then S^2 + S(b) S for one more, b.
    fn vanishing(field: &'f DynField, basis: &[u64]) -> Self {
        let width = field.words();
        let mut one = vec![0; width];
        one[0] = 1;
        let mut found = Linearised { field, coefficients: one };
        for element in basis.chunks_exact(width) {
            let (old, value) = (&found.coefficients, found.value(element));
            let (mut squares, mut scaled) = (vec![0; old.len()], vec![0; old.len()]);
            field.mul_slices(old, old, &mut squares);
            field.scale_slice(old, &value, &mut scaled);
            scaled.resize(old.len() + width, 0);
            add(&mut scaled[width..], &squares);
            found.coefficients = scaled;
        }
        found
    }

    fn value(&self, at: &[u64]) -> Vec<u64> {
        let (mut power, mut square, mut term) = (at.to_vec(), at.to_vec(), at.to_vec());
        let mut sum = vec![0; at.len()];
        for coefficient in self.coefficients.chunks_exact(at.len()) {
            self.field.mul(coefficient, &power, &mut term);
            add(&mut sum, &term);
            self.field.square(&power, &mut square);
            core::mem::swap(&mut power, &mut square);
        }
        sum
    }
}

/// A subspace with the basis elements of all levels: each level has one less.
struct Subspace<'f> {
    field: &'f DynField,
    levels: Vec<Level>,
}

/// One halving.
struct Level {
    /// The basis element b.
    first: Vec<u64>,
    /// 1 / b.
    inverse: Vec<u64>,
    /// The others over b.
    others: Vec<u64>,
}

impl<'f> Subspace<'f> {
    /// `None` for linearly dependent elements: then a level has b = 0.
    fn new(field: &'f DynField, basis: &[u64]) -> Option<Self> {
        let width = field.words();
        let (mut basis, mut levels) = (basis.to_vec(), Vec::new());
        while !basis.is_empty() {
            let (first, rest) = basis.split_at(width);
            if first.iter().all(|&word| word == 0) {
                return None;
            }
            let (mut inverse, mut others) = (vec![0; width], vec![0; rest.len()]);
            field.invert_or_zero(first, &mut inverse);
            field.scale_slice(rest, &inverse, &mut others);
            let first = first.to_vec();
            basis = artin_schreier(field, &others);
            levels.push(Level { first, inverse, others });
        }
        Some(Subspace { field, levels })
    }

    /// The first half of the transform, from coefficients: the same for all translates. At level t a coefficient is a row of 2^t
    /// elements, which belong to as many polynomials. Row 2 i becomes u_i, and row 2 i + 1 becomes v_i.
    fn expand<E>(&self, f: &mut [u64], proceed: &mut impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let mut scaled = vec![0; f.len()];
        for (t, level) in self.levels.iter().enumerate() {
            proceed()?;
            let row = self.field.words() << t;
            if !is_one(&level.first) {
                let powers = self.powers(&level.first, f.len() / row, 1 << t);
                self.field.mul_slices(f, &powers, &mut scaled);
                f.copy_from_slice(&scaled);
            }
            for rows in (2..=self.levels.len() - t).rev() {
                f.chunks_exact_mut(row << rows).for_each(to_powers_of_x_times_x_plus_1);
            }
        }
        Ok(())
    }

    /// The powers b^0 to b^(n - 1), each `times` times.
    fn powers(&self, b: &[u64], n: usize, times: usize) -> Vec<u64> {
        let mut powers = vec![0; b.len()];
        powers[0] = 1;
        let (mut step, mut square) = (b.to_vec(), b.to_vec());
        while powers.len() < n * b.len() {
            let mut next = vec![0; powers.len()];
            self.field.scale_slice(&powers, &step, &mut next);
            powers.extend(next);
            self.field.square(&step, &mut square);
            core::mem::swap(&mut step, &mut square);
        }
        repeated(&powers, b.len(), times)
    }

    /// The second half: the values on the translate of the subspace by an offset.
    fn evaluate<E>(
        &self,
        f: &mut [u64],
        offset: &[u64],
        proceed: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (field, width) = (self.field, self.field.words());
        let (mut offset, mut offsets) = (offset.to_vec(), Vec::new());
        for level in &self.levels {
            let mut over = vec![0; width];
            field.mul(&offset, &level.inverse, &mut over);
            offset = artin_schreier(field, &over);
            offsets.push(over);
        }
        let (mut odd, mut products) = (vec![0; f.len() / 2], vec![0; f.len() / 2]);
        for (t, (level, offset)) in self.levels.iter().zip(&offsets).enumerate().rev() {
            proceed()?;
            let row = width << t;
            for (odd, rows) in odd.chunks_exact_mut(row).zip(f.chunks_exact(2 * row)) {
                odd.copy_from_slice(&rows[row..]);
            }
            let points = repeated(&sums(offset, &level.others), width, 1 << t);
            field.mul_slices(&odd, &points, &mut products);
            for (rows, product) in f.chunks_exact_mut(2 * row).zip(products.chunks_exact(row)) {
                let (low, high) = rows.split_at_mut(row);
                add(low, product);
                add(high, low);
            }
        }
        Ok(())
    }
}

/// y^2 + y for each element.
fn artin_schreier(field: &DynField, elements: &[u64]) -> Vec<u64> {
    let mut out = vec![0; elements.len()];
    field.mul_slices(elements, elements, &mut out);
    add(&mut out, elements);
    out
}

fn is_one(element: &[u64]) -> bool {
    element[0] == 1 && element[1..].iter().all(|&word| word == 0)
}

/// Each element `times` times.
fn repeated(elements: &[u64], width: usize, times: usize) -> Vec<u64> {
    let mut out = Vec::with_capacity(elements.len() * times);
    elements.chunks_exact(width).for_each(|element| (0..times).for_each(|_| out.extend_from_slice(element)));
    out
}

/// One step from powers of X to those of X^2 + X, for 2^k coefficients: with l = 2^(k - 2), division by (X^2 + X)^l = X^(2 l) + X^l.
fn to_powers_of_x_times_x_plus_1(f: &mut [u64]) {
    let quarter = f.len() / 4;
    let (low, high) = f.split_at_mut(2 * quarter);
    let (third, fourth) = high.split_at_mut(quarter);
    add(third, fourth);
    add(&mut low[quarter..], third);
}
