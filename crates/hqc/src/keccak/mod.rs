//! The sponges of SHA-3 (FIPS 202) over Keccak-f\[1600\], several of them in parallel.
//!
//! An operation of HQC computes independent hashes: it expands h from its seed, computes H(ek), and expands
//! the stream of y and x from another seed. A [`Stream`] is one such hash. [`run`] advances several of them
//! together: one permutation of up to eight states absorbs or squeezes a block of each.
//!
//! Lengths are public; inputs, outputs and states are secret. States are wiped when dropped.
mod permutation;
mod run;
mod states;
mod stream;

pub use permutation::{Block, permute, permute_many};
pub use run::run;
pub use stream::{Advance, Function, SHA3_256, SHA3_512, SHAKE256, Stream};
