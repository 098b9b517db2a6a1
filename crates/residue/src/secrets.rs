//! Secrets that a test searches for. It keeps them masked, so that it does not find its own copies.
use crate::heap;
use crate::needles::{Needles, mask};
use std::fmt;
use std::hint::black_box;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use zeroize::Zeroize;

/// One search at a time: another would find the values that this one is working on.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Stacks of the threads that compute, of which the first half is overwritten.
const STACK: usize = 4 << 20;

/// Bytes of stack between the frames of the search and those of the operation, so that the
/// search overwrites none of them.
const GAP: usize = 1 << 16;

/// Named values to search for, masked while they are not in use. While one `Secrets` exists, no other can be made.
pub struct Secrets {
    named: Vec<(String, Vec<u8>)>,
    needles: Needles,
    _guard: MutexGuard<'static, ()>,
}

/// A secret that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Name of the secret, as given to [`Secrets::new`].
    pub name: String,
    /// Description of the place: an address, an offset from the stack pointer, or a freed block of the heap.
    pub place: String,
}

/// The bytes of a secret. Wiped when dropped.
pub struct Revealed(Box<[u8]>);

impl Secrets {
    /// Records the secrets that `compute` passes to its argument by name and bytes: at least 8 bytes each,
    /// that look random. `compute` runs on a thread of its own, whose stack is overwritten. With
    /// [`Watched`](crate::Watched) the blocks that it frees are overwritten, too.
    ///
    /// # Panics
    /// If `compute` panics, or a secret cannot be told from ordinary memory.
    pub fn new(compute: impl FnOnce(&mut dyn FnMut(&str, &[u8])) + Send) -> Secrets {
        // The lock is poisoned if another test has failed, which does not concern this one.
        let guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut named = Vec::new();
        let mut record = |name: &str, bytes: &[u8]| {
            let mut masked = bytes.to_vec();
            mask(&mut masked);
            named.push((name.to_owned(), masked));
        };
        heap::clearing(|| on_own_stack(|| compute(&mut record)));
        let mut needles = Needles::default();
        on_own_stack(|| needles = Needles::new(named.iter().map(|(name, masked)| (&name[..], &masked[..]))));
        Secrets { named, needles, _guard: guard }
    }

    /// The bytes of a secret.
    ///
    /// # Panics
    /// If no secret has that name.
    #[must_use]
    #[track_caller]
    pub fn reveal(&self, name: &str) -> Revealed {
        let (_, masked) = self.named.iter().find(|(other, _)| other == name).expect("a secret of that name");
        let mut bytes = masked.clone().into_boxed_slice();
        mask(&mut bytes);
        Revealed(bytes)
    }

    /// The secrets that are in memory: `operation` is in the middle of something that holds them.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn visible(&self) -> Vec<Found> {
        let here = 0_u8;
        // The address of a local variable serves as the stack pointer.
        let here = black_box(&raw const here).addr() as u64;
        let mut found = Vec::new();
        crate::memory::search(&self.needles, |address, secret| {
            let place = match address.wrapping_sub(here) as i64 {
                far if far.unsigned_abs() > STACK as u64 => format!("at {address:#x}, not on the stack"),
                below if below < 0 => format!("{} bytes below the stack pointer", -below),
                above => format!("{above} bytes above the stack pointer"),
            };
            found.push(Found { name: self.named[secret].0.clone(), place });
        });
        found
    }

    /// The secrets that are in memory after `operation`, or were in a block of the heap when it was freed.
    /// `operation` has a stack of its own.
    ///
    /// # Panics
    /// If a secret is in memory before, or `operation` panics.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn left_after(&self, operation: impl FnOnce() + Send) -> Vec<Found> {
        let mut found = Vec::new();
        on_own_stack(|| {
            // A copy from before would look as if the operation had left it.
            assert_eq!(self.visible(), [], "before anything was done");
            let freed = heap::watching(&self.needles, || behind_a_gap(operation));
            found = self.visible();
            // One bit for each secret; from the last bit on they share it.
            let freed =
                (0..self.named.len()).filter(|i| freed >> (*i).min(usize::BITS as usize - 1) & 1 == 1);
            found.extend(freed.map(|i| Found {
                name: self.named[i].0.clone(),
                place: "in a freed block of the heap".into(),
            }));
        });
        found
    }

    /// Asserts that [`left_after`](Secrets::left_after) finds nothing.
    ///
    /// # Panics
    /// If a secret is found.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn assert_gone(&self, what: &str, operation: impl FnOnce() + Send) {
        let found = self.left_after(operation);
        assert!(found.is_empty(), "{what}: left in memory: {found:#?}");
    }

    /// Asserts, in the middle of an operation, that the secret of that name is in memory, or that it is not.
    ///
    /// # Panics
    /// If the secret is in memory and should not be, or should be and is not.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn assert_visible(&self, name: &str, is_visible: bool) {
        let found: Vec<Found> = self.visible().into_iter().filter(|found| found.name == name).collect();
        assert!(found.is_empty() != is_visible, "{name}: in memory at {found:#?}");
    }
}

/// Runs `work` on a new thread with a clean stack, and leaves it clean.
fn on_own_stack(work: impl FnOnce() + Send) {
    let run = || {
        overwrite_stack();
        behind_a_gap(work);
        overwrite_stack();
    };
    thread::scope(|scope| {
        let handle = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).expect("a thread");
        if let Err(panic) = handle.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

#[inline(never)]
fn overwrite_stack() {
    black_box(&mut [0x55_u8; STACK / 2]);
}

#[inline(never)]
fn behind_a_gap(work: impl FnOnce()) {
    let mut gap = [0x55_u8; GAP];
    black_box(&mut gap);
    work();
    black_box(&mut gap);
}

impl Deref for Revealed {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Revealed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revealed({} bytes)", self.0.len())
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.named.iter().map(|(name, _)| name)).finish()
    }
}
