//! Properties that hold for every input of the parsers of `carryless-lab`, for the fuzz targets.
//!
//! Each function panics if its property is violated. They are no interface and change without notice.
pub use crate::vectors::gf2m_arithmetic::{Arithmetic, element};
use crate::{costs, vectors};

/// Checks files of test vectors: they are bounded, and the library passes what the reference passes.
pub fn vector_file(data: &[u8]) {
    // The command reads files as UTF-8, so other bytes never reach the parser.
    if let Ok(text) = std::str::from_utf8(data) {
        vectors::fuzzing::check(text);
    }
}

/// Checks tables of `carryless-lab tune`: printed tables are read back as the same, and plans
/// by them give right products.
pub fn costs(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        costs::fuzzing::check(text);
    }
}

// The parsers of the command `carryless` are tested by this code too.
#[cfg(test)]
#[path = "../../crates/cli/src/fuzzing/changed.rs"]
mod changed;

#[cfg(test)]
mod tests {
    use super::changed::check_changed;
    use super::*;

    #[test]
    fn checks_hold_for_the_seeds() {
        let checks = [
            (vector_file as fn(&[u8]), vectors::fuzzing::SEED),
            (vector_file, vectors::fuzzing::SEED_OF_FIELDS),
            (vector_file, vectors::fuzzing::SEED_OF_HQC),
            (costs, costs::fuzzing::SEED),
        ];
        for (check, seed) in checks {
            check_changed(check, seed.as_bytes());
        }
    }
}
