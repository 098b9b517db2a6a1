//! The families of functions that can be measured. `--help` lists them; `cyclic` has more, for `--n`.
use crate::f2x::{self, Operation};
use crate::family::Family;
use crate::input::{Key, Tag, first, first126};
use crate::lengths;
use crate::ours;
use crate::peers;
use crate::subject::{Mode, Subject};
use carryless_hash::decbrwhash1305::Streams;
use carryless_reference as big;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

mod aead;
pub mod cyclic;

pub use aead::{CHACHA20_POLY1305, XCHACHA20_DECBRW1305, XCHACHA20_POLY1305};

/// Poly1305, the one-time authenticator of RFC 8439, with the whole key of 32 bytes.
pub static POLY1305: Family = Family {
    name: "poly1305",
    aliases: &[],
    about: "the one-time authenticator of RFC 8439",
    reference: big::poly1305,
    ours: |mode| ours::poly1305().subjects(mode),
    lengths: lengths::DEFAULT,
    operation: None,
    is_hash: true,
    peers: peers::POLY1305,
    others: peers::others,
};

/// polyHash1305, the polynomial hash over 2^130 - 5. Its key is the first half, unclamped.
pub static POLYHASH1305: Family = Family {
    name: "polyhash1305",
    aliases: &[],
    about: "the polynomial hash over 2^130 - 5 with an unclamped key",
    reference: |key, message| big::polyhash1305(first(key), message),
    ours: |mode| ours::polyhash1305().subjects(mode),
    lengths: lengths::DEFAULT,
    operation: None,
    is_hash: true,
    peers: &[],
    // No other library computes it, so other functions show what it costs.
    others: |mode| other_prime(&POLYHASH1271, mode),
};

/// BRWHash1305: the BRW hash over 2^130 - 5 of one stream.
pub static BRWHASH1305: Family = Family {
    name: "brwhash1305",
    aliases: &["decbrw1-1305"],
    about: "BRWHash1305: half a product for a block",
    reference: decbrw1305::<1>,
    ours: |mode| ours::decbrwhash1305(Streams::One).subjects(mode),
    ..DECBRW1305
};

/// 4-decBRWHash1305: the BRW hash over 2^130 - 5 of four interleaved streams.
pub static DECBRWHASH1305: Family = Family {
    name: "decbrwhash1305",
    aliases: &["decbrw4-1305"],
    about: "4-decBRWHash1305: BRWHash of four streams",
    ..DECBRW1305
};

/// polyHash1271, the polynomial hash over 2^127 - 1. Its key is the first half, below 2^126.
pub static POLYHASH1271: Family = Family {
    name: "polyhash1271",
    aliases: &[],
    about: "the polynomial hash over 2^127 - 1",
    reference: |key, message| {
        big::polyhash(&big::P1271, &first126(key), message.into()).expect("the key is below 2^126")
    },
    ours: |mode| ours::polyhash1271().subjects(mode),
    lengths: lengths::DEFAULT,
    operation: None,
    is_hash: true,
    peers: &[],
    others: |mode| other_prime(&POLYHASH1305, mode),
};

/// BRWHash1271: the BRW hash over 2^127 - 1 of one stream.
pub static BRWHASH1271: Family = Family {
    name: "brwhash1271",
    aliases: &["decbrw1-1271"],
    about: "BRWHash1271",
    reference: decbrw1271::<1>,
    ours: |mode| ours::decbrwhash1271(Streams::One).subjects(mode),
    ..DECBRW1271
};

/// 4-decBRWHash1271: the BRW hash over 2^127 - 1 of four interleaved streams.
pub static DECBRWHASH1271: Family =
    Family { name: "decbrwhash1271", aliases: &["decbrw4-1271"], about: "4-decBRWHash1271", ..DECBRW1271 };

/// Products of polynomials over F2, of two operands that each have as many bytes as the message.
pub static F2X_MUL: Family = Family {
    name: "f2x-mul",
    about: "products in F2[X], operands of so many bytes each",
    reference: |key, message| f2x::reference(Operation::Mul, key, message),
    ours: |mode| ours::f2x(Operation::Mul).subjects(mode),
    ..F2X
};

/// Fields that the families over F2 share. Each of them replaces name and operation.
const F2X: Family = Family {
    // A test refuses an empty name or description, so no family can forget to replace them.
    name: "",
    aliases: &[],
    about: "",
    reference: |key, message| f2x::reference(Operation::Mul, key, message),
    ours: |mode| ours::f2x(Operation::Mul).subjects(mode),
    lengths: f2x::LENGTHS,
    operation: Some(Operation::Mul),
    is_hash: false,
    peers: &[],
    others: |_| vec![],
};

