//! Our subjects. `carryless/best` is the call that names no backend, `carryless/BACKEND` the call on each
//! backend of this CPU, and `carryless/BACKEND/WAY` an algorithm that a caller may choose.
mod products;

use crate::input::{Key, Tag, first, first126, last};
use crate::subject::{Mode, OneByOne, Prepared, Subject, Together, Work};
use carryless_hash::decbrwhash1305::{self, Layout, Params, Streams};
use carryless_hash::poly1305::Poly1305;
use carryless_hash::polyhash1271::{self, Plan};
use carryless_hash::polyhash1305::PolyHash1305;
use carryless_hash::{Cpu, Key1271, Tag as OurTag, decbrwhash1271, poly1305, polyhash1305};
use digest::{KeyInit, Mac};
pub use products::f2x;
use universal_hash::UniversalHash;
use universal_hash::array::Array;

/// The subjects of one of our functions, by kind of call.
pub struct Ours {
    one_shot: Vec<Subject>,
    prepared: Vec<Subject>,
    batch: Vec<Subject>,
}

/// Bytes of the pieces in which streams are measured: a block, a cache line, the first power of two in lanes, a length
/// that is no multiple of the block, and a QUIC packet.
const PIECES: [usize; 5] = [16, 64, 256, 1000, 1350];

/// Subjects of Poly1305 in all modes, with the streaming interface, of a whole message by `finalize`, of pieces of
/// 16 to 1350 bytes by `finalize_in_place`, and the traits of RustCrypto.
pub fn poly1305() -> Ours {
    let ours = Ours::new(
        |key, message| poly1305::mac(key, message).to_bytes(),
        |cpu, key, message| poly1305::mac_on(cpu, key, message).to_bytes(),
    )
    .with_prepared(
        |key| poly1305::PreparedKey::new(first(key)),
        |cpu, key| poly1305::PreparedKey::on(cpu, first(key)),
        |ready, key, message| ready.mac(last(key), message).to_bytes(),
    )
    .with_batch(poly1305::mac_batch, poly1305::mac_batch_on)
    .with_interface("stream", |key, message| {
        let mut state = Poly1305::new(key);
        state.update(message);
        state.finalize().to_bytes()
    })
    .with_interface("digest", |key, message| {
        let mut state = <Poly1305 as KeyInit>::new(&(*key).into());
        Mac::update(&mut state, message);
        Mac::finalize(state).into_bytes().into()
    })
    .with_interface("universal-hash", |key, message| {
        let (blocks, tail) = Array::slice_as_chunks(message);
        let mut state = <Poly1305 as KeyInit>::new(&(*key).into());
        UniversalHash::update(&mut state, blocks);
        // The trait would fill a short block with zeros, which Poly1305 does not. The inherent method takes
        // any length.
        Poly1305::update(&mut state, tail);
        UniversalHash::finalize(state).into()
    });
    PIECES.into_iter().fold(ours, |ours, piece| {
        ours.with_interface(&format!("stream-{piece}"), move |key, message| {
            let mut state = Poly1305::new(key);
            message.chunks(piece).for_each(|piece| state.update(piece));
            state.finalize_in_place().to_bytes()
        })
    })
}

/// Subjects of polyHash1305: one-shot, with a prepared key, and the streaming interface.
pub fn polyhash1305() -> Ours {
    Ours::new(
        |key, message| polyhash1305::digest(first(key), message),
        |cpu, key, message| polyhash1305::digest_on(cpu, first(key), message),
    )
    .with_prepared(
        |key| polyhash1305::PreparedKey::new(first(key)),
        |cpu, key| polyhash1305::PreparedKey::on(cpu, first(key)),
        |ready, _, message| ready.digest(message),
    )
    .with_interface("stream", |key, message| {
        let mut state = PolyHash1305::new(first(key));
        state.update(message);
        state.finalize()
    })
}

/// Subjects of polyHash1271. Messages too short for the plan of a way are computed in words.
pub fn polyhash1271() -> Ours {
    let mut ours = Ours::new(
        |key, message| polyhash1271::digest(&key1271(key), message),
        |cpu, key, message| polyhash1271::digest_on(cpu, &key1271(key), message),
    )
    .with_prepared(
        |key| polyhash1271::PreparedKey::new(&key1271(key)),
        |cpu, key| polyhash1271::PreparedKey::on(cpu, &key1271(key)),
        |ready, _, message| ready.digest(message),
    );
    for cpu in Cpu::available().filter(|&cpu| !is_words(cpu)) {
        for (way, plan) in plans1271(cpu) {
            ours = ours.with_way(cpu, way, move |key, message| {
                let (key, words) = (key1271(key), Plan::Words { g: 2 });
                let plan = if plan.serves(cpu, message.len()) { plan } else { words };
                polyhash1271::digest_with(cpu, plan, &key, message).expect("words serve every length")
            });
        }
    }
    ours
}

