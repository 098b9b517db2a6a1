//! What holds for every input of the command's parsers: the fuzz targets look for inputs that break it.
//!
//! Each function panics if it does not hold. Not an interface: it changes without notice.
use crate::name::{escape, printable, unescape};
use crate::{cluster, field, kem, key, manifest, poly};

/// Manifests: what is read is printed as the same bytes; what is written is read back, and nothing else is.
pub fn manifest(data: &[u8]) {
    manifest::fuzzing::check(data);
}

/// Key files: one line for each key.
pub fn key_file(data: &[u8]) {
    key::fuzzing::check(data);
}

/// Files of keys, ciphertexts and secrets of HQC: one text for each, and what is imported is exported as the same.
pub fn kem_file(data: &[u8]) {
    kem::fuzzing::check(data);
}

/// Operands and exponents of `carryless poly`: every form of a result is read back as the same. Names, polynomials and operands of `carryless field`.
pub fn operands(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        poly::fuzzing::check(text);
        field::fuzzing::check(text);
    }
}

/// Tasks of a cluster: none but those that were sealed, each of one form, and with claims that cost nothing.
pub fn cluster_task(data: &[u8]) {
    cluster::fuzzing::task(data);
}

/// Results of a task: none but those that were sealed, refused or whole.
pub fn cluster_result(data: &[u8]) {
    cluster::fuzzing::result(data);
}

/// Parts of an object in any order, changed and again: the right tag of the right parts, and none of too few.
pub fn cluster_parts(data: &[u8]) {
    cluster::fuzzing::parts(data);
}

/// Names: any bytes come back from one line of text, and no other text stands for them.
pub fn names(data: &[u8]) {
    let line = escape(data);
    assert_eq!(unescape(&line).as_deref(), Some(data), "{line:?}");
    assert!(!line.chars().any(char::is_control), "{line:?}");
    assert_eq!(printable(&line), line);
    let Ok(text) = std::str::from_utf8(data) else { return };
    assert!(!printable(text).chars().any(char::is_control), "{text:?}");
    if let Some(name) = unescape(text) {
        assert_eq!(escape(&name), text);
    }
}

#[cfg(test)]
mod changed;

#[cfg(test)]
mod tests {
    use super::changed::check_changed;
    use super::*;

    /// The checks themselves, on a few inputs of every kind, and on all of them cut and with a byte changed.
    #[test]
    fn checks_hold_for_the_seeds() {
        let kem_seed = kem::fuzzing::seed();
        let cluster = |check: fn(&[u8]), seeds: [Vec<u8>; 2]| seeds.map(|seed| (check, seed));
        for (check, seed) in [
            cluster(cluster_task, cluster::fuzzing::seeds_of_tasks()),
            cluster(cluster_result, cluster::fuzzing::seeds_of_results()),
        ]
        .into_iter()
        .flatten()
        {
            check_changed(check, &seed);
        }
        let checks = [
            (manifest as fn(&[u8]), crate::manifest::fuzzing::SEED),
            (key_file, "carryless-key-v1:0011223344556677:00000000\n"),
            (kem_file, &kem_seed),
            (operands, "X^10 + X+1"),
            (operands, "10,1,0"),
            (operands, "0xfedcba98765432100"),
            (operands, "2^70"),
            (operands, "233-sqrt"),
            (operands, "X^8+X^4+X^3+X+1"),
            (cluster_parts, cluster::fuzzing::SEED_OF_PARTS),
            (names, "a\\x0a\\\\\\n\u{202e}\r\n"),
        ];
        for (check, seed) in checks {
            check_changed(check, seed.as_bytes());
        }
    }
}
