//! Helpers for bytes in files of HQC.
use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

/// Returns the SHA-256 of the bytes.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Returns an error that names the member, unless it has this many bytes.
pub(super) fn of_length(name: &str, bytes: &[u8], len: usize) -> Result<()> {
    ensure!(bytes.len() == len, "{name} has {} bytes where {len} belong", bytes.len());
    Ok(())
}

/// Returns the bytes as an array. Their length was checked when the file was read.
pub(super) fn array<A: carryless_hqc::Array<u8>>(bytes: &[u8]) -> A {
    let mut array = A::zeroed();
    array.as_mut().copy_from_slice(bytes);
    array
}
