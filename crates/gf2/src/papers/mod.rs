//! Algorithms of papers 002 and 004 that no other part of the crate uses, to repeat the papers' comparisons.
//!
//! For research, not for secrets: addresses of functions whose names end in `_vartime` depend on the operands. Use
//! [`poly::Plan`](crate::poly::Plan) and [`field::Field`](crate::field::Field) instead.
//!
//! | paper | item |
//! |---|---|
//! | 002, Tables 4 and 14 | [`KaratRec`] over one of the [kernels](crate::poly::NamedKernel) |
//! | 004, products without carry-less multiplication | [`mul_by_comb_vartime`], [`mul_by_shuffles_vartime`] |
//! | 004, tables for a^(2^k) and half-traces | [`NibbleTable`], [`HalfTraceTable`] |
mod karat_rec;
mod nibble_products;
mod nibble_table;

pub use karat_rec::KaratRec;
pub use nibble_products::{mul_by_comb_vartime, mul_by_shuffles_vartime};
pub use nibble_table::{HalfTraceTable, NibbleTable};
