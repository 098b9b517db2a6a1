//! States, on the heap or where C wants them.
//!
//! A mark in front of each state says what it is. So a pointer to something else, to a state that was freed
//! in the caller's memory, or to a finished one is an error. A state that was freed on the heap is gone: not
//! to use it is the caller's promise.
use crate::memory::{Input, Output, Region, apart};
use crate::status::carryless_status as Status;
use carryless_lanes::cleared;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use zeroize::Zeroize as _;

/// A type that C knows only by pointers, as `struct carryless_field *`.
pub(crate) trait Opaque {
    /// The Rust value in the state. Threads may share it.
    type Value: Clone + Send + Sync;
    /// Its number for carryless_layout, below 4096. It is part of the mark.
    const KIND: u32;
}

/// A value with its mark in front. All states are aligned to 64 bytes, a line of the cache.
#[repr(C, align(64))]
pub(crate) struct Slot<T> {
    mark: u64,
    value: MaybeUninit<T>,
}

/// The upper 48 bits of every mark: "carryl" in ASCII. The kind and the flags follow.
const MARK: u64 = 0x6361_7272_796c_0000;
/// Flag: this library allocated the memory, and frees it.
const HEAP: u64 = 1;
/// Flag: the value has been consumed and its bytes are wiped, so that the state may only be freed.
const FINISHED: u64 = 2;

/// The mark of a kind, without flags.
const fn mark(kind: u32) -> u64 {
    MARK | (kind as u64) << 4
}

/// The kind and the flags of a mark.
fn unmark(mark: u64) -> Option<(u32, u64)> {
    (mark & !0xffff == MARK).then_some(((mark >> 4 & 0xfff) as u32, mark & 0xf))
}

/// A slot on the heap without a value, which is freed when dropped.
struct Empty<O: Opaque>(*mut Slot<O::Value>);

impl<O: Opaque> Drop for Empty<O> {
    fn drop(&mut self) {
        // SAFETY: `place` allocated it with this layout, and has kept it from others.
        unsafe { dealloc(self.0.cast(), layout::<O>()) }
    }
}

/// Bytes and alignment of a state.
pub(crate) fn layout<O: Opaque>() -> Layout {
    Layout::new::<Slot<O::Value>>()
}

/// Writes a null handle, which stays if the call fails. Checks first that `out` is there, aligned and apart from the other arguments.
///
/// # Safety
/// The promise of the caller in C.
pub(crate) unsafe fn clear_handle<O>(out: *mut *mut O, others: &[Region]) -> Result<(), Status> {
    let out = Output::one(out)?;
    apart(out.region, others)?;
    // SAFETY: the promise to this function.
    unsafe { out.write(&[std::ptr::null_mut()]) }
}

/// Makes a state in memory of the caller, or on the heap if `memory` is null and `size` 0, and writes a pointer to it, or a null pointer after an
/// error. `inputs` are the arguments that `make` reads: the handle and the state must not overlap them.
///
/// # Safety
/// The promise of the caller in C.
pub(crate) unsafe fn place<O: Opaque>(
    memory: *mut c_void,
    size: usize,
    out: *mut *mut O,
    inputs: &[Region],
    make: impl FnOnce() -> Result<O::Value, Status>,
) -> Result<(), Status> {
    let layout = layout::<O>();
    let heap = memory.is_null();
    let place = Region::new(memory.addr(), size);
    apart(Region::new(out.addr(), size_of::<*mut O>()), &[place])?;
    // SAFETY: the promise to this function.
    unsafe { clear_handle(out, inputs)? };
    if heap && size > 0 {
        return Err(Status::Null);
    }
    apart(place, inputs)?;
    if !memory.addr().is_multiple_of(layout.align()) {
        return Err(Status::Alignment);
    }
    if !heap && size < layout.size() {
        return Err(Status::Length);
    }
    // SAFETY: a slot has bytes.
    let slot: *mut Slot<O::Value> = if heap { unsafe { alloc(layout) }.cast() } else { memory.cast() };
    if slot.is_null() {
        return Err(Status::Memory);
    }
    // Until there is a value, also if `make` panics. Memory of the caller stays as it is: without a mark it is no state.
    let empty = heap.then(|| Empty::<O>(slot));
    // In its place: a move of the value leaves a copy in the frame that is cleared.
    on_copies::<O, Result<(), Status>>(|| {
        let value = make()?;
        // SAFETY: the slot is allocated, or the caller's memory, large enough and aligned.
        unsafe { (&raw mut (*slot).value).write(MaybeUninit::new(value)) };
        Ok(())
    })?;
    std::mem::forget(empty);
    // SAFETY: as above; `out` is not null, aligned and apart from the slot.
    unsafe {
        // The mark comes last, when there is a value behind it.
        (&raw mut (*slot).mark).write(mark(O::KIND) | if heap { HEAP } else { 0 });
        out.write(slot.cast());
    }
    Ok(())
}

