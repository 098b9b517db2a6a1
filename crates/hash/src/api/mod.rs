//! The hashes, their keys and segments: what users call.
pub mod decbrwhash;
pub mod decbrwhash1271;
pub mod decbrwhash1305;
pub(crate) mod key;
pub(crate) mod key1271;
mod key1305;
pub mod poly1305;
pub mod polyhash;
pub mod polyhash1271;
pub mod polyhash1305;
pub mod research;
mod traits;
