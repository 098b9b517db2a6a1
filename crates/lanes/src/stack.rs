//! What functions leave on the stack.
use core::hint::black_box;

/// Writes zeros over the next `WORDS` words of the stack: over frames of functions that have returned, with the registers that a kernel spilled and the places that
/// values were moved from, of which no function knows. Variables that are alive, of whatever function, are not there.
///
/// It is a fill of memory. No promise of the language: tests look at what is left.
#[inline(never)]
pub fn clear_stack<const WORDS: usize>() {
    black_box(&mut [0_u64; WORDS]);
}

/// Runs `work` in a frame of its own, which [`clear_stack`] clears as well as those below it.
#[inline(always)]
pub fn cleared<const WORDS: usize, T>(work: impl FnOnce() -> T) -> T {
    #[inline(never)]
    fn below<T>(work: impl FnOnce() -> T) -> T {
        work()
    }
    let result = below(work);
    clear_stack::<WORDS>();
    result
}
