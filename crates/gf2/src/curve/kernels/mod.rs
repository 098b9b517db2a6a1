//! The kernels of the curves over a field, as functions of the field.
//!
//! Kernels are generic over the field, so a crate that names a curve compiles those that it uses. With the
//! feature of a field's curves, such as `curve-233`, the field has functions that are not generic: their
//! kernels are compiled in this crate, and programs link them.
//!
//! No backend is left out, because none has another within 5 % on all curves. On Zen 3 (2026-11-30), k P on K-233, K-283,
//! B-283 and B-233 takes 1.09, 1.10, 1.22 and 1.63 times as long by `pclmul` as by `pclmul-avx2`, which takes 2.2, 2.1,
//! 1.6 and 1.4 times as long as `vpclmul-ymm`. On Emerald Rapids (2026-11-30), k P on seven curves of NIST takes 1.12 to
//! 1.21 times as long by `pclmul-avx2` as by `pclmul-avx512vl`, and k G 1.3 to 1.4 times as long by `vpclmul-ymm` as by
//! `vpclmul-zmm`. GFNI halves k P on Koblitz curves with four lanes; with two it changes nothing, and is 2 % of the code.
pub(super) mod gls;
pub(super) mod koblitz;
#[cfg(feature = "alloc")]
pub(super) mod vartime;

#[cfg(feature = "alloc")]
use super::comb::{Comb, INCOMPLETE_SUMS};
use super::group::Group;
use super::join::Join;
use super::ladder::{ANY_B, B_IS_ONE, Job};
use super::paired;
use crate::field::tower::Quadratic;
use crate::field::{
    BinaryField, Gf113, Gf127, Gf131, Gf163, Gf163X962, Gf167, Gf173, Gf179, Gf191, Gf193, Gf233, Gf233Dstu,
    Gf239, Gf239X962, Gf251, Gf257, Gf257Dstu, Gf283, Gf307, Gf359, Gf367, Gf409, Gf431, Gf431Dstu, Gf571,
    KernelField,
};
use carryless_lanes::ClmulCpu;
use koblitz::{Multiples, Segments};
#[cfg(feature = "alloc")]
use vartime::{OddMultiples, Straus};

