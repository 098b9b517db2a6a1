//! Our implementations of the algorithms of papers 000 and 003.
use crate::input::Key;
use crate::ours::one_by_one;
use crate::subject::Subject;
use carryless_hash::research::{FirstProduct, Plan, Tail, lambda_of_papers};
use carryless_hash::{Cpu, poly1305};

/// An algorithm for Poly1305: the order of evaluation and the code for the tail.
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
    /// All algorithms, in the order of the columns of tables and the curves of plots.
    pub const ALL: [Way; 5] =
        [Way::GollGueron, Way::Balanced, Way::UsualFirst, Way::FewestFirst, Way::WordTail];

    /// The name in tables and in names of subjects.
    pub fn name(self) -> &'static str {
        match self {
            Way::GollGueron => "goll-gueron",
            Way::Balanced => "balanced",
            Way::UsualFirst => "usual-first",
            Way::FewestFirst => "fewest-first",
            Way::WordTail => "word-tail",
        }
    }

    /// The plan for messages of `length` bytes. It reduces after as many rows as the papers' code.
    fn plan(self, length: usize) -> Plan {
        // One lambda for all algorithms, so that nothing but the algorithm makes a difference.
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

/// One algorithm on one backend, or the library's own choice.
pub struct Candidate {
    /// Backend and algorithm; `None` for the library's own choice, which a caller gets who names neither.
    pub on: Option<(Cpu, Way)>,
    /// `carryless/BACKEND/ALGORITHM` or `carryless/best`, which takes a fresh key for each call.
    pub subject: Subject,
}

/// The backends that the papers' code is for: AVX2 with 4 lanes and AVX-512 with 8. On a
/// CPU with neither, plain integers.
pub fn backends() -> Vec<Cpu> {
    let named = |backends: &[&str]| -> Vec<Cpu> {
        // `named` refuses a backend that this CPU lacks.
        backends.iter().filter_map(|backend| Cpu::named(backend).ok()).collect()
    };
    let vectors = named(&["avx2", "avx512"]);
    if vectors.is_empty() { named(&["portable"]) } else { vectors }
}

/// Every algorithm on every backend, then the library's own choice.
pub fn candidates(backends: &[Cpu]) -> Vec<Candidate> {
    let on = |&cpu: &Cpu| Way::ALL.map(|way| candidate(cpu, way));
    let mut all: Vec<Candidate> = backends.iter().flat_map(on).collect();
    let best = one_by_one(|key: &Key, message: &[u8]| poly1305::mac(key, message).to_bytes());
    // The tables expect it to be the last one.
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
