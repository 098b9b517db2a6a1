//! The arithmetic of a quadratic extension on one backend.
use super::super::inverse::BySquarings;
use super::super::operations::{Nothing, Operand, Operation, run_many};
use super::super::shape::Shape;
use super::super::shared::{arithmetic, operations};
use super::super::{Element, Field};
use super::arithmetic::{self, Pair, load, store};
use super::element::QuadraticElement;
use super::{BinaryField, FieldWords, QuadraticWords, assert_irreducible, flat, flat_mut};
use carryless_lanes::{Clmul, ClmulCpu, ClmulKernel, KernelFn};
use core::fmt;
use core::marker::PhantomData;

/// The quadratic extension of F as a type, by which kernels and curves name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(unreachable_pub, reason = "in the bounds of `curve`, which is a feature")]
pub struct Quadratic<F>(PhantomData<F>);

impl<F: BinaryField> Operand for Quadratic<F> {
    const WORDS: usize = 2 * F::Shape::WORDS;
    type Vectors<S: Clmul> = Pair<F, S>;
    #[inline(always)]
    fn load<S: Clmul>(s: S, src: &[u64]) -> Pair<F, S> {
        load::<F, S>(s, src)
    }
    #[inline(always)]
    fn store<S: Clmul>(s: S, x: Pair<F, S>, out: &mut [u64]) {
        store::<F, S>(s, x, out);
    }
}

operations! { Quadratic<F>;
    Product(Quadratic<F>) -> Quadratic<F>: |s, a, b| arithmetic::mul::<F, S>(s, a, b);
    BaseProduct(F) -> Quadratic<F>: |s, a, b| arithmetic::mul_base::<F, S>(s, a, b);
    Square(Nothing) -> Quadratic<F>: |s, a, _b| arithmetic::square::<F, S>(s, a);
    SquareRoot(Nothing) -> Quadratic<F>: |s, a, _b| arithmetic::sqrt::<F, S>(s, a);
    Norm(Nothing) -> F: |s, a, _b| arithmetic::norm::<F, S>(s, a);
    Inverse(Nothing) -> Quadratic<F>: |s, a, _b| arithmetic::invert::<F, S>(s, a);
    Solution(Nothing) -> Quadratic<F>: |s, a, _b| arithmetic::solve::<F, S>(s, a, &BySquarings);
}

/// The kernel of a^(2^k), for a public k.
struct Frobenius<'a, F> {
    a: &'a [u64],
    k: usize,
    out: &'a mut [u64],
    of: PhantomData<F>,
}

impl<F: BinaryField> ClmulKernel for Frobenius<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) {
        // k is public, so the number of squarings may depend on it.
        let power = arithmetic::frobenius::<F, S>(s, load::<F, S>(s, self.a), self.k);
        store::<F, S>(s, power, self.out);
    }
}

arithmetic! {
    /// The arithmetic of GF(2^m)\[u\]/(u^2 + u + 1) on one backend. Create it once and reuse it. Operands and
    /// results are canonical, and all functions run in constant time.
    ///
    /// ```
    /// use carryless_gf2::field::tower::{Gf254, Gf254Field};
    ///
    /// let field = Gf254Field::new();
    /// let a = Gf254::from_words([[1, 2], [3, 4]]).expect("twice at most 127 bits");
    /// assert_eq!(field.mul(&a, &a), field.square(&a));
    /// ```
    QuadraticField, QuadraticElement, QuadraticWords, Quadratic<F>, flat::<F>, flat_mut::<F>, assert_irreducible::<F>();
    /// The product a b, canonical: three products and two reductions of the base field.
    mul
    /// The inverse 1 / a, and 0 for a = 0: an inversion in the base field, a norm and two products.
    invert
    /// A solution x of x^2 + x = c if Tr(c) = 0; the other solution is x + 1. If Tr(c) = 1 there is none, and
    /// the result is meaningless. Costs about 2 m squarings in the base field.
    solve
}

impl<F: BinaryField> QuadraticField<F> {
    /// The arithmetic of the base field on the same backend.
    #[must_use]
    pub fn base(&self) -> Field<F> {
        Field::on(self.cpu)
    }

    /// The product a b for a b of the base field: two products there.
    #[must_use]
    pub fn mul_base(&self, a: &QuadraticElement<F>, b: &Element<F>) -> QuadraticElement<F> {
        self.run::<BaseProduct>(a, b.as_words())
    }

    /// The power a^(2^k), by k mod m squarings of both coefficients. k is public.
    #[must_use]
    pub fn frobenius(&self, a: &QuadraticElement<F>, k: usize) -> QuadraticElement<F> {
        let mut out = QuadraticElement::zero();
        let kernel = Frobenius::<F> { a: a.as_words(), k, out: out.words_mut(), of: PhantomData };
        self.cpu.one_lane().call(kernel);
        out
    }

    /// The norm to the base field, the product of a and its conjugate: a0^2 + a0 a1 + a1^2.
    #[must_use]
    pub fn norm(&self, a: &QuadraticElement<F>) -> Element<F> {
        let mut out = Element::zero();
        let norm = <Norm as Operation<Quadratic<F>>>::compile(self.cpu);
        norm.call(a.as_words(), &[], out.words_mut());
        out
    }

    /// Sets `out[i]` to the product `a[i] b[i]`, for `b[i]` in the base field.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn mul_base_slices(
        &self,
        a: &[QuadraticWords<F>],
        b: &[FieldWords<F>],
        out: &mut [QuadraticWords<F>],
    ) {
        assert_eq!(a.len(), b.len(), "operands of the same length");
        self.many::<BaseProduct>(a, F::Shape::flat(b), out);
    }

    /// Sets `out[i]` to the norm of `a[i]`, an element of the base field.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn norm_slice(&self, a: &[QuadraticWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        run_many::<Quadratic<F>, Norm>(self.cpu, flat::<F>(a), &[], F::Shape::flat_mut(out));
    }
}
