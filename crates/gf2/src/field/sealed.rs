//! The trait that seals `BinaryField`, with the kernels of single elements as functions of the field.
//!
//! Kernels are generic over the field, so a crate that names a field compiles those that it uses. With the
//! feature of the curves over a field, such as `curve-233`, the field has functions that are not generic: their
//! kernels are compiled in this crate, and programs link them.

/// The functions of one set, which all have the attribute. `Self` is the field.
///
/// The set `elements` has what all curves need, `maps` what only Koblitz curves need.
macro_rules! functions {
    (#[$inline:meta] elements) => {
        /// The product of two elements, for one lane.
        #[$inline]
        fn compile_product(cpu: $crate::ClmulCpu) -> carryless_lanes::ClmulFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::compile::<Self, $crate::field::operations::Product>(cpu)
        }

        /// The square of an element, for one lane.
        #[$inline]
        fn compile_square(cpu: $crate::ClmulCpu) -> carryless_lanes::ClmulFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::compile::<Self, $crate::field::operations::Square>(cpu)
        }

        /// The square root of an element, for one lane.
        #[$inline]
        fn compile_sqrt(cpu: $crate::ClmulCpu) -> carryless_lanes::ClmulFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::compile::<Self, $crate::field::operations::SquareRoot>(cpu)
        }

        /// The inverse of an element by squarings, for one lane.
        #[$inline]
        fn compile_inverse(cpu: $crate::ClmulCpu) -> carryless_lanes::ClmulFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::compile::<Self, $crate::field::operations::Inverse>(cpu)
        }

        /// The solution of x^2 + x = c, for one lane.
        #[$inline]
        fn compile_solution(cpu: $crate::ClmulCpu) -> carryless_lanes::ClmulFn
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::operations::compile::<Self, $crate::field::operations::Solution>(cpu)
        }

        /// Writes the inverse of `a`, by the matrices of `PreparedInverse`.
        #[$inline]
        fn invert_by_maps(cpu: $crate::ClmulCpu, tables: &[u64], a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::prepared::invert_by_maps::<Self>(cpu, tables, a, out);
        }
    };
    (#[$inline:meta] maps) => {
        /// Applies x -> x^(2^k) to elements side by side, by a table of `Powers`.
        #[$inline]
        fn apply_power(cpu: $crate::ClmulCpu, table: &[u64], a: &[u64], out: &mut [u64])
        where
            Self: $crate::field::BinaryField,
        {
            $crate::field::map::apply_to_all::<Self, true>(cpu, table, a, out);
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
    functions! { #[inline] elements }
    functions! { #[inline] maps }
}

/// Implements [`Sealed`] for a field: with the feature by functions of these sets that are compiled
/// here, otherwise by generic ones.
macro_rules! seal {
    ($Field:ident) => {
        impl $crate::field::sealed::Sealed for $Field {}
    };
    ($Field:ident, $feature:literal [$($set:ident),+]) => {
        #[cfg(feature = $feature)]
        impl $crate::field::sealed::Sealed for $Field {
            $($crate::field::sealed::functions! { #[inline(never)] $set })+
        }

        #[cfg(not(feature = $feature))]
        seal! { $Field }
    };
}
pub(super) use seal;
