//! What a disassembler prints, as functions and instructions.
use crate::report::Stop;
use crate::shell;
use std::path::Path;

/// A function of the object file.
pub(crate) struct Function {
    /// Its demangled name, in which rules look for words.
    pub name: String,
    /// Its instructions in the order of their addresses.
    pub body: Vec<Instruction>,
}

/// One instruction, as text: only the mnemonic and the brackets of operands are interpreted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Instruction {
    /// Its place in the section.
    pub address: u64,
    /// The mnemonic, prefixes left out.
    pub mnemonic: String,
    /// Everything after the mnemonic; destination first.
    pub operands: String,
    /// The symbol that the linker puts in, demangled.
    pub symbol: Option<String>,
}

/// All functions of an object file or library.
pub(crate) fn file(path: &Path, target: &str) -> Result<Vec<Function>, Stop> {
    let tool = disassembler(target)?;
    let mut command = shell::command(&tool, &["--disassemble", "--reloc", "--no-show-raw-insn"]);
    if target.starts_with("x86_64") {
        command.args(["-M", "intel"]);
    } else if tool.contains("llvm") {
        // GNU's knows every extension; LLVM's prints `pmull` on words as `<unknown>` without this.
        command.arg("--mattr=+aes");
    }
    Ok(parse(&shell::output(command.arg(path))?))
}

/// The first of GNU's and LLVM's disassemblers that is installed and knows the target.
fn disassembler(target: &str) -> Result<String, Stop> {
    let arch = target.split('-').next().unwrap_or(target);
    let sysroot = shell::output(&mut shell::command("rustc", &["--print=sysroot"]))?;
    // rustup's component `llvm-tools` puts it there.
    let of_rustup = format!("{}/lib/rustlib/{}/bin/llvm-objdump", sysroot.trim(), super::X86_64);
    let mut tools = vec![format!("{arch}-linux-gnu-objdump"), "llvm-objdump".into(), of_rustup];
    // The system's own objdump may know no other processor.
    if target.starts_with(std::env::consts::ARCH) {
        tools.insert(0, "objdump".into());
    }
    let found = tools.into_iter().find(|tool| shell::succeeds(tool, &["--version"]));
    found.ok_or_else(|| Stop::NotExercised(format!("no objdump for {arch}; Debian: apt-get install llvm")))
}

/// Reads the common format of GNU's and LLVM's `objdump --disassemble --reloc`.
pub(crate) fn parse(text: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for line in text.lines() {
        if let Some(name) = header(line) {
            functions.push(Function { name: demangle(name), body: Vec::new() });
            continue;
        }
        let Some(function) = functions.last_mut() else { continue };
        // A relocation has a line of its own, below that of its instruction.
        if let Some(symbol) = relocation(line) {
            if let Some(instruction) = function.body.last_mut() {
                instruction.symbol = Some(demangle(symbol));
            }
        } else if let Some(instruction) = instruction(line) {
            function.body.push(instruction);
        }
    }
    functions.iter_mut().for_each(Function::name_held_calls);
    functions
}

/// `0000000000000000 <name>:`
fn header(line: &str) -> Option<&str> {
    let (address, name) = line.split_once(" <")?;
    // Instructions have ` <` in them too, but after more than an address.
    hex(address)?;
    name.strip_suffix(">:")
}

/// `2b: R_X86_64_PLT32 symbol-0x4`
fn relocation(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    hex(words.next()?.strip_suffix(':')?)?;
    words.next().filter(|kind| kind.starts_with("R_"))?;
    // A local function goes by its section.
    let symbol = words.next()?.trim_start_matches(".text.").split(['+', '@']).next()?;
    // An addend such as `-0x4` belongs to the address, not to the name.
    Some(symbol.rsplit_once("-0x").map_or(symbol, |(name, _)| name))
}

