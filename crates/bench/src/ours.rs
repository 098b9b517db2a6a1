//! The project's own subjects: `carryless/best` for what a user gets who names no machine, `carryless/MACHINE` for each
//! machine that this CPU has, and `carryless/MACHINE/WAY` for ways to evaluate that a caller may choose.
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

/// Our calls of one function, as subjects.
pub struct Ours {
    one_shot: Vec<Subject>,
    prepared: Vec<Subject>,
    batch: Vec<Subject>,
}

/// Poly1305.
pub fn poly1305() -> Ours {
    Ours::new(
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
        Poly1305::update(&mut state, tail);
        UniversalHash::finalize(state).into()
    })
}

/// polyHash1305.
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

/// polyHash1271; where messages are too short for the plan of a way, they go in words.
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

/// Four rows for a carry chain, in the limbs that the library takes and in the four of paper 001, section 4.2.
fn plans1271(cpu: Cpu) -> [(&'static str, Plan); 2] {
    let usual = if cpu.has_ifma() { Plan::LanesIfma { g: 4 } } else { Plan::Lanes { g: 4 } };
    [("g4", usual), ("four-limbs-g4", Plan::FourLimbs { g: 4 })]
}

/// The key of the hashes over 2^127 - 1.
fn key1271(key: &Key) -> Key1271 {
    Key1271::new(&first126(key)).expect("the upper two bits are zero")
}

/// c-decBRWHash1305; with one stream, BRWHash1305.
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
    if streams != Streams::Four {
        return ours;
    }
    ours.with_interface("stream", |key, message| {
        let mut state = decbrwhash1305::Hasher::<4>::new(first(key));
        state.update(message);
        state.finalize()
    })
}

/// c-decBRWHash1271; with one stream, BRWHash1271.
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

/// The parameters that evaluate so many streams on a machine: every t, in its lanes if the streams fill them, and in words
/// on the portable machine. None where the library would take words instead of the lanes it was asked for.
pub fn params(cpu: Cpu, streams: Streams) -> impl Iterator<Item = Params> {
    let layout = if is_words(cpu) { Layout::Words } else { Layout::Lanes };
    (2..=5).filter(move |_| is_words(cpu) || serves(cpu, streams)).map(move |t| Params { t, layout })
}

/// Whether so many streams fill the lanes of a machine: one vector or several, or two runs of rows side by side.
fn serves(cpu: Cpu, streams: Streams) -> bool {
    let c = streams as usize;
    c.is_multiple_of(cpu.lanes()) || cpu.lanes() == 2 * c
}

/// Whether a machine is the one that is measured in 64-bit words. All machines share their code.
fn is_words(cpu: Cpu) -> bool {
    matches!(cpu, Cpu::Portable(_))
}

impl Ours {
    /// A function with one-shot calls only.
    pub(crate) fn one_shot(one_shot: Vec<Subject>) -> Ours {
        Ours { one_shot, prepared: vec![], batch: vec![] }
    }

    /// A function of a key and a message: the call without a machine, and that on a named one.
    fn new(
        best: impl Fn(&Key, &[u8]) -> Tag + 'static,
        on: impl Fn(Cpu, &Key, &[u8]) -> Tag + Copy + 'static,
    ) -> Ours {
        let one_shot =
            subjects(one_by_one(best), |cpu| one_by_one(move |key, message| on(cpu, key, message)));
        Ours { one_shot, prepared: vec![], batch: vec![] }
    }

    /// Another interface to the same function, on the best machine: a state that takes the message, or a trait.
    fn with_interface(mut self, interface: &str, call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> Ours {
        let name = format!("carryless/best/{interface}");
        self.one_shot.push(Subject::new(name, Cpu::detect().name(), one_by_one(call)));
        self
    }

    /// One more way to evaluate it on a machine.
    fn with_way(mut self, cpu: Cpu, way: &str, call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> Ours {
        let name = format!("carryless/{}/{way}", cpu.name());
        self.one_shot.push(Subject::new(name, cpu.name(), one_by_one(call)));
        self
    }

    /// The ways of [`params`] on all machines.
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

    /// The four limbs of paper 001, section 4.2, with leaves of 7 rows, on all machines whose lanes the streams fill.
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

    /// Its key made ready, without a machine and on a named one, and the call with a ready key (and the whole key, for
    /// what is not part of the ready one).
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

    /// Its call for many messages.
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

    /// The subjects in a mode, and in the modes other than one-shot the one-shot call to compare with. None if the
    /// function has no such call.
    pub fn subjects(&self, mode: Mode) -> Vec<Subject> {
        let (own, name) = match mode {
            Mode::OneShot | Mode::Latency => return self.one_shot.clone(),
            Mode::Prepared => (&self.prepared, "carryless/one-shot"),
            Mode::Batch => (&self.batch, "carryless/one-by-one"),
        };
        let one_shot = self.one_shot.iter().take(own.len().min(1));
        own.iter().cloned().chain(one_shot.map(|best| best.clone().named(name))).collect()
    }
}

/// `carryless/best` and `carryless/MACHINE`.
fn subjects<W: Work + 'static>(best: impl Work + 'static, on: impl Fn(Cpu) -> W) -> Vec<Subject> {
    let mut all = vec![Subject::new("carryless/best", Cpu::detect().name(), best)];
    all.extend(
        Cpu::available().map(|cpu| Subject::new(format!("carryless/{}", cpu.name()), cpu.name(), on(cpu))),
    );
    all
}

/// A call that returns its tag.
pub fn one_by_one(call: impl Fn(&Key, &[u8]) -> Tag + 'static) -> impl Work + 'static {
    OneByOne(move |key: &Key, message: &[u8], tag: &mut Tag| *tag = call(key, message))
}
