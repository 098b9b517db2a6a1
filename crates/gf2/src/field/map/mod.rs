//! Linear maps GF(2^m) -> GF(2^m) as products by bit matrices. Constant time: no address depends on an element.
mod kernel;
mod layout;
mod parts;
mod slices;
#[cfg(test)]
mod tests;
#[cfg(feature = "alloc")]
mod words;

use super::arithmetic::{load, store, write};
use super::element::Element;
use super::operations::Field;
use super::shape::Shape;
use super::{BinaryField, FieldWords};
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel};
use core::fmt;
use core::marker::PhantomData;
pub(super) use kernel::apply;
pub(super) use layout::Layout;
#[cfg(feature = "alloc")]
pub(super) use layout::rows_of_byte;
pub(super) use parts::Powers;
pub use slices::SliceMap;
pub(super) use slices::apply_bytewise;
#[cfg(feature = "alloc")]
pub(super) use words::apply_to_words;

/// A linear map of a field as a bit matrix, made for one backend at run time. The map is public; elements are
/// secret, and applying the map takes the same instructions for all of them.
///
/// The matrix lies in memory of the caller (`M`: `&mut [u64]`, an array, ...) of [`words`](LinearMap::words)
/// words, or on the heap (feature `alloc`). It takes 8 kB for 233 bits, 46 kB for 571, and 205 or 246 kB for
/// 1223. Making it takes m products for x^(2^k); for [`solution_in`](LinearMap::solution_in) it takes m solutions of
/// x^2 + x = c instead.
///
/// With GFNI the map is a product by matrices of 8 x 8 bits, without it a sum of columns under masks. Where it
/// is faster, x^(2^k) is computed from a matrix for a part of the element, which takes less memory: with GFNI
/// in four lanes 2 kB for 233 bits and 12 kB for 571.
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::field::{Element, Field, Gf233, LinearMap};
///
/// let field = Field::<Gf233>::new();
/// let a = Element::from_words([1, 2, 3, 4]).expect("at most 233 bits");
/// let twice = LinearMap::frobenius(&field, 2);
/// assert_eq!(twice.apply(&a), a.square().square());
/// let sqrt = LinearMap::frobenius(&field, 232);
/// assert_eq!(sqrt.apply(&a), a.sqrt());
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct LinearMap<F, M> {
    cpu: ClmulCpu,
    table: M,
    /// Whether the table is one of [`Powers`], for x -> x^(2^k).
    is_power: bool,
    of: PhantomData<F>,
}

impl<F: BinaryField> LinearMap<F, ()> {
    /// The number of 64-bit words of the table for this field on its backend: enough for any map.
    #[must_use]
    pub fn words(field: &Field<F>) -> usize {
        layout(field).len()
    }
}

fn layout<F: BinaryField>(field: &Field<F>) -> Layout {
    Layout::new::<F::Shape>(field.cpu().has_affine(), field.cpu().lanes())
}

/// The number of 64-bit words of the table for x -> x^(2^k).
fn words_of_power<F: BinaryField>(cpu: ClmulCpu) -> usize {
    Powers::<F>::words(cpu.has_affine(), cpu.lanes())
}

/// The number of images that [`LinearMap::solution_in`] computes together, in all lanes.
const SOLVED: usize = 16;

/// Fills a table with the images of z^0 to z^(64 W - 1), of which `image` supplies those below z^m.
///
/// Having columns for all 64 W bits, the map applies to elements that are not canonical.
fn fill<F: BinaryField>(layout: Layout, table: &mut [u64], mut image: impl FnMut(usize) -> Element<F>) {
    table.fill(0);
    for i in 0..F::DEGREE {
        layout.write(table, i, image(i).as_words());
    }
    // z^i = the sum of z^(i - m + e), and the map is linear. The columns on the right are there already.
    for i in F::DEGREE..64 * F::Shape::WORDS {
        let mut sum = FieldWords::<F>::default();
        for e in F::TAIL {
            layout.add_to(table, i - F::DEGREE + e, sum.as_mut());
        }
        layout.write(table, i, sum.as_ref());
    }
}

