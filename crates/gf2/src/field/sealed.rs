//! The trait that seals `BinaryField`, with the kernels of a field as functions of the field.
//!
//! Kernels are generic over the field, so a crate that names a field compiles those that it uses. With the
//! feature of a field, such as `field-233`, it has functions that are not generic: their kernels are compiled in
//! this crate, and programs link them.

/// The functions of an [`Operation`](super::operations::Operation): `$compile` for one element on the backend with
/// one lane, `$run_many` for elements side by side.
///
/// `$compile` of a field with a feature is inline and reads the table of pointers of this crate. Thus a product of two
/// elements costs no call more than without the feature.
macro_rules! functions_of_operation {
    (#[$inline:meta] $($Field:ident)? ; $Operation:ident, $compile:ident, $run_many:ident) => {
        #[inline]
        #[allow(missing_docs, reason = "those of the operation")]
        fn $compile(cpu: $crate::ClmulCpu) -> carryless_lanes::KernelFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::sealed::compile!(cpu, $($Field)?; $Operation)
        }

        #[$inline]
        #[allow(missing_docs, reason = "those of the operation")]
        fn $run_many(cpu: $crate::ClmulCpu, a: &[u64], b: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::run_many::<Self, $crate::field::operations::$Operation>(cpu, a, b, out);
        }
    };
}
pub(super) use functions_of_operation;

/// The pointer to an operation on one element: from a table for the named field, otherwise of `Self`.
macro_rules! compile {
    ($cpu:ident, ; $Operation:ident) => {
        $crate::field::operations::compile::<Self, $crate::field::operations::$Operation>($cpu)
    };
    ($cpu:ident, $Field:ident; $Operation:ident) => {{
        static POINTERS: carryless_lanes::KernelFns = carryless_lanes::KernelFns::new::<
            $crate::field::operations::One<$Field, $crate::field::operations::$Operation>,
        >();
        POINTERS.on($cpu)
    }};
}
pub(super) use compile;

/// All functions, with the attribute. `Self` is the field, which is named if this crate compiles its kernels.
macro_rules! functions {
    (#[$inline:meta] $($Field:ident)?) => {
        $crate::field::sealed::functions_of_operation! {
            #[$inline] $($Field)?; Product, compile_product, run_products
        }
        $crate::field::sealed::functions_of_operation! {
            #[$inline] $($Field)?; Square, compile_square, run_squares
        }
        $crate::field::sealed::functions_of_operation! {
            #[$inline] $($Field)?; SquareRoot, compile_sqrt, run_sqrts
        }
        $crate::field::sealed::functions_of_operation! {
            #[$inline] $($Field)?; Inverse, compile_inverse, run_inverses
        }
        $crate::field::sealed::functions_of_operation! {
            #[$inline] $($Field)?; Solution, compile_solution, run_solutions
        }

        /// Writes the inverses of elements side by side, by Montgomery's trick.
        #[$inline]
        fn invert_block(cpu: $crate::ClmulCpu, a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::batch::invert_block::<Self>(cpu, a, out);
        }

        /// Writes the products of elements side by side and the element `by`.
        #[$inline]
        fn scale(cpu: $crate::ClmulCpu, a: &[u64], by: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::products::scale::<Self>(cpu, a, by, out);
        }

        /// Adds the dot product of elements side by side to `sum`.
        #[$inline]
        fn add_dot(cpu: $crate::ClmulCpu, a: &[u64], b: &[u64], sum: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::products::add_dot::<Self>(cpu, a, b, sum);
        }

        /// Writes the inverse of `a`, by the matrices of `PreparedInverse`.
        #[$inline]
        fn invert_by_maps(cpu: $crate::ClmulCpu, tables: &[u64], a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::prepared::invert_by_maps::<Self>(cpu, tables, a, out);
        }

        /// Applies x -> x^(2^k) to elements side by side, by a table of `Powers`.
        #[$inline]
        fn apply_power(cpu: $crate::ClmulCpu, table: &[u64], a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::map::apply_to_all::<Self, { $crate::field::map::BY_POWERS }>(cpu, table, a, out);
        }

        /// Applies a linear map to elements side by side, by its matrix.
        #[$inline]
        fn apply_matrix(cpu: $crate::ClmulCpu, table: &[u64], a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::map::apply_to_all::<Self, { $crate::field::map::BY_MATRIX }>(cpu, table, a, out);
        }

        /// Applies a linear map to all elements of `a`, by the table of `SliceMap`.
        #[$inline]
        fn apply_bytewise(
            cpu: $crate::ClmulCpu,
            table: &[u64],
            a: &[$crate::field::FieldWords<Self>],
            out: &mut [$crate::field::FieldWords<Self>],
        ) where
            Self: $crate::field::BinaryField,
        {
            $crate::field::map::apply_bytewise::<Self>(cpu, table, a, out);
        }
    };
}
#[allow(unused_imports, reason = "builds without these features compile no functions here")]
pub(super) use functions;

/// Keeps other crates from implementing `BinaryField`, because the tests prove the constants of
/// each field against its f.
///
/// The functions that a field does not implement are generic, and compiled in the crate that calls them.
pub trait Sealed {
    functions! { #[inline] }
}

/// Implements [`Sealed`] for a field: with one of the features by functions that are compiled here, otherwise by
/// generic ones.
macro_rules! seal {
    ($Field:ident) => {
        impl $crate::field::sealed::Sealed for $Field {}
    };
    ($Field:ident, $($feature:literal)+) => {
        #[cfg(any($(feature = $feature),+))]
        impl $crate::field::sealed::Sealed for $Field {
            $crate::field::sealed::functions! { #[inline(never)] $Field }
        }

        #[cfg(not(any($(feature = $feature),+)))]
        seal! { $Field }
    };
}
pub(super) use seal;
