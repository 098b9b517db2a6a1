//! What a function reads: at addresses from its arguments, of constants, on the stack, or where what it has read before leads it.
//!
//! The general registers that may hold data are followed along all paths. Data comes from vector registers and from memory; what was stored on the stack is what it was, if it is read by
//! the same address.
use super::count::memory;
use super::disassemble::{Function, Instruction};
use std::collections::BTreeMap;

/// Accesses that are not of operands.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Accesses {
    /// At addresses that depend on data.
    pub by_data: usize,
    /// Reads of the stack, other than to restore registers of the caller.
    pub spills: usize,
}

impl Accesses {
    /// Of a function. If it takes its operands by reference, what its first argument points to is a struct of their addresses and no data.
    pub(crate) fn of(function: &Function, by_reference: bool) -> Accesses {
        let mut analysis = Analysis { by_reference, ..Analysis::default() };
        // A store may come after the read in the code and before it in a loop. The rounds end, because a
        // place that holds data never becomes free of it.
        let states = loop {
            let before = analysis.stored.clone();
            let states = analysis.states(&function.body);
            if analysis.stored == before {
                break states;
            }
        };
        let mut accesses = Accesses::default();
        for (instruction, state) in function.body.iter().zip(states) {
            let (Some(place), Some((reads, _))) = (instruction.place(), memory(instruction)) else {
                continue;
            };
            // No path leads there: padding, or code after a jump that is always made.
            let Some(state) = state else { continue };
            accesses.by_data += usize::from(state.is_data(place));
            accesses.spills += usize::from(is_stack(place) && reads && !restores(instruction));
        }
        accesses
    }
}

/// Whether it loads registers of AArch64 that belong to the caller; on x86-64 that is `pop`.
fn restores(instruction: &Instruction) -> bool {
    let of_caller = |part: &&str| {
        let (kind, number) = part.split_at(1);
        number.parse().is_ok_and(|number| match kind {
            "d" => (8..16).contains(&number),
            _ => kind == "x" && (19..31).contains(&number),
        })
    };
    let parts = instruction.parts();
    // The callee-saved registers of AAPCS64, and the frame pointer and return address with them.
    instruction.mnemonic.starts_with("ld")
        && parts.iter().take_while(|part| !part.contains('[')).all(of_caller)
}

fn is_stack(place: &str) -> bool {
    registers(place).any(|register| register == STACK)
}

/// Registers as bits: 16 of x86-64 or 31 of AArch64, and the flags.
#[derive(Clone, Copy, Default, PartialEq)]
struct State {
    /// Those that may hold data.
    data: u64,
    /// Those that may hold something else than the first argument.
    other: u64,
}

// AArch64's general registers end at x30, so 31 is free on both processors.
const STACK: usize = 31;
const FLAGS: usize = 32;
/// `rdi` or `x0`, whose numbers are the same.
const FIRST: usize = 0;

impl State {
    // The arguments are addresses and lengths, which are no data.
    const AT_ENTRY: State = State { data: 0, other: !(1 << FIRST) };

    fn join(self, state: State) -> State {
        // A register that may hold data on one path may hold it after the join.
        State { data: self.data | state.data, other: self.other | state.other }
    }

    fn is_data(&self, operand: &str) -> bool {
        registers(operand).any(|register| self.data >> register & 1 == 1)
    }

    fn is_first(&self, operand: &str) -> bool {
        let mut registers = registers(operand).peekable();
        registers.peek().is_some() && registers.all(|register| self.other >> register & 1 == 0)
    }

    fn set(&mut self, register: usize, is_data: bool, is_first: bool) {
        let bit = 1 << register;
        self.data = self.data & !bit | if is_data { bit } else { 0 };
        self.other = self.other & !bit | if is_first { 0 } else { bit };
    }
}

/// The general registers that an operand names.
fn registers(operand: &str) -> impl Iterator<Item = usize> {
    operand.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(register)
}

/// The number of a general register, by any of its names; the zero register of AArch64 is none.
fn register(name: &str) -> Option<usize> {
    // In this order rdi has the number of x0, as `FIRST` requires.
    const NAMED: [&str; 8] = ["di", "si", "dx", "cx", "ax", "bx", "bp", "sp"];
    let short = name.strip_prefix(['r', 'e']).unwrap_or(name);
    let wide = match short.as_bytes() {
        // `al` and `ah` are parts of `ax`.
        [letter @ b'a'..=b'd', b'l' | b'h'] => format!("{}x", *letter as char),
        // `dil`, `sil`, `bpl` and `spl` are the low bytes of the other four.
        _ => short.strip_suffix('l').unwrap_or(short).into(),
    };
    if name == "wsp" || wide == "sp" {
        return Some(STACK);
    }
    if let Some(at) = NAMED.iter().position(|named| **named == wide) {
        return Some(at);
    }
    let (kind, number) = name.split_at_checked(1)?;
    // `r8d`, `r8w` and `r8b` are the low parts of `r8`.
    let number = number.trim_end_matches(['d', 'w', 'b']).parse().ok()?;
    match kind {
        "r" => (8..16).contains(&number).then_some(number),
        _ => (matches!(kind, "x" | "w") && number < STACK).then_some(number),
    }
}