/// The functions of one set, which all have the attribute. `Self` is the field.
///
/// A set has what certain curves need: `points` all, `ladders` those that are no Koblitz curves, `koblitz`
/// those that are. Combs have five or six teeth. `endomorphism` is for base fields of curves with psi.
macro_rules! functions {
    (#[$inline:meta] points) => {
        /// Adds two points in lambda coordinates.
        #[$inline]
        fn run_join(cpu: ClmulCpu, kernel: Join<'_, Self>) {
            cpu.one_lane().call(kernel);
        }

        /// Adds products of public scalars and points. Not constant time.
        #[cfg(feature = "alloc")]
        #[$inline]
        fn run_straus(cpu: ClmulCpu, kernel: Straus<'_, Self>) {
            cpu.one_lane().call(kernel);
        }

        /// Computes the odd multiples of a public point. Not constant time.
        #[cfg(feature = "alloc")]
        #[$inline]
        fn run_odd_multiples(cpu: ClmulCpu, kernel: OddMultiples<'_, Self>) {
            cpu.one_lane().call(kernel);
        }
    };
    (#[$inline:meta] ladders) => {
        /// Runs one ladder on a curve with b other than 1, in constant time.
        #[$inline]
        fn run_ladder(cpu: ClmulCpu, job: Job<'_>) {
            paired::run::<Self, ANY_B>(cpu, job);
        }

        /// Runs ladders in all lanes. Returns false, without doing anything, if the backend has one lane only.
        #[$inline]
        fn run_ladders(cpu: ClmulCpu, group: &mut Group<'_>) -> bool {
            group.run::<Self, ANY_B>(cpu)
        }
    };
    (#[$inline:meta] koblitz) => {
        /// Runs one ladder on a curve with b = 1.
        #[$inline]
        fn run_koblitz_ladder(cpu: ClmulCpu, job: Job<'_>) {
            paired::run::<Self, B_IS_ONE>(cpu, job);
        }

        /// [`run_ladders`](CurveKernels::run_ladders) on a curve with b = 1.
        #[$inline]
        fn run_koblitz_ladders(cpu: ClmulCpu, group: &mut Group<'_>) -> bool {
            group.run::<Self, B_IS_ONE>(cpu)
        }

        /// Computes the products of a point and all digits to the base tau.
        #[$inline]
        fn run_multiples(cpu: ClmulCpu, kernel: Multiples<'_, Self>) {
            cpu.one_lane().call(kernel);
        }

        /// Computes the points of all segments of a scalar, of which there are `segments`.
        #[$inline]
        fn run_segments(cpu: ClmulCpu, kernel: Segments<'_, Self>, segments: u32) {
            kernel.run_all(cpu, segments);
        }
    };
    (#[$inline:meta] five_teeth) => {
        /// Runs a comb of five teeth for both halves.
        #[cfg(feature = "alloc")]
        #[$inline]
        fn run_comb_of_five(cpu: ClmulCpu, kernel: Comb<'_, Self, 4, INCOMPLETE_SUMS>) {
            kernel.run_halves(cpu);
        }
    };
    (#[$inline:meta] six_teeth) => {
        /// Runs a comb of six teeth for both halves.
        #[cfg(feature = "alloc")]
        #[$inline]
        fn run_comb_of_six(cpu: ClmulCpu, kernel: Comb<'_, Self, 5, INCOMPLETE_SUMS>) {
            kernel.run_halves(cpu);
        }
    };
    (#[$inline:meta] endomorphism) => {
        /// Computes the odd multiples of a point over the quadratic extension.
        #[$inline]
        fn run_gls_multiples(cpu: ClmulCpu, kernel: gls::Multiples<'_, Self>)
        where
            Self: BinaryField,
        {
            gls::run_twins(cpu, kernel);
        }

        /// Adds the products of a point over the quadratic extension and digits, of both halves of a scalar.
        #[$inline]
        fn run_gls_straus(cpu: ClmulCpu, kernel: gls::Straus<'_, Self>)
        where
            Self: BinaryField,
        {
            gls::run_twins(cpu, kernel);
        }

        /// Adds a point of odd order and a shifted one, over the quadratic extension.
        #[cfg(feature = "alloc")]
        #[$inline]
        fn run_gls_sum(cpu: ClmulCpu, kernel: gls::Sum<'_, Self>)
        where
            Self: BinaryField,
        {
            gls::run_twins(cpu, kernel);
        }
    };
}

/// The kernels of the curves over a field, or over the quadratic extension of it. Sealed: only fields
/// of this crate implement it.
///
/// The functions that a field does not implement are generic, and compiled in the crate that calls them.
pub trait CurveKernels: KernelField + Sized {
    functions! { #[inline] points }
    functions! { #[inline] ladders }
    functions! { #[inline] koblitz }
    functions! { #[inline] five_teeth }
    functions! { #[inline] six_teeth }
    functions! { #[inline] endomorphism }
}

/// Implements [`CurveKernels`]: with the feature by functions of these sets that are compiled here, otherwise
/// by generic ones. The sets are those that the curves over the field need.
macro_rules! fields {
    ($($Field:ty: $feature:literal, [$($set:ident),+];)+) => { $(
        #[cfg(feature = $feature)]
        impl CurveKernels for $Field {
            $(functions! { #[inline(never)] $set })+
        }

        #[cfg(not(feature = $feature))]
        impl CurveKernels for $Field {}
    )+ };
}

fields! {
    Gf113: "all-curves", [points, ladders, five_teeth];
    // No curve is over GF(2^127) itself: it serves the endomorphism of gls254.
    Gf127: "all-curves", [endomorphism];
    Gf131: "all-curves", [points, ladders, five_teeth];
    Gf163: "curve-163", [points, ladders, koblitz, five_teeth];
    Gf163X962: "all-curves", [points, ladders, five_teeth];
    Gf167: "dstu-167", [points, ladders, five_teeth];
    Gf173: "dstu-173", [points, ladders, five_teeth];
    Gf179: "dstu-179", [points, ladders, five_teeth];
    Gf191: "dstu-191", [points, ladders, five_teeth];
    Gf193: "all-curves", [points, ladders, five_teeth];
    Gf233: "curve-233", [points, ladders, koblitz, five_teeth];
    Gf233Dstu: "dstu-233", [points, ladders, five_teeth];
    // Its only curve is a Koblitz curve, so no ladder for b other than 1.
    Gf239: "all-curves", [points, koblitz, five_teeth];
    Gf239X962: "all-curves", [points, ladders, five_teeth];
    Gf251: "all-curves", [points, ladders, five_teeth];
    Gf257: "all-curves", [points, ladders, five_teeth];
    Gf257Dstu: "dstu-257", [points, ladders, five_teeth];
    Gf283: "curve-283", [points, ladders, koblitz, six_teeth];
    Gf307: "dstu-307", [points, ladders, six_teeth];
    Gf359: "all-curves", [points, ladders, six_teeth];
    Gf367: "dstu-367", [points, ladders, six_teeth];
    Gf409: "curve-409", [points, ladders, koblitz, six_teeth];
    Gf431: "all-curves", [points, ladders, six_teeth];
    Gf431Dstu: "dstu-431", [points, ladders, six_teeth];
    Gf571: "curve-571", [points, ladders, koblitz, six_teeth];
    Quadratic<Gf127>: "all-curves", [points, ladders, five_teeth];
}

/// The fields of small curves, which tests compile for themselves.
#[cfg(test)]
mod small {
    use super::{CurveKernels, Quadratic};
    use crate::field::Gf8;
    use crate::field::small::{Gf5, Gf7, Gf9, Gf23};

    impl CurveKernels for Gf5 {}
    impl CurveKernels for Gf7 {}
    impl CurveKernels for Gf8 {}
    impl CurveKernels for Gf9 {}
    impl CurveKernels for Gf23 {}
    impl CurveKernels for Quadratic<Gf5> {}
    impl CurveKernels for Quadratic<Gf7> {}
}