/// `2b: vpmuludq ymm0,ymm1,ymm2`
fn instruction(line: &str) -> Option<Instruction> {
    let (address, rest) = line.split_once(':')?;
    let address = hex(address)?;
    // Comments; immediate operands of AArch64 begin with `#`, too.
    let code = rest.split(';').next()?.split("# ").next()?.split("//").next()?.trim();
    let mut words = code.splitn(2, char::is_whitespace);
    let mut mnemonic = words.next().filter(|word| !word.is_empty())?;
    let mut operands = words.next().unwrap_or("").trim();
    const PREFIXES: &[&str] = &["rep", "repz", "repnz", "lock", "data16", "notrack", "bnd", "cs", "ds"];
    // `cs`, `ds` and `data16` only align code. Disassemblers print all prefixes before the mnemonic.
    while PREFIXES.contains(&mnemonic) && !operands.is_empty() {
        (mnemonic, operands) = operands.split_once(char::is_whitespace).unwrap_or((operands, ""));
    }
    Some(Instruction { address, mnemonic: mnemonic.into(), operands: operands.trim().into(), symbol: None })
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok()
}

/// Without the hashes that tell apart two crates of one name. A kernel in a table of pointers gets the name that it would
/// have on its backend: `<Backend as Pointer>::POINTER::go`.
fn demangle(symbol: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(symbol));
    let pointer = name.strip_prefix("<carryless_lanes::clmul::pointers::Compiled<");
    match pointer.and_then(|rest| rest.split_once(", _>")) {
        Some((backend, rest)) => format!("<{backend}{rest}"),
        None => name,
    }
}

impl Function {
    /// Gives calls through a register the symbol whose address the function loads there, if it is always the same one: what is
    /// called twice, as `memset` may be, is kept in a register.
    fn name_held_calls(&mut self) {
        let symbol_in = |register: &str| {
            let loads = self
                .body
                .iter()
                // With the comma, so that `r1` is not found in `r12`.
                .filter(|i| i.mnemonic == "mov" && i.operands.starts_with(&format!("{register},")));
            let mut symbols = loads.filter_map(|i| i.symbol.as_ref());
            let first = symbols.next()?;
            symbols.all(|symbol| symbol == first).then(|| first.clone())
        };
        let is_held = |i: &Instruction| i.mnemonic == "call" && i.symbol.is_none();
        let held: Vec<Option<String>> =
            self.body.iter().map(|i| is_held(i).then(|| symbol_in(&i.operands)).flatten()).collect();
        for (instruction, symbol) in self.body.iter_mut().zip(held) {
            if let Some(symbol) = symbol {
                instruction.symbol = Some(symbol);
            }
        }
    }

    /// Whether this is the code of a kernel on a backend with instructions of its own: `Backend::call` has exactly
    /// one function inside, named `go`, and the kernel is its type argument.
    pub(crate) fn is_kernel(&self) -> bool {
        self.name.contains("::go::<")
    }

    /// What to find a kernel by: `::Avx2 as` (or `::Avx2>`), `module::Kernel>` and, for a generic kernel, the
    /// module of its first type.
    pub(crate) fn words(&self) -> Vec<String> {
        let (caller, kernel) = self.name.split_once("::go::<").unwrap_or((&self.name, ""));
        // `<path::Backend as Trait>::call` or `<path::Backend>::call_shuffle`: what ends the name goes with it.
        let end = caller.find([' ', '>']).map_or(caller.len(), |end| end + 1);
        let backend = caller[..end].rsplit("::").next().unwrap_or(caller);
        let end = kernel.find(['<', '>']).map_or(kernel.len(), |end| end + 1);
        let mut path: Vec<&str> = kernel[..end].rsplit("::").take(2).collect();
        path.reverse();
        let mut words = vec![format!("::{backend}"), path.join("::")];
        if kernel[..end].ends_with('<')
            && let Some(module) = kernel[end..].split("::").nth(1)
        {
            words.push(format!("::{module}::"));
        }
        words
    }

