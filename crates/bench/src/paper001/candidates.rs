//! Our implementations of the paper's functions, and on request the authors' own.
use super::figures::{Line, Powers};
use crate::families::{BRWHASH1305, DECBRWHASH1305, POLYHASH1305};
use crate::family::Family;
use crate::input::{Key, Tag, first};
use crate::ours::{one_by_one, params};
use crate::peers;
use crate::subject::{Mode, Prepared, Subject, Work};
use anyhow::{Result, ensure};
use carryless_hash::decbrwhash1305::{self, Params, PreparedKey, Streams};
use carryless_hash::research::{Plan, PlannedKey};
use carryless_hash::{Cpu, polyhash1305};
use std::path::Path;

/// Length in bytes of the longest message in the paper, for which powers are made ready.
const LONGEST: usize = 16 * 32768;

/// Numbers of blocks that share a carry. In words they are the paper's, in lanes the paper's and eight.
const GROUPS_IN_WORDS: [usize; 5] = [1, 4, 8, 16, 32];
const GROUPS_IN_LANES: [usize; 5] = [1, 2, 3, 4, 8];

/// The author of the code of the paper's authors, as tables and records have it.
pub(super) const AUTHORS: &str = "authors";

/// An implementation of a function, which is a line of the tables.
pub struct Candidate {
    /// The hash function, as the paper writes it.
    pub function: &'static str,
    /// The family whose reference verifies it, and under which its records stand.
    pub family: &'static Family,
    /// The author of the code: `here` for ours, or `authors`.
    pub whose: &'static str,
    /// The backend, `words` for 64-bit words, or `best` for the call that names neither backend nor parameters.
    pub code: &'static str,
    /// The parameter in the paper's form, `g = 4` or `t = 5`; empty for `best`.
    pub parameter: String,
    /// Whether the powers of the key are part of the time.
    pub powers: Powers,
    /// The call, under a name made of code and parameter.
    pub subject: Subject,
}

/// The name of a function in the paper, and its family.
pub(super) type Function = (&'static str, &'static Family);

impl Candidate {
    /// One of ours, for messages of any length.
    pub(super) fn new(
        (function, family): Function,
        (code, parameter): (&'static str, String),
        powers: Powers,
        work: impl Work + 'static,
    ) -> Candidate {
        // `g = 4` in a table is `g4` in the name of a subject.
        let way: String = parameter.split(" = ").collect();
        let name = format!("carryless/{code}{}{way}", if way.is_empty() { "" } else { "/" });
        let backend = match code {
            "best" => Cpu::detect().name(),
            "words" => words().name(),
            backend => backend,
        };
        let subject = Subject::new(name, backend, work);
        Candidate { function, family, whose: "here", code, parameter, powers, subject }
    }

    /// The cells that name it in tables: function, author, code and parameter.
    pub(super) fn names(&self) -> [&str; 4] {
        [self.function, self.whose, self.code, &self.parameter]
    }

    /// Whether it takes messages of `length` bytes.
    pub fn serves(&self, length: usize) -> bool {
        self.subject.serves(length)
    }

    /// The mode under which its records stand.
    pub fn mode(&self) -> Mode {
        match self.powers {
            Powers::Fly => Mode::OneShot,
            Powers::Ready => Mode::Prepared,
        }
    }

    /// Whether it is our counterpart of a line of the paper, in one of the settings of the powers.
    /// That of `maax` is `words`.
    pub fn answers(&self, line: &Line, powers: Powers) -> bool {
        let code = if line.code == "maax" { "words" } else { line.code };
        (self.function, self.whose, self.code, self.parameter.as_str(), self.powers)
            == (line.function, "here", code, line.parameter, powers)
    }
}

/// All our functions that are compared with lines of the paper: function by function, each with `best` last.
/// Vectors are AVX2, as the paper's, and those of this CPU's best backend.
pub fn candidates() -> Vec<Candidate> {
    let vectors = vectors();
    let mut all = polyhash(("polyHash1305", &POLYHASH1305), &vectors);
    all.extend(brwhash(("BRWHash1305", &BRWHASH1305), Streams::One, &[words()]));
    all.extend(brwhash(("4-decBRWHash1305", &DECBRWHASH1305), Streams::Four, &vectors));
    all
}

/// AVX2 and this CPU's best backend; none if it has no vectors.
pub(super) fn vectors() -> Vec<Cpu> {
    let avx2 = Cpu::named("avx2").ok();
    let best = Some(Cpu::detect()).filter(|cpu| Some(cpu.name()) != avx2.map(Cpu::name));
    // Without vectors the best backend is plain integers, which are measured as `words`.
    avx2.into_iter().chain(best).filter(|cpu| !matches!(cpu, Cpu::Portable(_))).collect()
}

/// The reason for which a line of the paper has no counterpart on this CPU; `None` if it has one.
pub fn reason(line: &Line) -> Option<&'static str> {
    let lacks = line.code == "avx2" && Cpu::named("avx2").is_err();
    lacks.then_some("this CPU has no AVX2")
}

