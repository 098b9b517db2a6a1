//! The crate crrl: GF(2^127), GF(2^254) and the curve GLS254. It chooses its code when it is compiled: where the build has no carry-less instructions for
//! granted, that is words of 64 bits; with `-C target-cpu=native` it is another program, and measured under another name.
#[cfg(feature = "curves")]
pub(crate) mod curves;
#[cfg(feature = "fields")]
pub(crate) mod fields;

/// As in crrl's own choice of code.
const CARRYLESS: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse4.1", target_feature = "pclmulqdq"),
    all(target_arch = "aarch64", target_feature = "aes")
));

/// The name says how this program was compiled.
const NAME: &str = if CARRYLESS { "crrl/native" } else { "crrl" };