/// Plans with four rows for a carry chain: in the limbs that the library takes, and in the four limbs
/// of paper 001, section 4.2.
fn plans1271(cpu: Cpu) -> [(&'static str, Plan); 2] {
    let usual = if cpu.has_ifma() { Plan::LanesIfma { g: 4 } } else { Plan::Lanes { g: 4 } };
    [("g4", usual), ("four-limbs-g4", Plan::FourLimbs { g: 4 })]
}

/// The key of a hash over 2^127 - 1: the first half of `key` without its upper two bits.
fn key1271(key: &Key) -> Key1271 {
    Key1271::new(&first126(key)).expect("the upper two bits are zero")
}

/// Subjects of c-decBRWHash1305, which is BRWHash1305 for one stream.
pub fn decbrwhash1305(streams: Streams) -> Ours {
    let ours = Ours::new(
        move |key, message| decbrwhash1305::digest(streams, first(key), message),
        move |cpu, key, message| decbrwhash1305::digest_on(cpu, streams, first(key), message),
    )
    .with_prepared(
        move |key| decbrwhash1305::PreparedKey::new(streams, first(key)),
        move |cpu, key| decbrwhash1305::PreparedKey::on(cpu, streams, first(key)),
        |ready, _, message| ready.digest(message),
    )
    .with_params(streams, move |cpu, params, key, message| {
        decbrwhash1305::digest_with(cpu, params, streams, first(key), message)
    });
    // One number of streams shows what the streaming interface costs.
    if streams != Streams::Four {
        return ours;
    }
    ours.with_interface("stream", |key, message| {
        let mut state = decbrwhash1305::Hasher::<4>::new(first(key));
        state.update(message);
        state.finalize()
    })
}

/// Subjects of c-decBRWHash1271, which is BRWHash1271 for one stream.
pub fn decbrwhash1271(streams: Streams) -> Ours {
    use decbrwhash1271::PreparedKey;
    let digest_with = move |cpu, params, key: &Key, message: &[u8]| {
        decbrwhash1271::digest_with(cpu, params, streams, &key1271(key), message)
    };
    Ours::new(
        move |key, message| decbrwhash1271::digest(streams, &key1271(key), message),
        move |cpu, key, message| decbrwhash1271::digest_on(cpu, streams, &key1271(key), message),
    )
    .with_prepared(
        move |key| PreparedKey::new(streams, &key1271(key)),
        move |cpu, key| PreparedKey::on(cpu, streams, &key1271(key)),
        |ready, _, message| ready.digest(message),
    )
    .with_params(streams, digest_with)
    .with_four_limbs(streams, digest_with)
}

/// The parameters with which a backend can evaluate this number of streams: every t from 2 to 5. They are in
/// lanes if the streams fill them, and in words on the portable backend. There are none where the library
/// would take words instead of the lanes it was asked for.
pub fn params(cpu: Cpu, streams: Streams) -> impl Iterator<Item = Params> {
    let layout = if is_words(cpu) { Layout::Words } else { Layout::Lanes };
    (2..=5).filter(move |_| is_words(cpu) || serves(cpu, streams)).map(move |t| Params { t, layout })
}

/// Whether this number of streams fills the lanes of a backend: one vector or several, or two runs
/// of rows side by side.
fn serves(cpu: Cpu, streams: Streams) -> bool {
    let c = streams as usize;
    c.is_multiple_of(cpu.lanes()) || cpu.lanes() == 2 * c
}

/// Whether a backend is the one that is measured in words of 64 bits. All backends share that code, so one is enough.
fn is_words(cpu: Cpu) -> bool {
    matches!(cpu, Cpu::Portable(_))
}

impl Ours {
    /// A function that has one-shot calls only.
    pub(crate) fn one_shot(one_shot: Vec<Subject>) -> Ours {
        Ours { one_shot, prepared: vec![], batch: vec![] }
    }

    /// A function of a key and a message: `best` names no backend, `on` does.
    fn new(
        best: impl Fn(&Key, &[u8]) -> Tag + 'static,
        on: impl Fn(Cpu, &Key, &[u8]) -> Tag + Copy + 'static,
    ) -> Ours {
        let one_shot =
            subjects(one_by_one(best), |cpu| one_by_one(move |key, message| on(cpu, key, message)));
        Ours { one_shot, prepared: vec![], batch: vec![] }
    }

    /// Adds another interface to the function on the best backend, for example a state that takes
    /// the message, or a trait.
    fn with_interface(mut self, interface: &str, call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> Ours {
        let name = format!("carryless/best/{interface}");
        self.one_shot.push(Subject::new(name, Cpu::detect().name(), one_by_one(call)));
        self
    }

    /// Adds an algorithm on a backend, which a caller may choose.
    fn with_way(mut self, cpu: Cpu, way: &str, call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> Ours {
        let name = format!("carryless/{}/{way}", cpu.name());
        self.one_shot.push(Subject::new(name, cpu.name(), one_by_one(call)));
        self
    }

    /// Adds all parameters of [`params`] on all backends.
    fn with_params(
        mut self,
        streams: Streams,
        call: impl Fn(Cpu, Params, &Key, &[u8]) -> Tag + Copy + 'static,
    ) -> Ours {
        for cpu in Cpu::available() {
            for params in params(cpu, streams) {
                let way = format!("{}t{}", if is_words(cpu) { "words-" } else { "" }, params.t);
                self = self.with_way(cpu, &way, move |key, message| call(cpu, params, key, message));
            }
        }
        self
    }

    /// Adds the four limbs of paper 001, section 4.2, with leaves of 7 rows, on all backends
    /// whose lanes the streams fill.
    fn with_four_limbs(
        mut self,
        streams: Streams,
        call: impl Fn(Cpu, Params, &Key, &[u8]) -> Tag + Copy + 'static,
    ) -> Ours {
        let params = Params { t: 3, layout: Layout::FourLimbs };
        for cpu in Cpu::available().filter(|&cpu| !is_words(cpu) && serves(cpu, streams)) {
            self = self.with_way(cpu, "four-limbs-t3", move |key, message| call(cpu, params, key, message));
        }
        self
    }

    /// Adds calls with a prepared key, which `best` and `on` make. The call also gets the whole key, for the
    /// half that is not part of the prepared one.
    fn with_prepared<K: 'static>(
        self,
        best: impl Fn(&Key) -> K + 'static,
        on: impl Fn(Cpu, &Key) -> K + Copy + 'static,
        call: impl Fn(&K, &Key, &[u8]) -> Tag + Copy + 'static,
    ) -> Ours {
        let call =
            move |ready: &K, key: &Key, message: &[u8], tag: &mut Tag| *tag = call(ready, key, message);
        let prepared = subjects(Prepared(best, call), |cpu| Prepared(move |key: &Key| on(cpu, key), call));
        Ours { prepared, ..self }
    }

    /// Adds calls for many messages, each with its own key.
    fn with_batch(
        self,
        best: impl Fn(&[Key], &[&[u8]], &mut [OurTag]) + 'static,
        on: impl Fn(Cpu, &[Key], &[&[u8]], &mut [OurTag]) + Copy + 'static,
    ) -> Ours {
        let batch = subjects(Together(OurTag::from, OurTag::to_bytes, best), |cpu| {
            let call =
                move |keys: &[Key], messages: &[&[u8]], tags: &mut [OurTag]| on(cpu, keys, messages, tags);
            Together(OurTag::from, OurTag::to_bytes, call)
        });
        Ours { batch, ..self }
    }

    /// The subjects in a mode. In the modes for prepared keys and batches the one-shot call is added, to
    /// compare with. None if the function has no such call.
    pub fn subjects(&self, mode: Mode) -> Vec<Subject> {
        let (own, name) = match mode {
            Mode::OneShot | Mode::Latency => return self.one_shot.clone(),
            Mode::Prepared => (&self.prepared, "carryless/one-shot"),
            Mode::Batch => (&self.batch, "carryless/one-by-one"),
        };
        // The first one-shot subject is `best`. It stays out if the mode has no call that it could be
        // compared with.
        let one_shot = self.one_shot.iter().take(own.len().min(1));
        own.iter().cloned().chain(one_shot.map(|best| best.clone().named(name))).collect()
    }
}

/// The subjects `carryless/best` and, for each backend of this CPU, `carryless/BACKEND`.
fn subjects<W: Work + 'static>(best: impl Work + 'static, on: impl Fn(Cpu) -> W) -> Vec<Subject> {
    // `best` stands first, where `Ours::subjects` finds the call that it adds to other modes.
    let mut all = vec![Subject::new("carryless/best", Cpu::detect().name(), best)];
    all.extend(
        Cpu::available().map(|cpu| Subject::new(format!("carryless/{}", cpu.name()), cpu.name(), on(cpu))),
    );
    all
}

/// The work of a call that returns its tag, for one message after the other.
pub fn one_by_one(call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> impl Work + 'static {
    OneByOne(move |key: &Key, message: &[u8], tag: &mut Tag| *tag = call(key, message))
}
