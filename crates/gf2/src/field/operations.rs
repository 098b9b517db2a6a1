//! A field on a machine.
use super::arithmetic::{load, mul, sqrt, square, square_by_shuffles, store};
use super::element::Element;
use super::reduce::Blocks;
use super::shape::Shape;
use super::{BinaryField, inverse, solve};
use carryless_lanes::{Clmul, ClmulCpu, ClmulFn, ClmulKernel, ClmulProduct};
use core::fmt;
use core::marker::PhantomData;

/// What elements are in memory and in vectors.
#[allow(unreachable_pub, reason = "in the bounds of `curve`, which is a feature")]
pub trait Operand: 'static {
    /// Words in memory.
    const WORDS: usize;
    /// An element in each lane.
    type Vectors<S: Clmul>: Copy;
    /// One element for each lane, side by side. With several lanes the word behind the last one may be read too.
    fn load<S: Clmul>(s: S, src: &[u64]) -> Self::Vectors<S>;
    /// What `load` reads, canonical. With several lanes the word behind the last one may be written too.
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

/// No operand.
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
pub(super) trait Operation<T: Operand>: 'static {
    /// The second operand.
    type Other: Operand;
    /// The result.
    type Out: Operand;
    fn compute<S: Clmul>(s: S, a: T::Vectors<S>, b: Vectors<Self::Other, S>) -> Vectors<Self::Out, S>;
}

type Vectors<T, S> = <T as Operand>::Vectors<S>;

macro_rules! operations {
    ($($name:ident $other:ty: |$F:ident, $s:ident: $S:ident, $a:ident, $b:ident| $result:expr;)*) => { $(
        struct $name;

        impl<$F: BinaryField> Operation<$F> for $name {
            type Other = $other;
            type Out = $F;
            #[inline(always)]
            fn compute<$S: Clmul>($s: $S, $a: Blocks<$F, $S>, $b: Vectors<$other, $S>) -> Blocks<$F, $S> {
                $result
            }
        }
    )* };
}

operations! {
    Product F: |F, s: S, a, b| mul::<F, S>(s, a, b);
    Square Nothing: |F, s: S, a, _b| square::<F, S>(s, a);
    SquareByShuffles Nothing: |F, s: S, a, _b| square_by_shuffles::<F, S>(s, a);
    SquareRoot Nothing: |F, s: S, a, _b| sqrt::<F, S>(s, a);
    Inverse Nothing: |F, s: S, a, _b| inverse::invert::<F, S>(s, a, inverse::BySquarings);
    Solution Nothing: |F, s: S, a, _b| solve::solve::<F, S>(s, a);
}

/// An operation on one element, from memory to memory, on a machine with one lane. If `a` is empty, the first operand is what `out` holds: in
/// a chain of operations in place, an element waits once for the store of the one before, and not twice.
pub(super) struct One<T, O>(PhantomData<(T, O)>);

impl<T: Operand, O: Operation<T>> ClmulProduct for One<T, O> {
    #[inline(always)]
    fn product<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let a = if a.is_empty() { T::load(s, out) } else { T::load(s, a) };
        let b = O::Other::load(s, b);
        O::Out::store(s, O::compute(s, a, b), out);
    }
}

/// An operation on many elements, as many at a time as there are lanes.
struct Many<'a, T, O> {
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<(T, O)>,
}

impl<T: Operand, O: Operation<T>> ClmulKernel for Many<'_, T, O> {
    /// How many elements are done: all but the last ones.
    type Out = usize;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> usize {
        let Many { a, b, out, .. } = self;
        // The last element is not in such a group, where lanes are loaded and stored with the word behind them.
        let mut i = 0;
        while (i + S::K) * T::WORDS < a.len() {
            let (x, y) = (T::load(s, &a[i * T::WORDS..]), O::Other::load(s, &b[i * O::Other::WORDS..]));
            O::Out::store(s, O::compute(s, x, y), &mut out[i * O::Out::WORDS..]);
            i += S::K;
        }
        i
    }
}

/// An operation on all elements of `a`, and as many of `b`: on the lanes of the machine, and what is left one by one.
pub(super) fn run_many<T: Operand, O: Operation<T>>(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
    let many = Many::<T, O> { a, b, out: &mut *out, of: PhantomData };
    let done = cpu.call_on_lanes(many).unwrap_or(0);
    let one = cpu.compile_on_one_lane::<One<T, O>>();
    for i in done..a.len() / T::WORDS {
        one.product(&a[i * T::WORDS..], &b[i * O::Other::WORDS..], &mut out[i * O::Out::WORDS..]);
    }
}

/// The arithmetic of a field on one machine, which is looked for once. All functions run in constant time.
///
/// ```
/// use carryless_gf2::field::{Element, Field, Gf571};
///
/// let field = Field::<Gf571>::new();
/// let a = Element::from_words([7; 9]).expect("at most 571 bits");
/// assert_eq!(field.mul(&a, &a), field.square(&a));
/// ```
#[derive(Clone, Copy)]
pub struct Field<F> {
    cpu: ClmulCpu,
    product: ClmulFn,
    square: ClmulFn,
    sqrt: ClmulFn,
    of: PhantomData<F>,
}