/// The images of 1, z, z^2, ... under a -> a^(2^k), one for each call: the powers of z^(2^k).
fn powers_of_image<F: BinaryField>(field: &Field<F>, k: usize) -> impl FnMut(usize) -> Element<F> {
    let image_of_z = (0..k % F::DEGREE).fold(Element::z(), |power, _| field.square(&power));
    let (field, mut next) = (*field, Element::one());
    move |_| {
        let image = next;
        next = field.mul(&next, &image_of_z);
        image
    }
}

impl<F: BinaryField, M> LinearMap<F, M>
where
    M: AsRef<[u64]> + AsMut<[u64]>,
{
    /// The map whose image of z^i is `image(i)`, for i from 0 to m - 1. `image` is called in this order; the
    /// matrix is in the first words of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer words than [`words`](LinearMap::words).
    #[track_caller]
    pub fn from_images_in(field: &Field<F>, memory: M, image: impl FnMut(usize) -> Element<F>) -> Self {
        let words = LinearMap::<F, ()>::words(field);
        Self::filled(field, memory, words, false, |table| fill(layout(field), table, image))
    }

    #[track_caller]
    fn filled(
        field: &Field<F>,
        mut memory: M,
        words: usize,
        is_power: bool,
        fill: impl FnOnce(&mut [u64]),
    ) -> Self {
        assert!(memory.as_mut().len() >= words, "a map of this field takes {words} words");
        fill(&mut memory.as_mut()[..words]);
        LinearMap { cpu: field.cpu(), table: memory, is_power, of: PhantomData }
    }

    /// The map a -> a^(2^k); for k = m - 1 the square root. k is public. Making it takes k mod m squarings of
    /// z, and m products or more. It uses at most [`words`](LinearMap::words) words of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer words than the map uses.
    #[track_caller]
    pub fn frobenius_in(field: &Field<F>, memory: M, k: usize) -> Self {
        Self::filled(field, memory, words_of_power::<F>(field.cpu()), true, |table| {
            Powers::fill(field, table, k)
        })
    }

    /// The map from c to an x with x^2 + x = c if Tr(c) = 0, with the values of [`Field::solve_unchecked`]:
    /// for odd m the half-trace.
    ///
    /// # Panics
    /// If `memory` has fewer words than [`words`](LinearMap::words).
    #[track_caller]
    pub fn solution_in(field: &Field<F>, memory: M) -> Self {
        let (mut monomials, mut solutions) =
            ([FieldWords::<F>::default(); SOLVED], [FieldWords::<F>::default(); SOLVED]);
        Self::from_images_in(field, memory, |i| {
            // The solutions of z^i to z^(i + 15) are computed by one call in all lanes, then handed out one by
            // one. For a z^i of trace 1 there is none. What `solve` returns is linear in c all the same, and a
            // matrix needs no more.
            if i.is_multiple_of(SOLVED) {
                for (j, monomial) in (i..F::DEGREE).zip(&mut monomials) {
                    *monomial = Default::default();
                    monomial.as_mut()[j / 64] = 1 << (j % 64);
                }
                field.solve_slice(&monomials, &mut solutions);
            }
            Element::from_canonical(solutions[i % SOLVED])
        })
    }
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> LinearMap<F, Box<[u64]>> {
    /// [`from_images_in`](LinearMap::from_images_in), with the matrix on the heap.
    #[must_use]
    pub fn from_images(field: &Field<F>, image: impl FnMut(usize) -> Element<F>) -> Self {
        Self::from_images_in(field, zeros(field), image)
    }

    /// [`frobenius_in`](LinearMap::frobenius_in), with the matrix on the heap.
    #[must_use]
    pub fn frobenius(field: &Field<F>, k: usize) -> Self {
        Self::frobenius_in(field, vec![0; words_of_power::<F>(field.cpu())].into_boxed_slice(), k)
    }

    /// [`solution_in`](LinearMap::solution_in), with the matrix on the heap.
    #[must_use]
    pub fn solution(field: &Field<F>) -> Self {
        Self::solution_in(field, zeros(field))
    }
}

#[cfg(feature = "alloc")]
fn zeros<F: BinaryField>(field: &Field<F>) -> Box<[u64]> {
    vec![0; LinearMap::<F, ()>::words(field)].into_boxed_slice()
}

impl<F: BinaryField, M: AsRef<[u64]>> LinearMap<F, M> {
    /// The image of a, canonical. Constant time.
    #[must_use]
    pub fn apply(&self, a: &Element<F>) -> Element<F> {
        let mut out = Element::zero();
        self.run(a.as_words(), out.words_mut());
        out
    }

    /// The image of a by a map of [`frobenius_in`](LinearMap::frobenius_in), as by [`apply`](LinearMap::apply).
    /// It compiles the kernel of these maps only.
    #[cfg(all(feature = "alloc", feature = "curves"))]
    pub(crate) fn apply_power(&self, a: &Element<F>) -> Element<F> {
        debug_assert!(self.is_power, "another map has another table");
        let (mut out, words) = (Element::zero(), words_of_power::<F>(self.cpu));
        F::apply_power(self.cpu, &self.table.as_ref()[..words], a.as_words(), out.words_mut());
        out
    }

    /// Sets `out[i]` to the image of `a[i]`. The words of `a` may have bits from z^m on; those of
    /// `out` have none. Constant time.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn apply_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        self.run(F::Shape::flat(a), F::Shape::flat_mut(out));
    }

    /// The backend and its table for [`apply`]. Not for maps made by [`frobenius_in`](LinearMap::frobenius_in).
    pub(super) fn matrix(&self) -> (ClmulCpu, &[u64]) {
        debug_assert!(!self.is_power, "a power of 2 has another table");
        (self.cpu, self.table.as_ref())
    }

    fn run(&self, a: &[u64], out: &mut [u64]) {
        let (cpu, table) = (self.cpu, self.table.as_ref());
        if self.is_power {
            F::apply_power(cpu, &table[..words_of_power::<F>(cpu)], a, out);
        } else {
            F::apply_matrix(cpu, table, a, out);
        }
    }
}

