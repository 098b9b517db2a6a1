//! What is measured of every parameter set, and its values.
use super::parts;
use crate::algebra::{self, Structure};
use crate::f2x::digest;
use crate::input::{Fill, Input, Tag};
use carryless_hqc::{ParameterSet, Scheme};

/// Known answers, of the reference code.
const ANSWERS: &str = include_str!("../../data/hqc.txt");

/// An operation of the KEM, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A key of a seed.
    Keygen,
    /// A secret and its ciphertext, by a key of bytes.
    Encaps,
    /// The secret of a ciphertext, by a key of bytes.
    Decaps,
    /// [`Encaps`](Operation::Encaps) by an expanded key.
    EncapsExpanded,
    /// [`Decaps`](Operation::Decaps) by an expanded key.
    DecapsExpanded,
    /// A factor of products, prepared.
    Prepare,
    /// A product by a prepared factor.
    Product,
    /// A ring element of the positions of y.
    KeySupport,
    /// A ring element of the positions of r1.
    ErrorSupport,
    /// One hash by itself: as many bytes as h has, of a seed.
    Stream,
    /// The hashes of a key generation.
    KeygenHashes,
    /// The hashes of an encapsulation.
    EncapsHashes,
    /// The hashes of a decapsulation.
    DecapsHashes,
    /// The codeword of a message.
    Encode,
    /// The message of a codeword with errors.
    Decode,
    /// The first half of that: the symbols of Reed-Muller codewords.
    ReedMuller,
    /// The comparison of a ciphertext with another.
    Compare,
}

use Operation::{
    Compare, Decaps, DecapsExpanded, DecapsHashes, Decode, Encaps, EncapsExpanded, EncapsHashes, Encode,
    ErrorSupport, KeySupport, Keygen, KeygenHashes, Prepare, Product, ReedMuller, Stream,
};

impl Operation {
    /// Those of the KEM that all libraries have.
    pub(crate) const KEM: [Operation; 3] = [Keygen, Encaps, Decaps];
}

impl algebra::Operation for Operation {
    const ALL: &'static [Operation] = &[
        Keygen,
        Encaps,
        Decaps,
        EncapsExpanded,
        DecapsExpanded,
        Prepare,
        Product,
        KeySupport,
        ErrorSupport,
        Stream,
        KeygenHashes,
        EncapsHashes,
        DecapsHashes,
        Encode,
        Decode,
        ReedMuller,
        Compare,
    ];
    /// No other library has expanded keys.
    const PAIRS: &'static [(Operation, Operation)] = &[
        (Keygen, Keygen),
        (Encaps, Encaps),
        (Decaps, Decaps),
        (EncapsExpanded, Encaps),
        (DecapsExpanded, Decaps),
        (Stream, Stream),
    ];

    fn name(self) -> &'static str {
        match self {
            Keygen => "keygen",
            Encaps => "encaps",
            Decaps => "decaps",
            EncapsExpanded => "encaps-expanded",
            DecapsExpanded => "decaps-expanded",
            Prepare => "prepare",
            Product => "product",
            KeySupport => "support-y",
            ErrorSupport => "support-r",
            Stream => "stream",
            KeygenHashes => "hashes-keygen",
            EncapsHashes => "hashes-encaps",
            DecapsHashes => "hashes-decaps",
            Encode => "encode",
            Decode => "decode",
            ReedMuller => "reed-muller",
            Compare => "compare",
        }
    }

    fn count(self) -> usize {
        1
    }
}

/// A parameter set in profile NR.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Its name.
    pub name: &'static str,
    /// The degree of the ring.
    n: usize,
    /// What a part must give.
    part: fn(Operation, &Case) -> Tag,
    sizes: [usize; 3],
}

/// Key and ciphertext of one call.
pub(crate) struct Case {
    /// Of the key.
    pub(crate) seed: [u8; 32],
    pub(crate) message: Vec<u8>,
    pub(crate) salt: [u8; 16],
    secret: Vec<u8>,
    /// Digest of the decapsulation key.
    key: Tag,
    /// Digest of the ciphertext and the secret.
    encapsulation: Tag,
}

impl Set {
    pub(super) fn of<K: Scheme>() -> Set {
        let sizes = [
            size_of::<K::DecapsulationKeyBytes>(),
            size_of::<K::CiphertextBytes>(),
            size_of::<K::SharedSecretBytes>(),
        ];
        Set { name: K::NAME, n: K::Set::N, part: parts::expected::<K>, sizes }
    }

    /// Bytes of a decapsulation key, a ciphertext and a secret.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        self.sizes
    }

    /// The key and the encapsulation that stand for an input: the operations take the same time for all of them.
    ///
    /// # Panics
    /// If the data file is not in its own form: never in a build that passed its tests.
    pub(crate) fn case(&self, fill: Fill) -> Case {
        let which = usize::from(fill != Fill::Ones);
        let of_set = |line: &&str| line.split(" | ").next() == Some(self.name);
        let line = ANSWERS.lines().filter(of_set).nth(which).expect("there are two cases of a set");
        let fields: Vec<Vec<u8>> = line.split(" | ").skip(1).map(bytes).collect();
        let [seed, message, salt, secret, key, encapsulation] = &fields[..] else { panic!("'{line}'") };
        Case {
            seed: array(seed),
            message: message.clone(),
            salt: array(salt),
            secret: secret.clone(),
            key: array(key),
            encapsulation: array(encapsulation),
        }
    }
}

fn bytes(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("as many bytes as it takes")
}

/// Bytes as words, for digests.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(crate::f2x::word).collect()
}

impl Structure for Set {
    type Operation = Operation;
    const KIND: &'static str = "set";
    const RECORD: (&'static str, &'static str) = ("family", "hqc");

    fn name(&self) -> &str {
        self.name
    }

    fn degree(&self) -> usize {
        self.n
    }

    /// Operands are those of known answers; messages are empty but for one byte.
    fn message(&self) -> usize {
        1
    }

    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        let case = self.case(input.fill());
        match operation {
            Keygen => case.key,
            Encaps | EncapsExpanded => case.encapsulation,
            Decaps | DecapsExpanded => digest(&words(&case.secret)),
            _ => (self.part)(operation, &case),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carryless_hqc::{Hqc1, Hqc3, Hqc5};
    use serde_json::Value;

    /// The answers are those of the repository's vectors.
    #[test]
    fn answers_are_those_of_the_reference_code() {
        let file = include_str!("../../../../vectors/hqc_nr.json");
        let file: Value = serde_json::from_str(file).expect("JSON");
        let mut seen = 0;
        for set in [Set::of::<Hqc1>(), Set::of::<Hqc3>(), Set::of::<Hqc5>()] {
            let mut groups = file["testGroups"].as_array().expect("groups").iter();
            let group = groups.find(|group| group["scheme"] == set.name).expect("every set has vectors");
            for fill in [Fill::Ones, Fill::Random(1)] {
                let case = set.case(fill);
                let of = |test: &Value, name: &str| bytes(test[name].as_str().expect("a string"));
                let mut tests = group["tests"].as_array().expect("tests").iter();
                let test = tests.find(|test| of(test, "seed") == case.seed).expect("a vector of that seed");
                assert_eq!((of(test, "m"), &of(test, "salt")[..]), (case.message, &case.salt[..]));
                assert_eq!(of(test, "ss"), case.secret);
                assert_eq!(digest(&words(&of(test, "dk"))), case.key);
                assert_eq!(digest(&words(&[of(test, "ct"), of(test, "ss")].concat())), case.encapsulation);
                seen += 1;
            }
        }
        assert_eq!(seen, 6);
    }
}
