//! Clearing what functions leave on the stack.
use core::hint::black_box;

/// Overwrites the next `WORDS` words of 64 bits below the caller's frame with zeros.
///
/// There lie the frames of functions that have returned, with registers that a kernel spilled and copies that moves
/// left behind. No variable in use lies there, of any function.
///
/// The language promises nothing about the stack, so this is best effort. Tests look at what is left.
#[inline(never)]
pub fn clear_stack<const WORDS: usize>() {
    // Not inlined, the array lies where the frames of earlier calls were; inlined, it would lie beside them.
    // `black_box` keeps a fill whose result nothing reads.
    black_box(&mut [0_u64; WORDS]);
}

/// Runs `work` in a frame of its own, then clears `WORDS` words from that frame on downwards ([`clear_stack`]).
#[inline(always)]
pub fn cleared<const WORDS: usize, T>(work: impl FnOnce() -> T) -> T {
    #[inline(never)]
    // `cleared` is inlined, so the frames of `below` and of `clear_stack` begin at the same place: below that of
    // the caller.
    fn below<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    let result = below(work);
    clear_stack::<WORDS>();
    result
}