/// Products of an operand of the message's length by one of a few words. The functions of a family are plain
/// pointers without parameters, so each number of words has a family.
macro_rules! mul_short {
    ($name:literal, $about:literal, $words:literal) => {
        Family {
            name: $name,
            about: $about,
            reference: |key, message| f2x::reference(Operation::MulShort($words), key, message),
            ours: |mode| ours::f2x(Operation::MulShort($words)).subjects(mode),
            lengths: f2x::LONG_LENGTHS,
            operation: Some(Operation::MulShort($words)),
            ..F2X
        }
    };
}

/// Every family, as `--help` lists them. A new family needs no change outside this list.
pub static FAMILIES: &[&Family] = &[
    &POLY1305,
    &POLYHASH1305,
    &BRWHASH1305,
    &DECBRWHASH1305,
    &Family {
        name: "decbrw2-1305",
        about: "of two streams",
        reference: decbrw1305::<2>,
        ours: |mode| ours::decbrwhash1305(Streams::Two).subjects(mode),
        ..DECBRW1305
    },
    &Family {
        name: "decbrw3-1305",
        about: "of three streams",
        reference: decbrw1305::<3>,
        ours: |mode| ours::decbrwhash1305(Streams::Three).subjects(mode),
        ..DECBRW1305
    },
    &Family {
        name: "decbrw8-1305",
        about: "of eight streams",
        reference: decbrw1305::<8>,
        ours: |mode| ours::decbrwhash1305(Streams::Eight).subjects(mode),
        ..DECBRW1305
    },
    &Family {
        name: "decbrw16-1305",
        about: "of sixteen streams",
        reference: decbrw1305::<16>,
        ours: |mode| ours::decbrwhash1305(Streams::Sixteen).subjects(mode),
        ..DECBRW1305
    },
    &POLYHASH1271,
    &BRWHASH1271,
    &DECBRWHASH1271,
    &Family {
        name: "decbrw2-1271",
        about: "of two streams",
        reference: decbrw1271::<2>,
        ours: |mode| ours::decbrwhash1271(Streams::Two).subjects(mode),
        ..DECBRW1271
    },
    &Family {
        name: "decbrw3-1271",
        about: "of three streams",
        reference: decbrw1271::<3>,
        ours: |mode| ours::decbrwhash1271(Streams::Three).subjects(mode),
        ..DECBRW1271
    },
    &Family {
        name: "decbrw8-1271",
        about: "of eight streams",
        reference: decbrw1271::<8>,
        ours: |mode| ours::decbrwhash1271(Streams::Eight).subjects(mode),
        ..DECBRW1271
    },
    &Family {
        name: "decbrw16-1271",
        about: "of sixteen streams",
        reference: decbrw1271::<16>,
        ours: |mode| ours::decbrwhash1271(Streams::Sixteen).subjects(mode),
        ..DECBRW1271
    },
    &F2X_MUL,
    &mul_short!("f2x-mul-64", "products by an operand of 64 bits", 1),
    &mul_short!("f2x-mul-128", "products by an operand of 128 bits", 2),
    &mul_short!("f2x-mul-192", "products by an operand of 192 bits", 3),
    &mul_short!("f2x-mul-320", "products by an operand of 320 bits", 5),
    &mul_short!("f2x-mul-512", "products by an operand of 512 bits", 8),
    &mul_short!("f2x-mul-704", "products by an operand of 704 bits", 11),
    &Family {
        name: "f2x-square",
        about: "squares in F2[X]",
        reference: |key, message| f2x::reference(Operation::Square, key, message),
        ours: |mode| ours::f2x(Operation::Square).subjects(mode),
        operation: Some(Operation::Square),
        ..F2X
    },
    // `--n` reaches the families of other remainders. In `--help` they would only repeat this one.
    &cyclic::FAMILIES[cyclic::HQC],
    &CHACHA20_POLY1305,
    &XCHACHA20_POLY1305,
    &XCHACHA20_DECBRW1305,
];

