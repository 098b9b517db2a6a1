//! The reference against every vector file.
mod curves;
mod ecdsa;
mod file;
mod hashes;
mod keys;
mod published;
