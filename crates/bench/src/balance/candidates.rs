//! Our evaluations in the layout of papers 000 and 003.
use crate::input::Key;
use crate::ours::one_by_one;
use crate::subject::Subject;
use carryless_hash::research::{FirstProduct, Plan, Tail, lambda_of_papers};
use carryless_hash::{Cpu, poly1305};

/// How a message is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Paper 003's Algorithm 1, with a tail in lanes.
    GollGueron,
    /// The papers' own: Algorithm 2 with a cheaper first product.
    Balanced,
    /// Algorithm 2 with the usual first product.
    UsualFirst,
    /// Algorithm 2 with the first product of the fewest multiplications.
    FewestFirst,
    /// Algorithm 1 with a tail in words.
    WordTail,
}

impl Way {
    /// All of them.
    pub const ALL: [Way; 5] =
        [Way::GollGueron, Way::Balanced, Way::UsualFirst, Way::FewestFirst, Way::WordTail];

    /// In tables and in names of subjects.
    pub fn name(self) -> &'static str {
        match self {
            Way::GollGueron => "goll-gueron",
            Way::Balanced => "balanced",
            Way::UsualFirst => "usual-first",
            Way::FewestFirst => "fewest-first",
            Way::WordTail => "word-tail",
        }
    }

    /// The plan for messages of `length` bytes, with as many rows for a reduction as in the papers.
    fn plan(self, length: usize) -> Plan {
        let lambda = lambda_of_papers(length);
        match self {
            Way::GollGueron => Plan::GollGueron { lambda, tail: Tail::Lanes },
            Way::Balanced => Plan::Packed { lambda, first: FirstProduct::InRegisters },
            Way::UsualFirst => Plan::Packed { lambda, first: FirstProduct::Usual },
            Way::FewestFirst => Plan::Packed { lambda, first: FirstProduct::Fewest },
            Way::WordTail => Plan::GollGueron { lambda, tail: Tail::Words },
        }
    }
}

/// One of our evaluations.
pub struct Candidate {
    /// The machine, or none for what a user gets who names nothing.
    pub on: Option<(Cpu, Way)>,
    /// What is measured.
    pub subject: Subject,
}

/// The machines of 4 and of 8 lanes that the papers' code is for, AVX2 and AVX-512; plain integers, if this CPU has neither.
pub fn machines() -> Vec<Cpu> {
    let named = |machines: &[&str]| -> Vec<Cpu> {
        machines.iter().filter_map(|machine| Cpu::named(machine).ok()).collect()
    };
    let vectors = named(&["avx2", "avx512"]);
    if vectors.is_empty() { named(&["portable"]) } else { vectors }
}

/// Every way on every machine, and the library's own choice.
pub fn candidates(machines: &[Cpu]) -> Vec<Candidate> {
    let on = |&cpu: &Cpu| Way::ALL.map(|way| candidate(cpu, way));
    let mut all: Vec<Candidate> = machines.iter().flat_map(on).collect();
    let best = one_by_one(|key: &Key, message: &[u8]| poly1305::mac(key, message).to_bytes());
    all.push(Candidate { on: None, subject: Subject::new("carryless/best", Cpu::detect().name(), best) });
    all
}

fn candidate(cpu: Cpu, way: Way) -> Candidate {
    let mac = move |key: &Key, message: &[u8]| {
        let plan = way.plan(message.len());
        poly1305::mac_with(cpu, plan, key, message).expect("the plan serves every length").to_bytes()
    };
    let name = format!("carryless/{}/{}", cpu.name(), way.name());
    Candidate { on: Some((cpu, way)), subject: Subject::new(name, cpu.name(), one_by_one(mac)) }
}
