//! `carryless.so`, a provider of HQC for OpenSSL 3.0 to 4.x.
//!
//! README.md says how to install it, `book/src/tls.md` what it offers.
//!
//! - [`groups`]: names, code points, object identifiers
//! - [`keys`]: keys, encapsulation and decapsulation, with the classical half of hybrids
//! - [`hqc`]: HQC of all parameter sets, and its key files
//! - [`ffi`]: OpenSSL's interface, and all `unsafe` code
//!
//! The crate `openssl_provider_forge` 0.10 (Apache-2.0, well kept, no bindgen unless asked for) has OpenSSL's types
//! and a reader of parameters. It has no KEM operation, no guard against panics and no types of keys, and its callers
//! write the same `unsafe` entries. So this crate writes out the 60 numbers and four structures that it needs, and
//! saves eight dependencies.
#![deny(unsafe_code)]

mod error;
mod ffi;
mod groups;
mod hqc;
mod keys;
