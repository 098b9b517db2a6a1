//! carryless as a C library. `include/carryless.h` is made of this crate by cbindgen; docs/c.md is the manual.
//!
//! It is a binding to C, so it has `unsafe` code: what C points to becomes slices (`memory`), and states lie where C wants them (`state`). The promise of the
//! caller, on which every SAFETY comment here stands: a pointer that is not null can be read or written for the length that comes with it, nobody else writes
//! there during the call, and a pointer to a state came from this library and was not freed. All else is checked.
#![allow(non_camel_case_types)]

#[cfg(feature = "curve")]
mod curve;
#[cfg(feature = "field")]
mod field;
#[cfg(feature = "file-mac")]
mod file_mac;
mod general;
#[cfg(feature = "hqc")]
mod hqc;
mod kind;
mod memory;
#[cfg(feature = "poly")]
mod poly;
mod poly1305;
mod state;
mod status;

#[cfg(feature = "curve")]
pub use curve::*;
#[cfg(feature = "field")]
pub use field::*;
#[cfg(feature = "file-mac")]
pub use file_mac::*;
pub use general::*;
#[cfg(feature = "hqc")]
pub use hqc::*;
pub use kind::*;
#[cfg(feature = "poly")]
pub use poly::*;
pub use poly1305::*;
pub use status::carryless_status;
