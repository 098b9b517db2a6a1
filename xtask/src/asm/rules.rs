//! The table that the kernels are held to. Every kernel, in the table or not, must be free of calls.
//!
//! `cargo xtask asm --loops` prints the figures to put here. A count that changed is a change of the code or of the
//! compiler, to be understood before it is written down.
use super::count::Counts;
use super::disassemble::Function;

/// What is expected of the kernels whose symbol contains all words of `name`.
pub(crate) struct Rule {
    /// The Rust target.
    pub target: &'static str,
    /// Words of the symbol: the machine, the kernel.
    pub name: &'static [&'static str],
    /// Exact numbers of instructions.
    pub exactly: &'static [Exactly],
    /// At most so many accesses to the stack.
    pub stack: usize,
    /// At most so many calls to what reports a bug.
    pub panics: usize,
}

/// How often the instructions occur.
pub(crate) struct Exactly {
    /// The mnemonics; `a|b` for their sum.
    pub mnemonics: &'static str,
    /// In the whole kernel: set-up, loops and tail.
    pub whole: usize,
    /// In each innermost loop that has any, in ascending order.
    pub loops: &'static [usize],
}

/// The table.
pub(crate) const RULES: &[Rule] = &[];

impl Rule {
    /// Whether the rule is about this kernel.
    pub(crate) fn applies(&self, target: &str, name: &str) -> bool {
        self.target == target && self.name.iter().all(|word| name.contains(word))
    }
}

/// What is wrong with a kernel, given the rules that apply to it.
pub(crate) fn complaints(kernel: &Function, rules: &[&Rule]) -> Vec<String> {
    let counts = Counts::of(&kernel.body);
    let mut complaints = Vec::new();
    at_most(&mut complaints, "calls", counts.calls, 0);
    for rule in rules {
        at_most(&mut complaints, "accesses to the stack", counts.stack, rule.stack);
        at_most(&mut complaints, "panics", counts.panics, rule.panics);
        for Exactly { mnemonics, whole, loops } in rule.exactly {
            let found = counts.of_mnemonics(mnemonics);
            if found != *whole {
                complaints.push(format!("{found} {mnemonics}, not {whole}"));
            }
            let found = in_loops(kernel, mnemonics);
            if found != *loops {
                complaints.push(format!("{mnemonics} in the loops: {found:?}, not {loops:?}"));
            }
        }
    }
    complaints
}

fn at_most(complaints: &mut Vec<String>, what: &str, found: usize, limit: usize) {
    if found > limit {
        complaints.push(format!("{found} {what}, more than {limit}"));
    }
}

fn in_loops(kernel: &Function, mnemonics: &str) -> Vec<usize> {
    let loops = kernel.loops();
    let mut counts: Vec<usize> = loops.iter().map(|body| Counts::of(body).of_mnemonics(mnemonics)).collect();
    counts.retain(|&count| count > 0);
    counts.sort_unstable();
    counts
}
