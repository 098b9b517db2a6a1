//! Symbols, elements of fields of one word, and polynomials of them.
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;

/// The inverse of a symbol, or 0 for 0.
pub(super) fn inverse(field: &DynField, a: u64) -> u64 {
    let mut out = [0];
    field.invert_or_zero(&[a], &mut out);
    out[0]
}

/// A power of a symbol, for an exponent in 64 bits.
pub(super) fn power(field: &DynField, a: u64, e: u64) -> u64 {
    let mut out = [0];
    field.pow(&[a], &[e], &mut out);
    out[0]
}

/// Whether all are elements of the field.
pub(super) fn are_reduced(field: &DynField, symbols: &[u64]) -> bool {
    symbols.iter().all(|symbol| symbol.leading_zeros() as usize >= 64 - field.degree())
}

/// 1, a, a^2 and so on, `count` of them.
pub(super) fn powers(field: &DynField, a: u64, count: usize) -> Vec<u64> {
    let (mut powers, mut done, mut step) = (vec![1; count], 1, a);
    // Invariant: the first `done` are right, and `step` is a^done.
    while done < count {
        let more = done.min(count - done);
        let (known, rest) = powers.split_at_mut(done);
        field.scale_slice(&known[..more], &[step], &mut rest[..more]);
        step = field.product_of_words(step, step);
        done += more;
    }
    powers
}

/// The values of the polynomial with these coefficients, that of x^0 first, at points: Horner's rule for all of them at once.
pub(super) fn values(field: &DynField, coefficients: &[u64], points: &[u64]) -> Vec<u64> {
    let (mut values, mut products) = (vec![0; points.len()], vec![0; points.len()]);
    for coefficient in coefficients.iter().rev() {
        field.mul_slices(&values, points, &mut products);
        values.iter_mut().zip(&products).for_each(|(value, product)| *value = product ^ coefficient);
    }
    values
}

/// The product of x + a over all a, the coefficient of x^0 first. Calls `proceed` before each factor, and ends with its error.
pub(super) fn with_roots<E>(
    field: &DynField,
    roots: impl IntoIterator<Item = u64>,
    mut proceed: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    let mut out = vec![1];
    for root in roots {
        proceed()?;
        let mut scaled = vec![0; out.len()];
        field.scale_slice(&out, &[root], &mut scaled);
        out.insert(0, 0);
        out.iter_mut().zip(scaled).for_each(|(coefficient, add)| *coefficient ^= add);
    }
    Ok(out)
}
