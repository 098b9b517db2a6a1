//! The operations that are measured for every parameter set, and their known answers.
use crate::algebra::{self, Structure};
use crate::data::lines;
use crate::f2x::digest;
use crate::input::{Fill, Input, Tag};
use carryless_hqc::{ParameterSet, Scheme};

/// Known answers of the reference code. The file has two lines for each set.
const ANSWERS: &str = include_str!("../../data/hqc.txt");

/// An operation of the KEM, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Key generation from a seed.
    Keygen,
    /// Encapsulation by an encapsulation key in bytes.
    Encaps,
    /// Decapsulation by a decapsulation key in bytes.
    Decaps,
    /// [`Encaps`](Operation::Encaps) by an expanded key.
    EncapsExpanded,
    /// [`Decaps`](Operation::Decaps) by an expanded key.
    DecapsExpanded,
    /// Preparation of a factor for products.
    Prepare,
    /// A product with a prepared factor.
    Product,
    /// The ring element with ones at the positions of y.
    KeySupport,
    /// The ring element with ones at the positions of r1.
    ErrorSupport,
    /// One hash alone: SHAKE256 expands a seed to as many bytes as h has.
    Stream,
    /// All hashes of a key generation.
    KeygenHashes,
    /// All hashes of an encapsulation.
    EncapsHashes,
    /// All hashes of a decapsulation.
    DecapsHashes,
    /// Encoding of a message to a codeword.
    Encode,
    /// Decoding of a codeword with errors to a message.
    Decode,
    /// The inner half of decoding: Reed-Muller codewords to symbols.
    ReedMuller,
    /// The comparison of two ciphertexts in constant time.
    Compare,
}

use Operation::{
    Compare, Decaps, DecapsExpanded, DecapsHashes, Decode, Encaps, EncapsExpanded, EncapsHashes, Encode,
    ErrorSupport, KeySupport, Keygen, KeygenHashes, Prepare, Product, ReedMuller, Stream,
};

impl Operation {
    /// The operations of the KEM that all libraries have.
    pub(crate) const KEM: [Operation; 3] = [Keygen, Encaps, Decaps];
}

impl algebra::Operation for Operation {
    const NAMES: &'static [(Operation, &'static str)] = &[
        (Keygen, "keygen"),
        (Encaps, "encaps"),
        (Decaps, "decaps"),
        (EncapsExpanded, "encaps-expanded"),
        (DecapsExpanded, "decaps-expanded"),
        (Prepare, "prepare"),
        (Product, "product"),
        (KeySupport, "support-y"),
        (ErrorSupport, "support-r"),
        (Stream, "stream"),
        (KeygenHashes, "hashes-keygen"),
        (EncapsHashes, "hashes-encaps"),
        (DecapsHashes, "hashes-decaps"),
        (Encode, "encode"),
        (Decode, "decode"),
        (ReedMuller, "reed-muller"),
        (Compare, "compare"),
    ];
    /// Our operations by expanded keys are compared with those of peers by keys in bytes, because
    /// no peer has expanded keys.
    const PAIRS: &'static [(Operation, Operation)] = &[
        (Keygen, Keygen),
        (Encaps, Encaps),
        (Decaps, Decaps),
        (EncapsExpanded, Encaps),
        (DecapsExpanded, Decaps),
        (Stream, Stream),
    ];

    fn count(self) -> usize {
        1
    }
}

/// A parameter set in profile NR.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// The name, as in the specification: `HQC-1`.
    pub name: &'static str,
    /// The degree n of X^n - 1.
    n: usize,
    /// Computes the digest that a part of an operation must give.
    part: fn(Operation, &Case) -> Tag,
    sizes: [usize; 3],
}

/// Seed, message and salt of one call, and the digests of its results.
pub(crate) struct Case {
    /// The seed of the key pair.
    pub(crate) seed: [u8; 32],
    pub(crate) message: Vec<u8>,
    pub(crate) salt: [u8; 16],
    secret: Vec<u8>,
    /// Digest of the decapsulation key's bytes.
    key: Tag,
    /// Digest of the ciphertext and the shared secret.
    encapsulation: Tag,
}

impl Set {
    /// The set of a scheme. `part` computes the digests of the parts of its operations.
    pub(super) fn new<K: Scheme>(part: fn(Operation, &Case) -> Tag) -> Set {
        let sizes = [
            size_of::<K::DecapsulationKeyBytes>(),
            size_of::<K::CiphertextBytes>(),
            size_of::<K::SharedSecretBytes>(),
        ];
        Set { name: K::NAME, n: K::Set::N, part, sizes }
    }

    /// Sizes in bytes of a decapsulation key, a ciphertext and a shared secret.
    pub(crate) fn sizes(&self) -> [usize; 3] {
        self.sizes
    }

    /// The known answer that stands for an input. The operations take the same time for all keys and
    /// messages, so that two are enough.
    ///
    /// # Panics
    /// If the data file is malformed, which a build that passed its tests excludes.
    pub(crate) fn case(&self, fill: Fill) -> Case {
        // The first line of a set is for all-ones inputs, the second for random ones.
        let which = usize::from(fill != Fill::Ones);
        let line = lines(ANSWERS).filter(|line| line[0] == self.name).nth(which);
        let line = line.expect("there are two cases of a set");
        // The first field is the name of the set. All others are hexadecimal.
        let fields: Vec<Vec<u8>> = line[1..].iter().map(|field| bytes(field)).collect();
        let [seed, message, salt, secret, key, encapsulation] = &fields[..] else { panic!("{line:?}") };
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
    // A file of this program needs no check for signs, which `from_str_radix` would accept.
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("as many bytes as it takes")
}

/// Bytes as little-endian words, for digests.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(crate::f2x::word).collect()
}

impl Structure for Set {
    type Operation = Operation;
    const KIND: &'static str = "set";
    // In records HQC is a family of its own and no part of paper 004.
    const RECORD: (&'static str, &'static str) = ("family", "hqc");

    fn name(&self) -> &str {
        self.name
    }

    fn degree(&self) -> usize {
        self.n
    }

    /// One byte, so that cycles per byte are cycles per call. Operands come from the known answers
    /// and not from the message.
    fn message(&self) -> usize {
        1
    }

    fn expected(&self, operation: Operation, input: &Input) -> Tag {
        let case = self.case(input.fill());
        match operation {
            Keygen => case.key,
            // An expanded key is a different form of a key and must give equal bytes.
            Encaps | EncapsExpanded => case.encapsulation,
            Decaps | DecapsExpanded => digest(&words(&case.secret)),
            // Parts have no known answers in the file. The reference or plain integers compute theirs.
            _ => (self.part)(operation, &case),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parts::set;
    use super::*;
    use carryless_hqc::{Hqc1, Hqc3, Hqc5};
    use serde_json::Value;

    /// The answers in the data file are those of the repository's test vectors.
    #[test]
    fn answers_are_those_of_the_reference_code() {
        let file = include_str!("../../../../vectors/hqc_nr.json");
        let file: Value = serde_json::from_str(file).expect("JSON");
        let mut seen = 0;
        for set in [set::<Hqc1>(), set::<Hqc3>(), set::<Hqc5>()] {
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
        // Without this the test would pass if the loops had nothing to compare.
        assert_eq!(seen, 6);
    }
}
