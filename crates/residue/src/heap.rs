//! An allocator that searches blocks for secrets before it frees them.
use crate::needles::Needles;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use zeroize::Zeroize;

/// The allocator of the system, which looks for secrets in each block that is freed while [`Secrets::left_after`](crate::Secrets::left_after) runs.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: carryless_residue::Watched = carryless_residue::Watched;
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Watched;

/// The words to search for; null while no search is on.
static NEEDLES: AtomicPtr<Needles> = AtomicPtr::new(ptr::null_mut());
/// Whether all blocks are cleared when they are freed.
static CLEARS: AtomicBool = AtomicBool::new(false);
/// Secrets that were found in freed blocks: bit i for number i, and the last bit for all further ones.
static FREED: AtomicUsize = AtomicUsize::new(0);

/// Runs `work` while all freed blocks are cleared, so that it leaves nothing on the heap. Only with this allocator.
pub(crate) fn clearing<T>(work: impl FnOnce() -> T) -> T {
    let _end = End;
    CLEARS.store(true, Ordering::SeqCst);
    work()
}

/// Runs `work`, and returns a bit for each secret that was in a block when it was freed.
pub(crate) fn watching(needles: &Needles, work: impl FnOnce()) -> usize {
    FREED.store(0, Ordering::SeqCst);
    // Before the needles are set, so that they are removed even if `work` panics.
    let _end = End;
    NEEDLES.store(ptr::from_ref(needles).cast_mut(), Ordering::SeqCst);
    work();
    FREED.load(Ordering::SeqCst)
}

/// Ends the watch on drop, so that work that panics ends it too.
struct End;

impl Drop for End {
    fn drop(&mut self) {
        NEEDLES.store(ptr::null_mut(), Ordering::SeqCst);
        CLEARS.store(false, Ordering::SeqCst);
    }
}

// SAFETY: all is done by the system's allocator; blocks are read and cleared while they are still allocated.
unsafe impl GlobalAlloc for Watched {
    // `realloc` is the default one. It allocates, copies and frees, so old blocks are searched as well.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: `watching` borrows the needles until the search ends, so they outlive it.
        if let Some(needles) = unsafe { NEEDLES.load(Ordering::SeqCst).as_ref() } {
            // SAFETY: the block has that size. Bytes that the program never wrote hold whatever the allocator
            // left there.
            let bytes = unsafe { std::slice::from_raw_parts_mut(block, layout.size()) };
            let mut found = 0;
            needles.search(bytes, |_, secret| found |= 1 << secret.min(usize::BITS as usize - 1));
            if found != 0 {
                FREED.fetch_or(found, Ordering::SeqCst);
                // Wiped, so that later searches do not find it again.
                bytes.zeroize();
            }
        }
        if CLEARS.load(Ordering::SeqCst) {
            // SAFETY: as above.
            unsafe { std::slice::from_raw_parts_mut(block, layout.size()) }.zeroize();
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
