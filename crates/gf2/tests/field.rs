//! Fields: every operation of every field, on all backends, against the definitions bit by bit; and the vectors.
//! `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` fails the run if this CPU lacks one of these backends; `CARRYLESS_QUICK=1` makes it
//! short enough for an emulator.
//!
//! Six fields stand for all in `cargo xtask test`, because every field is compiled for every backend: a small one, one that fills its words,
//! one whose f is not sparse enough to fold, trinomials and pentanomials of even and odd numbers of words. `cargo xtask fields` tests all 44.

/// `$visit!` of the fields that stand for all.
#[allow(unused_macros, reason = "a part of the fields is to be tested")]
macro_rules! some_fields {
    ($visit:ident) => {
        $visit! { Gf8, Gf64, Gf127, Gf128Polyval, Gf163, Gf271 }
    };
}

#[macro_use]
#[path = "field/parts.rs"]
mod parts;

#[path = "field/basis.rs"]
mod basis;
#[path = "field/common.rs"]
mod common;
#[path = "field/dynamic.rs"]
mod dynamic;
#[path = "field/dynamic_ends.rs"]
mod dynamic_ends;
#[path = "field/elements.rs"]
mod elements;
#[path = "field/group.rs"]
mod group;
#[path = "field/maps.rs"]
mod maps;
#[path = "field/packed.rs"]
mod packed;
#[path = "common/random.rs"]
mod random;
#[path = "field/vectors.rs"]
mod vectors;
