//! The reference against every vector file.
mod file;
mod hashes;
mod published;
