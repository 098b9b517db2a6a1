//! Products of polynomials over F2.
mod kernel;

pub use kernel::Kernel;
