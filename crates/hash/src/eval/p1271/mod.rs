//! Evaluation modulo 2^127 - 1. Blocks have 15 bytes.
//!
//! | file | contents |
//! |---|---|
//! | `horner`, `dec`, `hashes` | the generic kernels and hashes over this prime |
//! | `powers` | key powers |
//! | `evaluate`, `dispatch` | the choice of a kernel by length and backend, or by [`Plan`](crate::polyhash1271::Plan) |

mod dec;
pub(crate) mod dispatch;
pub(crate) mod evaluate;
mod hashes;
mod horner;
pub(crate) mod powers;
