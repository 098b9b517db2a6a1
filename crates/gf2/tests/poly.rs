//! Products of slices of words: all backends against the reference bit by bit, and the vectors.
//! `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` fails the run if this CPU lacks one of these backends; `CARRYLESS_QUICK=1` makes it
//! short enough for an emulator.
#[cfg(not(carryless_without_proofs))]
#[path = "poly/bilinear.rs"]
mod bilinear;
#[path = "poly/common.rs"]
mod common;
#[path = "poly/modulus.rs"]
mod modulus;
#[path = "poly/products.rs"]
mod products;
#[path = "common/random.rs"]
mod random;
#[path = "poly/rows.rs"]
mod rows;
#[path = "poly/sizes.rs"]
mod sizes;
#[path = "poly/transform.rs"]
mod transform;
#[cfg(feature = "alloc")]
#[path = "poly/vectors.rs"]
mod vectors;
