//! What fields and their quadratic extensions have in common: operations on operands in memory, and the arithmetic on one machine.

/// Types for operations on operands of type `$T`, generic over the field F and the machine S: `Name(second operand) -> result: |machine, a, b| computation`.
macro_rules! operations {
    ($T:ty; $($name:ident($other:ty) -> $out:ty: |$s:ident, $a:ident, $b:ident| $result:expr;)*) => { $(
        pub(super) struct $name;

        impl<F: BinaryField> Operation<$T> for $name {
            type Other = $other;
            type Out = $out;
            #[inline(always)]
            fn compute<S: Clmul>(
                $s: S,
                $a: <$T as Operand>::Vectors<S>,
                $b: <$other as Operand>::Vectors<S>,
            ) -> <$out as Operand>::Vectors<S> {
                $result
            }
        }
    )* };
}
pub(super) use operations;

/// The type of the arithmetic, from that of elements (with `zero`, `as_words`, `words_mut`), of their words, and of operands in vectors. `flat` and `flat_mut` are
/// functions from elements side by side to words, `$valid` an assertion on F. The operations are `Product`, `Square`, `SquareRoot`, `Inverse` and `Solution`. Docs are those
/// of the type, and of functions whose costs differ.
macro_rules! arithmetic {
    (
        $(#[$doc:meta])*
        $field:ident, $element:ident, $words:ident, $operand:ty, $flat:expr, $flat_mut:expr, $valid:expr;
        $(#[$mul:meta])* mul
        $(#[$invert:meta])* invert
        $(#[$solve:meta])* solve
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $field<F> {
            cpu: ClmulCpu,
            product: ClmulFn,
            square: ClmulFn,
            sqrt: ClmulFn,
            of: PhantomData<F>,
        }

        impl<F: BinaryField> $field<F> {
            /// On the best machine of this CPU.
            #[must_use]
            #[inline]
            pub fn new() -> Self {
                Self::on(ClmulCpu::detect())
            }

            /// On a machine of one's choice.
            #[must_use]
            #[inline]
            pub fn on(cpu: ClmulCpu) -> Self {
                const { $valid };
                $field {
                    cpu,
                    product: cpu.compile_on_one_lane::<One<$operand, Product>>(),
                    square: cpu.compile_on_one_lane::<One<$operand, Square>>(),
                    sqrt: cpu.compile_on_one_lane::<One<$operand, SquareRoot>>(),
                    of: PhantomData,
                }
            }

            /// The machine.
            #[must_use]
            pub fn cpu(&self) -> ClmulCpu {
                self.cpu
            }

            $(#[$mul])*
            #[must_use]
            #[inline]
            pub fn mul(&self, a: &$element<F>, b: &$element<F>) -> $element<F> {
                Self::call(self.product, a, b.as_words())
            }

            /// a^2.
            #[must_use]
            #[inline]
            pub fn square(&self, a: &$element<F>) -> $element<F> {
                Self::call(self.square, a, &[])
            }

            /// a = a b. In chains it has less latency than `a = field.mul(a, b)`, which copies its result.
            #[inline]
            pub fn mul_assign(&self, a: &mut $element<F>, b: &$element<F>) {
                self.product.product(&[], b.as_words(), a.words_mut());
            }

            /// a = a^2, as [`mul_assign`](Self::mul_assign).
            #[inline]
            pub fn square_assign(&self, a: &mut $element<F>) {
                self.square.product(&[], &[], a.words_mut());
            }

            /// The square root of a: every element has one.
            #[must_use]
            #[inline]
            pub fn sqrt(&self, a: &$element<F>) -> $element<F> {
                Self::call(self.sqrt, a, &[])
            }

            /// a = sqrt(a), as [`mul_assign`](Self::mul_assign).
            #[inline]
            pub fn sqrt_assign(&self, a: &mut $element<F>) {
                self.sqrt.product(&[], &[], a.words_mut());
            }

            $(#[$invert])*
            #[must_use]
            pub fn invert_or_zero(&self, a: &$element<F>) -> $element<F> {
                self.run::<Inverse>(a, &[])
            }

            $(#[$solve])*
            #[must_use]
            pub fn solve_unchecked(&self, c: &$element<F>) -> $element<F> {
                self.run::<Solution>(c, &[])
            }

            /// `out[i] = a[i] b[i]`, for elements as words, as many at a time as the machine has lanes. Words may have bits from z^m on: results have none.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn mul_slices(&self, a: &[$words<F>], b: &[$words<F>], out: &mut [$words<F>]) {
                assert_eq!(a.len(), b.len(), "operands of the same length");
                self.many::<Product>(a, $flat(b), out);
            }

            /// `out[i] = a[i]^2`.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn square_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Square>(a, &[], out);
            }

            /// `out[i] = sqrt(a[i])`.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn sqrt_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<SquareRoot>(a, &[], out);
            }

            /// `out[i] = 1 / a[i]`, and 0 for 0.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn invert_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Inverse>(a, &[], out);
            }

            /// `out[i]` is what [`solve_unchecked`](Self::solve_unchecked) returns for `c[i]`.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn solve_slice(&self, c: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Solution>(c, &[], out);
            }

            #[inline]
            fn call(kernel: ClmulFn, a: &$element<F>, b: &[u64]) -> $element<F> {
                let mut out = $element::zero();
                kernel.product(a.as_words(), b, out.words_mut());
                out
            }

            fn run<O: Operation<$operand>>(&self, a: &$element<F>, b: &[u64]) -> $element<F> {
                Self::call(self.cpu.compile_on_one_lane::<One<$operand, O>>(), a, b)
            }

            #[track_caller]
            fn many<O: Operation<$operand>>(&self, a: &[$words<F>], b: &[u64], out: &mut [$words<F>]) {
                assert_eq!(a.len(), out.len(), "results for all elements");
                run_many::<$operand, O>(self.cpu, $flat(a), b, $flat_mut(out));
            }
        }

        impl<F: BinaryField> Default for $field<F> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<F: BinaryField> fmt::Debug for $field<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}<{}>({})", stringify!($field), F::NAME, self.cpu.name())
            }
        }
    };
}
pub(super) use arithmetic;
