//! An allocator that gives a followed call the same addresses each time. Those of the system's allocator
//! depend on what was freed before, and would show as differences between traces.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Size of the arena in bytes, more than a call allocates. What exceeds it comes from the system.
const BYTES: usize = 1 << 25;

#[repr(align(4096))]
struct Arena(UnsafeCell<[u8; BYTES]>);

// SAFETY: `USED` gives each part of it away once between two calls of `begin`.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; BYTES]));
static USED: AtomicUsize = AtomicUsize::new(0);
static ON: AtomicBool = AtomicBool::new(false);

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

struct Allocator;

// SAFETY: parts of the arena do not overlap and are aligned; the rest is the system's. While the arena is on, one thread runs.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.load(Ordering::Relaxed) {
            let begin = USED.load(Ordering::Relaxed).next_multiple_of(layout.align().max(64));
            let end = begin.saturating_add(layout.size());
            if end <= BYTES && layout.align() <= 4096 {
                USED.store(end, Ordering::Relaxed);
                // SAFETY: it ends within the arena.
                return unsafe { ARENA.0.get().cast::<u8>().add(begin) };
            }
        }
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // Nothing is freed within the arena: `with_arena` reuses all of it for the next call.
        let begin = ARENA.0.get() as usize;
        if !(begin..begin + BYTES).contains(&(pointer as usize)) {
            // SAFETY: it is not of the arena, so the system gave it.
            unsafe { System.dealloc(pointer, layout) }
        }
    }
}

/// Runs a call whose allocations begin at the start of the arena. It must keep none of them.
pub(crate) fn with_arena<T>(call: impl FnOnce() -> T) -> T {
    USED.store(0, Ordering::Relaxed);
    ON.store(true, Ordering::Relaxed);
    let result = call();
    ON.store(false, Ordering::Relaxed);
    result
}
