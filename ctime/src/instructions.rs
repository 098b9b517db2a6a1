//! The instructions that a call executed, decoded.
use crate::saved::Operand;
use iced_x86::{Decoder, DecoderOptions, InstructionInfoFactory};

/// Places of the table, a power of two. Tests have a smaller one, which they can fill.
const TABLE: usize = if cfg!(test) { 1 << 12 } else { 1 << 18 };

/// The most new instructions between two calls of [`learn`](Instructions::learn). Further ones stay
/// unknown until the next run.
const NEW: usize = TABLE / 4;

/// The operands in memory of an instruction. A call with an instruction that has more than three is not followed.
pub(crate) type Operands = [Operand; 3];

/// A hash table of decoded instructions by their addresses, with open addressing.
pub(crate) struct Instructions {
    table: Vec<(u64, Operands)>,
    len: usize,
    new: Vec<u64>,
}

impl Instructions {
    pub(crate) fn new() -> Self {
        Instructions { table: vec![Default::default(); TABLE], len: 0, new: Vec::with_capacity(NEW) }
    }

    /// The operands of the instruction at an address, or none if it is new. Allocates nothing:
    /// a signal handler calls this.
    pub(crate) fn operands(&mut self, at: u64) -> Operands {
        let place = self.place(at);
        // A new instruction has no operands until `learn` decodes it; then the run is repeated.
        if self.table[place].0 != at && self.new.len() < NEW {
            self.table[place].0 = at;
            self.len += 1;
            self.new.push(at);
        }
        self.table[place].1
    }

    /// Decodes the new instructions. Returns whether there were none, so that
    /// [`operands`](Instructions::operands) was right for all. After an error no instruction is known, so
    /// that none passes for one without operands.
    ///
    /// # Safety
    /// The processor executed the instructions at all these addresses.
    pub(crate) unsafe fn learn(&mut self) -> Result<bool, &'static str> {
        // SAFETY: the caller vouches for it.
        let result = unsafe { self.decode_new() };
        if result.is_err() {
            self.forget();
        }
        result
    }

    /// # Safety
    /// The processor executed the instructions at all these addresses.
    unsafe fn decode_new(&mut self) -> Result<bool, &'static str> {
        let none = self.new.is_empty();
        while let Some(at) = self.new.pop() {
            let place = self.place(at);
            // SAFETY: the caller vouches for it.
            self.table[place].1 = unsafe { decode(at)? };
        }
        // The next run may add NEW instructions, and a quarter of the table must stay empty.
        if self.len > TABLE - 2 * NEW { Err("too many instructions") } else { Ok(none) }
    }

    /// Forgets all instructions if they fill more than a quarter of the table. Called between calls only.
    pub(crate) fn make_room(&mut self) {
        if self.len > TABLE / 4 {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.table.fill(Default::default());
        self.new.clear();
        self.len = 0;
    }

    /// Place of an instruction in the table, or the empty one for it. At least a quarter of the table is
    /// empty, so the search ends.
    fn place(&self, at: u64) -> usize {
        // Multiplicative hashing: the bits from 40 on depend on all lower bits of the address.
        let mut place = (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % TABLE;
        while self.table[place].0 != at && self.table[place].0 != 0 {
            place = (place + 1) % TABLE;
        }
        place
    }
}

/// The operands of an instruction.
///
/// # Safety
/// The processor executed the instruction.
unsafe fn decode(at: u64) -> Result<Operands, &'static str> {
    // SAFETY: an instruction has at most 15 bytes; the code of a program or library does not end where its segment's last page does without another section
    // behind it.
    let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, 15) };
    let instruction = Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).decode();
    let mut factory = InstructionInfoFactory::new();
    let memory = factory.info(&instruction).used_memory();
    let mut operands = Operands::default();
    if memory.len() > operands.len() {
        return Err("an instruction takes more than three addresses");
    }
    for (operand, memory) in operands.iter_mut().zip(memory) {
        *operand = Operand::of(memory)?;
    }
    Ok(operands)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_is_an_error() {
        static CODE: [u8; 2 * TABLE] = [0x90; 2 * TABLE];
        let at = |i: usize| &raw const CODE[i] as u64;
        let mut instructions = Instructions::new();
        let mut executes = |from: usize, to| {
            (from..to).for_each(|i| _ = instructions.operands(at(i)));
            // SAFETY: they might be executed, and the array is longer.
            unsafe { instructions.learn() }
        };
        // More than fit are new again.
        assert_eq!(executes(0, 2 * NEW - 1), Ok(false));
        assert_eq!(executes(0, 2 * NEW - 1), Ok(false));
        assert_eq!(executes(0, 2 * NEW - 1), Ok(true));
        assert!(executes(0, 2 * TABLE - 15).is_err());
        assert_eq!(executes(0, 1), Ok(false));
    }

    #[test]
    fn what_is_not_decoded_stays_new() {
        // enter 0, 31 reads and writes many places.
        static CODE: [u8; 16] =
            [0xc8, 0, 0, 31, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90];
        let mut instructions = Instructions::new();
        for _ in 0..2 {
            instructions.operands(&raw const CODE as u64);
            // SAFETY: it might be executed, and the array is longer.
            assert!(unsafe { instructions.learn() }.is_err());
        }
    }
}
