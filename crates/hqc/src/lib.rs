//! The code-based KEM HQC: HQC-1, HQC-3 and HQC-5.
#![no_std]
#![forbid(unsafe_code)]

pub mod code;
pub mod keccak;
