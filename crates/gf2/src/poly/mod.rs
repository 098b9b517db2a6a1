//! Products of polynomials over F2.
mod kernel;

mod construct;
pub use construct::{Step, ToomWord};
pub use kernel::Kernel;
