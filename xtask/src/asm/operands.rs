//! Limits of what products and squares in fields may read: their operands and constants, and on the stack
//! the values that do not fit into the registers.
use super::addresses::Accesses;
use super::disassemble::Function;

/// The limits for the kernels of an operation. No address in them may depend on data.
pub(crate) struct Limit {
    /// File and line of the row, for complaints.
    pub place: String,
    /// Target triple that the limit is for.
    pub target: String,
    /// Substrings that the symbol contains.
    pub kernel: Vec<String>,
    /// The most reads of the stack, by a substring that names the field in the symbol. The first entry that
    /// the symbol contains is the limit.
    pub spills: Vec<(String, usize)>,
}

impl Limit {
    fn of_kernel(&self, target: &str, name: &str) -> Option<usize> {
        let is_kernel =
            self.kernel.iter().all(|word| name.contains(word)) && name.contains("carryless_gf2::field::");
        let spills = self.spills.iter().filter(|_| self.target == target && is_kernel);
        spills.filter(|(field, _)| name.contains(field)).map(|(_, spills)| *spills).next()
    }
}

/// What is wrong with a kernel for this target.
pub(crate) fn complaints(limits: &[Limit], kernel: &Function, target: &str) -> Vec<String> {
    let of_kernel = |limit: &Limit| Some((limit.of_kernel(target, &kernel.name)?, limit.place.clone()));
    let limits: Vec<(usize, String)> = limits.iter().filter_map(of_kernel).collect();
    if limits.is_empty() {
        return Vec::new();
    }
    // What is compiled for a pointer to the function has operands for arguments; other kernels are structs.
    let found = Accesses::of(kernel, !kernel.name.contains("::compile::go::<"));
    let mut complaints = Vec::new();
    if found.by_data > 0 {
        complaints.push(format!("{} addresses depend on data", found.by_data));
    }
    for (limit, place) in limits.into_iter().filter(|&(limit, _)| found.spills > limit) {
        complaints.push(format!("{} reads of the stack, more than {limit} ({place})", found.spills));
    }
    complaints
}

/// Limits that no kernel of the target has.
pub(crate) fn unused(limits: &[Limit], kernels: &[&Function], target: &str) -> Vec<String> {
    let mut unused = Vec::new();
    for limit in limits.iter().filter(|limit| limit.target == target) {
        for (field, _) in &limit.spills {
            let is_of = |kernel: &&Function| {
                kernel.name.contains(field) && limit.of_kernel(target, &kernel.name).is_some()
            };
            // A limit without a kernel would hold for nothing after a kernel changed its name.
            if !kernels.iter().any(is_of) {
                unused.push(format!("{}: no kernel matches {:?} {field:?}", limit.place, limit.kernel));
            }
        }
    }
    unused
}
