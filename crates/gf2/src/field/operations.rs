//! A field on a machine.
use super::arithmetic::{load, mul, sqrt, square, square_by_shuffles, store};
use super::element::Element;
use super::reduce::Blocks;
use super::shape::Shape;
use super::{BinaryField, inverse, solve};
use carryless_lanes::{Clmul, ClmulCpu, ClmulFn, ClmulKernel, ClmulProduct};
use core::fmt;
use core::marker::PhantomData;

/// A computation on one or two elements, in every lane.
trait Operation: 'static {
    /// Whether it takes a second element.
    const BINARY: bool = false;
    fn compute<F: BinaryField, S: Clmul>(s: S, a: Blocks<F, S>, b: Blocks<F, S>) -> Blocks<F, S>;
}

macro_rules! operations {
    ($($name:ident $binary:literal: |$F:ident, $s:ident: $S:ident, $a:ident, $b:ident| $result:expr;)*) => { $(
        struct $name;

        impl Operation for $name {
            const BINARY: bool = $binary;
            #[inline(always)]
            fn compute<$F: BinaryField, $S: Clmul>($s: $S, $a: Blocks<$F, $S>, $b: Blocks<$F, $S>) -> Blocks<$F, $S> {
                $result
            }
        }
    )* };
}

operations! {
    Product true: |F, s: S, a, b| mul::<F, S>(s, a, b);
    Square false: |F, s: S, a, _b| square::<F, S>(s, a);
    SquareByShuffles false: |F, s: S, a, _b| square_by_shuffles::<F, S>(s, a);
    SquareRoot false: |F, s: S, a, _b| sqrt::<F, S>(s, a);
    Inverse false: |F, s: S, a, _b| inverse::invert::<F, S>(s, a, inverse::BySquarings);
    Solution false: |F, s: S, a, _b| solve::solve::<F, S>(s, a);
}

/// An operation on one element, from memory to memory, on a machine with one lane.
struct One<F, O>(PhantomData<(F, O)>);

impl<F: BinaryField, O: Operation> ClmulProduct for One<F, O> {
    #[inline(always)]
    fn product<S: Clmul>(s: S, a: &[u64], b: &[u64], out: &mut [u64]) {
        let a = load::<F, S>(s, a);
        let b = if O::BINARY { load::<F, S>(s, b) } else { a };
        store::<F, S>(s, O::compute::<F, S>(s, a, b), out);
    }
}

/// An operation on many elements, as many at a time as there are lanes.
struct Many<'a, F, O> {
    a: &'a [u64],
    /// As long as `a`; not read if the operation takes one element.
    b: &'a [u64],
    out: &'a mut [u64],
    of: PhantomData<(F, O)>,
}

impl<F: BinaryField, O: Operation> ClmulKernel for Many<'_, F, O> {
    /// The words of the elements that are done: all but the last ones.
    type Out = usize;
    #[inline(always)]
    fn run<S: Clmul>(self, s: S) -> usize {
        let Many { a, b, out, .. } = self;
        let words = F::Shape::WORDS;
        // The last element is not in such a group, where lanes are loaded and stored with the word behind them.
        let mut at = 0;
        while at + S::K * words < a.len() {
            let x = load::<F, S>(s, &a[at..]);
            let y = if O::BINARY { load::<F, S>(s, &b[at..]) } else { x };
            store::<F, S>(s, O::compute::<F, S>(s, x, y), &mut out[at..]);
            at += S::K * words;
        }
        at
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

    /// x with x^2 + x = c if Tr(c) = 0, and something else otherwise; the other solution is x + 1. m - 1 squarings for odd m, twice as many
    /// and as many products for even m.
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
        self.many::<Square>(a, a, out);
    }

    /// The same by look-ups of four bits in a register.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn square_by_shuffles_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<SquareByShuffles>(a, a, out);
    }

    /// `out[i] = sqrt(a[i])`.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn sqrt_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<SquareRoot>(a, a, out);
    }

    /// `out[i] = 1 / a[i]`, and 0 for 0.
    ///
    /// # Panics
    /// If the slices have different lengths.
    #[track_caller]
    pub fn invert_slice(&self, a: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        self.many::<Inverse>(a, a, out);
    }

    fn run<O: Operation>(&self, a: &Element<F>) -> Element<F> {
        call(self.cpu.compile_on_one_lane::<One<F, O>>(), a, a)
    }

    #[track_caller]
    fn many<O: Operation>(&self, a: &[FieldWords<F>], b: &[FieldWords<F>], out: &mut [FieldWords<F>]) {
        assert_eq!(a.len(), out.len(), "results for all elements");
        let (a, b, out) = (F::Shape::flat(a), F::Shape::flat(b), F::Shape::flat_mut(out));
        let many = Many::<F, O> { a, b, out: &mut *out, of: PhantomData };
        let mut at = self.cpu.call_on_lanes(many).unwrap_or(0);
        let one = self.cpu.compile_on_one_lane::<One<F, O>>();
        while at < a.len() {
            one.product(&a[at..], &b[at..], &mut out[at..]);
            at += F::Shape::WORDS;
        }
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