/// Runs `work`, which leaves copies of the value on the stack, in a frame of its own, and clears that and the
/// stack below it: 8 KiB for small values, 48 KiB for others, of which several copies lie there. A file MAC
/// left its key 34 KiB deep in a release build.
pub(crate) fn on_copies<O: Opaque, R>(work: impl FnOnce() -> R) -> R {
    if size_of::<O::Value>() <= 2048 { cleared::<1024, R>(work) } else { cleared::<6144, R>(work) }
}

/// The slot behind a pointer. `State` unless it is of this kind and not finished.
///
/// # Safety
/// The promise of the caller in C.
#[inline(always)]
unsafe fn slot<O: Opaque>(state: *const O) -> Result<*mut Slot<O::Value>, Status> {
    let slot = state.cast::<Slot<O::Value>>().cast_mut();
    if slot.is_null() {
        return Err(Status::Null);
    }
    if !slot.is_aligned() {
        return Err(Status::Alignment);
    }
    // SAFETY: not null and aligned; the rest is the promise.
    let found = unsafe { (*slot).mark };
    if found & !HEAP == mark(O::KIND) { Ok(slot) } else { Err(Status::State) }
}

/// The value behind a pointer.
///
/// # Safety
/// The promise of the caller in C.
#[inline(always)]
pub(crate) unsafe fn get<'a, O: Opaque>(state: *const O) -> Result<&'a O::Value, Status> {
    // SAFETY: the promise; the value is there because its mark says so.
    unsafe { Ok((*slot(state)?).value.assume_init_ref()) }
}

/// The value behind a pointer, to be changed.
///
/// # Safety
/// The promise of the caller in C, and no other thread uses the state.
#[inline(always)]
pub(crate) unsafe fn get_mut<'a, O: Opaque>(state: *mut O) -> Result<&'a mut O::Value, Status> {
    // SAFETY: as in `get`.
    unsafe { Ok((*slot(state)?).value.assume_init_mut()) }
}

/// Appends a message from C to the stream behind a pointer by `update`, the method of its type. Fails if the message
/// overlaps the state.
///
/// # Safety
/// The promise of the caller in C: `message` is null or leads to `message_len` bytes, and no other thread uses the state.
#[inline(always)]
pub(crate) unsafe fn append<O: Opaque>(
    state: *mut O,
    message: *const u8,
    message_len: usize,
    update: impl FnOnce(&mut O::Value, &[u8]),
) -> Result<(), Status> {
    let message = Input::new(message, message_len)?;
    apart(message.region, &[region(state)])?;
    // SAFETY: the promise to this function; the two are apart.
    unsafe { update(get_mut(state)?, message.slice()) };
    Ok(())
}

/// The bytes of a state, to check that outputs do not overlap it.
pub(crate) fn region<O: Opaque>(state: *const O) -> Region {
    Region::new(state.addr(), layout::<O>().size())
}

/// Moves the value out and ends with it. From then on the state may only be freed.
///
/// # Safety
/// The promise of the caller in C, and no other thread uses the state.
pub(crate) unsafe fn finish<O: Opaque, R>(
    state: *mut O,
    end: impl FnOnce(O::Value) -> R,
) -> Result<R, Status> {
    // SAFETY: as in `get`; the mark says that the value is gone before anybody looks again, and its bytes are wiped.
    unsafe {
        let slot = slot(state)?;
        // Before the value is moved out: if `end` panics, nobody drops it a second time.
        (*slot).mark |= FINISHED;
        let result = on_copies::<O, _>(|| end((*slot).value.assume_init_read()));
        (*slot).value.zeroize_bytes();
        Ok(result)
    }
}

