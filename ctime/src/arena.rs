//! An allocator that gives a followed call the same addresses each time. Those of the system's allocator
//! depend on what was freed before, and would show as differences between traces.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Size of the arena in bytes, more than a call allocates. What exceeds it comes from the system.
const BYTES: usize = 1 << 25;

#[repr(align(4096))]
struct Arena(UnsafeCell<[u8; BYTES]>);

// SAFETY: one thread at a time allocates in it, and `USED` gives it each part once.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; BYTES]));
static USED: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Whether this thread allocates in the arena. Other threads, such as those of other tests, must not: their
    /// allocations would shift the addresses of the followed call.
    static ON: Cell<bool> = const { Cell::new(false) };
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

struct Allocator;

// SAFETY: parts of the arena do not overlap and are aligned; the rest is the system's.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if ON.get() {
            let begin = USED.load(Ordering::Relaxed).next_multiple_of(layout.align().max(64));
            let end = begin.saturating_add(layout.size());
            // The arena is aligned to 4096 bytes, so no part of it is sure to be aligned to more.
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

/// Runs a call whose allocations begin at the start of the arena. It must keep none of them, and no two threads
/// may run calls at once.
pub(crate) fn with_arena<T>(call: impl FnOnce() -> T) -> T {
    USED.store(0, Ordering::Relaxed);
    ON.set(true);
    let result = call();
    ON.set(false);
    result
}
