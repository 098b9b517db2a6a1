//! The interface `v0_8` of `carryless-poly1305` under the name of the package that it replaces.
#![no_std]
#![forbid(unsafe_code)]

pub use carryless_poly1305::v0_8::*;
