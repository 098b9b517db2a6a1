//! The families of functions that can be measured: what computes the same stands in the same one.
use crate::input::{Key, Tag, first};
use crate::ours::{self, Ours};
use crate::peers::{self, Peer};
use crate::subject::{Mode, Subject};
use carryless_hash::decbrwhash1305::Streams;
use carryless_reference as big;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The function in big integers, which no subject shares code with.
pub type Reference = fn(&Key, &[u8]) -> Tag;

/// A set of functions that give the same bytes.
#[derive(Debug)]
pub struct Family {
    /// As on the command line and in records.
    pub name: &'static str,
    /// Other names that the command line takes.
    aliases: &'static [&'static str],
    about: &'static str,
    /// What every subject must agree with.
    pub reference: Reference,
    ours: fn() -> Ours,
    /// Other libraries that compute it.
    peers: &'static [Peer],
    /// Other functions, to compare with.
    others: fn(Mode) -> Vec<Subject>,
}

/// Poly1305.
pub static POLY1305: Family = Family {
    name: "poly1305",
    aliases: &[],
    about: "the one-time authenticator of RFC 8439",
    reference: big::poly1305,
    ours: ours::poly1305,
    peers: peers::POLY1305,
    others: peers::others,
};

/// polyHash1305.
pub static POLYHASH1305: Family = Family {
    name: "polyhash1305",
    aliases: &[],
    about: "the polynomial hash over 2^130 - 5 with an unclamped key",
    reference: |key, message| big::polyhash1305(first(key), message),
    ours: ours::polyhash1305,
    peers: &[],
    others: peers::others,
};

/// BRWHash1305, the function of one stream.
pub static BRWHASH1305: Family = Family {
    name: "brwhash1305",
    aliases: &["decbrw1-1305"],
    about: "BRWHash1305: half a product for a block",
    reference: decbrw::<1>,
    ours: || ours::decbrwhash1305(Streams::One),
    ..DECBRW
};

/// 4-decBRWHash1305.
pub static DECBRWHASH1305: Family = Family {
    name: "decbrwhash1305",
    aliases: &["decbrw4-1305"],
    about: "4-decBRWHash1305: BRWHash of four streams",
    reference: decbrw::<4>,
    ours: || ours::decbrwhash1305(Streams::Four),
    ..DECBRW
};

/// Every family, as `--help` lists them. One more is one more of these; the rest follows.
pub static FAMILIES: &[&Family] = &[
    &POLY1305,
    &POLYHASH1305,
    &BRWHASH1305,
    &DECBRWHASH1305,
    &Family {
        name: "decbrw2-1305",
        about: "of two streams",
        reference: decbrw::<2>,
        ours: || ours::decbrwhash1305(Streams::Two),
        ..DECBRW
    },
    &Family {
        name: "decbrw3-1305",
        about: "of three streams",
        reference: decbrw::<3>,
        ours: || ours::decbrwhash1305(Streams::Three),
        ..DECBRW
    },
    &Family {
        name: "decbrw8-1305",
        about: "of eight streams",
        reference: decbrw::<8>,
        ours: || ours::decbrwhash1305(Streams::Eight),
        ..DECBRW
    },
    &Family {
        name: "decbrw16-1305",
        about: "of sixteen streams",
        reference: decbrw::<16>,
        ours: || ours::decbrwhash1305(Streams::Sixteen),
        ..DECBRW
    },
];

/// What the BRW families have in common.
const DECBRW: Family = Family {
    name: "",
    aliases: &[],
    about: "",
    reference: decbrw::<4>,
    ours: || ours::decbrwhash1305(Streams::Four),
    peers: &[],
    others: beside_brw,
};

fn decbrw<const C: usize>(key: &Key, message: &[u8]) -> Tag {
    big::decbrwhash(&big::P1305, C, first(key), message.into()).expect("every 16-byte key is one")
}

/// What the BRW hashes are measured against: polyHash1305, and other libraries' Poly1305.
fn beside_brw(mode: Mode) -> Vec<Subject> {
    let mut all = POLYHASH1305.ours(mode);
    for subject in &mut all {
        subject.name = subject.name.replace("carryless/", "polyhash1305/");
    }
    all = all.into_iter().map(|subject| subject.of(&POLYHASH1305)).collect();
    all.extend(POLY1305.peers(mode).into_iter().map(|subject| subject.of(&POLY1305)));
    all.extend(peers::others(mode));
    all
}

impl Family {
    /// The family of this name.
    pub fn named(name: &str) -> Option<&'static Family> {
        FAMILIES.iter().copied().find(|family| family.name == name || family.aliases.contains(&name))
    }

    /// Takes the name of a family on the command line.
    pub fn parser() -> impl TypedValueParser<Value = &'static Family> {
        let value = |family: &&'static Family| {
            PossibleValue::new(family.name).aliases(family.aliases.iter().copied()).help(family.about)
        };
        let known = PossibleValuesParser::new(FAMILIES.iter().map(value));
        known.map(|name| Family::named(&name).expect("a possible value names a family"))
    }

    /// This library's subjects; none if it has no such call.
    pub fn ours(&self, mode: Mode) -> Vec<Subject> {
        (self.ours)().subjects(mode)
    }

    /// The subjects of other libraries in this build that compute it.
    pub fn peers(&self, mode: Mode) -> Vec<Subject> {
        self.peers.iter().flat_map(|subjects| subjects(mode)).collect()
    }

    /// Other functions, to compare with.
    pub fn others(&self, mode: Mode) -> Vec<Subject> {
        (self.others)(mode)
    }
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
            assert!(std::ptr::eq(Family::named(family.name).expect("it is there"), *family));
            assert!(!family.about.is_empty());
        }
        assert_eq!(Family::named("decbrw4-1305").map(|family| family.name), Some("decbrwhash1305"));
        assert!(Family::named("").is_none());
    }

    /// Every family's subjects agree with its reference, in every mode that it has, and stand beside what they are
    /// compared with under different names.
    #[test]
    fn every_family_is_what_it_says() {
        for family in FAMILIES {
            for mode in [Mode::OneShot, Mode::Prepared, Mode::Batch] {
                let mut subjects = family.ours(mode);
                assert!(mode != Mode::OneShot || !subjects.is_empty(), "{}", family.name);
                subjects.extend(family.others(mode));
                let names: BTreeSet<&str> = subjects.iter().map(|subject| subject.name.as_str()).collect();
                assert_eq!(names.len(), subjects.len(), "{} {names:?}", family.name);
                let chosen: Vec<_> = subjects.iter().collect();
                verify(family.reference, &chosen, &[1, 16, 17, 300, 5000], 2).expect(family.name);
            }
        }
    }
}
