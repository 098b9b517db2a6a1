//! carryless as a C library. `include/carryless.h` is made of this crate by cbindgen; book/src/c.md is the manual.
//!
//! A binding to C needs `unsafe` code: `memory` turns pointers into slices, and `state` puts states where the
//! caller wants them. Every SAFETY comment here relies on the promise of the caller. A pointer that is not
//! null can be read or written for the length that comes with it. Nobody else writes there during the call. A
//! pointer to a state came from this library and was not freed. Everything else is checked.
#![allow(non_camel_case_types)]

#[cfg(feature = "aead")]
mod aead;
#[cfg(feature = "curve")]
mod curve;
#[cfg(feature = "curve")]
mod curve_keys;
#[cfg(feature = "field")]
mod field;
#[cfg(feature = "file-mac")]
mod file_mac;
mod general;
#[cfg(feature = "gf2x")]
mod gf2x;
#[cfg(feature = "hqc")]
mod hqc;
#[cfg(feature = "hqc")]
mod hqc_files;
#[cfg(feature = "hqc")]
mod hqc_keys;
mod kind;
mod memory;
#[cfg(feature = "poly")]
mod poly;
mod poly1305;
mod random;
mod state;
mod status;
#[cfg(feature = "universal")]
mod universal;
#[cfg(feature = "wegman-carter")]
mod wegman_carter;

#[cfg(feature = "aead")]
pub use aead::*;
#[cfg(feature = "curve")]
pub use curve::*;
#[cfg(feature = "curve")]
pub use curve_keys::*;
#[cfg(feature = "field")]
pub use field::*;
#[cfg(feature = "file-mac")]
pub use file_mac::*;
pub use general::*;
#[cfg(feature = "gf2x")]
pub use gf2x::*;
#[cfg(feature = "hqc")]
pub use hqc::*;
#[cfg(feature = "hqc")]
pub use hqc_files::*;
#[cfg(feature = "hqc")]
pub use hqc_keys::*;
pub use kind::*;
#[cfg(feature = "poly")]
pub use poly::*;
pub use poly1305::*;
pub use random::*;
pub use status::carryless_status;
#[cfg(feature = "universal")]
pub use universal::*;
#[cfg(feature = "wegman-carter")]
pub use wegman_carter::*;
