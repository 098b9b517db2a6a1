//! The public API on every backend of this CPU, against the big-integer reference.
//!
//! Without the feature `research-kernels` they test the library as users build it, with the kernels that its thresholds choose.
//!
//! `CARRYLESS_REQUIRE_BACKEND=NAME[,NAME...]` fails the run if this CPU lacks one of these backends;
//! `CARRYLESS_QUICK=1` makes it small enough for an emulator of a few million instructions a second.
#![deny(unsafe_code)]

mod batch;
mod bits;
mod common;
mod defects;
mod edges;
#[cfg(all(unix, not(miri)))]
mod guard;
mod lengths;
mod memory;
#[cfg(feature = "research-kernels")]
mod plans;
mod prime1271;
mod properties;
mod segments;
mod sizes;
mod streaming;
mod traits;
mod vectors;
mod verify;
#[cfg(not(miri))]
mod wipe;
