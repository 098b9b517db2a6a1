//! The evaluation of polynomials: kernels over any prime, and in `p1305` and `p1271` those of one prime.
pub(crate) mod bits;
pub(crate) mod brw;
pub(crate) mod dispatch;
pub(crate) mod evaluate;
pub(crate) mod horner;
pub(crate) mod join;
pub(crate) mod p1271;
pub(crate) mod p1305;
pub(crate) mod pending;
pub(crate) mod powers;
