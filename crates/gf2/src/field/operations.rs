//! The arithmetic of a field on one backend: operations from memory to memory, for one element or many.
use super::arithmetic::{load, mul, sqrt, square, square_by_shuffles, store};
use super::blocks::Blocks;
use super::element::Element;
use super::shape::Shape;
use super::shared::{arithmetic, operations};
use super::{BinaryField, FieldWords, inverse, solve};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, KernelFn, SliceKernel};
use core::fmt;
use core::marker::PhantomData;

/// The types of an element in memory and in vectors, and the moves between them.
#[allow(unreachable_pub, reason = "in the bounds of `curve`, which is a feature")]
pub trait Operand: 'static {
    /// The number of 64-bit words of an element in memory.
    const WORDS: usize;
    /// Elements in vectors, one in each lane.
    type Vectors<S: Clmul>: Copy;
    /// Loads one element for each lane from elements side by side. With several lanes the word after the last
    /// element may be read too, so it must exist.
    fn load<S: Clmul>(s: S, src: &[u64]) -> Self::Vectors<S>;
    /// Makes elements canonical and writes them as `load` reads them. With several lanes the word after the
    /// last element may be overwritten too.
    fn store<S: Clmul>(s: S, x: Self::Vectors<S>, out: &mut [u64]);
}

impl<F: BinaryField> Operand for F {
    const WORDS: usize = F::Shape::WORDS;
    type Vectors<S: Clmul> = Blocks<F, S>;
    #[inline(always)]
    fn load<S: Clmul>(s: S, src: &[u64]) -> Blocks<F, S> {
        load::<F, S>(s, src)
    }
    #[inline(always)]
    fn store<S: Clmul>(s: S, x: Blocks<F, S>, out: &mut [u64]) {
        store::<F, S>(s, x, out);
    }
}

/// The missing second operand of an operation on one element. It has no words.
pub(super) struct Nothing;

impl Operand for Nothing {
    const WORDS: usize = 0;
    type Vectors<S: Clmul> = ();
    #[inline(always)]
    fn load<S: Clmul>(_: S, _: &[u64]) {}
    #[inline(always)]
    fn store<S: Clmul>(_: S, (): (), _: &mut [u64]) {}
}

/// A computation on one or two operands, in every lane.
pub(super) trait Operation<T: Operand>: Sized + 'static {
    /// The type of the second operand, or [`Nothing`].
    type Other: Operand;
    /// The type of the result.
    type Out: Operand;
    fn compute<S: Clmul>(s: S, a: T::Vectors<S>, b: Vectors<Self::Other, S>) -> Vectors<Self::Out, S>;
    /// The operation on one element, compiled for the backend with one lane.
    #[inline]
    fn compile(cpu: ClmulCpu) -> KernelFn {
        compile::<T, Self>(cpu)
    }
    /// Runs the operation on all elements of `a` and as many of `b`.
    #[inline]
    fn run_many(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
        run_many::<T, Self>(cpu, a, b, out);
    }
}

type Vectors<T, S> = <T as Operand>::Vectors<S>;

operations! { F;
    Product(F) -> F, by compile_product, run_products: |s, a, b| mul::<F, S>(s, a, b);
    Square(Nothing) -> F, by compile_square, run_squares: |s, a, _b| square::<F, S>(s, a);
    SquareByShuffles(Nothing) -> F: |s, a, _b| square_by_shuffles::<F, S>(s, a);
    SquareRoot(Nothing) -> F, by compile_sqrt, run_sqrts: |s, a, _b| sqrt::<F, S>(s, a);
    Inverse(Nothing) -> F, by compile_inverse, run_inverses:
        |s, a, _b| inverse::invert::<F, S>(s, a, inverse::BySquarings);
    Solution(Nothing) -> F, by compile_solution, run_solutions: |s, a, _b| solve::solve::<F, S>(s, a);
}