impl<F: BinaryField, M> fmt::Debug for LinearMap<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LinearMap<{}>({})", F::NAME, self.cpu.name())
    }
}

/// The table of a map, the const parameter `POWER`: one of [`Powers`].
pub(super) const BY_POWERS: bool = true;
/// The table of a map is the matrix of a linear map.
pub(super) const BY_MATRIX: bool = false;

/// Applies a map to elements side by side. `POWER` says whether the table is one of [`Powers`].
#[inline]
pub(super) fn apply_to_all<F: BinaryField, const POWER: bool>(
    cpu: ClmulCpu,
    table: &[u64],
    a: &[u64],
    out: &mut [u64],
) {
    cpu.affine().call(Apply::<F, POWER> { table, a, out, of: PhantomData });
}

/// Applies a map to elements one after the other; the lanes work on parts of one matrix. `POWER` says whether
/// the table is one of [`Powers`].
struct Apply<'a, F, const POWER: bool> {
    table: &'a [u64],
    a: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<F>,
}

impl<F: BinaryField, const POWER: bool> ClmulKernel for Apply<'_, F, POWER> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        let (one, words) = (s.one(), F::Shape::WORDS);
        for (a, out) in self.a.chunks_exact(words).zip(self.out.chunks_exact_mut(words)) {
            // Images by `Powers` end in a product and must be made canonical; those by `apply` are sums of
            // canonical columns.
            let x = load::<F, S::One>(one, a);
            if const { POWER } {
                store::<F, S::One>(one, Powers::<F>::apply::<S>(s, x, self.table), out);
            } else {
                write::<F, S::One>(one, apply::<F::Shape, S>(s, x, self.table), out);
            }
        }
    }
}
