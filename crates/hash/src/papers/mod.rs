//! Kernels that no threshold selects, for researchers: they reproduce and compare the algorithms of papers 000, 001 and 003.
pub(crate) mod four_limbs;
pub(crate) mod idle;
pub(crate) mod lanes32;
pub(crate) mod packed;
pub(crate) mod packed_first;
mod packed_one;
pub(crate) mod packed_rows;
pub(crate) mod planned;
pub(crate) mod row;
pub(crate) mod words;
