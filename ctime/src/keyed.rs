//! The cases of the hashes' types, which are generic over the key: the same for both primes.
use crate::cases::{Case, joined, pieces};
use crate::prime1271::key1271;
use crate::secret::{array, message, publish};
use crate::valgrind::unreported;
use carryless_hash::decbrwhash::{self, Hasher, Params, Streams};
use carryless_hash::polyhash::{self, PolyHash};
use carryless_hash::{Cpu, HashKey, Key1271};
use universal_hash::common::Reset;

/// The cases over 2^130 - 5. The length is that of a message, in bytes.
pub const CASES_1305: &[Case<Cpu>] = &cases::<[u8; 16]>();

/// The cases over 2^127 - 1.
pub const CASES_1271: &[Case<Cpu>] = &cases::<Key1271>();

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("decbrwhash::Segment::len", "lengths are public"),
    ("decbrwhash::Segment::is_empty", "lengths are public"),
    ("polyhash::Segment::len", "lengths are public"),
    ("polyhash::Segment::is_empty", "lengths are public"),
];

/// A key, of which secret ones can be made.
trait Secret: HashKey {
    /// Bytes of a block, of which a row of decBRWHash has four.
    const BLOCK: usize;

    /// A key of which all bits are secret.
    fn secret() -> Self;

    /// All parameters of decBRWHash over the prime.
    fn params() -> impl Iterator<Item = Params>;
}

impl Secret for [u8; 16] {
    const BLOCK: usize = 16;

    fn secret() -> Self {
        array()
    }

    fn params() -> impl Iterator<Item = Params> {
        Params::all1305()
    }
}

impl Secret for Key1271 {
    const BLOCK: usize = 15;

    fn secret() -> Self {
        key1271()
    }

    fn params() -> impl Iterator<Item = Params> {
        Params::all()
    }
}

const fn cases<K: Secret>() -> [Case<Cpu>; 7] {
    [
        Case {
            functions: &["polyhash::PolyHash::new"],
            run: |_, len| polyhash_stream(PolyHash::<K>::new(&K::secret()), len),
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
            run: |cpu, len| polyhash_stream(PolyHash::<K>::on(cpu, &K::secret()), len),
        },
        Case {
            functions: &[
                "polyhash::PreparedKey::new",
                "polyhash::PreparedKey::on",
                "polyhash::PreparedKey::digest",
            ],
            run: polyhash_prepared::<K>,
        },
        Case {
            functions: &[
                "polyhash::PreparedKey::segment",
                "polyhash::Segment::join",
                "polyhash::Segment::digest",
                "polyhash::Segment::to_secret_bytes",
                "polyhash::Segment::from_secret_bytes",
            ],
            run: polyhash_segments::<K>,
        },
        Case {
            functions: &[
                "decbrwhash::PreparedKey::new",
                "decbrwhash::PreparedKey::on",
                "decbrwhash::PreparedKey::for_len",
                "decbrwhash::PreparedKey::digest",
                "decbrwhash::PreparedKey::digest_with",
            ],
            run: decbrwhash_prepared::<K>,
        },
        Case {
            functions: &[
                "decbrwhash::Hasher::new",
                "decbrwhash::Hasher::on",
                "decbrwhash::Hasher::update",
                "decbrwhash::Hasher::digest",
                "decbrwhash::Hasher::reset",
                "traits::Hasher as Reset",
                "decbrwhash::Hasher::finalize",
            ],
            run: decbrwhash_stream::<K>,
        },
        Case {
            functions: &[
                "decbrwhash::Hasher::into_segment",
                "decbrwhash::Segment::join",
                "decbrwhash::Segment::join_all",
                "decbrwhash::Segment::digest",
            ],
            run: decbrwhash_segments::<K>,
        },
    ]
}

fn polyhash_stream<K: Secret>(mut stream: PolyHash<K>, len: usize) {
    pieces(&message(len)).into_iter().for_each(|piece| stream.update(piece));
    publish(stream.digest());
    Reset::reset(&mut stream);
    stream.update(&message(len));
    publish(stream.finalize());
}

fn polyhash_prepared<K: Secret>(cpu: Cpu, len: usize) {
    publish(polyhash::PreparedKey::new(&K::secret()).digest(&message(len)));
    publish(polyhash::PreparedKey::on(cpu, &K::secret()).digest(&message(len)));
}

/// Both outcomes of `join`: the left segment is whole blocks for some lengths only.
fn polyhash_segments<K: Secret>(cpu: Cpu, len: usize) {
    let key = polyhash::PreparedKey::on(cpu, &K::secret());
    for left_len in [len, len.next_multiple_of(K::BLOCK)] {
        let (left, right) = (key.segment(&message(left_len)), key.segment(&message(len)));
        publish(left.digest());
        // Whether the bytes encode a segment is public.
        let bytes = left.to_secret_bytes();
        let left = unreported(|| polyhash::Segment::<K>::from_secret_bytes(&*bytes)).expect("a segment");
        if let Ok(whole) = joined(|| left.join(&right)) {
            publish(whole.digest());
        }
    }
}

fn decbrwhash_prepared<K: Secret>(cpu: Cpu, len: usize) {
    use decbrwhash::PreparedKey;
    for key in [
        PreparedKey::new(Streams::Four, &K::secret()),
        PreparedKey::on(cpu, Streams::One, &K::secret()),
        PreparedKey::on(cpu, Streams::Two, &K::secret()),
        // Without powers for this length, and with some.
        PreparedKey::for_len(cpu, Streams::Eight, &K::secret(), 0),
        PreparedKey::for_len(cpu, Streams::Eight, &K::secret(), 100),
    ] {
        publish(key.digest(&message(len)));
    }
    let key = PreparedKey::on(cpu, Streams::Four, &K::secret());
    for params in K::params() {
        publish(key.digest_with(params, &message(len)));
    }
}

fn decbrwhash_stream<K: Secret>(cpu: Cpu, len: usize) {
    let mut best = Hasher::<K, 4>::new(&K::secret());
    let (mut two, mut three) = (Hasher::<K, 2>::on(cpu, &K::secret()), Hasher::<K, 3>::on(cpu, &K::secret()));
    for piece in pieces(&message(len)) {
        best.update(piece);
        two.update(piece);
        three.update(piece);
    }
    publish(best.digest());
    publish(best.finalize());
    publish(two.finalize());
    Reset::reset(&mut three);
    three.update(&message(len));
    publish(three.finalize());
}

/// Hashes parts of 16 rows; joins two of them, then all.
fn decbrwhash_segments<K: Secret>(cpu: Cpu, len: usize) {
    // All segments have one key: whether keys are equal is public.
    let key = K::secret();
    let part = |bytes: &[u8]| {
        let mut hash = Hasher::<K, 4>::on(cpu, &key);
        hash.update(bytes);
        hash.into_segment()
    };
    let parts: Vec<_> = message(len).chunks(16 * 4 * K::BLOCK).map(part).collect();
    if let [first, second, ..] = &parts[..] {
        publish(joined(|| first.join(second)).map(|both| both.digest()));
    }
    publish(joined(|| decbrwhash::Segment::join_all(parts)).map(|all| all.digest()));
}
