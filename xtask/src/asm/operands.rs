//! What products and squares in fields may read: their operands and constants, and on the stack what does not fit into the registers.
use super::addresses::Accesses;
use super::disassemble::Function;
use super::{AARCH64, X86_64};

/// The limits for the kernels of an operation. No address in them may depend on data.
struct Limit {
    /// The Rust target.
    target: &'static str,
    /// Words of the symbol.
    kernel: &'static [&'static str],
    /// At most so many reads of the stack for a symbol with this word: the field.
    spills: &'static [(&'static str, usize)],
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
pub(crate) fn complaints(kernel: &Function, target: &str) -> Vec<String> {
    let limits: Vec<usize> =
        LIMITS.iter().filter_map(|limit| limit.of_kernel(target, &kernel.name)).collect();
    if limits.is_empty() {
        return Vec::new();
    }
    // What is compiled for a pointer to the function has operands for arguments; other kernels are structs.
    let found = Accesses::of(kernel, !kernel.name.contains("::compile::go::<"));
    let mut complaints = Vec::new();
    if found.by_data > 0 {
        complaints.push(format!("{} addresses depend on data", found.by_data));
    }
    for limit in limits.into_iter().filter(|&limit| found.spills > limit) {
        complaints.push(format!("{} reads of the stack, more than {limit}", found.spills));
    }
    complaints
}

/// Limits that no kernel of the target has.
pub(crate) fn unused(kernels: &[&Function], target: &str) -> Vec<String> {
    let mut unused = Vec::new();
    for limit in LIMITS.iter().filter(|limit| limit.target == target) {
        for (field, _) in limit.spills {
            let is_of = |kernel: &&Function| {
                kernel.name.contains(field) && limit.of_kernel(target, &kernel.name).is_some()
            };
            if !kernels.iter().any(is_of) {
                unused.push(format!("no kernel matches {:?} {field:?}", limit.kernel));
            }
        }
    }
    unused
}

/// No field's kernel reads the stack.
const NONE: &[(&str, usize)] = &[("", 0)];

/// All of them, for all machines of a target, and lower ones for machines with 32 registers.
const LIMITS: &[Limit] = &[
    Limit {
        target: X86_64,
        kernel: &["One<", "operations::Product>"],
        spills: &[
            ("::Gf193,", 1),
            ("::Gf233,", 1),
            ("::Gf283,", 10),
            ("::Gf409,", 40),
            ("::Gf571,", 73),
            ("", 0),
        ],
    },
    Limit {
        target: X86_64,
        kernel: &["::PclmulAvx512Vl ", "One<", "operations::Product>"],
        spills: &[("::Gf409,", 2), ("::Gf571,", 18), ("", 0)],
    },
    Limit {
        target: AARCH64,
        kernel: &["One<", "operations::Product>"],
        spills: &[("::Gf571,", 20), ("", 0)],
    },
    Limit { target: X86_64, kernel: &["One<", "operations::Square>"], spills: NONE },
    Limit { target: AARCH64, kernel: &["One<", "operations::Square>"], spills: NONE },
    Limit {
        target: X86_64,
        kernel: &["Many<", "operations::Product>"],
        spills: &[
            ("::Gf193,", 1),
            ("::Gf233,", 1),
            ("::Gf283,", 5),
            ("::Gf409,", 22),
            ("::Gf571,", 53),
            ("", 0),
        ],
    },
    Limit {
        target: X86_64,
        kernel: &["::VpclmulZmm ", "Many<", "operations::Product>"],
        spills: &[("::Gf571,", 8), ("", 0)],
    },
    Limit {
        target: X86_64,
        kernel: &["affine::Squares<"],
        spills: &[("::Gf283>", 1), ("::Gf409>", 9), ("::Gf571>", 17), ("", 0)],
    },
    Limit { target: X86_64, kernel: &["Gfni ", "affine::Squares<"], spills: NONE },
    Limit {
        target: AARCH64,
        kernel: &["affine::Squares<"],
        spills: &[("::Gf409>", 2), ("::Gf571>", 2), ("", 0)],
    },
];
