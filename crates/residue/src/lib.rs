//! Finds secrets that a program leaves in memory, for tests. It reads memory that safe code cannot, so that
//! the `unsafe` code is here and not in each test.
//!
//! | question | answer |
//! |---|---|
//! | Do the bytes of a value still tell its key after `zeroize()`, after drop? | [`check`], [`check_zeroize`] |
//! | Does a block of the heap hold a secret when it is freed? | [`Watched`], the allocator of the test program |
//! | Is a secret anywhere in the memory of the process, dead frames of the stack included? | [`Secrets::left_after`], [`Secrets::visible`] |
//!
//! The last search reads `/proc/self/mem`, which only Linux has.

mod heap;
#[cfg(target_os = "linux")]
mod memory;
mod needles;
mod read_back;
mod secrets;

pub use heap::Watched;
pub use read_back::{bytes_after_drop, bytes_of, check, check_zeroize};
pub use secrets::{Found, Revealed, Secrets};
