//! Every instruction that a call executes and every address that it reads or writes, by the trap flag: they must not depend on secrets.
//!
//! Memcheck says so for all values at once, but on machines that it knows. This compares values with each other, on every machine of this CPU. The processor
//! traps after each instruction; the handler of the signal sees its registers.
use crate::arena::with_arena;
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory, Register, UsedMemory};
use std::arch::asm;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Instructions of a call, at most: less than a minute.
const MOST: usize = 1 << 22;

/// The trap flag.
const TRAP: i64 = 0x100;

/// Places of the table of instructions; a power of two, and more than the program executes.
const TABLE: usize = 1 << 18;

/// Instructions that one run may add to the table.
const UNKNOWN: usize = 1 << 16;

/// Times that a reference is made again if a call does not repeat it.
const SETTLE: usize = 3;

/// Bytes of the stack of the handler: the kernel puts all vector registers there.
const STACK: usize = 1 << 16;

/// The address of an instruction, and those that it takes, folded into one word.
type Step = (u64, u64);

/// One address: registers by their places in the context of a signal, or none.
#[derive(Clone, Copy, Default)]
struct Operand {
    base: Option<u8>,
    index: Option<u8>,
    scale: u64,
    displacement: u64,
}

/// An instruction and the addresses that it takes.
#[derive(Clone, Copy, Default)]
struct Known {
    at: u64,
    operands: [Operand; 3],
}

/// What calls with several secrets have in common.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// All took the same steps, so many.
    Same(usize),
    /// After so many steps, an instruction at one of these places (in the program's file) is another one or takes another address.
    Differs(usize, [u64; 2]),
    /// Two calls with the same secret differ.
    Unsteady,
    /// It cannot be followed.
    Lost(&'static str),
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Same(steps) => write!(f, "{steps} steps"),
            Outcome::Differs(step, [one, other]) => {
                write!(f, "differs after {step} steps, at {one:#x} and {other:#x}")
            }
            Outcome::Unsteady => write!(f, "two calls with the same secret differ"),
            Outcome::Lost(reason) => write!(f, "not followed: {reason}"),
        }
    }
}

/// Follows calls, one at a time.
pub struct Tracer {
    known: Vec<Known>,
    unknown: Vec<u64>,
    reference: Vec<Step>,
    /// Whether the steps are compared with the reference, or become it.
    compares: bool,
    steps: usize,
    difference: Option<(usize, u64)>,
}

/// The one at work.
static TRACER: AtomicPtr<Tracer> = AtomicPtr::new(null_mut());

impl Tracer {
    /// Takes the signal SIGTRAP.
    ///
    /// # Errors
    /// If the kernel refuses a handler.
    pub fn new() -> std::io::Result<Self> {
        handle_traps()?;
        Ok(Tracer {
            known: vec![Known::default(); TABLE],
            unknown: Vec::with_capacity(UNKNOWN),
            reference: Vec::with_capacity(MOST),
            compares: false,
            steps: 0,
            difference: None,
        })
    }

    /// Compares calls, each after `prepare` has set up one of so many secrets.
    pub fn compare(
        &mut self,
        secrets: usize,
        mut prepare: impl FnMut(usize),
        call: &mut dyn FnMut(),
    ) -> Outcome {
        // What is made once, is made now.
        prepare(0);
        call();
        let (mut secret, mut compares, mut left) = (0, false, SETTLE);
        while secret < secrets {
            prepare(secret);
            // The only place that runs it, so that its stack is always at the same place.
            self.run(compares, call);
            if self.steps == MOST {
                return Outcome::Lost("too many steps");
            }
            match self.difference() {
                _ if !compares => match self.learn_unknown() {
                    Ok(all_known) => compares = all_known,
                    Err(reason) => return Outcome::Lost(reason),
                },
                None => secret += 1,
                Some(_) if secret == 0 && left > 0 => (compares, left) = (false, left - 1),
                Some(_) if secret == 0 => return Outcome::Unsteady,
                Some((step, at)) => {
                    let there = self.reference.get(step).map_or(0, |step| step.0);
                    return Outcome::Differs(step, [there, at].map(in_file));
                }
            }
        }
        Outcome::Same(self.reference.len())
    }

