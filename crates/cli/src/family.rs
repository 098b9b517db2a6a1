//! How every manifest begins, of whatever version.

/// The first bytes.
pub(crate) const FAMILY: &str = "carryless-manifest-";

/// How many bytes tell whether a file may be a manifest.
pub(crate) const FAMILY_LENGTH: usize = FAMILY.len();

/// Whether a file that begins with these bytes may be a manifest: at least [`FAMILY_LENGTH`] of them, or all that it has.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(FAMILY.as_bytes())
}