    /// The innermost loops: what lies between a backward jump and its target, with no other such inside.
    pub(crate) fn loops(&self) -> Vec<&[Instruction]> {
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for (end, jump) in self.body.iter().enumerate() {
            // A target at or before its jump closes a loop.
            let target = jump.jump_target();
            if let Some(start) = self.body[..=end].iter().position(|i| Some(i.address) == target) {
                spans.push((start, end));
            }
        }
        let holds_another =
            |&(a, b): &(usize, usize)| spans.iter().any(|&(c, d)| a <= c && d <= b && (a, b) != (c, d));
        spans.iter().filter(|span| !holds_another(span)).map(|&(a, b)| &self.body[a..=b]).collect()
    }
}

impl Instruction {
    /// Whether control goes to another function: a call, or a jump that the linker fills in.
    pub(crate) fn is_call(&self) -> bool {
        let outward_jump = self.is_jump() && self.symbol.is_some();
        matches!(self.mnemonic.as_str(), "call" | "callq" | "bl" | "blr") || outward_jump
    }

    /// Whether it is a call to one of core's functions that report a bug and do not return.
    pub(crate) fn is_panic(&self) -> bool {
        // Checks of slices end in functions such as `slice_end_index_len_fail`, outside of `core::panicking`.
        let cold = |name: &String| {
            name.starts_with("core::panicking") || name.ends_with("_fail") || name.contains("::panic_for_")
        };
        self.is_call() && self.symbol.as_ref().is_some_and(cold)
    }

    /// Whether it is a call to another kernel, which is held to the table by itself.
    pub(crate) fn is_kernel(&self) -> bool {
        self.is_call() && self.symbol.as_ref().is_some_and(|name| name.contains("::go::<"))
    }

    /// Whether it is a call to the chain of key powers in words, compiled once for all backends.
    pub(crate) fn is_set_up(&self) -> bool {
        self.is_call() && self.symbol.as_ref().is_some_and(|name| name.ends_with("powers::eight_powers"))
    }

    /// Whether it is a call to the C library's copy or fill: a part of a block, or a table to be wiped.
    pub(crate) fn is_copy(&self) -> bool {
        let copies = ["memcpy", "memmove", "memset"];
        self.is_call() && self.symbol.as_ref().is_some_and(|name| copies.contains(&name.as_str()))
    }

    /// Whether this is a jump, conditional or not.
    pub(crate) fn is_jump(&self) -> bool {
        let arm = ["b", "br", "cbz", "cbnz", "tbz", "tbnz"];
        self.mnemonic.starts_with('j')
            || self.mnemonic.starts_with("b.")
            || arm.contains(&self.mnemonic.as_str())
    }

    /// Where a jump within the function goes.
    pub(crate) fn jump_target(&self) -> Option<u64> {
        // The name in `<...>` repeats the address for readers.
        let place = self.operands.split('<').next()?.trim();
        let last = place.rsplit([',', ' ']).next()?;
        if self.is_jump() && self.symbol.is_none() { hex(last) } else { None }
    }

    /// Whether what follows is not reached from here.
    pub(crate) fn is_end(&self) -> bool {
        let names = ["jmp", "b", "br", "ret", "ud2", "udf", "brk"];
        // Functions that report a bug never return, so code behind their calls has other predecessors or
        // none.
        names.contains(&self.mnemonic.as_str()) || self.is_panic()
    }

    /// The operands, destination first. An address in brackets is one operand.
    pub(crate) fn parts(&self) -> Vec<&str> {
        let mut inside = false;
        // A comma in brackets separates parts of an address, not operands.
        let is_border = |c: char| {
            inside = if inside { c != ']' } else { c == '[' };
            c == ',' && !inside
        };
        self.operands.split(is_border).map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// The operand in memory, in its brackets. Elements of vectors have brackets, too, on AArch64; addresses that are only computed or fetched into a cache are none.
    pub(crate) fn place(&self) -> Option<&str> {
        let only_named = self.mnemonic.starts_with("nop") || self.mnemonic.starts_with("pr");
        let (at, _) = self.operands.match_indices('[').find(|&(at, _)| {
            !self.operands[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '}')
        })?;
        let end = self.operands[at..].find(']').map_or(self.operands.len(), |end| at + end + 1);
        if only_named || self.mnemonic == "lea" { None } else { Some(&self.operands[at..end]) }
    }
}
