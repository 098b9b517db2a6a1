//! Follows every instruction that a call executes, and every address that it reads or writes, by the trap
//! flag. Neither may depend on secrets.
//!
//! Memcheck proves this for all values at once, but only on backends that it knows. The tracer compares a few
//! values, on every backend of this CPU. The processor traps after each instruction, and the signal handler
//! sees its registers.
use crate::arena::with_arena;
use crate::instructions::Instructions;
use crate::saved::{Areas, Saved, TRAP, fold};
use std::arch::asm;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The most instructions of a call that are followed; they take less than a minute.
const MAX_STEPS: usize = 1 << 22;

/// How often the reference is recorded again if a call with the same secret does not repeat it.
const SETTLE: usize = 3;

/// Bytes of the handler's stack, on which the kernel saves all vector registers.
const STACK: usize = 1 << 16;

/// The address of an instruction, and a checksum of the addresses of its operands.
type Step = (u64, u64);

/// The result of comparing calls with several secrets.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    /// All calls took the same steps; this is their number.
    Same(usize),
    /// After this number of steps the traces differ, in an instruction or in an address. The offsets of both
    /// instructions in the program's file are for addr2line.
    Differs(usize, [u64; 2]),
    /// Two calls with the same secret differ.
    Unsteady,
    /// The call cannot be followed, for this reason. Nothing is known about leaks.
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

/// Follows calls, one at a time, on one thread.
pub struct Tracer {
    areas: Areas,
    instructions: Instructions,
    reference: Vec<Step>,
    /// Whether the steps are compared with the reference, or become it.
    compares: bool,
    steps: usize,
    difference: Option<(usize, u64)>,
}

/// The tracer whose call is running, for the signal handler; null between calls.
static TRACER: AtomicPtr<Tracer> = AtomicPtr::new(null_mut());

impl Tracer {
    /// Installs a handler for SIGTRAP, for the rest of the process.
    ///
    /// # Errors
    /// If the kernel refuses a handler.
    pub fn new() -> std::io::Result<Self> {
        handle_traps()?;
        Ok(Tracer {
            areas: Areas::new(),
            instructions: Instructions::new(),
            reference: Vec::with_capacity(MAX_STEPS),
            compares: false,
            steps: 0,
            difference: None,
        })
    }

    /// Compares calls of `call`, one for each number below `secrets`, after `prepare` has set up
    /// the secret of that number.
    pub fn compare(
        &mut self,
        secrets: usize,
        mut prepare: impl FnMut(usize),
        call: &mut dyn FnMut(),
    ) -> Outcome {
        self.instructions.make_room();
        // The first call makes what is made once and kept, such as tables, and is not followed.
        prepare(0);
        call();
        let (mut secret, mut compares, mut left) = (0, false, SETTLE);
        while secret < secrets {
            prepare(secret);
            // The only place that runs the call, so that its stack always has the same addresses.
            self.run(compares, call);
            if self.steps == MAX_STEPS {
                return Outcome::Lost("too many steps");
            }
            match self.difference() {
                // SAFETY: the last run executed them.
                _ if !compares => match unsafe { self.instructions.learn() } {
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

    /// Where the last run differed from the reference: the number of steps before, and the instruction.
    fn difference(&self) -> Option<(usize, u64)> {
        // A trace that is the beginning of the other one differs where it ends.
        let ends = self.steps != self.reference.len();
        self.difference.or(ends.then_some((self.steps, 0)))
    }

    /// Runs the call step by step. Its steps are compared with the reference, or become the reference.
    #[inline(never)]
    fn run(&mut self, compares: bool, call: &mut dyn FnMut()) {
        (self.compares, self.steps, self.difference) = (compares, 0, None);
        if !compares {
            self.reference.clear();
        }
        // Set before the first trap and cleared after the last one: the handler must always find it.
        TRACER.store(self, Ordering::SeqCst);
        with_arena(|| {
            trap(true);
            call();
            trap(false);
        });
        TRACER.store(null_mut(), Ordering::SeqCst);
    }

    /// Records or compares one instruction. Allocates nothing: the trap may lie within an allocation.
    fn step(&mut self, saved: &mut Saved) {
        let at = saved.next();
        let fold = |sum: u64, operand| fold(sum, saved.address(&self.areas, operand));
        let step = (at, self.instructions.operands(at).into_iter().fold(0, fold));
        if !self.compares {
            self.reference.push(step);
        } else if self.difference.is_none() && self.reference.get(self.steps) != Some(&step) {
            self.difference = Some((self.steps, at));
        }
        self.steps += 1;
        if self.steps == MAX_STEPS {
            // The rest of the call runs at full speed, and `compare` reports that it was not followed.
            saved.run_on();
        }
    }
}

/// Offset of an address in the program's file, as addr2line expects it.
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
            // The first trap comes after the instruction that follows `popfq`.
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
                tracer.step(&mut Saved::of(context));
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
    use std::sync::Arc;

    /// Loads bytes at addresses in a vector, of which the last depends on the secret.
    ///
    /// # Safety
    /// The CPU must have AVX2, and the secret must be less than 250.
    #[target_feature(enable = "avx2")]
    unsafe fn gathered(table: &[u8; 256], secret: usize) {
        use std::arch::x86_64::*;
        let indices = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, black_box(secret) as i32);
        // SAFETY: the caller vouches for it.
        black_box(unsafe { _mm256_i32gather_epi32::<1>(table.as_ptr().cast(), indices) });
    }

    /// One test, as there is one handler and one tracer at work. A second thread allocates meanwhile, as other
    /// tests do.
    #[test]
    fn branches_and_addresses_are_seen() {
        let running = Arc::new(());
        let test = Arc::downgrade(&running);
        std::thread::spawn(move || {
            while test.strong_count() > 0 {
                black_box(vec![0_u8; 64]);
            }
        });
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
        if is_x86_feature_detected!("avx2") {
            let mut gather = |index: &dyn Fn(usize) -> usize| {
                // SAFETY: this CPU has AVX2, and no index is beyond the table.
                outcome(&mut || unsafe { gathered(&TABLE, index(secret.get())) })
            };
            let (other, same) = (gather(&|secret| secret), gather(&|secret| secret / 256));
            assert!(matches!(other, Outcome::Differs(..)), "{other}");
            assert!(matches!(same, Outcome::Same(_)), "{same}");
        }
        let turns = Cell::new(0);
        let unsteady = outcome(&mut || {
            turns.set(turns.get() + 1);
            (0..turns.get()).for_each(|turn| _ = black_box(turn));
        });
        assert!(matches!(unsteady, Outcome::Unsteady), "{unsteady}");
    }
}
