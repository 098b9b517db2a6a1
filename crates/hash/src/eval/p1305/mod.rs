//! Evaluation modulo 2^130 - 5.
//!
//! | file | contents |
//! |---|---|
//! | `mac_batch` | which of many messages share a kernel call |
//! | `batch`, `steps` | many short messages, in four words of radix 2^32, clamped keys, a lane per message |
//! | `window` | long messages, with a table of key powers |
//! | `horner`, `dec`, `hashes` | the generic kernels and hashes over this prime |
//! | `powers`, `prepared`, `ready` | key powers; keys that have them, and keys as streams hold them; their tables |
//! | `evaluate`, `dispatch` | the choice of a kernel by length and backend, or by [`Plan`](crate::research::Plan) |

pub(crate) mod batch;
mod dec;
mod dispatch;
pub(crate) mod evaluate;
mod hashes;
mod horner;
pub(crate) mod mac_batch;
pub(crate) mod powers;
pub(crate) mod prepared;
pub(crate) mod ready;
pub(crate) mod steps;
pub(crate) mod window;
