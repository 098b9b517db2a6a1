//! The algorithm of Berlekamp and Massey.
use super::symbols::{are_reduced, inverse};
use crate::field::DynField;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

/// The connection polynomial C of the shortest recurrence of a sequence over a field of one word: s_i is the sum of C_j s_(i - j) over j from 1 to
/// L, for all i from L on. Returns C_0 = 1, C_1 and so on to C_L.
///
/// L is the linear complexity, and C_L may be 0. The recurrence is the only one of its length if the sequence has 2 L
/// terms. Takes as many products as the square of the length.
///
/// ```
/// use carryless_gf2::codes::berlekamp_massey_vartime;
/// use carryless_gf2::field::DynField;
///
/// // s_i = s_(i - 1) + s_(i - 3) over GF(2).
/// let field = DynField::from_exponents(&[1, 0])?;
/// let connection = berlekamp_massey_vartime(&field, &[0, 0, 1, 1, 1, 0, 1, 0, 0, 1]);
/// assert_eq!(connection, [1, 1, 0, 1]);
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
///
/// # Panics
/// If an element has more than one word, or a term has a bit from z^m on.
#[must_use]
#[track_caller]
pub fn berlekamp_massey_vartime(field: &DynField, sequence: &[u64]) -> Vec<u64> {
    let Ok(connection) = try_berlekamp_massey_vartime(field, sequence, || Ok::<(), Infallible>(()));
    connection
}

/// [`berlekamp_massey_vartime`] for long sequences: `proceed` is called before each term.
///
/// # Errors
/// The first error of `proceed`.
///
/// # Panics
/// As [`berlekamp_massey_vartime`].
#[track_caller]
pub fn try_berlekamp_massey_vartime<E>(
    field: &DynField,
    sequence: &[u64],
    proceed: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    assert_eq!(field.words(), 1, "a field of degree 64 at most");
    assert!(are_reduced(field, sequence), "a term is not below 2^{}", field.degree());
    try_locator(field, sequence, &[1], proceed)
}

/// The locator of errors and erasures, a multiple of that of the erasures, from the syndromes (Blahut, 7.4). Without erasures it
/// is the connection polynomial of the shortest recurrence of the syndromes. The coefficient of x^0, which is 1, comes first.
pub(super) fn locator(field: &DynField, syndromes: &[u64], erasures: &[u64]) -> Vec<u64> {
    let Ok(locator) = try_locator(field, syndromes, erasures, || Ok::<(), Infallible>(()));
    locator
}

fn try_locator<E>(
    field: &DynField,
    syndromes: &[u64],
    erasures: &[u64],
    mut proceed: impl FnMut() -> Result<(), E>,
) -> Result<Vec<u64>, E> {
    let (terms, erased) = (syndromes.len(), erasures.len() - 1);
    let room = terms.max(erased) + 1;
    let mut locator = erasures.to_vec();
    locator.resize(room, 0);
    let mut shifted = locator.clone();
    let (mut scaled, mut degree) = (vec![0; room], erased);
    let reversed: Vec<u64> = syndromes.iter().rev().copied().collect();
    for step in erased + 1..=terms {
        proceed()?;
        let mut discrepancy = [0];
        field.dot(&locator[..step], &reversed[terms - step..], &mut discrepancy);
        shifted.rotate_right(1);
        shifted[0] = 0;
        if discrepancy == [0] {
            continue;
        }
        field.scale_slice(&shifted, &discrepancy, &mut scaled);
        if 2 * degree < step + erased {
            degree = step + erased - degree;
            let inverse = [inverse(field, discrepancy[0])];
            field.scale_slice(&locator, &inverse, &mut shifted);
        }
        locator.iter_mut().zip(&scaled).for_each(|(coefficient, add)| *coefficient ^= add);
    }
    locator.truncate(degree + 1);
    Ok(locator)
}