/// The authors' code in a folder of shared libraries, which crates/bench/PEERS.md says how to build.
///
/// # Errors
/// If the folder has none of it, or a library there lacks its function.
pub fn authors(folder: &Path) -> Result<Vec<Candidate>> {
    let mut all = vec![];
    let functions: [Function; 2] = [("polyHash1305", &POLYHASH1305), ("4-decBRWHash1305", &DECBRWHASH1305)];
    for (function, family) in functions {
        for powers in Powers::ALL {
            let mode = if powers == Powers::Fly { Mode::OneShot } else { Mode::Prepared };
            for subject in peers::authors_of(folder, family, mode)? {
                let way = subject.name.trim_start_matches("authors/");
                // polyHash has names such as `maax-g4` and `avx2-g4`. decBRWHash has `t5` alone and is always
                // AVX2.
                let (code, way) = match way.split_once('-') {
                    Some(("maax", way)) => ("maax", way),
                    Some((_, way)) => ("avx2", way),
                    None => ("avx2", way),
                };
                let parameter = format!("{} = {}", &way[..1], &way[1..]);
                all.push(Candidate { function, family, whose: AUTHORS, code, parameter, powers, subject });
            }
        }
    }
    ensure!(!all.is_empty(), "{}: no library there computes a function of paper 001", folder.display());
    Ok(all)
}

/// The backend that computes in 64-bit words.
pub(super) fn words() -> Cpu {
    Cpu::named("portable").expect("every CPU has words")
}

/// The name of a backend in tables.
fn code(cpu: Cpu) -> &'static str {
    if matches!(cpu, Cpu::Portable(_)) { "words" } else { cpu.name() }
}

/// The plans in a backend's lanes, first for messages of no more blocks than lanes, then for longer ones.
/// They use the radix in which the backend is fastest.
fn plans_in_lanes(cpu: Cpu, g: usize) -> [Plan; 2] {
    if cpu.has_ifma() { [Plan::RowIfma, Plan::HornerIfma { g }] } else { [Plan::Row, Plan::Horner { g }] }
}

