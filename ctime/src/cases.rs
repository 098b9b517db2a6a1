//! The cases of `carryless-hash`: every function that takes a secret. Those over 2^127 - 1 are in
//! [`prime1271`](crate::prime1271), those over both primes in [`keyed`](crate::keyed).
use crate::secret::{array, message, publish};
use crate::valgrind::unreported;
use carryless_hash::decbrwhash1305::{self, Params, Streams};
use carryless_hash::research::{Plan, PlannedKey};
use carryless_hash::{Cpu, JoinError, Tag, poly1305, polyhash1305};
use ctutils::CtEq;
use digest::{FixedOutput, Update};
use std::num::NonZeroU16;
use universal_hash::{KeyInit, UniversalHash};

/// A number of streams for which there is no kernel in lanes, so that the general code runs.
pub(crate) const FIVE_STREAMS: NonZeroU16 = NonZeroU16::new(5).unwrap();

/// One or more functions, and a call of them on a backend, with messages of `len` bytes or operands of `len` words.
pub struct Case<M> {
    /// The functions, as `cargo xtask lint form` finds them in the source: file, type, name.
    pub functions: &'static [&'static str],
    /// Calls the functions on a backend with this length. Their results are published, so that
    /// only the functions are checked.
    pub run: fn(M, usize),
}