/// An operation on one element, from memory to memory, on a backend with one lane.
///
/// If `a` is empty, `out` holds the first operand. In a chain of such operations in place, the operand waits
/// once for the store of its predecessor, not twice.
pub(super) struct One<T, O>(PhantomData<(T, O)>);

impl<T: Operand, O: Operation<T>> SliceKernel for One<T, O> {
    #[inline(always)]
    fn run<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let a = if a.is_empty() { T::load(s, out) } else { T::load(s, a) };
        let b = O::Other::load(s, b);
        O::Out::store(s, O::compute(s, a, b), out);
    }
}

/// Compiles an operation on one element for the backend with one lane.
#[inline]
pub(super) fn compile<T: Operand, O: Operation<T>>(cpu: ClmulCpu) -> KernelFn {
    cpu.one_lane().compile::<One<T, O>>()
}

/// An operation on many elements, K at a time on a backend with K lanes.
struct Many<'a, T, O> {
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<(T, O)>,
}

impl<T: Operand, O: Operation<T>> ClmulKernel for Many<'_, T, O> {
    /// The number of elements done. The last ones, at least one, are left to the caller.
    type Out = usize;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> usize {
        let Many { a, b, out, .. } = self;
        // Lanes are loaded and stored with the word after them, so the last element never belongs to such a
        // group.
        let mut i = 0;
        while (i + S::K) * T::WORDS < a.len() {
            let (x, y) = (T::load(s, &a[i * T::WORDS..]), O::Other::load(s, &b[i * O::Other::WORDS..]));
            O::Out::store(s, O::compute(s, x, y), &mut out[i * O::Out::WORDS..]);
            i += S::K;
        }
        i
    }
}

/// Runs an operation on all elements of `a` and as many of `b`: K at a time on the lanes of the backend,
/// the rest one by one.
#[inline]
pub(super) fn run_many<T: Operand, O: Operation<T>>(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    // How the elements are divided between lanes and single ones depends on their number only.
    let many = Many::<T, O> { a, b, out: &mut *out, of: PhantomData };
    let done = cpu.several_lanes().call(many).unwrap_or(0);
    let one = O::compile(cpu);
    for i in done..a.len() / T::WORDS {
        one.call(&a[i * T::WORDS..], &b[i * O::Other::WORDS..], &mut out[i * O::Out::WORDS..]);
    }
}

arithmetic! {
    /// The arithmetic of a field on one backend. Create it once and reuse it: each operator of [`Element`]
    /// detects the backend again. Operands and results are canonical, and all functions run in constant time.
    ///
    /// ```
    /// use carryless_gf2::field::{Element, Field, Gf571};
    ///
    /// let field = Field::<Gf571>::new();
    /// let a = Element::from_words([7; 9]).expect("at most 571 bits");
    /// assert_eq!(field.mul(&a, &a), field.square(&a));
    /// ```
    Field, Element, FieldWords, F, F::Shape::flat, F::Shape::flat_mut, ();
    /// The product a b, canonical: one carry-less product of polynomials and one reduction.
    mul
    /// The inverse 1 / a, and 0 for a = 0: m - 1 squarings and up to 2 log2 m products (Itoh and Tsujii).
    invert
    /// A solution x of x^2 + x = c if Tr(c) = 0; the other solution is x + 1. If Tr(c) = 1 there is none, and
    /// the result is meaningless: see [`Element::trace`]. For odd m it is the half-trace of c, by m - 1
    /// squarings; for even m it takes twice as many squarings, and as many products.
    solve
}

impl<F: BinaryField> Field<F> {
    /// The square a^2 by look-ups of four bits in registers, as in paper 004, with
    /// the same value as [`square`](Field::square).
    #[must_use]
    pub fn square_by_shuffles(&self, a: &Element<F>) -> Element<F> {
        self.run::<SquareByShuffles>(a, &[])
    }

    /// Sets `out[i]` to the square of `a[i]` by look-ups of four bits in registers.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_by_shuffles_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<SquareByShuffles>(a, &[], out);
    }
}
