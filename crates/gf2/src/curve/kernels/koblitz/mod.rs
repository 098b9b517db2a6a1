//! The kernels of products by digits to the base tau, on Koblitz curves.
pub(in crate::curve) mod digits;
mod segments;
mod table;

pub(in crate::curve) use segments::Segments;
pub(in crate::curve) use table::Multiples;