#[derive(Default)]
struct Analysis {
    by_reference: bool,
    /// Places on the stack that general registers were stored in, and whether one of them held data.
    stored: BTreeMap<String, bool>,
}

impl Analysis {
    /// What is known before each instruction; `None` for instructions that are not reached.
    fn states(&mut self, body: &[Instruction]) -> Vec<Option<State>> {
        let mut states: Vec<Option<State>> = vec![None; body.len()];
        let mut work = vec![(0, State::AT_ENTRY)];
        while let Some((at, state)) = work.pop() {
            let Some(known) = states.get_mut(at) else { continue };
            let joined = known.map_or(state, |known| known.join(state));
            // This path adds nothing, so what follows is known already. States only grow, so the work ends.
            if known.replace(joined) == Some(joined) {
                continue;
            }
            let after = self.after(&body[at], joined);
            let target = body[at].jump_target();
            work.extend(body.iter().position(|to| target == Some(to.address)).map(|to| (to, after)));
            if !body[at].is_end() {
                work.push((at + 1, after));
            }
        }
        states
    }

    fn after(&mut self, instruction: &Instruction, mut state: State) -> State {
        if instruction.is_call() {
            // A callee may leave anything in any register but the stack pointer.
            return State { data: !(1 << STACK), other: !0 };
        }
        let (mnemonic, parts) = (instruction.mnemonic.as_str(), instruction.parts());
        let (place, (reads, writes)) = (instruction.place(), memory(instruction).unwrap_or_default());
        // Two registers are loaded by one instruction of AArch64, or written by multiplications.
        let results = if writes || COMPARISONS.contains(&mnemonic) {
            0
        } else if ["ldp", "mulx"].contains(&mnemonic) {
            2
        } else {
            1
        };
        // A destination that is overwritten is no source.
        let sources = parts.iter().skip(if replaces(mnemonic, parts.len()) { results } else { 0 });
        let of_registers = sources.clone().any(|part| state.is_data(part) || is_vector(part));
        let of_memory = place.is_some_and(|place| reads && self.reads_data(place, &state));
        let of_flags = takes_flags(mnemonic) && state.data >> FLAGS & 1 == 1;
        // The result is 0 whatever the register held.
        let is_zero = ["xor", "sub"].contains(&mnemonic) && parts.first() == parts.get(1);
        let is_data = !is_zero && (of_registers || of_memory || of_flags);
        // A copy is the only operation whose result still points to the struct.
        let is_first =
            mnemonic == "mov" && place.is_none() && sources.clone().all(|part| state.is_first(part));
        if let (Some(place), true) = (place, writes && place.is_some_and(is_stack)) {
            // Stores are not ordered: a place that ever receives data counts as data throughout.
            *self.stored.entry(place.into()).or_default() |= is_data;
        }
        for register in parts.iter().take(results).filter_map(|part| register(part)) {
            state.set(register, is_data, is_first);
        }
        // Arithmetic on data marks the flags. Arithmetic on other values does not clear them, since
        // not every instruction writes them.
        let computes = parts.first().and_then(|part| register(part)).is_some() && !replaces(mnemonic, 2);
        if COMPARISONS.contains(&mnemonic) || is_data && computes {
            state.set(FLAGS, is_data, false);
        }
        state
    }

    /// Whether what is read there may be data: neither a constant nor an address in the struct of the first argument nor what was an address when it was stored on the stack.
    fn reads_data(&self, place: &str, state: &State) -> bool {
        let is_constant = registers(place).next().is_none();
        let is_address = self.by_reference && state.is_first(place);
        if is_stack(place) { self.stored.get(place) != Some(&false) } else { !is_constant && !is_address }
    }
}

/// What sets flags and no register.
const COMPARISONS: &[&str] =
    &["cmp", "test", "bt", "cmn", "tst", "ccmp", "ccmn", "vptest", "ptest", "kortestb", "kortestw"];

/// Whether the instruction does not read its destination: a move, or one of three operands.
fn replaces(mnemonic: &str, operands: usize) -> bool {
    // Beginnings of names: `ld` covers all loads of AArch64.
    const MOVES: &[&str] =
        &["mov", "vmov", "kmov", "fmov", "umov", "ld", "lea", "adr", "set", "cset", "pop", "pextr", "vpextr"];
    // These keep a part of their destination.
    const JOINS: &[&str] = &["movk", "bfi", "bfxil", "shld", "shrd"];
    let moves = MOVES.iter().any(|start| mnemonic.starts_with(start)) || operands > 2;
    moves && !JOINS.contains(&mnemonic)
}

fn takes_flags(mnemonic: &str) -> bool {
    // Beginnings of names: `cs` stands for `csel`, `cset` and their relatives, `ccm` for `ccmp`.
    const NAMES: &[&str] = &["cmov", "set", "adc", "sbb", "cs", "cinc", "cinv", "cneg", "ccm"];
    NAMES.iter().any(|start| mnemonic.starts_with(start))
}

/// Whether the operand is a vector, a mask or a part of one.
fn is_vector(operand: &str) -> bool {
    let name = operand.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    // AArch64 names a vector register by the part that is used, `v0` to `b0`.
    let kinds = ["xmm", "ymm", "zmm", "k", "v", "q", "d", "s", "h", "b"];
    kinds.iter().any(|kind| name.strip_prefix(kind).is_some_and(|number| number.parse::<u8>().is_ok()))
}
