//! Inversion in a field given at run time, with bit matrices in place of long runs of squarings.
use super::super::inverse::runs;
use super::super::map::{Layout, apply_to_words};
use super::{DynField, MAX_WORDS};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// Inversion in a [`DynField`], with bit matrices for the long runs of squarings in Itoh and Tsujii's chain.
///
/// There are matrices on backends with GFNI. They take 33 kB for 233 bits and 1 MB for 1279; others invert as
/// [`DynField::invert_or_zero`] does. Preparing takes the time of a few hundred inversions.
///
/// ```
/// use carryless_gf2::field::{DynField, DynInverse};
///
/// let prepared = DynInverse::new(&DynField::from_exponents(&[233, 74, 0])?);
/// let (a, mut inverse, mut one) = ([7; 4], [0; 4], [0; 4]);
/// prepared.invert_or_zero(&a, &mut inverse);
/// prepared.field().mul(&a, &inverse, &mut one);
/// assert_eq!(one, [1, 0, 0, 0]);
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
#[derive(Clone)]
pub struct DynInverse {
    field: DynField,
    /// The table of the map a -> a^(2^k), for the k of some runs.
    maps: Vec<(usize, Box<[u64]>)>,
}

/// The least number of squarings for which a map is faster. Measured with GFNI on an Emerald Rapids.
fn shortest(words: usize) -> usize {
    // A map reads its whole matrix, which grows with the square of the number of blocks, where a squaring
    // grows with the number.
    5 * words.div_ceil(2)
}

/// The table of the map a -> a^(2^k), for canonical a.
fn power_map(field: &DynField, k: usize) -> Box<[u64]> {
    let layout = Layout::of_words(field.cpu(), field.words());
    let mut table = vec![0; layout.len()];
    // Column i is g^i, for g = z^(2^k).
    let (mut g, mut image, mut next) = ([0; MAX_WORDS], [0; MAX_WORDS], [0; MAX_WORDS]);
    let [g, image, next] = [&mut g, &mut image, &mut next].map(|words| &mut words[..field.words()]);
    (next[0], image[0]) = (2, 1);
    field.frobenius(next, k, g);
    for column in 0..field.degree() {
        layout.write(&mut table, column, image);
        field.mul(image, g, next);
        image.copy_from_slice(next);
    }
    table.into()
}

impl DynInverse {
    /// Prepares the inversion, for the backend of the field.
    #[must_use]
    pub fn new(field: &DynField) -> DynInverse {
        let long = runs(field.degree()).filter(|k| field.cpu().has_affine() && *k >= shortest(field.words()));
        DynInverse { maps: long.map(|k| (k, power_map(field, k))).collect(), field: field.clone() }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &DynField {
        &self.field
    }

    /// Sets `out` to 1 / a, or to 0 if a is 0. Constant time.
    ///
    /// # Panics
    /// If a slice has another length than [`words`](DynField::words).
    #[track_caller]
    pub fn invert_or_zero(&self, a: &[u64], out: &mut [u64]) {
        self.field.invert_by(a, out, |power, k, raised| match self.maps.iter().find(|(run, _)| *run == k) {
            Some((_, table)) => apply_to_words(self.field.cpu(), table, power, raised),
            None => self.field.frobenius(power, k, raised),
        });
    }
}

impl fmt::Debug for DynInverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynInverse({:?}, {} matrices)", self.field, self.maps.len())
    }
}
