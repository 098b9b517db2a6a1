//! The beginning that manifests of all versions share.

/// The first bytes of a manifest, before its version.
pub(crate) const FAMILY: &str = "carryless-manifest-";

/// Number of bytes that show whether a file may be a manifest.
pub(crate) const FAMILY_LENGTH: usize = FAMILY.len();

/// Returns whether a file may be a manifest. `bytes` are its first [`FAMILY_LENGTH`] bytes, or all of a shorter file.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(FAMILY.as_bytes())
}
