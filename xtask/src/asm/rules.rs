//! What the kernels are held to. Every kernel must be free of calls and must stand in the table.
use super::count::Counts;
use super::disassemble::Function;
use super::names::Target;

/// What is expected of the kernels whose symbol contains all words of `name`.
pub(crate) struct Rule {
    /// File and line of the row, for complaints.
    pub place: String,
    /// Target triple that the rule is for.
    pub target: String,
    /// Words of the symbol: the backend, the kernel.
    pub name: Vec<String>,
    /// Exact numbers of instructions, fewer being a mismatch too.
    pub exactly: Vec<Exactly>,
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
    pub mnemonics: String,
    /// In the whole kernel: set-up, loops and tail.
    pub whole: usize,
    /// In each innermost loop that has any, in ascending order.
    pub loops: Vec<usize>,
}

impl Rule {
    /// Whether the rule is about this kernel.
    pub(crate) fn applies(&self, target: &str, name: &str) -> bool {
        self.target == target && self.name.iter().all(|word| name.contains(word))
    }

    /// Returns how the kernel breaks the rule, each complaint with the place of the rule.
    fn complaints(&self, kernel: &Function, counts: &Counts) -> Vec<String> {
        let mut complaints = Vec::new();
        // Upper limits, unlike the exact counts below: fewer spills or copies are no defect.
        at_most(&mut complaints, "accesses to the stack", counts.stack, self.stack);
        at_most(&mut complaints, "copies", counts.copies, self.copies);
        at_most(&mut complaints, "panics", counts.panics, self.panics);
        for Exactly { mnemonics, whole, loops } in &self.exactly {
            let found = counts.of_mnemonics(mnemonics);
            if found != *whole {
                complaints.push(format!("{found} {mnemonics}, not {whole}"));
            }
            let found = in_loops(kernel, mnemonics);
            if found != *loops {
                complaints.push(format!("{mnemonics} in the loops: {found:?}, not {loops:?}"));
            }
        }
        complaints.iter().map(|what| format!("{what} ({})", self.place)).collect()
    }
}

/// Returns what is wrong with a kernel, given the rules that apply to it: calls are wrong without any.
pub(crate) fn complaints(kernel: &Function, rules: &[&Rule]) -> Vec<String> {
    let counts = Counts::of(&kernel.body);
    let mut complaints = Vec::new();
    at_most(&mut complaints, "calls", counts.calls, 0);
    complaints.extend(rules.iter().flat_map(|rule| rule.complaints(kernel, &counts)));
    complaints
}

/// Returns a complaint for each rule of the target that applies to none of the kernels.
pub(crate) fn unused(rules: &[Rule], kernels: &[&Function], target: &str) -> Vec<String> {
    let is_unused = |rule: &&Rule| !kernels.iter().any(|kernel| rule.applies(target, &kernel.name));
    let rules = rules.iter().filter(|rule| rule.target == target).filter(is_unused);
    rules.map(|rule| format!("{}: no kernel matches {:?}", rule.place, rule.name)).collect()
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
    // The compiler may change the order of loops without changing a loop.
    counts.sort_unstable();
    counts
}

/// Returns the row that holds for the kernel as it is compiled now. A backend without a name in the table
/// appears as in the symbol.
pub(crate) fn row(kernel: &Function, target: &Target) -> String {
    let counts = Counts::of(&kernel.body);
    let words = kernel.words();
    // The first word is that of the backend; `words` puts the kernel's after it.
    let backend = target.backends.iter().find(|(_, word)| **word == words[0]);
    let backend = backend.map_or(&words[0], |(name, _)| name);
    let mut fields = vec![format!("on = {backend:?}"), format!("kernel = {:?}", words[1..].join("*"))];
    let (mut whole, mut loops) = (Vec::new(), Vec::new());
    for (name, mnemonics) in &target.instructions {
        let (count, inside) = (counts.of_mnemonics(mnemonics), in_loops(kernel, mnemonics));
        whole.extend((count > 0).then(|| format!("{name} = {count}")));
        loops.extend((!inside.is_empty()).then(|| format!("{name} = {inside:?}")));
    }
    for (field, values) in [("whole", whole), ("loops", loops)] {
        fields.extend((!values.is_empty()).then(|| format!("{field} = {{ {} }}", values.join(", "))));
    }
    for (field, count) in [("stack", counts.stack), ("copies", counts.copies), ("panics", counts.panics)] {
        fields.extend((count > 0).then(|| format!("{field} = {count}")));
    }
    format!("{{ {} }},", fields.join(", "))
}