/// A case for every function that takes a secret. The length is that of a message, in bytes.
pub const CASES: &[Case<Cpu>] = &[
    Case { functions: &["poly1305::mac"], run: |_, len| publish(poly1305::mac(&array(), &message(len))) },
    Case {
        functions: &["poly1305::mac_on"],
        run: |cpu, len| publish(poly1305::mac_on(cpu, &array(), &message(len))),
    },
    // Whole bytes: which bits of the last byte are unused is public, and so is the error if they are not zero.
    Case {
        functions: &["poly1305::mac_bits_on"],
        run: |cpu, len| publish(poly1305::mac_bits_on(cpu, &array(), &message(len), 8 * len as u64)),
    },
    Case { functions: &["poly1305::verify"], run: poly1305_verify },
    Case { functions: &["poly1305::mac_batch"], run: |_, len| batch(len, poly1305::mac_batch) },
    Case { functions: &["poly1305::mac_batch_on"], run: poly1305_batch_on },
    Case {
        functions: &[
            "poly1305::Poly1305::on",
            "poly1305::Poly1305::update",
            "poly1305::Poly1305::finalize",
            "poly1305::Poly1305::finalize_in_place",
        ],
        run: poly1305_stream,
    },
    Case {
        functions: &["poly1305::Poly1305::new", "poly1305::Poly1305::verify"],
        run: poly1305_stream_verify,
    },
    Case {
        functions: &["poly1305::PreparedKey::new"],
        run: |_, len| poly1305_prepared(poly1305::PreparedKey::new(&array()), len),
    },
    Case {
        functions: &["poly1305::PreparedKey::on", "poly1305::PreparedKey::mac"],
        run: |cpu, len| poly1305_prepared(poly1305::PreparedKey::on(cpu, &array()), len),
    },
    Case {
        functions: &["poly1305::PreparedKey::verify", "poly1305::PreparedKey::stream"],
        run: poly1305_prepared_stream,
    },
    Case {
        functions: &["polyhash1305::digest"],
        run: |_, len| publish(polyhash1305::digest(&array(), &message(len))),
    },
    Case {
        functions: &["polyhash1305::digest_on"],
        run: |cpu, len| publish(polyhash1305::digest_on(cpu, &array(), &message(len))),
    },
    Case {
        functions: &["polyhash1305::digest_bits_on"],
        run: |cpu, len| publish(polyhash1305::digest_bits_on(cpu, &array(), &message(len), 8 * len as u64)),
    },
    Case { functions: &["decbrwhash1305::digest", "decbrwhash1305::digest_on"], run: decbrwhash },
    Case { functions: &["decbrwhash1305::digest_with"], run: decbrwhash_with },
    Case {
        functions: &["decbrwhash1305::digest_of_streams"],
        run: |_, len| publish(decbrwhash1305::digest_of_streams(FIVE_STREAMS, &array(), &message(len))),
    },
    Case {
        functions: &["decbrwhash1305::digest_bits_on"],
        run: |cpu, len| {
            let bits = 8 * len as u64;
            publish(decbrwhash1305::digest_bits_on(cpu, Streams::Four, &array(), &message(len), bits))
        },
    },
    Case { functions: &["poly1305::mac_with"], run: poly1305_plans },
    Case { functions: &["polyhash1305::digest_with"], run: polyhash_plans },
    Case { functions: &["planned::PlannedKey::new", "planned::PlannedKey::digest"], run: planned_keys },
    Case {
        functions: &["traits::Poly1305 as KeyInit", "traits::Poly1305 as UniversalHash"],
        run: universal_hash,
    },
    Case {
        functions: &["traits::PolyHash as KeyInit", "traits::Hasher as KeyInit"],
        run: universal_hash_1305,
    },
    Case {
        functions: &["traits::Poly1305 as Update", "traits::Poly1305 as FixedOutput"],
        run: digest_traits,
    },
    Case {
        functions: &["tag::Tag as PartialEq"],
        run: |_, _| publish(Tag::from(array()) == Tag::from(array())),
    },
    Case {
        functions: &[
            "tag::Tag as CtEq",
            "tag::Tag as ConstantTimeEq",
            "tag::Tag as TryFrom",
            "tag::Tag as AsRef",
        ],
        run: |_, _| {
            let tag = Tag::try_from(&array::<16>()[..]).unwrap_or_else(|_| unreachable!("16 bytes"));
            publish(tag.ct_eq(&Tag::from(array())));
            publish(<[u8; 16]>::try_from(tag.as_ref()));
        },
    },
    Case { functions: &["tag::Tag::as_bytes"], run: |_, _| publish(*Tag::from(array()).as_bytes()) },
    Case {
        functions: &["tag::Tag::to_bytes", "tag::Tag as From"],
        run: |_, _| publish(Tag::from(array()).to_bytes()),
    },
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("kernels::kernel_for", "takes a length"),
    ("tag::Tag as FromStr", "texts are public"),
    ("kernels::Choice::plan", "names a kernel"),
    ("kernels::Choice::cpu", "names a backend"),
    ("dispatch::Plan::all", "takes a length"),
    ("plan::lambda_of_papers", "takes a length"),
    ("dispatch::Plan::serves", "takes a length"),
    ("bound::AxuBound::log2", "takes a length's bound"),
    ("polyhash1305::axu_bound", "takes a length"),
    ("decbrwhash1305::axu_bound", "takes a length"),
    ("choice::Streams as TryFrom", "takes a number of streams"),
    ("choice::Params::all", "takes nothing"),
    ("choice::Params::all1305", "takes nothing"),
];

fn decbrwhash(cpu: Cpu, len: usize) {
    publish(decbrwhash1305::digest(Streams::One, &array(), &message(len)));
    for streams in [Streams::Three, Streams::Four, Streams::Eight] {
        publish(decbrwhash1305::digest_on(cpu, streams, &array(), &message(len)));
    }
}

fn decbrwhash_with(cpu: Cpu, len: usize) {
    for params in Params::all1305() {
        publish(decbrwhash1305::digest_with(cpu, params, Streams::Sixteen, &array(), &message(len)));
    }
}

/// Returns the result of joining segments, without reports. It tells only whether their keys are equal, which
/// is public. Otherwise joining computes products, which other cases check.
pub(crate) fn joined<T>(join: impl FnOnce() -> Result<T, JoinError>) -> Result<T, JoinError> {
    unreported(join)
}

