//! A quadratic extension on a machine.
use super::super::operations::{Nothing, One, Operand, Operation, run_many};
use super::super::reduce::Blocks;
use super::super::shape::Shape;
use super::super::{Element, Field};
use super::arithmetic::{self, Pair, load, store};
use super::element::QuadraticElement;
use super::{BinaryField, FieldWords, QuadraticWords, assert_irreducible, flat, flat_mut};
use carryless_lanes::{Clmul, ClmulCpu, ClmulFn, ClmulKernel};
use core::fmt;
use core::marker::PhantomData;

/// A quadratic extension as a type, for kernels and curves.
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

macro_rules! operations {
    ($($name:ident($other:ty) -> $out:ty: $of:ty, |$F:ident, $s:ident: $S:ident, $a:ident, $b:ident| $result:expr;)*) => { $(
        pub(super) struct $name;

        impl<$F: BinaryField> Operation<Quadratic<$F>> for $name {
            type Other = $other;
            type Out = $out;
            #[inline(always)]
            fn compute<$S: Clmul>($s: $S, $a: Pair<$F, $S>, $b: <$other as Operand>::Vectors<$S>) -> $of {
                $result
            }
        }
    )* };
}

operations! {
    Product(Quadratic<F>) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, b| arithmetic::mul::<F, S>(s, a, b);
    BaseProduct(F) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, b| arithmetic::mul_base::<F, S>(s, a, b);
    Square(Nothing) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, _b| arithmetic::square::<F, S>(s, a);
    SquareRoot(Nothing) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, _b| arithmetic::sqrt::<F, S>(s, a);
    Norm(Nothing) -> F: Blocks<F, S>, |F, s: S, a, _b| arithmetic::norm::<F, S>(s, a);
    Inverse(Nothing) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, _b| arithmetic::invert::<F, S>(s, a);
    Solution(Nothing) -> Quadratic<F>: Pair<F, S>, |F, s: S, a, _b| arithmetic::solve::<F, S>(s, a);
}

/// a^(2^k).
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
        let power = arithmetic::frobenius::<F, S>(s, load::<F, S>(s, self.a), self.k);
        store::<F, S>(s, power, self.out);
    }
}

/// The arithmetic of GF(2^m)\[u\]/(u^2 + u + 1) on one machine, which is looked for once. All functions run in constant time.
///
/// ```
/// use carryless_gf2::field::tower::{Gf254, Gf254Field};
///
/// let field = Gf254Field::new();
/// let a = Gf254::from_words([[1, 2], [3, 4]]).expect("twice at most 127 bits");
/// assert_eq!(field.mul(&a, &a), field.square(&a));
/// ```
#[derive(Clone, Copy)]
pub struct QuadraticField<F> {
    cpu: ClmulCpu,
    product: ClmulFn,
    square: ClmulFn,
    of: PhantomData<F>,
}

