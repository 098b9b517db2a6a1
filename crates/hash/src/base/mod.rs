//! Blocks, rows and their loads, tags, bounds, wiping: what needs no arithmetic of a field.
pub(crate) mod block_rows;
pub(crate) mod blocks;
pub(crate) mod bound;
pub(crate) mod loads15;
pub(crate) mod loads16;
pub(crate) mod tag;
pub(crate) mod wipe;
