//! Solutions of x^2 + x = c with a precomputed bit matrix for half-traces.
use super::super::blocks::Blocks;
use super::super::map::{LinearMap, apply};
use super::super::solve::HalfTrace;
use super::BinaryField;
use super::arithmetic::{load, solve, store};
use super::element::QuadraticElement;
use super::operations::QuadraticField;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use carryless_lanes::{Clmul, ClmulKernel};
use core::fmt;
use core::marker::PhantomData;
use ctutils::CtOption;

/// Solutions of x^2 + x = c in a quadratic extension on one backend, by a bit matrix for the
/// half-trace of the base field. The matrix is a [`LinearMap`] there and takes 2 kB for GF(2^254).
/// Constant time, as all of [`QuadraticField`].
///
/// ```
/// # #[cfg(feature = "alloc")] {
/// use carryless_gf2::field::tower::{Gf254, Gf254Field, PreparedSolution};
///
/// let prepared = PreparedSolution::new(&Gf254Field::new());
/// let a = Gf254::from_words([[1, 2], [3, 4]]).expect("twice at most 127 bits");
/// let x = prepared.solve_quadratic(&(a.square() + a)).expect("its trace is 0");
/// assert!(x == a || x == a + Gf254::one());
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct PreparedSolution<F, M> {
    half_trace: LinearMap<F, M>,
}

impl<F: BinaryField> PreparedSolution<F, ()> {
    /// The number of 64-bit words of the matrix on the backend of this field.
    #[must_use]
    pub fn words(field: &QuadraticField<F>) -> usize {
        LinearMap::words(&field.base())
    }
}

impl<F: BinaryField, M> PreparedSolution<F, M>
where
    M: AsRef<[u64]> + AsMut<[u64]>,
{
    /// Prepares solutions, with the matrix in the first words of `memory`.
    ///
    /// # Panics
    /// If `memory` has fewer words than [`words`](PreparedSolution::words).
    #[track_caller]
    pub fn new_in(field: &QuadraticField<F>, memory: M) -> Self {
        PreparedSolution { half_trace: LinearMap::solution_in(&field.base(), memory) }
    }
}

#[cfg(feature = "alloc")]
impl<F: BinaryField> PreparedSolution<F, Box<[u64]>> {
    /// Prepares solutions, with the matrix on the heap.
    #[must_use]
    pub fn new(field: &QuadraticField<F>) -> Self {
        PreparedSolution { half_trace: LinearMap::solution(&field.base()) }
    }
}

impl<F: BinaryField, M: AsRef<[u64]>> PreparedSolution<F, M> {
    /// A solution x of x^2 + x = c if Tr(c) = 0, else a meaningless
    /// result: the values of [`QuadraticField::solve_unchecked`].
    #[must_use]
    pub fn solve_unchecked(&self, c: &QuadraticElement<F>) -> QuadraticElement<F> {
        let mut out = QuadraticElement::zero();
        let (cpu, matrix) = self.half_trace.matrix();
        cpu.affine().call(Solve::<F> { matrix, c: c.as_words(), out: out.words_mut(), of: PhantomData });
        out
    }

    /// A solution x of x^2 + x = c, or none if Tr(c) = 1. The other solution is x + 1.
    #[must_use]
    pub fn solve_quadratic(&self, c: &QuadraticElement<F>) -> CtOption<QuadraticElement<F>> {
        CtOption::new(self.solve_unchecked(c), !c.trace())
    }
}

impl<F: BinaryField, M: AsRef<[u64]>> fmt::Debug for PreparedSolution<F, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PreparedSolution<{}>({})", F::NAME, self.half_trace.matrix().0.name())
    }
}

struct Solve<'a, F> {
    matrix: &'a [u64],
    c: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Solve<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // Two half-traces by the matrix, on all lanes, and two squares on one lane.
        let one = s.one();
        let c = load::<F, S::One>(one, self.c);
        let x = solve::<F, S::One>(one, c, &ByMatrix { s, matrix: self.matrix });
        store::<F, S::One>(one, x, self.out);
    }
}

/// Computes half-traces on all lanes; everything else runs on one lane.
struct ByMatrix<'a, S> {
    s: S,
    matrix: &'a [u64],
}

impl<F: BinaryField, S: Clmul> HalfTrace<F, S::One> for ByMatrix<'_, S> {
    #[inline(always)]
    fn half_trace(&self, _: S::One, c: Blocks<F, S::One>) -> Blocks<F, S::One> {
        apply::<F::Shape, S>(self.s, c, self.matrix)
    }
}
