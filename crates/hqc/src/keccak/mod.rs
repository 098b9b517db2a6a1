//! The sponges of SHA-3 (FIPS 202) over Keccak-f\[1600\], several of them side by side.
//!
//! An operation of HQC hashes things that do not depend on each other: h is expanded from its seed while H(ek) is computed, and y and x come from
//! another seed. A [`Stream`] is one such hash; [`run`] takes several of them through their blocks together, with one permutation of
//! up to eight states for a block of each.
//!
//! Lengths are public; inputs, outputs and states are not. States are wiped when they are dropped.
mod permutation;
mod run;
mod states;
mod stream;

pub use permutation::{Block, permute, permute_many};
pub use run::run;
pub use stream::{Advance, Function, SHA3_256, SHA3_512, SHAKE256, Stream};
