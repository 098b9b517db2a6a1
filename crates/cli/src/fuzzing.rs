//! Properties that hold for every input of the command's parsers, for the fuzz targets.
//!
//! Each function panics if its property is violated. They are no interface and change without notice.
#[cfg(feature = "kem")]
use crate::kem;
use crate::name::{escape, printable, unescape};
use crate::{cluster, key, manifest};
#[cfg(feature = "algebra")]
use crate::{field, poly};

/// Checks manifests: those that are accepted are printed as the same bytes, and those that are written are
/// read back. Nothing else is authentic.
pub fn manifest(data: &[u8]) {
    manifest::fuzzing::check(data);
}

/// Checks key files: each key has exactly one line.
pub fn key_file(data: &[u8]) {
    key::fuzzing::check(data);
}

/// Checks files of keys, ciphertexts and secrets of HQC: each value has exactly one text, and exporting an
/// import gives the same bytes.
#[cfg(feature = "kem")]
pub fn kem_file(data: &[u8]) {
    kem::fuzzing::check(data);
}

/// Checks operands and exponents of `carryless poly`: each form of a result is read back as the same
/// polynomial. Also checks names, polynomials and operands of `carryless field`.
#[cfg(feature = "algebra")]
pub fn operands(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data) {
        poly::fuzzing::check(text);
        field::fuzzing::check(text);
    }
}

/// Checks tasks of a cluster: only sealed ones are accepted, each has one form, and their claims cost no memory.
pub fn cluster_task(data: &[u8]) {
    cluster::fuzzing::task(data);
}

/// Checks results of a task: only sealed ones are accepted, and they are refused or complete.
pub fn cluster_result(data: &[u8]) {
    cluster::fuzzing::result(data);
}

/// Checks parts of an object, in any order, changed or repeated. The tag is right if the parts are,
/// and too few give none.
pub fn cluster_parts(data: &[u8]) {
    cluster::fuzzing::parts(data);
}

/// Checks lists of other programs: those that are accepted say the same if they are printed again.
#[cfg(feature = "lists")]
pub fn list(data: &[u8]) {
    crate::lists::fuzzing::check(data);
}

/// Checks names: any bytes are restored from their line of text, and no other text stands for them.
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

    /// Runs each check on some inputs of every kind, on their beginnings, and with bytes changed.
    #[test]
    fn checks_hold_for_the_seeds() {
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
        #[cfg(feature = "kem")]
        check_changed(kem_file, kem::fuzzing::seed().as_bytes());
        #[cfg(feature = "lists")]
        crate::lists::fuzzing::SEEDS.iter().for_each(|seed| check_changed(list, seed.as_bytes()));
        #[cfg(feature = "algebra")]
        for seed in ["X^10 + X+1", "10,1,0", "0xfedcba98765432100", "2^70", "233-sqrt", "X^8+X^4+X^3+X+1"] {
            check_changed(operands, seed.as_bytes());
        }
        let checks = [
            (manifest as fn(&[u8]), crate::manifest::fuzzing::SEEDS[0]),
            (manifest, crate::manifest::fuzzing::SEEDS[1]),
            (key_file, "carryless-key-v1:0011223344556677:00000000\n"),
            (cluster_parts, cluster::fuzzing::SEED_OF_PARTS),
            (names, "a\\x0a\\\\\\n\u{202e}\r\n"),
        ];
        for (check, seed) in checks {
            check_changed(check, seed.as_bytes());
        }
    }
}