fn polyhash(what: Function, vectors: &[Cpu]) -> Vec<Candidate> {
    // In words one plan serves all lengths, so it stands for both.
    let in_words = GROUPS_IN_WORDS.map(|g| (words(), [Plan::GroupedWords { g }; 2], g));
    let in_lanes = vectors.iter().flat_map(|&cpu| GROUPS_IN_LANES.map(|g| (cpu, plans_in_lanes(cpu, g), g)));
    let mut all = vec![];
    for (cpu, plans, g) in in_words.into_iter().chain(in_lanes) {
        for powers in Powers::ALL {
            all.push(planned(what, (cpu, plans), format!("g = {g}"), powers));
        }
    }
    // What follows leaves the parameter to the library, in words and on the best backend.
    let digest = |key: &Key, message: &[u8]| polyhash1305::digest_on(words(), first(key), message);
    all.push(Candidate::new(what, ("words", String::new()), Powers::Fly, one_by_one(digest)));
    let digest = |key: &Key, message: &[u8]| polyhash1305::digest(first(key), message);
    all.push(Candidate::new(what, ("best", String::new()), Powers::Fly, one_by_one(digest)));
    for (code, cpu) in [("words", words()), ("best", Cpu::detect())] {
        let prepare = move |key: &Key| polyhash1305::PreparedKey::on(cpu, first(key));
        let digest = |ready: &polyhash1305::PreparedKey, _: &Key, message: &[u8], tag: &mut Tag| {
            *tag = ready.digest(message);
        };
        all.push(Candidate::new(what, (code, String::new()), Powers::Ready, Prepared(prepare, digest)));
    }
    all
}

/// polyHash by two plans: one for messages of no more blocks than the backend has lanes, and one for longer ones.
fn planned(what: Function, (cpu, plans): (Cpu, [Plan; 2]), parameter: String, powers: Powers) -> Candidate {
    let longer = move |message: &[u8]| usize::from(message.len() > 16 * cpu.lanes());
    let names = (code(cpu), parameter);
    if powers == Powers::Fly {
        let digest = move |key: &Key, message: &[u8]| {
            let digest = polyhash1305::digest_with(cpu, plans[longer(message)], first(key), message);
            digest.expect("the plan serves this length")
        };
        return Candidate::new(what, names, powers, one_by_one(digest));
    }
    let prepare = move |key: &Key| {
        plans.map(|plan| PlannedKey::new(cpu, plan, first(key)).expect("the plan serves some length"))
    };
    let digest = move |ready: &[PlannedKey; 2], _: &Key, message: &[u8], tag: &mut Tag| {
        *tag = ready[longer(message)].digest(message).expect("the plan serves this length");
    };
    Candidate::new(what, names, powers, Prepared(prepare, digest))
}

fn brwhash(what: Function, streams: Streams, cpus: &[Cpu]) -> Vec<Candidate> {
    let mut all = vec![];
    for (cpu, params) in cpus.iter().flat_map(|&cpu| params(cpu, streams).map(move |params| (cpu, params))) {
        let names = || (code(cpu), format!("t = {}", params.t));
        let digest = move |key: &Key, message: &[u8]| {
            decbrwhash1305::digest_with(cpu, params, streams, first(key), message)
        };
        // Each parameter is measured twice, as the paper has two figures in a cell.
        all.push(Candidate::new(what, names(), Powers::Fly, one_by_one(digest)));
        all.push(Candidate::new(what, names(), Powers::Ready, ready(cpu, streams, Some(params))));
    }
    let digest = move |key: &Key, message: &[u8]| decbrwhash1305::digest(streams, first(key), message);
    all.push(Candidate::new(what, ("best", String::new()), Powers::Fly, one_by_one(digest)));
    all.push(Candidate::new(
        what,
        ("best", String::new()),
        Powers::Ready,
        ready(Cpu::detect(), streams, None),
    ));
    all
}

/// A BRW hash with all powers ready, by these parameters or, if there are none, by the library's choice.
fn ready(cpu: Cpu, streams: Streams, params: Option<Params>) -> impl Work + 'static {
    // Powers for the longest message serve all shorter ones.
    let prepare = move |key: &Key| PreparedKey::for_len(cpu, streams, first(key), LONGEST);
    let digest = move |ready: &PreparedKey, _: &Key, message: &[u8], tag: &mut Tag| {
        *tag = match params {
            Some(params) => ready.digest_with(params, message),
            None => ready.digest(message),
        };
    };
    Prepared(prepare, digest)
}
