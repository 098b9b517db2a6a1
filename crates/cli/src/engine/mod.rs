//! What `carryless tag`, [`tree`](crate::tree) and [`cluster`](crate::cluster) have in common.
mod tag;

pub(crate) use tag::{collect, tag_all, total};