impl<F: BinaryField> Field<F> {
    /// On the best machine of this CPU.
    #[must_use]
    #[inline]
    pub fn new() -> Field<F> {
        Field::on(ClmulCpu::detect())
    }

    /// On a machine of one's choice.
    #[must_use]
    #[inline]
    pub fn on(cpu: ClmulCpu) -> Field<F> {
        Field {
            cpu,
            product: cpu.compile_on_one_lane::<One<F, Product>>(),
            square: cpu.compile_on_one_lane::<One<F, Square>>(),
            sqrt: cpu.compile_on_one_lane::<One<F, SquareRoot>>(),
            of: PhantomData,
        }
    }

    /// The machine.
    #[must_use]
    pub fn cpu(&self) -> ClmulCpu {
        self.cpu
    }

    /// a b.
    #[must_use]
    #[inline]
    pub fn mul(&self, a: &Element<F>, b: &Element<F>) -> Element<F> {
        call(self.product, a, b)
    }

    /// a^2.
    #[must_use]
    #[inline]
    pub fn square(&self, a: &Element<F>) -> Element<F> {
        call(self.square, a, a)
    }

    /// a = a b. In chains it has less latency than `a = field.mul(a, b)`, which copies its result.
    #[inline]
    pub fn mul_assign(&self, a: &mut Element<F>, b: &Element<F>) {
        self.product.product(&[], b.as_words(), a.words_mut());
    }

    /// a = a^2, as [`mul_assign`](Field::mul_assign).
    #[inline]
    pub fn square_assign(&self, a: &mut Element<F>) {
        self.square.product(&[], &[], a.words_mut());
    }

    /// The square root of a: every element has one.
    #[must_use]
    #[inline]
    pub fn sqrt(&self, a: &Element<F>) -> Element<F> {
        call(self.sqrt, a, a)
    }

    /// a^2 by look-ups of four bits in a register, as paper 004 does it; the same value as [`square`](Field::square).
    #[must_use]
    pub fn square_by_shuffles(&self, a: &Element<F>) -> Element<F> {
        self.run::<SquareByShuffles>(a)
    }

    /// 1 / a, and 0 for a = 0: m - 1 squarings and up to 2 log2 m products (Itoh and Tsujii).
    #[must_use]
    pub fn invert_or_zero(&self, a: &Element<F>) -> Element<F> {
        self.run::<Inverse>(a)
    }

    /// x with x^2 + x = c if Tr(c) = 0, and something else otherwise; the other solution is x + 1. For odd m the half-trace of c, m - 1 squarings; for even
    /// m twice as many, and as many products.
    #[must_use]
    pub fn solve_unchecked(&self, c: &Element<F>) -> Element<F> {
        self.run::<Solution>(c)
    }

    /// `out[i] = a[i] b[i]`, for elements as words, as many at a time as the machine has lanes. Words may have bits from z^m on: results have none.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn mul_slices(&self, a: &[FieldWords<F>], b: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), b.len(), "operands of the same length");
        self.many::<Product>(a, b, out);
    }

    /// `out[i] = a[i]^2`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<Square>(a, &[], out);
    }

    /// The same by look-ups of four bits in a register.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_by_shuffles_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<SquareByShuffles>(a, &[], out);
    }

    /// `out[i] = sqrt(a[i])`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn sqrt_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<SquareRoot>(a, &[], out);
    }

    /// `out[i] = 1 / a[i]`, and 0 for 0.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn invert_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<Inverse>(a, &[], out);
    }

    /// `out[i]` is what [`solve_unchecked`](Field::solve_unchecked) returns for `c[i]`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn solve_slice(&self, c: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<Solution>(c, &[], out);
    }

    fn run<O: Operation<F>>(&self, a: &Element<F>) -> Element<F> {
        call(self.cpu.compile_on_one_lane::<One<F, O>>(), a, a)
    }

    #[track_caller]
    fn many<O: Operation<F>>(&self, a: &[FieldWords<F>], b: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        run_many::<F, O>(self.cpu, F::Shape::flat(a), F::Shape::flat(b), F::Shape::flat_mut(out));
    }
}

/// The words of an element.
pub type FieldWords<F> = <<F as BinaryField>::Shape as Shape>::Words;

#[inline]
fn call<F: BinaryField>(kernel: ClmulFn, a: &Element<F>, b: &Element<F>) -> Element<F> {
    let mut out = Element::zero();
    kernel.product(a.as_words(), b.as_words(), out.words_mut());
    out
}

impl<F: BinaryField> Default for Field<F> {
    fn default() -> Field<F> {
        Field::new()
    }
}

impl<F: BinaryField> fmt::Debug for Field<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Field<{}>({})", F::NAME, self.cpu.name())
    }
}
