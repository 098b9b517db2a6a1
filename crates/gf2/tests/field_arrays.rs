//! Fields: many elements at once, inverses by Euclid's algorithm, the products of paper 004 without carry-less multiplication. A target of its own, so
//! that it is compiled beside `field`.
//! `CARRYLESS_REQUIRE_MACHINE` and `CARRYLESS_QUICK` are as there.
//!
//! Five fields stand for all in `cargo xtask test`: one of a word that has bits to spare and one that has none, one that reduces by products, and
//! odd and even numbers of words. `cargo xtask fields` tests all.

/// `$visit!` of the fields to test.
#[cfg(carryless_all_fields)]
macro_rules! for_each_field {
    ($visit:ident) => {
        carryless_gf2::for_each_field! { $visit }
    };
}
#[cfg(not(carryless_all_fields))]
macro_rules! for_each_field {
    ($visit:ident) => {
        $visit! { Gf8, Gf64, Gf128Polyval, Gf163, Gf233 }
    };
}

#[cfg(feature = "alloc")]
#[path = "field/array.rs"]
mod array;
#[path = "field/batch.rs"]
mod batch;
#[path = "field/common.rs"]
#[allow(dead_code, reason = "the test target `field` takes the rest")]
mod common;
#[cfg(feature = "ff")]
#[path = "field/ff.rs"]
mod ff_traits;
#[path = "common/random.rs"]
mod random;
#[path = "field/slides.rs"]
mod slides;
