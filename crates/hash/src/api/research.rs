//! Kernels by name, for measurements and for reproducing papers: how a hash is computed, not what it is.
//!
//! [`poly1305::mac_with`](crate::poly1305::mac_with) and similar functions take a [`Plan`], BRW hashes
//! [`Params`](crate::decbrwhash1305::Params), and hashes over 2^127 - 1 a
//! [`polyhash1271::Plan`](crate::polyhash1271::Plan). This module changes more often than the rest of the crate.
pub use crate::choose::plan::{FirstProduct, Plan, PlanMismatch, Tail, lambda_of_papers};
pub use crate::choose::{Choice, KERNEL_CHANGES, kernel_for};
#[cfg(feature = "research-kernels")]
pub use crate::papers::{OPERATION_COUNTS, PlannedKey};
