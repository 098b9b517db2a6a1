//! Fields: many elements at once, inverses by Euclid's algorithm, the products of paper 004 without carry-less multiplication. A target of its own, so
//! that it is compiled beside `field`.
//! `CARRYLESS_REQUIRE_BACKEND` and `CARRYLESS_QUICK` are as there.
//!
//! Four fields stand for all in `cargo xtask test`: one of a word that has bits to spare and one that has none, one that reduces by products, and
//! odd and even numbers of words. `cargo xtask fields` tests all.

/// `$visit!` of the fields that stand for all.
#[allow(unused_macros, reason = "a part of the fields is to be tested")]
macro_rules! some_fields {
    ($visit:ident) => {
        $visit! { Gf8, Gf64, Gf128Polyval, Gf163 }
    };
}

#[macro_use]
#[path = "field/parts.rs"]
mod parts;

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
#[path = "field/papers.rs"]
mod papers;
#[path = "common/random.rs"]
mod random;
