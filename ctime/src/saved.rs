//! The processor state that the kernel saves for a signal handler, and the addresses that instructions
//! compute from it.
use iced_x86::{Register, UsedMemory};
use std::arch::x86_64::__cpuid_count;

/// The trap flag in RFLAGS, bit 8: while it is set, the processor traps after each instruction.
pub(crate) const TRAP: i64 = 0x100;

/// How an instruction computes an address in memory, or the addresses of a gather.
#[derive(Clone, Copy, Default)]
pub(crate) struct Operand {
    base: Index,
    index: Index,
    scale: u64,
    displacement: u64,
}

/// A register that an address is computed from.
#[derive(Clone, Copy, Default)]
enum Index {
    #[default]
    None,
    /// A general register, by its index in `gregs` of the context.
    General(u8),
    /// A vector register, by its number and its size in bytes. Lanes that a mask leaves out count too.
    Vector(u8, u8),
}

impl Operand {
    /// Translates the decoder's description. Fails for registers of other kinds, such as masks.
    pub(crate) fn of(memory: &UsedMemory) -> Result<Self, &'static str> {
        let index = |register: Register| match register {
            Register::None => Ok(Index::None),
            register if register.is_gpr() => {
                Ok(Index::General(PLACES[register.full_register().number()] as u8))
            }
            register if register.is_vector_register() => {
                Ok(Index::Vector(register.number() as u8, register.size() as u8))
            }
            _ => Err("an address in a register of another kind"),
        };
        Ok(Operand {
            base: index(memory.base())?,
            index: index(memory.index())?,
            scale: u64::from(memory.scale()),
            displacement: memory.displacement(),
        })
    }
}

/// The saved state at the moment of the trap.
pub(crate) struct Saved<'a> {
    registers: &'a mut [i64; 23],
    /// The XSAVE area in its standard format. It is valid until the handler returns.
    vectors: *const u64,
}

impl Saved<'_> {
    /// The state in the context that a handler gets.
    ///
    /// # Safety
    /// The context must be one that the kernel passed to a handler that has not returned.
    pub(crate) unsafe fn of(context: *mut libc::c_void) -> Self {
        // SAFETY: the caller vouches for it.
        let saved = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext };
        Saved { registers: &mut saved.gregs, vectors: saved.fpregs.cast() }
    }

    /// The address of the next instruction.
    pub(crate) fn next(&self) -> u64 {
        self.registers[libc::REG_RIP as usize] as u64
    }

    /// Clears the saved trap flag, so that the program runs on untraced when the handler returns.
    pub(crate) fn run_on(&mut self) {
        self.registers[libc::REG_EFL as usize] &= !TRAP;
    }

    /// The address that an operand stands for; those of a gather are folded into one word.
    pub(crate) fn address(&self, areas: &Areas, operand: Operand) -> u64 {
        let index = self.value(areas, operand.index).wrapping_mul(operand.scale);
        self.value(areas, operand.base).wrapping_add(index).wrapping_add(operand.displacement)
    }

    /// The value of a register, 0 for none; the words of a vector are folded into one.
    fn value(&self, areas: &Areas, index: Index) -> u64 {
        match index {
            Index::None => 0,
            Index::General(place) => self.registers[usize::from(place)] as u64,
            Index::Vector(number, bytes) => {
                (0..usize::from(bytes) / 8).fold(0, |sum, word| fold(sum, self.word(areas.of(number, word))))
            }
        }
    }

    /// The word at this byte offset of the XSAVE area.
    fn word(&self, at: usize) -> u64 {
        // SAFETY: the kernel saved every vector register that the processor has, and an instruction uses this one.
        unsafe { self.vectors.byte_add(at).read_unaligned() }
    }
}

/// Adds a word to a checksum that depends on the order of the words.
pub(crate) fn fold(sum: u64, word: u64) -> u64 {
    sum.rotate_left(21) ^ word
}

/// Offsets in the XSAVE area of bytes 16 to 31 of vectors, of bytes 32 to 63, and of vectors 16
/// to 31. They differ between processors.
pub(crate) struct Areas([usize; 3]);

impl Areas {
    /// Asks CPUID leaf 0xD for the offsets of components 2, 6 and 7 on this processor.
    pub(crate) fn new() -> Self {
        Areas([2, 6, 7].map(|component| __cpuid_count(0xd, component).ebx as usize))
    }

    /// Byte offset of a word of a vector.
    fn of(&self, number: u8, word: usize) -> usize {
        let (Areas([middle, upper, last]), number) = (self, usize::from(number));
        match word {
            _ if number >= 16 => last + (number - 16) * 64 + word * 8,
            // The lower 16 bytes lie in the legacy area, from byte 160 on.
            0 | 1 => 160 + number * 16 + word * 8,
            2 | 3 => middle + number * 16 + (word - 2) * 8,
            _ => upper + number * 32 + (word - 4) * 8,
        }
    }
}

/// Indices of the general registers in `gregs`, in the order of their numbers in the encoding.
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
