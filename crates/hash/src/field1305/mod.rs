//! Arithmetic modulo p = 2^130 - 5: one file per representation.
//!
//! | file | representation | serves |
//! |---|---|---|
//! | `element` | three words of radix 2^64 | values that pass between kernels; the last reduction |
//! | `word64` | the same, clamped keys | short Poly1305 messages, one block at a time |
//! | `lanes26`, [`limbs26`](crate::limbs26) | five limbs of radix 2^26 in lanes | the vector kernels |
//! | `lanes44`, [`limbs52`](crate::limbs52) | three limbs of radix 2^44 in lanes | Horner on backends with 52-bit multiply-add |
//! | `loads` | | rows of 16-byte blocks, before they are cut into limbs |
//! | `batch` | four words of radix 2^32, clamped keys, a lane per message | many short messages |
//! | `word44` | three limbs of radix 2^44 | key powers for lanes; Horner's rule with any key, two blocks at a time |
//! | `horner`, `dec`, `hashes` | | the generic kernels and hashes over this prime |
//! | `prepared`, `ready` | | keys with precomputed powers, and keys as streams hold them; their tables |
//! | `evaluate`, `dispatch` | | the choice of a kernel by length and backend, or by [`Plan`](crate::research::Plan) |
//! | `words64`, [`one_lane`](crate::one_lane) | two and a half words of radix 2^64 | any key: BRW in words, products of elements |

pub(crate) mod batch;
mod dec;
mod dispatch;
pub(crate) mod element;
pub(crate) mod evaluate;
mod hashes;
mod horner;
mod key;
pub(crate) mod lanes26;
pub(crate) mod lanes44;
mod loads;
pub(crate) mod powers;
pub(crate) mod prepared;
mod ready;
pub(crate) mod steps;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod window;
pub(crate) mod word44;
pub(crate) mod word64;
pub(crate) mod words64;
