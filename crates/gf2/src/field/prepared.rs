//! Inversion with precomputed linear maps in place of long runs of squarings.
use super::BinaryField;
use super::arithmetic::{load, store};
use super::blocks::Blocks;
use super::element::Element;
use super::inverse::{BySquarings, Raise, invert, runs};
use super::map::Powers;
use super::operations::Field;
use super::shape::Shape;
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::fmt;
use core::marker::PhantomData;
use ctutils::CtOption;

/// Inversion in a field on one backend, with bit matrices for the long runs of squarings in Itoh and Tsujii's chain.
///
/// The matrices take 33 kB for 233 bits and 77 kB for 571; with GFNI in four lanes 11 and 59 kB. Inversion is
/// constant time, as all of [`Field`]. Preparing pays from a few hundred inversions on.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::field::{Element, Field, Gf571, PreparedInverse};
///
/// let prepared = PreparedInverse::new(&Field::<Gf571>::new());
/// let a = Element::from_words([7; 9]).expect("at most 571 bits");
/// assert_eq!(prepared.invert(&a).expect("not zero") * a, Element::one());
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct PreparedInverse<F, M> {
    cpu: ClmulCpu,
    tables: M,
    of: PhantomData<F>,
}

/// The least number of squarings for which a map is faster. Measured on Zen 3 without GFNI, and on Zen 4 with it.
fn shortest<F: BinaryField>(affine: bool) -> usize {
    // A map reads its whole matrix, which grows with the square of the number of blocks, where a squaring
    // grows with the number. So longer elements need longer runs.
    let blocks = F::Shape::BLOCKS;
    if affine { (5 * blocks / 2).max(4) } else { 8 + 5 * blocks * blocks.div_ceil(2) / 2 }
}

/// The lengths of the runs that get a matrix, in the order of the chain.
fn long_runs<F: BinaryField>(field: &Field<F>) -> impl Iterator<Item = usize> {
    // For m = 233 the doublings start from k = 1, 3, 7, 14, 29, 58 and 116; those from `shortest` on get a
    // matrix. Without GFNI that is 13, so four matrices replace 217 of 232 squarings.
    let shortest = shortest::<F>(field.cpu().has_affine());
    runs(F::DEGREE).filter(move |&k| k >= shortest)
}

/// The number of 64-bit words of the matrix for one run.
fn words_of_map<F: BinaryField>(field: &Field<F>) -> usize {
    Powers::<F>::words(field.cpu().has_affine(), field.cpu().lanes())
}

impl<F: BinaryField> PreparedInverse<F, ()> {
    /// The number of 64-bit words of the matrices of this field on its backend.
    #[must_use]
    pub fn words(field: &Field<F>) -> usize {
        long_runs(field).count() * words_of_map(field)
    }
}

impl<F: BinaryField, M> PreparedInverse<F, M>
where
    M: AsRef<[u64]> + AsMut<[u64]>,
{
    /// Prepares the inversion, with the matrices in the first words of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer words than [`words`](PreparedInverse::words) says.
    #[track_caller]
    pub fn new_in(field: &Field<F>, mut memory: M) -> Self {
        let words = PreparedInverse::<F, ()>::words(field);
        assert!(memory.as_mut().len() >= words, "the matrices of this field take {words} words");
        for (table, k) in memory.as_mut().chunks_exact_mut(words_of_map(field)).zip(long_runs(field)) {
            Powers::fill(field, table, k);
        }
        PreparedInverse { cpu: field.cpu(), tables: memory, of: PhantomData }
    }
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> PreparedInverse<F, Box<[u64]>> {
    /// Prepares the inversion, with the matrices on the heap.
    #[must_use]
    pub fn new(field: &Field<F>) -> Self {
        Self::new_in(field, vec![0; PreparedInverse::<F, ()>::words(field)].into_boxed_slice())
    }
}

impl<F: BinaryField, M: AsRef<[u64]>> PreparedInverse<F, M> {
    /// The inverse 1 / a, and 0 for a = 0. Constant time.
    #[must_use]
    pub fn invert_or_zero(&self, a: &Element<F>) -> Element<F> {
        let mut out = Element::zero();
        F::invert_by_maps(self.cpu, self.tables.as_ref(), a.as_words(), out.words_mut());
        out
    }

    /// The inverse 1 / a, or none if a is zero. Constant time.
    #[must_use]
    pub fn invert(&self, a: &Element<F>) -> CtOption<Element<F>> {
        CtOption::new(self.invert_or_zero(a), !a.is_zero())
    }
}

impl<F: BinaryField, M> fmt::Debug for PreparedInverse<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedInverse<{}>({})", F::NAME, self.cpu.name())
    }
}

/// Writes the inverse of `a` by the matrices in `tables`.
#[inline]
pub(super) fn invert_by_maps<F: BinaryField>(cpu: ClmulCpu, tables: &[u64], a: &[u64], out: &mut [u64]) {
    cpu.affine().call(Invert::<F> { tables, a, out, of: PhantomData });
}

struct Invert<'a, F> {
    tables: &'a [u64],
    a: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Invert<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // The chain is one product after the other, so it runs on one lane. Only a matrix fills several.
        let one = s.one();
        let a = load::<F, S::One>(one, self.a);
        let maps = ByMaps { s, tables: self.tables };
        store::<F, S::One>(one, invert::<F, S::One>(one, a, maps), self.out);
    }
}

/// Computes long runs by the next matrix in order, on all lanes; products and short runs use one lane.
struct ByMaps<'a, S> {
    s: S,
    tables: &'a [u64],
}

impl<F: BinaryField, S: Clmul> Raise<F, S::One> for ByMaps<'_, S> {
    #[inline(always)]
    fn raise(&mut self, one: S::One, a: Blocks<F, S::One>, k: usize) -> Blocks<F, S::One> {
        if k < shortest::<F>(S::AFFINE) {
            // The chain asks for the same runs in the same order as `long_runs` lists them, so the matrices are
            // consumed from the front.
            return Raise::<F, S::One>::raise(&mut BySquarings, one, a, k);
        }
        let (table, others) = self.tables.split_at(Powers::<F>::words(S::AFFINE, S::K));
        self.tables = others;
        Powers::<F>::apply::<S>(self.s, a, table)
    }
}
