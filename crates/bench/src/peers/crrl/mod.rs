//! The crate crrl: GF(2^127), GF(2^254) and the curve GLS254. It chooses its code when it is compiled.
//! Without carry-less instructions in the build's target it uses words of 64 bits. With
//! `-C target-cpu=native` it is another program, which is measured under another name.
#[cfg(feature = "curves")]
pub(crate) mod curves;
#[cfg(feature = "fields")]
pub(crate) mod fields;

/// Whether this build has crrl's code with carry-less products: the condition is crrl's own.
const CARRYLESS: bool = cfg!(any(
    all(target_arch = "x86_64", target_feature = "sse4.1", target_feature = "pclmulqdq"),
    all(target_arch = "aarch64", target_feature = "aes")
));

/// The name in subjects, which says how crrl was compiled.
const NAME: &str = if CARRYLESS { "crrl/native" } else { "crrl" };