/// Fields that the BRW families over 2^130 - 5 share. They are those of four streams, unless a family replaces them.
const DECBRW1305: Family = Family {
    name: "",
    aliases: &[],
    about: "",
    reference: decbrw1305::<4>,
    ours: |mode| ours::decbrwhash1305(Streams::Four).subjects(mode),
    lengths: lengths::DEFAULT,
    operation: None,
    is_hash: true,
    peers: &[],
    others: |mode| beside_brw(&POLYHASH1305, mode),
};

/// Fields that the BRW families over 2^127 - 1 share, those of four streams.
const DECBRW1271: Family = Family {
    reference: decbrw1271::<4>,
    ours: |mode| ours::decbrwhash1271(Streams::Four).subjects(mode),
    others: |mode| beside_brw(&POLYHASH1271, mode),
    ..DECBRW1305
};

fn decbrw1305<const C: usize>(key: &Key, message: &[u8]) -> Tag {
    big::decbrwhash(&big::P1305, C, first(key), message.into()).expect("every 16-byte key is one")
}

fn decbrw1271<const C: usize>(key: &Key, message: &[u8]) -> Tag {
    big::decbrwhash(&big::P1271, C, &first126(key), message.into()).expect("the key is below 2^126")
}

/// The subjects that BRW hashes are measured with: polyHash over the same prime, and other libraries' Poly1305.
fn beside_brw(polyhash: &'static Family, mode: Mode) -> Vec<Subject> {
    let mut all = beside(polyhash, mode);
    // These compute a different function, so each subject is verified against its own reference.
    all.extend(POLY1305.peers(mode).into_iter().map(|subject| subject.of(POLY1305.reference)));
    all.extend(peers::others(mode));
    all
}

/// The subjects that polyHash is measured with: polyHash over the other prime, and other functions.
fn other_prime(polyhash: &'static Family, mode: Mode) -> Vec<Subject> {
    beside(polyhash, mode).into_iter().chain(peers::others(mode)).collect()
}

/// Our subjects of another family, under that family's name.
fn beside(family: &'static Family, mode: Mode) -> Vec<Subject> {
    let named = |subject: Subject| {
        // Two families of ours stand in one table, and their subjects would have one name.
        let name = subject.name.replace("carryless", family.name);
        subject.named(&name).of(family.reference)
    };
    family.ours(mode).into_iter().map(named).collect()
}

/// The family with this name or alias; `None` if there is none.
pub fn named(name: &str) -> Option<&'static Family> {
    FAMILIES.iter().copied().find(|family| family.name == name || family.aliases.contains(&name))
}

/// The parser of the argument FAMILY, which lists all names in `--help`.
pub fn parser() -> impl TypedValueParser<Value = &'static Family> {
    let value = |family: &&'static Family| {
        PossibleValue::new(family.name).aliases(family.aliases.iter().copied()).help(family.about)
    };
    let known = PossibleValuesParser::new(FAMILIES.iter().map(value));
    // Aliases are possible values as well, so the name may be one of them.
    known.map(|name| named(&name).expect("a possible value names a family"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::verify;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_different_and_found() {
        let names: Vec<&str> =
            FAMILIES.iter().flat_map(|family| [&[family.name], family.aliases].concat()).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        for family in FAMILIES {
            assert!(std::ptr::eq(named(family.name).expect("it is there"), *family));
            assert!(!family.about.is_empty());
        }
        let alias = |name| named(name).map(|family| family.name);
        assert_eq!(alias("decbrw4-1305"), Some("decbrwhash1305"));
        assert_eq!(alias("decbrw1-1271"), Some("brwhash1271"));
        assert!(named("").is_none());
    }

    /// In every mode that a family has, its subjects agree with its reference. The subjects it is
    /// measured with have other names.
    #[test]
    fn every_family_is_what_it_says() {
        for family in FAMILIES {
            for mode in [Mode::OneShot, Mode::Prepared, Mode::Batch, Mode::Latency] {
                let mut subjects = family.ours(mode);
                // One-shot calls are the only ones that every family has.
                assert!(mode != Mode::OneShot || !subjects.is_empty(), "{}", family.name);
                subjects.extend(family.others(mode));
                let names: BTreeSet<&str> = subjects.iter().map(|subject| subject.name.as_str()).collect();
                assert_eq!(names.len(), subjects.len(), "{} {names:?}", family.name);
                let chosen: Vec<_> = subjects.iter().collect();
                // Lengths around a block of 15 or 16 bytes, within a row of lanes, and of many rows.
                verify(family.reference, &chosen, &[1, 15, 16, 17, 300, 5000], 2).expect(family.name);
            }
        }
    }
}