trait ZeroizeBytes {
    fn zeroize_bytes(&mut self);
}

impl<T> ZeroizeBytes for MaybeUninit<T> {
    fn zeroize_bytes(&mut self) {
        let start = std::ptr::from_mut(self).cast::<MaybeUninit<u8>>();
        // SAFETY: these are the bytes of the value, which need not be initialised.
        unsafe { std::slice::from_raw_parts_mut(start, size_of::<T>()) }.zeroize();
    }
}

/// Drops the value unless it was consumed, wipes its bytes and the mark, and frees the memory if this library allocated
/// it.
///
/// # Safety
/// The promise of the caller in C; the kind in the mark is O's.
pub(crate) unsafe fn free<O: Opaque>(state: *mut c_void) {
    let slot: *mut Slot<O::Value> = state.cast();
    // SAFETY: the mark says that this is a slot of this kind, whether there is a value, and whether this library allocated it.
    unsafe {
        let flags = (*slot).mark & 0xf;
        if flags & FINISHED == 0 {
            (*slot).value.assume_init_drop();
        }
        (*slot).value.zeroize_bytes();
        // A second free of memory that the caller still owns is an error then.
        (*slot).mark = 0;
        if flags & HEAP != 0 {
            dealloc(slot.cast(), layout::<O>());
        }
    }
}

/// The kind of the state behind any pointer, and whether it is finished.
///
/// # Safety
/// The promise of the caller in C.
pub(crate) unsafe fn kind(state: *const c_void) -> Result<(u32, bool), Status> {
    if state.is_null() {
        return Err(Status::Null);
    }
    if !state.addr().is_multiple_of(align_of::<Slot<u64>>()) {
        return Err(Status::Alignment);
    }
    // SAFETY: not null, aligned, and a state has at least the bytes of its mark.
    let (kind, flags) = unmark(unsafe { state.cast::<u64>().read() }).ok_or(Status::State)?;
    Ok((kind, flags & FINISHED != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::call;
    use std::alloc::{GlobalAlloc, System};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The allocator of the system, which counts blocks of [`Odd`]'s layout.
    struct Counting;

    #[global_allocator]
    static ALLOCATOR: Counting = Counting;

    static MADE: AtomicUsize = AtomicUsize::new(0);
    static FREED: AtomicUsize = AtomicUsize::new(0);

    // SAFETY: all is done by the system's allocator.
    unsafe impl GlobalAlloc for Counting {
        unsafe fn alloc(&self, wanted: Layout) -> *mut u8 {
            MADE.fetch_add(usize::from(wanted == layout::<Odd>()), Ordering::SeqCst);
            // SAFETY: as the caller promises.
            unsafe { System.alloc(wanted) }
        }

        unsafe fn dealloc(&self, block: *mut u8, given: Layout) {
            FREED.fetch_add(usize::from(given == layout::<Odd>()), Ordering::SeqCst);
            // SAFETY: as the caller promises.
            unsafe { System.dealloc(block, given) }
        }
    }

    /// A state of a size that nothing else has.
    struct Odd;

    impl Opaque for Odd {
        type Value = [u64; 1234];
        const KIND: u32 = 4000;
    }

    fn counts() -> [usize; 2] {
        [&MADE, &FREED].map(|count| count.load(Ordering::SeqCst))
    }

    #[test]
    fn slots_without_a_value_are_freed() {
        let mut state: *mut Odd = std::ptr::null_mut();
        let mut new = |make: fn() -> Result<[u64; 1234], Status>| {
            // SAFETY: `state` can be written.
            call(|| unsafe { place::<Odd>(std::ptr::null_mut(), 0, &raw mut state, &[], make) })
        };
        assert_eq!((new(|| Err(Status::Value)), counts()), (Status::Value, [1, 1]));
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let planted = new(|| panic!("planted"));
        std::panic::set_hook(hook);
        assert_eq!((planted, counts()), (Status::Internal, [2, 2]));
        assert_eq!((new(|| Ok([7; 1234])), counts()), (Status::Ok, [3, 2]));
        // SAFETY: it was made above.
        unsafe { free::<Odd>(state.cast()) };
        assert_eq!(counts(), [3, 3]);
    }
}
