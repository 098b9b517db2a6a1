//! The cases of the hashes over 2^127 - 1.
use crate::cases::{Case, FIVE_STREAMS, joined, pieces, zero_padded};
use crate::secret::{array, message, publish};
use crate::valgrind::{declassify, poison, unreported};
use carryless_hash::decbrwhash1271::{self, Params, Streams};
use carryless_hash::{Cpu, Key1271, polyhash1271};
use universal_hash::common::{Reset, TryKeyInit};

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
    Case {
        functions: &["polyhash::PolyHash::new"],
        run: |_, len| polyhash1271_stream(polyhash1271::PolyHash1271::new(&key1271()), len),
    },
    Case {
        functions: &[
            "polyhash::PolyHash::on",
            "polyhash::PolyHash::update",
            "polyhash::PolyHash::digest",
            "polyhash::PolyHash::reset",
            "traits::PolyHash as Reset",
            "polyhash::PolyHash::finalize",
        ],
        run: |cpu, len| polyhash1271_stream(polyhash1271::PolyHash1271::on(cpu, &key1271()), len),
    },
    Case {
        functions: &[
            "polyhash::PreparedKey::new",
            "polyhash::PreparedKey::on",
            "polyhash::PreparedKey::digest",
            "polyhash::PreparedKey::segment",
            "polyhash::Segment::join",
            "polyhash::Segment::digest",
            "polyhash::Segment::to_secret_bytes",
            "polyhash::Segment::from_secret_bytes",
        ],
        run: polyhash1271_prepared,
    },
    Case { functions: &["decbrwhash1271::digest", "decbrwhash1271::digest_on"], run: decbrwhash1271 },
    Case {
        functions: &["decbrwhash1271::digest_with", "decbrwhash::PreparedKey::digest_with"],
        run: decbrwhash1271_with,
    },
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
        functions: &[
            "decbrwhash::PreparedKey::new",
            "decbrwhash::PreparedKey::on",
            "decbrwhash::PreparedKey::for_len",
            "decbrwhash::PreparedKey::digest",
            "decbrwhash::Hasher::new",
            "decbrwhash::Hasher::on",
            "decbrwhash::Hasher::update",
            "decbrwhash::Hasher::digest",
            "decbrwhash::Hasher::reset",
            "decbrwhash::Hasher::finalize",
        ],
        run: decbrwhash1271_prepared_and_streamed,
    },
    Case {
        functions: &[
            "decbrwhash::Hasher::into_segment",
            "decbrwhash::Segment::join",
            "decbrwhash::Segment::join_all",
            "decbrwhash::Segment::digest",
        ],
        run: decbrwhash1271_segments,
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
    ("decbrwhash::Segment::len", "lengths are public"),
    ("decbrwhash::Segment::is_empty", "lengths are public"),
    ("dispatch::Plan::all", "takes a length"),
    ("dispatch::Plan::serves", "takes a length"),
    ("polyhash::Segment::len", "lengths are public"),
    ("polyhash::Segment::is_empty", "lengths are public"),
];

fn decbrwhash1271_segments(cpu: Cpu, len: usize) {
    use decbrwhash1271::{Hasher, Segment};
    // All segments have one key: whether keys are equal is public.
    let key = key1271();
    let part = |bytes: &[u8]| {
        let mut hash = Hasher::<4>::on(cpu, &key);
        hash.update(bytes);
        hash.into_segment()
    };
    let parts: Vec<_> = message(len).chunks(16 * 60).map(part).collect();
    if let [first, second, ..] = &parts[..] {
        publish(joined(|| first.join(second)).map(|both| both.digest()));
    }
    publish(joined(|| Segment::join_all(parts)).map(|all| all.digest()));
}

/// A secret key. All of its bits are secret once it is constructed.
fn key1271() -> Key1271 {
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

fn polyhash1271_stream(mut stream: polyhash1271::PolyHash1271, len: usize) {
    message(len).chunks(100).for_each(|piece| stream.update(piece));
    publish(stream.digest());
    Reset::reset(&mut stream);
    stream.update(&message(len));
    publish(stream.finalize());
}

fn polyhash1271_prepared(cpu: Cpu, len: usize) {
    let (key, msg) = (polyhash1271::PreparedKey::on(cpu, &key1271()), message(len));
    publish(polyhash1271::PreparedKey::new(&key1271()).digest(&msg));
    let (a, b) = msg.split_at(len / 2 / 15 * 15);
    let (bytes, b) = (key.segment(a).to_secret_bytes(), key.segment(b));
    // Whether the bytes encode a segment is public.
    let a = unreported(|| polyhash1271::Segment::from_secret_bytes(&*bytes)).expect("a segment");
    publish(joined(|| a.join(&b)).map(|whole| whole.digest()));
}

fn decbrwhash1271(cpu: Cpu, len: usize) {
    publish(decbrwhash1271::digest(Streams::One, &key1271(), &message(len)));
    for streams in [Streams::Three, Streams::Four, Streams::Eight] {
        publish(decbrwhash1271::digest_on(cpu, streams, &key1271(), &message(len)));
    }
}

fn decbrwhash1271_with(cpu: Cpu, len: usize) {
    let prepared = decbrwhash1271::PreparedKey::on(cpu, Streams::Four, &key1271());
    for params in Params::all() {
        publish(decbrwhash1271::digest_with(cpu, params, Streams::Sixteen, &key1271(), &message(len)));
        publish(prepared.digest_with(params, &message(len)));
    }
}

fn decbrwhash1271_prepared_and_streamed(cpu: Cpu, len: usize) {
    use decbrwhash1271::{Hasher, PreparedKey};
    publish(PreparedKey::new(Streams::Four, &key1271()).digest(&message(len)));
    publish(PreparedKey::on(cpu, Streams::Two, &key1271()).digest(&message(len)));
    publish(PreparedKey::for_len(cpu, Streams::Eight, &key1271(), 100).digest(&message(len)));
    let (mut best, mut named) = (Hasher::<4>::new(&key1271()), Hasher::<2>::on(cpu, &key1271()));
    for piece in pieces(&message(len)) {
        best.update(piece);
        named.update(piece);
    }
    publish(best.digest());
    publish(best.finalize());
    Reset::reset(&mut named);
    named.update(&message(len));
    publish(named.finalize());
}

fn universal_hash_1271(_: Cpu, len: usize) {
    let key = below_2_126().into();
    let in_range = "below 2^126";
    zero_padded(<polyhash1271::PolyHash1271 as TryKeyInit>::new(&key).expect(in_range), len);
    zero_padded(<decbrwhash1271::Hasher<4> as TryKeyInit>::new(&key).expect(in_range), len);
}