    /// Adds what the last run executed and the table lacks: whether that was nothing.
    fn learn_unknown(&mut self) -> Result<bool, &'static str> {
        let all_known = self.unknown.is_empty();
        for at in std::mem::take(&mut self.unknown) {
            self.learn(at)?;
        }
        self.unknown.reserve_exact(UNKNOWN);
        Ok(all_known)
    }

    /// Where the last run left the reference: after how many steps, and at which instruction.
    fn difference(&self) -> Option<(usize, u64)> {
        let ends = self.steps != self.reference.len();
        self.difference.or(ends.then_some((self.steps, 0)))
    }

    /// Runs the call step by step: its steps are compared with the reference, or become it.
    #[inline(never)]
    fn run(&mut self, compares: bool, call: &mut dyn FnMut()) {
        (self.compares, self.steps, self.difference) = (compares, 0, None);
        if !compares {
            self.reference.clear();
        }
        TRACER.store(self, Ordering::SeqCst);
        with_arena(|| {
            trap(true);
            call();
            trap(false);
        });
        TRACER.store(null_mut(), Ordering::SeqCst);
    }

    /// One instruction. Allocates nothing: the trap may lie within an allocation.
    fn step(&mut self, registers: &mut [i64; 23]) {
        let at = registers[libc::REG_RIP as usize] as u64;
        let known = &self.known[self.place(at)];
        let known = if known.at == at {
            *known
        } else {
            if self.unknown.len() < UNKNOWN {
                self.unknown.push(at);
            }
            Known::default()
        };
        let value = |register: Option<u8>| register.map_or(0, |place| registers[usize::from(place)] as u64);
        let address = |operand: Operand| {
            let index = value(operand.index).wrapping_mul(operand.scale);
            value(operand.base).wrapping_add(index).wrapping_add(operand.displacement)
        };
        let fold = |sum: u64, operand| sum.rotate_left(21) ^ address(operand);
        let step = (at, known.operands.into_iter().fold(0, fold));
        if !self.compares {
            self.reference.push(step);
        } else if self.difference.is_none() && self.reference.get(self.steps) != Some(&step) {
            self.difference = Some((self.steps, at));
        }
        self.steps += 1;
        if self.steps == MOST {
            registers[libc::REG_EFL as usize] &= !TRAP;
        }
    }

    /// Where an instruction is in the table, or would be.
    fn place(&self, at: u64) -> usize {
        let mut place = (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % TABLE;
        while self.known[place].at != at && self.known[place].at != 0 {
            place = (place + 1) % TABLE;
        }
        place
    }

    /// Adds the instruction at an address where one was executed.
    fn learn(&mut self, at: u64) -> Result<(), &'static str> {
        // SAFETY: the processor executed what is there, of at most 15 bytes; the code of a program or library does not end where its segment's last page does
        // without another section behind it.
        let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, 15) };
        let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
        let mut factory = InstructionInfoFactory::new();
        let memory = factory.info(&instruction).used_memory();
        let mut operands = [Operand::default(); 3];
        if memory.len() > operands.len() {
            return Err("an instruction takes more than three addresses");
        }
        for (operand, memory) in operands.iter_mut().zip(memory) {
            *operand = operand_of(memory)?;
        }
        let place = self.place(at);
        self.known[place] = Known { at, operands };
        Ok(())
    }
}

fn operand_of(memory: &UsedMemory) -> Result<Operand, &'static str> {
    let place = |register: Register| match register {
        Register::None => Ok(None),
        register if register.is_gpr() => Ok(Some(PLACES[register.full_register().number()] as u8)),
        _ => Err("an address in a vector"),
    };
    Ok(Operand {
        base: place(memory.base())?,
        index: place(memory.index())?,
        scale: u64::from(memory.scale()),
        displacement: memory.displacement(),
    })
}

/// Where the context of a signal has the registers, by the numbers of their encoding.
const PLACES: [i32; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// Where an address is in the program's file, for addr2line.
fn in_file(at: u64) -> u64 {
    unsafe extern "C" {
        #[link_name = "__executable_start"]
        static START: u8;
    }
    at.saturating_sub(&raw const START as u64)
}

/// Sets or clears the trap flag.
#[inline(always)]
fn trap(on: bool) {
    // SAFETY: the stack is as it was, and only the trap flag changes, whose signal is handled.
    unsafe {
        if on {
            asm!("pushfq", "or qword ptr [rsp], {}", "popfq", const TRAP);
        } else {
            asm!("pushfq", "and qword ptr [rsp], {}", "popfq", const !TRAP);
        }
    }
}

fn handle_traps() -> std::io::Result<()> {
    extern "C" fn handler(_: i32, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        // SAFETY: the kernel passes a context, and the tracer at work is alive until its call ends; nothing else uses it meanwhile.
        unsafe {
            if let Some(tracer) = TRACER.load(Ordering::SeqCst).as_mut() {
                tracer.step(&mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs);
            }
        }
    }
    let stack = vec![0_u8; STACK].leak();
    let alternative = libc::stack_t { ss_sp: stack.as_mut_ptr().cast(), ss_flags: 0, ss_size: stack.len() };
    // SAFETY: the stack and the handler live as long as the program, and an all-zero `sigaction` is one.
    let results = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        [libc::sigaltstack(&alternative, null_mut()), libc::sigaction(libc::SIGTRAP, &action, null_mut())]
    };
    if results == [0; 2] { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::hint::black_box;

    /// One test, as there is one handler and one tracer at work.
    #[test]
    fn branches_and_addresses_are_seen() {
        static TABLE: [u8; 256] = [7; 256];
        let (mut tracer, secret) = (Tracer::new().expect("a handler"), Cell::new(0_usize));
        let mut outcome =
            |call: &mut dyn FnMut()| tracer.compare(4, |number| secret.set([3, 77, 90, 5][number]), call);
        let product = |secret: usize| vec![black_box(secret); 50].into_iter().fold(1, usize::wrapping_mul);
        let same = outcome(&mut || _ = black_box(product(secret.get())));
        assert!(matches!(same, Outcome::Same(steps) if steps > 50), "{same}");
        let branch = outcome(&mut || {
            if black_box(secret.get()) == 5 {
                black_box(1);
            }
        });
        assert!(matches!(branch, Outcome::Differs(_, [one, other]) if one != other), "{branch}");
        let address = outcome(&mut || _ = black_box(black_box(&TABLE)[secret.get()]));
        assert!(matches!(address, Outcome::Differs(..)), "{address}");
        let turns = Cell::new(0);
        let unsteady = outcome(&mut || {
            turns.set(turns.get() + 1);
            (0..turns.get()).for_each(|turn| _ = black_box(turn));
        });
        assert!(matches!(unsteady, Outcome::Unsteady), "{unsteady}");
    }
}
