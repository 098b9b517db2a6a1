//! A page of memory between two pages that must not be touched.
#![allow(unsafe_code)] // the only way to such pages is to ask the operating system for them

use std::ptr;

/// One page that can be read and written; the byte before it and the byte after it cannot even be read.
pub(crate) struct GuardedPage {
    start: *mut u8,
    size: usize,
}

impl GuardedPage {
    pub(crate) fn new() -> Self {
        // SAFETY: sysconf reads a constant of the system.
        let size = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page size");
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new anonymous mapping at an address of the system's choice overlaps nothing.
        let start = unsafe { libc::mmap(ptr::null_mut(), 3 * size, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED, "mmap");
        // SAFETY: the second of three pages that were just mapped and that nobody else knows.
        let opened =
            unsafe { libc::mprotect(start.byte_add(size), size, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(opened, 0, "mprotect");
        GuardedPage { start: start.cast(), size }
    }

    /// The page's bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `size` bytes, zeroed by the system, readable and writable, borrowed from `self` alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(self.size), self.size) }
    }
}

impl Drop for GuardedPage {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping of `new`, which no slice outlives.
        let unmapped = unsafe { libc::munmap(self.start.cast(), 3 * self.size) };
        assert_eq!(unmapped, 0, "munmap");
    }
}