impl<F: BinaryField> QuadraticField<F> {
    /// On the best machine of this CPU.
    #[must_use]
    #[inline]
    pub fn new() -> QuadraticField<F> {
        QuadraticField::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    #[inline]
    pub fn on(cpu: ClmulCpu) -> QuadraticField<F> {
        const { assert_irreducible::<F>() };
        QuadraticField {
            cpu,
            product: cpu.compile_on_one_lane::<One<Quadratic<F>, Product>>(),
            square: cpu.compile_on_one_lane::<One<Quadratic<F>, Square>>(),
            of: PhantomData,
        }
    }

    /// The machine.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// The base field on the same machine.
    #[must_use]
    pub fn base(&self) -> Field<F> {
        Field::on(self.cpu)
    }

    /// a b: three products and two reductions in the base field.
    #[must_use]
    #[inline]
    pub fn mul(&self, a: &QuadraticElement<F>, b: &QuadraticElement<F>) -> QuadraticElement<F> {
        call(self.product, a, b.as_words())
    }

    /// a^2.
    #[must_use]
    #[inline]
    pub fn square(&self, a: &QuadraticElement<F>) -> QuadraticElement<F> {
        call(self.square, a, &[])
    }

    /// a = a b. In chains it has less latency than `a = field.mul(a, b)`, which copies its result.
    #[inline]
    pub fn mul_assign(&self, a: &mut QuadraticElement<F>, b: &QuadraticElement<F>) {
        self.product.product(&[], b.as_words(), a.words_mut());
    }

    /// a = a^2, as [`mul_assign`](QuadraticField::mul_assign).
    #[inline]
    pub fn square_assign(&self, a: &mut QuadraticElement<F>) {
        self.square.product(&[], &[], a.words_mut());
    }

    /// a b for b of the base field: two products there.
    #[must_use]
    pub fn mul_base(&self, a: &QuadraticElement<F>, b: &Element<F>) -> QuadraticElement<F> {
        call(self.one::<BaseProduct>(), a, b.as_words())
    }

    /// The square root of a: every element has one.
    #[must_use]
    pub fn sqrt(&self, a: &QuadraticElement<F>) -> QuadraticElement<F> {
        call(self.one::<SquareRoot>(), a, &[])
    }

    /// a^(2^k): k mod m squarings of both coefficients. k is public.
    #[must_use]
    pub fn frobenius(&self, a: &QuadraticElement<F>, k: usize) -> QuadraticElement<F> {
        let mut out = QuadraticElement::zero();
        let kernel = Frobenius::<F> { a: a.as_words(), k, out: out.words_mut(), of: PhantomData };
        self.cpu.call_on_one_lane(kernel);
        out
    }

    /// The norm to the base field, the product of a and its conjugate: a0^2 + a0 a1 + a1^2.
    #[must_use]
    pub fn norm(&self, a: &QuadraticElement<F>) -> Element<F> {
        let mut out = Element::zero();
        self.one::<Norm>().product(a.as_words(), &[], out.words_mut());
        out
    }

    /// 1 / a, and 0 for a = 0: an inversion in the base field, a norm and two products.
    #[must_use]
    pub fn invert_or_zero(&self, a: &QuadraticElement<F>) -> QuadraticElement<F> {
        call(self.one::<Inverse>(), a, &[])
    }

    /// x with x^2 + x = c if Tr(c) = 0, and something else otherwise; the other solution is x + 1. 2 m squarings in the base field.
    #[must_use]
    pub fn solve_unchecked(&self, c: &QuadraticElement<F>) -> QuadraticElement<F> {
        call(self.one::<Solution>(), c, &[])
    }

    /// `out[i] = a[i] b[i]`, for elements as words, as many at a time as the machine has lanes. Coefficients may have bits from z^m on: results
    /// have none.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn mul_slices(
        &self,
        a: &[QuadraticWords<F>],
        b: &[QuadraticWords<F>],
        out: &mut [QuadraticWords<F>],
    ) {
        assert_eq!(a.len(), b.len(), "operands of the same length");
        self.many::<Product>(a, flat::<F>(b), out);
    }

    /// `out[i] = a[i] b[i]` for `b[i]` of the base field.
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

    /// `out[i] = a[i]^2`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_slice(&self, a: &[QuadraticWords<F>], out: &mut [QuadraticWords<F>]) {
        self.many::<Square>(a, &[], out);
    }

    /// `out[i] = sqrt(a[i])`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn sqrt_slice(&self, a: &[QuadraticWords<F>], out: &mut [QuadraticWords<F>]) {
        self.many::<SquareRoot>(a, &[], out);
    }

    /// `out[i] = 1 / a[i]`, and 0 for 0.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn invert_slice(&self, a: &[QuadraticWords<F>], out: &mut [QuadraticWords<F>]) {
        self.many::<Inverse>(a, &[], out);
    }

    /// `out[i]` is the norm of `a[i]`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn norm_slice(&self, a: &[QuadraticWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        run_many::<Quadratic<F>, Norm>(self.cpu, flat::<F>(a), &[], F::Shape::flat_mut(out));
    }

    fn one<O: Operation<Quadratic<F>>>(&self) -> ClmulFn {
        self.cpu.compile_on_one_lane::<One<Quadratic<F>, O>>()
    }

    #[track_caller]
    fn many<O>(&self, a: &[QuadraticWords<F>], b: &[u64], out: &mut [QuadraticWords<F>])
    where
        O: Operation<Quadratic<F>, Out = Quadratic<F>>,
    {
        assert_eq!(a.len(), out.len(), "results for all elements");
        run_many::<Quadratic<F>, O>(self.cpu, flat::<F>(a), b, flat_mut::<F>(out));
    }
}

#[inline]
fn call<F: BinaryField>(kernel: ClmulFn, a: &QuadraticElement<F>, b: &[u64]) -> QuadraticElement<F> {
    let mut out = QuadraticElement::zero();
    kernel.product(a.as_words(), b, out.words_mut());
    out
}

impl<F: BinaryField> Default for QuadraticField<F> {
    fn default() -> QuadraticField<F> {
        QuadraticField::new()
    }
}

impl<F: BinaryField> fmt::Debug for QuadraticField<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QuadraticField<{}>({})", F::NAME, self.cpu.name())
    }
}
