//! Counting instructions.
use super::disassemble::Instruction;
use std::collections::BTreeMap;
use std::fmt;

/// How many instructions of which kind.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// All instructions of the function, those of other counts too.
    pub total: usize,
    /// Calls, and jumps to other functions; copies, panics and other kernels left out.
    pub calls: usize,
    /// Calls to `memcpy` and the like.
    pub copies: usize,
    /// Calls to what reports a bug: each is a check that the compiler could not prove away.
    pub panics: usize,
    /// Instructions that read memory, also those that write it too.
    pub loads: usize,
    /// Instructions that write memory, also those that read it too.
    pub stores: usize,
    /// Instructions that read or write the stack, `push` and `pop` left out.
    pub stack: usize,
    /// How often each mnemonic occurs, prefixes left out.
    pub by_mnemonic: BTreeMap<String, usize>,
}

/// Mnemonics that `Display` shows by name: the arithmetic of kernels.
const SHOWN: &[&str] =
    &["vp", "mul", "imul", "umul", "umlal", "xtn", "ushr", "usra", "shl", "add", "adc", "and"];

impl Counts {
    pub(crate) fn of(body: &[Instruction]) -> Counts {
        let mut counts = Counts { total: body.len(), ..Counts::default() };
        // Without a frame pointer `rbp` is a general register, and what it addresses need not be the stack.
        let frame_pointer =
            body.iter().any(|i| i.mnemonic == "mov" && i.operands.replace(' ', "") == "rbp,rsp");
        for instruction in body {
            *counts.by_mnemonic.entry(instruction.mnemonic.clone()).or_default() += 1;
            counts.panics += usize::from(instruction.is_panic());
            counts.copies += usize::from(instruction.is_copy());
            // Panics and copies are counted by themselves. Kernels have rules of their own, and the set-up is
            // one function.
            let allowed = instruction.is_panic()
                || instruction.is_copy()
                || instruction.is_kernel()
                || instruction.is_set_up();
            counts.calls += usize::from(instruction.is_call() && !allowed);
            let Some((reads, writes)) = memory(instruction) else { continue };
            counts.loads += usize::from(reads);
            counts.stores += usize::from(writes);
            let stack = ["[rsp", "[sp"].iter().any(|base| instruction.operands.contains(base));
            counts.stack += usize::from(stack || (frame_pointer && instruction.operands.contains("[rbp")));
        }
        counts
    }

    /// The number of instructions with one of the mnemonics, separated by `|`.
    pub(crate) fn of_mnemonics(&self, mnemonics: &str) -> usize {
        mnemonics.split('|').filter_map(|mnemonic| self.by_mnemonic.get(mnemonic)).sum()
    }
}

/// Whether the instruction reads and writes memory; `None` if it has no memory operand.
pub(super) fn memory(instruction: &Instruction) -> Option<(bool, bool)> {
    let mnemonic = instruction.mnemonic.as_str();
    let place = instruction.place()?;
    // AArch64 names its loads and stores.
    if mnemonic.starts_with("ld") || mnemonic.starts_with("st") {
        return Some((mnemonic.starts_with("ld"), mnemonic.starts_with("st")));
    }
    // Operands stand in Intel's order, destination first.
    let is_first = instruction.parts().first().is_some_and(|part| part.contains(place));
    // Only moves write memory without reading it: `add [rax],1` does both.
    let moves = ["mov", "vmov", "set", "vextract", "pextr", "vpextr"];
    let moves = moves.iter().any(|start| mnemonic.starts_with(start));
    // Their first operand is no destination.
    let only_reads = ["cmp", "test", "bt", "mul", "imul", "div", "idiv", "jmp", "call"].contains(&mnemonic);
    Some((!(is_first && moves), is_first && !only_reads))
}

/// The functions that the body calls, and how often.
pub(crate) fn call_targets(body: &[Instruction]) -> BTreeMap<String, usize> {
    let mut targets = BTreeMap::new();
    for call in body.iter().filter(|i| i.is_call()) {
        // A call through a register has no symbol.
        let name = call.symbol.clone().unwrap_or_else(|| call.operands.clone());
        *targets.entry(name).or_default() += 1;
    }
    targets
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { total, calls, copies, panics, loads, stores, stack, by_mnemonic } = self;
        write!(f, "{total} instructions, {calls} calls, {copies} copies, {panics} panics, ")?;
        write!(f, "{loads} loads, {stores} stores, {stack} on the stack;")?;
        let shown = |mnemonic: &str| SHOWN.iter().any(|prefix| mnemonic.starts_with(prefix));
        for (mnemonic, count) in by_mnemonic.iter().filter(|(mnemonic, _)| shown(mnemonic)) {
            write!(f, " {count} {mnemonic}")?;
        }
        Ok(())
    }
}
