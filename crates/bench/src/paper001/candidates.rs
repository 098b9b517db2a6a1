//! Our evaluations of the paper's functions.
use super::figures::Powers;
use crate::family::{BRWHASH1305, DECBRWHASH1305, Family, POLYHASH1305};
use crate::input::{Key, Tag, first};
use crate::ours::{one_by_one, params};
use crate::subject::{Mode, Prepared, Subject, Work};
use carryless_hash::decbrwhash1305::{self, Streams};
use carryless_hash::research::Plan;
use carryless_hash::{Cpu, polyhash1305};

/// One of our evaluations, as a line of the tables.
pub struct Candidate {
    /// The hash function, as the paper writes it.
    pub function: &'static str,
    /// Its family in records.
    pub family: &'static Family,
    /// The machine, `words` for 64-bit words, or `best` for what a user gets who names nothing.
    pub code: &'static str,
    /// As in the paper, or empty.
    pub parameter: String,
    /// Whether the powers of the key are part of the time.
    pub powers: Powers,
    /// What is measured.
    pub subject: Subject,
    /// The plan that it follows, if it serves certain lengths only.
    plan: Option<(Cpu, Plan)>,
}

impl Candidate {
    /// One that takes messages of any length.
    fn new(
        (function, family): (&'static str, &'static Family),
        (code, parameter): (&'static str, String),
        powers: Powers,
        work: impl Work + 'static,
    ) -> Candidate {
        let way: String = parameter.split(" = ").collect();
        let name = format!("carryless/{code}{}{way}", if way.is_empty() { "" } else { "/" });
        let machine = match code {
            "best" => Cpu::detect().name(),
            "words" => words().name(),
            machine => machine,
        };
        let subject = Subject::new(name, machine, work);
        Candidate { function, family, code, parameter, powers, subject, plan: None }
    }

    /// Whether it takes messages of so many bytes.
    pub fn serves(&self, length: usize) -> bool {
        self.plan.is_none_or(|(cpu, plan)| plan.serves(cpu, length))
    }

    /// As in the family's records.
    pub fn mode(&self) -> Mode {
        match self.powers {
            Powers::Fly => Mode::OneShot,
            Powers::Ready => Mode::Prepared,
        }
    }
}

/// Everything of ours that stands beside the paper's lines, function by function, the best last. Vectors are the paper's
/// own, AVX2, and those of this CPU's best machine.
pub fn candidates() -> Vec<Candidate> {
    let avx2 = Cpu::named("avx2").ok();
    let best = Some(Cpu::detect()).filter(|cpu| Some(cpu.name()) != avx2.map(Cpu::name));
    let vectors: Vec<Cpu> =
        avx2.into_iter().chain(best).filter(|cpu| !matches!(cpu, Cpu::Portable(_))).collect();
    let mut all = polyhash(&vectors);
    all.extend(brwhash(("BRWHash1305", &BRWHASH1305), Streams::One, &[words()]));
    all.extend(brwhash(("4-decBRWHash1305", &DECBRWHASH1305), Streams::Four, &vectors));
    all
}

/// The machine that takes 64-bit words.
fn words() -> Cpu {
    Cpu::named("portable").expect("every CPU has words")
}

/// As a table names a machine.
fn code(cpu: Cpu) -> &'static str {
    if matches!(cpu, Cpu::Portable(_)) { "words" } else { cpu.name() }
}

fn polyhash(vectors: &[Cpu]) -> Vec<Candidate> {
    let what: (_, &'static Family) = ("polyHash1305", &POLYHASH1305);
    let plans = |cpu| [1, 2, 3, 4, 8].map(move |g| (cpu, Plan::Horner { g }, format!("g = {g}")));
    let plans = vectors.iter().copied().flat_map(plans);
    let mut all = vec![];
    for (cpu, plan, parameter) in [(words(), Plan::Words, String::new())].into_iter().chain(plans) {
        let digest = move |key: &Key, message: &[u8]| {
            polyhash1305::digest_with(cpu, plan, first(key), message).expect("the plan serves this length")
        };
        let candidate = Candidate::new(what, (code(cpu), parameter), Powers::Fly, one_by_one(digest));
        all.push(Candidate { plan: Some((cpu, plan)), ..candidate });
    }
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

fn brwhash(what: (&'static str, &'static Family), streams: Streams, cpus: &[Cpu]) -> Vec<Candidate> {
    let mut all = vec![];
    for &cpu in cpus {
        for params in params(cpu, streams) {
            let digest = move |key: &Key, message: &[u8]| {
                decbrwhash1305::digest_with(cpu, params, streams, first(key), message)
            };
            let parameter = format!("t = {}", params.t);
            all.push(Candidate::new(what, (code(cpu), parameter), Powers::Fly, one_by_one(digest)));
        }
    }
    let digest = move |key: &Key, message: &[u8]| decbrwhash1305::digest(streams, first(key), message);
    all.push(Candidate::new(what, ("best", String::new()), Powers::Fly, one_by_one(digest)));
    let prepare = move |key: &Key| decbrwhash1305::PreparedKey::new(streams, first(key));
    let digest = |ready: &decbrwhash1305::PreparedKey, _: &Key, message: &[u8], tag: &mut Tag| {
        *tag = ready.digest(message);
    };
    all.push(Candidate::new(what, ("best", String::new()), Powers::Ready, Prepared(prepare, digest)));
    all
}
