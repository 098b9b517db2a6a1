//! Curves: points, multiples and encodings on all backends, against the definitions of the reference; the vectors.
//! `CARRYLESS_REQUIRE_BACKEND` and `CARRYLESS_QUICK` are as in `field`.
//!
//! Three curves stand for all in `cargo xtask test`, because each field is compiled for every backend: a Koblitz curve, a random one over the same field, and one over a
//! quadratic extension. `cargo xtask curves` tests all 37. Constants and scalars are checked for all in any case.

/// `$visit!` of the curves that stand for all.
#[allow(unused_macros, reason = "a part of the curves is to be tested")]
macro_rules! some_curves {
    ($visit:ident) => {
        $visit! { Sect163k1, Sect163r2, Gls254 }
    };
}

#[macro_use]
#[path = "curve/parts.rs"]
mod parts;

#[path = "curve/common.rs"]
mod common;
#[path = "curve/constants.rs"]
mod constants;
#[path = "curve/ecdh.rs"]
mod ecdh;
#[path = "field/common.rs"]
#[allow(dead_code, reason = "the test target `field` takes the rest")]
mod field_common;
#[cfg(not(any(
    carryless_fields = "192",
    carryless_fields = "256",
    carryless_fields = "320",
    carryless_fields = "448",
    carryless_fields = "1223"
)))]
#[path = "curve/gls.rs"]
mod gls;
#[path = "curve/multiples.rs"]
mod multiples;
#[path = "curve/points.rs"]
mod points;
#[cfg(feature = "alloc")]
#[path = "curve/prepared.rs"]
mod prepared;
#[path = "common/random.rs"]
mod random;
#[path = "curve/scalars.rs"]
mod scalars;
#[path = "curve/sec1.rs"]
mod sec1;
