//! Requests to valgrind's memcheck. Outside valgrind they do nothing.
//!
//! Memcheck follows undefined bits through arithmetic and complains when a branch, an address or a system call depends
//! on one. A secret marked as undefined is thus followed to every place where its value could show in the time.
use std::arch::asm;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("the requests below are those of valgrind on x86-64");

/// The numbers of the requests, as valgrind's documentation of client requests gives them.
mod code {
    pub(super) const RUNNING_ON_VALGRIND: usize = 0x1001;
    pub(super) const COUNT_ERRORS: usize = 0x1201;
    pub(super) const CHANGE_ERROR_REPORTING: usize = 0x1801;
    pub(super) const MAKE_MEM_UNDEFINED: usize = 0x4d43_0001;
    pub(super) const MAKE_MEM_DEFINED: usize = 0x4d43_0002;
}

/// Makes a client request with two arguments. Outside of valgrind the answer is 0.
fn request(code: usize, first: usize, second: usize) -> usize {
    let block = [code, first, second, 0, 0, 0];
    let mut answer = 0;
    // SAFETY: four rotations by 128 bits in all and an exchange of a register with itself change nothing but flags.
    // Valgrind takes the sequence for a request: it reads the block that rax points to and answers in rdx.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") block.as_ptr(),
            inout("rdx") answer,
        );
    }
    answer
}

/// Whether valgrind runs this program.
pub fn is_running() -> bool {
    request(code::RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// The number of errors that memcheck has reported so far. Each is counted as often as it occurred.
pub fn errors() -> usize {
    request(code::COUNT_ERRORS, 0, 0)
}

/// Runs `f` without error reports. Only for branches on secrets whose outcome is public.
pub fn unreported<T>(f: impl FnOnce() -> T) -> T {
    request(code::CHANGE_ERROR_REPORTING, 1, 0);
    let result = f();
    request(code::CHANGE_ERROR_REPORTING, usize::MAX, 0);
    result
}

/// Marks all bits of the value as undefined, which makes it secret from here on.
pub fn poison<T: ?Sized>(value: &mut T) {
    request(code::MAKE_MEM_UNDEFINED, (&raw mut *value).cast::<u8>() as usize, size_of_val(value));
}

/// Marks all bits of the value as defined, which makes it public from here on.
pub fn declassify<T: ?Sized>(value: &mut T) {
    request(code::MAKE_MEM_DEFINED, (&raw mut *value).cast::<u8>() as usize, size_of_val(value));
}

/// Whether valgrind decodes the code for operands of this length. An odd number of words ends in half a
/// block, whose other half LLVM clears by VMOVQ. Between registers 8 to 15 and 0 to 7 it encodes that as
/// VEX.66.0F D6, an illegal instruction to valgrind 3.19. The backend without AVX checks the same source.
pub fn decodes(cpu: carryless_gf2::ClmulCpu, words: usize) -> bool {
    words.is_multiple_of(2) || cpu.name() != "pclmul-avx2"
}
