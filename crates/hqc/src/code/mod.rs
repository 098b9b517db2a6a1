//! The concatenated code of HQC: Reed-Solomon over GF(2^8) outside, duplicated Reed-Muller inside.

mod gf256;
pub mod reed_muller;
pub mod reed_solomon;
pub(crate) mod tables;
