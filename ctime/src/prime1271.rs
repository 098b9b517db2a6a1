//! The cases of the hashes over 2^127 - 1, but for those of [`keyed`](crate::keyed).
use crate::cases::{Case, FIVE_STREAMS, zero_padded};
use crate::secret::{array, message, publish};
use crate::valgrind::{declassify, poison};
use carryless_hash::decbrwhash1271::{self, Params, Streams};
use carryless_hash::{Cpu, Key1271, polyhash1271};
use universal_hash::common::TryKeyInit;

/// A case for every function that takes a secret. The length is that of a message, in bytes.
pub const CASES: &[Case<Cpu>] = &[
    Case {
        functions: &["key1271::Key1271::new", "polyhash1271::digest", "polyhash1271::digest_on"],
        run: |cpu, len| {
            publish(polyhash1271::digest(&key1271(), &message(len)));
            publish(polyhash1271::digest_on(cpu, &key1271(), &message(len)));
        },
    },
    Case {
        functions: &["polyhash1271::digest_bits_on"],
        run: |cpu, len| publish(polyhash1271::digest_bits_on(cpu, &key1271(), &message(len), 8 * len as u64)),
    },
    Case { functions: &["polyhash1271::digest_with"], run: polyhash1271_plans },
    Case { functions: &["decbrwhash1271::digest", "decbrwhash1271::digest_on"], run: decbrwhash1271 },
    Case { functions: &["decbrwhash1271::digest_with"], run: decbrwhash1271_with },
    Case {
        functions: &["decbrwhash1271::digest_of_streams"],
        run: |_, len| publish(decbrwhash1271::digest_of_streams(FIVE_STREAMS, &key1271(), &message(len))),
    },
    Case {
        functions: &["decbrwhash1271::digest_bits_on"],
        run: |cpu, len| {
            let bits = 8 * len as u64;
            publish(decbrwhash1271::digest_bits_on(cpu, Streams::Four, &key1271(), &message(len), bits))
        },
    },
    Case {
        functions: &["traits::PolyHash as TryKeyInit", "traits::Hasher as TryKeyInit"],
        run: universal_hash_1271,
    },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("polyhash1271::axu_bound", "takes a length"),
    ("decbrwhash1271::axu_bound", "takes a length"),
    ("dispatch::Plan::all", "takes a length"),
    ("dispatch::Plan::serves", "takes a length"),
];

/// A secret key. All of its bits are secret once it is constructed.
pub(crate) fn key1271() -> Key1271 {
    let mut key = Key1271::new(&below_2_126()).unwrap_or_else(|_| unreachable!("below 2^126"));
    poison(&mut key);
    key
}

/// Bytes of a key, secret except for the last. A constructor may look at that byte, to refuse a key out
/// of range, which is public.
fn below_2_126() -> [u8; 16] {
    let mut key = array();
    key[15] &= 0x3f;
    declassify(&mut key[15]);
    key
}

fn polyhash1271_plans(cpu: Cpu, len: usize) {
    for plan in polyhash1271::Plan::all(cpu, len) {
        publish(polyhash1271::digest_with(cpu, plan, &key1271(), &message(len)));
    }
}

fn decbrwhash1271(cpu: Cpu, len: usize) {
    publish(decbrwhash1271::digest(Streams::One, &key1271(), &message(len)));
    for streams in [Streams::Three, Streams::Four, Streams::Eight] {
        publish(decbrwhash1271::digest_on(cpu, streams, &key1271(), &message(len)));
    }
}

fn decbrwhash1271_with(cpu: Cpu, len: usize) {
    for params in Params::all() {
        publish(decbrwhash1271::digest_with(cpu, params, Streams::Sixteen, &key1271(), &message(len)));
    }
}

fn universal_hash_1271(_: Cpu, len: usize) {
    let key = below_2_126().into();
    let in_range = "below 2^126";
    zero_padded(<polyhash1271::PolyHash1271 as TryKeyInit>::new(&key).expect(in_range), len);
    zero_padded(<decbrwhash1271::Hasher<4> as TryKeyInit>::new(&key).expect(in_range), len);
}
