//! Macros that define what fields and their quadratic extensions have in common: operations on elements in
//! memory, and the public type of their arithmetic on one backend.

/// Defines types for operations on operands of type `$T`, generic over the field F and the backend S. Each line
/// reads `Name(second operand) -> result: |backend, a, b| computation`. After the result may stand the functions of
/// the field for the operation, as in `F, by compile_product, run_products:`.
macro_rules! operations {
    ($T:ty; $($name:ident($other:ty) -> $out:ty $(, by $compile:ident, $run_many:ident)?: |$s:ident, $a:ident, $b:ident| $result:expr;)*) => { $(
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
            $(
                #[inline]
                fn compile(cpu: ClmulCpu) -> KernelFn {
                    <$T>::$compile(cpu)
                }
                #[inline]
                fn run_many(cpu: ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64]) {
                    <$T>::$run_many(cpu, a, b, out);
                }
            )?
        }
    )* };
}
pub(super) use operations;

/// Defines the public type of the arithmetic, such as `Field`.
///
/// Its arguments are the type of elements (with `zero`, `as_words`, `words_mut`), the type of their words, and the type
/// of operands in vectors. `flat` and `flat_mut` turn slices of elements into words; `$valid` is an assertion on F. The
/// operations `Product`, `Square`, `SquareRoot`, `Inverse` and `Solution` must be in scope. The doc comments are those
/// of the type, and of the functions whose costs differ between fields and extensions.
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
            // Pointers to the kernels of this backend, so that short operations do not select one at each call.
            product: KernelFn,
            square: KernelFn,
            sqrt: KernelFn,
            of: PhantomData<F>,
        }

        impl<F: BinaryField> $field<F> {
            /// The arithmetic on the best backend of this CPU, or on the one that
            /// the build fixed: see [`ClmulCpu::detect`].
            #[must_use]
            #[inline]
            pub fn new() -> Self {
                Self::on(ClmulCpu::detect())
            }

            /// The arithmetic on the given backend, for tests and measurements.
            #[must_use]
            #[inline]
            pub fn on(cpu: ClmulCpu) -> Self {
                const { $valid };
                $field {
                    cpu,
                    product: <Product as Operation<$operand>>::compile(cpu),
                    square: <Square as Operation<$operand>>::compile(cpu),
                    sqrt: <SquareRoot as Operation<$operand>>::compile(cpu),
                    of: PhantomData,
                }
            }

            /// The backend on which this arithmetic runs.
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

            /// The square a^2, cheaper than a product.
            #[must_use]
            #[inline]
            pub fn square(&self, a: &$element<F>) -> $element<F> {
                Self::call(self.square, a, &[])
            }

            /// Sets a to the product a b. In a chain of dependent products this has less latency than
            /// `a = field.mul(a, b)`, which copies its result.
            #[inline]
            pub fn mul_assign(&self, a: &mut $element<F>, b: &$element<F>) {
                // An empty first operand tells `One` to read it from the place of the result.
                self.product.call(&[], b.as_words(), a.words_mut());
            }

            /// Sets a to its square, in place as [`mul_assign`](Self::mul_assign).
            #[inline]
            pub fn square_assign(&self, a: &mut $element<F>) {
                self.square.call(&[], &[], a.words_mut());
            }

            /// The square root of a. Every element has exactly one.
            #[must_use]
            #[inline]
            pub fn sqrt(&self, a: &$element<F>) -> $element<F> {
                Self::call(self.sqrt, a, &[])
            }

            /// Sets a to its square root, in place as [`mul_assign`](Self::mul_assign).
            #[inline]
            pub fn sqrt_assign(&self, a: &mut $element<F>) {
                self.sqrt.call(&[], &[], a.words_mut());
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

            /// Sets `out[i]` to the product `a[i] b[i]`, for as many elements at a time as the backend has lanes.
            ///
            /// The words of operands may have bits from z^m on; those of results have none.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn mul_slices(&self, a: &[$words<F>], b: &[$words<F>], out: &mut [$words<F>]) {
                assert_eq!(a.len(), b.len(), "operands of the same length");
                self.many::<Product>(a, $flat(b), out);
            }

            /// Sets `out[i]` to the square of `a[i]`. Operands and results as in [`mul_slices`](Self::mul_slices).
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn square_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Square>(a, &[], out);
            }

            /// Sets `out[i]` to the square root of `a[i]`. Operands and results as in [`mul_slices`](Self::mul_slices).
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn sqrt_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<SquareRoot>(a, &[], out);
            }

            /// Sets `out[i]` to the inverse of `a[i]`, or to 0 if `a[i]` is 0. Each element takes an inversion of its
            /// own; for many elements [`batch_invert`](Self::batch_invert) is faster.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn invert_slice(&self, a: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Inverse>(a, &[], out);
            }

            /// Sets `out[i]` to the value of [`solve_unchecked`](Self::solve_unchecked) at `c[i]`.
            ///
            /// # Panics
            /// If the slices have different lengths.
            #[track_caller]
            pub fn solve_slice(&self, c: &[$words<F>], out: &mut [$words<F>]) {
                self.many::<Solution>(c, &[], out);
            }

            #[inline]
            fn call(kernel: KernelFn, a: &$element<F>, b: &[u64]) -> $element<F> {
                let mut out = $element::zero();
                kernel.call(a.as_words(), b, out.words_mut());
                out
            }

            /// The operation on one element, on the best backend of this CPU.
            #[inline]
            pub(super) fn on_best<O: Operation<$operand>>(a: &$element<F>, b: &[u64]) -> $element<F> {
                Self::call(O::compile(ClmulCpu::detect()), a, b)
            }

            /// The operation in place, as in [`mul_assign`](Self::mul_assign), on the best backend of this CPU.
            #[inline]
            pub(super) fn on_best_in_place<O: Operation<$operand>>(a: &mut $element<F>, b: &[u64]) {
                O::compile(ClmulCpu::detect()).call(&[], b, a.words_mut());
            }

            fn run<O: Operation<$operand>>(&self, a: &$element<F>, b: &[u64]) -> $element<F> {
                Self::call(O::compile(self.cpu), a, b)
            }

            #[track_caller]
            fn many<O: Operation<$operand>>(&self, a: &[$words<F>], b: &[u64], out: &mut [$words<F>]) {
                assert_eq!(a.len(), out.len(), "results for all elements");
                O::run_many(self.cpu, $flat(a), b, $flat_mut(out));
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