fn poly1305_verify(_: Cpu, len: usize) {
    publish(poly1305::verify(&array(), &message(len), &Tag::from(array())));
}

fn batch(len: usize, mac: impl Fn(&[[u8; 32]], &[&[u8]], &mut [Tag])) {
    // Nine messages fill a kernel call of four lanes and leave one over. Their lengths are equal if 7 divides `len`.
    let keys: [[u8; 32]; 9] = std::array::from_fn(|_| array());
    let messages: [Vec<u8>; 9] = std::array::from_fn(|i| message(len + i * len % 7));
    let mut tags = [Tag::from([0; 16]); 9];
    mac(&keys, &messages.each_ref().map(Vec::as_slice), &mut tags);
    publish(tags);
}

fn poly1305_batch_on(cpu: Cpu, len: usize) {
    batch(len, |keys, messages, tags| poly1305::mac_batch_on(cpu, keys, messages, tags));
}

/// Splits a message into three pieces of unequal lengths.
pub(crate) fn pieces(message: &[u8]) -> [&[u8]; 3] {
    let (first, rest) = message.split_at(message.len() / 3);
    let (second, third) = rest.split_at(rest.len() / 4);
    [first, second, third]
}

fn poly1305_stream(cpu: Cpu, len: usize) {
    let mut stream = poly1305::Poly1305::on(cpu, &array());
    pieces(&message(len)).into_iter().for_each(|piece| stream.update(piece));
    publish(stream.clone().finalize_in_place());
    publish(stream.finalize());
}

fn poly1305_stream_verify(_: Cpu, len: usize) {
    let mut stream = poly1305::Poly1305::new(&array());
    pieces(&message(len)).into_iter().for_each(|piece| stream.update(piece));
    publish(stream.verify(&Tag::from(array())));
}

fn poly1305_prepared(key: poly1305::PreparedKey, len: usize) {
    publish(key.mac(&array(), &message(len)));
}

fn poly1305_prepared_stream(cpu: Cpu, len: usize) {
    let key = poly1305::PreparedKey::on(cpu, &array());
    publish(key.verify(&array(), &message(len), &Tag::from(array())));
    let mut stream = key.stream(&array());
    pieces(&message(len)).into_iter().for_each(|piece| stream.update(piece));
    publish(stream.finalize());
}

/// Only every fiftieth length: the kernels are those of [`polyhash_plans`], with prepared powers.
fn planned_keys(cpu: Cpu, len: usize) {
    for plan in Plan::all(cpu, len).filter(|_| len.is_multiple_of(50)) {
        publish(PlannedKey::new(cpu, plan, &array()).and_then(|key| key.digest(&message(len))));
    }
}

fn poly1305_plans(cpu: Cpu, len: usize) {
    Plan::all(cpu, len).for_each(|plan| publish(poly1305::mac_with(cpu, plan, &array(), &message(len))));
}

fn polyhash_plans(cpu: Cpu, len: usize) {
    Plan::all(cpu, len)
        .for_each(|plan| publish(polyhash1305::digest_with(cpu, plan, &array(), &message(len))));
}

fn universal_hash(_: Cpu, len: usize) {
    zero_padded(<poly1305::Poly1305 as KeyInit>::new(&array().into()), len);
}

fn universal_hash_1305(_: Cpu, len: usize) {
    zero_padded(<polyhash1305::PolyHash1305 as KeyInit>::new(&array().into()), len);
    zero_padded(<decbrwhash1305::Hasher<4> as KeyInit>::new(&array().into()), len);
}

pub(crate) fn zero_padded(mut hash: impl UniversalHash, len: usize) {
    hash.update_padded(&message(len));
    publish(hash.finalize());
}

fn digest_traits(cpu: Cpu, len: usize) {
    let mut hash = poly1305::Poly1305::on(cpu, &array());
    Update::update(&mut hash, &message(len));
    publish(hash.finalize_fixed());
}
