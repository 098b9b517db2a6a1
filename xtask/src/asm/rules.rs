//! What the kernels are held to. Every kernel must be free of calls and must stand in the table.
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
    /// At most so many calls to `memcpy` and the like.
    pub copies: usize,
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
        at_most(&mut complaints, "copies", counts.copies, rule.copies);
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

/// A line of the table for the kernel as it is.
pub(crate) fn line(kernel: &Function, target: &str) -> String {
    let counts = Counts::of(&kernel.body);
    let products = match target.starts_with("x86_64") {
        true => ["vpmuludq", "vpmadd52luq|vpmadd52huq"].as_slice(),
        false => ["umull|umull2|umlal|umlal2", "mul"].as_slice(),
    };
    let exactly: Vec<String> = products
        .iter()
        .filter(|mnemonics| counts.of_mnemonics(mnemonics) > 0)
        .map(|mnemonics| {
            let (whole, loops) = (counts.of_mnemonics(mnemonics), in_loops(kernel, mnemonics));
            format!("Exactly {{ mnemonics: {mnemonics:?}, whole: {whole}, loops: &{loops:?} }}")
        })
        .collect();
    let constant = if target == super::AARCH64 { "AARCH64" } else { "X86_64" };
    let name = kernel.words();
    let (exactly, Counts { stack, copies, panics, .. }) = (exactly.join(", "), counts);
    format!(
        "Rule {{ target: {constant}, name: &{name:?}, exactly: &[{exactly}], \
         stack: {stack}, copies: {copies}, panics: {panics} }},"
    )
}
