//! Buffers of C, which are checked before they become slices.
use crate::status::carryless_status as Status;

/// The address and the number of bytes of an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    start: usize,
    bytes: usize,
}

impl Region {
    pub(crate) fn new(start: usize, bytes: usize) -> Region {
        Region { start, bytes }
    }

    fn meets(self, other: Region) -> bool {
        // An empty region meets none. A length that a caller gives for memory of his own may exceed the address space:
        // such a region reaches to its end.
        self.bytes > 0
            && other.bytes > 0
            && self.start < other.start.saturating_add(other.bytes)
            && other.start < self.start.saturating_add(self.bytes)
    }
}

/// `Overlap` if the output shares a byte with one of the others: Rust allows no such slices.
#[inline(always)]
pub(crate) fn apart(output: Region, others: &[Region]) -> Result<(), Status> {
    if others.iter().any(|other| output.meets(*other)) { Err(Status::Overlap) } else { Ok(()) }
}

/// Checks a buffer of `len` elements: it must not be null, misaligned, or longer than the address space. A
/// buffer of no elements may be null.
#[inline(always)]
fn check<T>(start: usize, len: usize) -> Result<Region, Status> {
    if len == 0 {
        return Ok(Region::new(start, 0));
    }
    if start == 0 {
        return Err(Status::Null);
    }
    if !start.is_multiple_of(align_of::<T>()) {
        return Err(Status::Alignment);
    }
    // A slice has at most `isize::MAX` bytes and does not wrap around the address space: conditions of
    // `from_raw_parts`.
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| isize::try_from(bytes).is_ok());
    let bytes = bytes.filter(|&bytes| start.checked_add(bytes).is_some()).ok_or(Status::Length)?;
    Ok(Region::new(start, bytes))
}

/// A buffer of C that is only read.
#[derive(Clone, Copy)]
pub(crate) struct Input<T> {
    start: *const T,
    len: usize,
    pub(crate) region: Region,
}

impl<T> Input<T> {
    #[inline(always)]
    pub(crate) fn new(start: *const T, len: usize) -> Result<Self, Status> {
        Ok(Input { start, len, region: check::<T>(start.addr(), len)? })
    }

    /// Checks a buffer that must have `expected` elements. Null is an error even if that is 0.
    #[inline(always)]
    pub(crate) fn exact(start: *const T, len: usize, expected: usize) -> Result<Self, Status> {
        if start.is_null() {
            return Err(Status::Null);
        }
        if len != expected { Err(Status::Length) } else { Self::new(start, len) }
    }

    /// The elements as a slice of `len`; empty where that is 0, whatever the pointer.
    ///
    /// # Safety
    /// The promise of the caller in C; nothing writes to them while the slice lives.
    #[inline(always)]
    pub(crate) unsafe fn slice<'a>(self) -> &'a [T] {
        // SAFETY: not null, aligned and not too long, by the checks of `new`; the rest is the promise.
        if self.len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.start, self.len) } }
    }

    /// The elements, of a buffer that is [`exact`](Input::exact)ly N of them.
    ///
    /// # Safety
    /// The promise of the caller in C; nothing writes to the array while it lives.
    #[inline(always)]
    pub(crate) unsafe fn array<'a, const N: usize>(self) -> Result<&'a [T; N], Status> {
        // SAFETY: the promise to this function.
        unsafe { self.slice() }.try_into().map_err(|_| Status::Length)
    }
}

/// A buffer of C that is written.
#[derive(Clone, Copy)]
pub(crate) struct Output<T> {
    start: *mut T,
    len: usize,
    pub(crate) region: Region,
}

impl<T: Copy> Output<T> {
    #[inline(always)]
    pub(crate) fn new(start: *mut T, len: usize) -> Result<Self, Status> {
        Ok(Output { start, len, region: check::<T>(start.addr(), len)? })
    }

    /// Checks a buffer that must have `expected` elements. Null is an error even if that is 0.
    #[inline(always)]
    pub(crate) fn exact(start: *mut T, len: usize, expected: usize) -> Result<Self, Status> {
        if start.is_null() {
            return Err(Status::Null);
        }
        if len != expected { Err(Status::Length) } else { Self::new(start, len) }
    }

    /// Checks a pointer through which one value is returned.
    #[inline(always)]
    pub(crate) fn one(start: *mut T) -> Result<Self, Status> {
        Self::exact(start, 1, 1)
    }

    /// The elements. C may have left any bytes there, which are valid integers.
    ///
    /// # Safety
    /// The promise of the caller in C; nothing else refers to them while the slice lives.
    #[allow(dead_code, reason = "Poly1305 alone writes no slices")]
    #[inline(always)]
    pub(crate) unsafe fn slice<'a>(self) -> &'a mut [T] {
        // SAFETY: not null, aligned and not too long, by the checks of `new`; the rest is the promise.
        if self.len == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(self.start, self.len) } }
    }

    /// The buffer and an input of the same length: an operation in place if both are one buffer.
    ///
    /// # Safety
    /// The promise of the caller in C; both are one buffer or apart, and nothing else refers to them while the result lives.
    #[cfg(feature = "aead")]
    pub(crate) unsafe fn in_out<'a>(
        self,
        input: Input<T>,
    ) -> Result<carryless_aead::aead::inout::InOutBuf<'a, 'a, T>, Status> {
        use carryless_aead::aead::inout::InOutBuf;
        if input.len != self.len {
            return Err(Status::Length);
        }
        if self.len == 0 {
            // Null is allowed for no bytes, but not in a slice.
            return Ok(InOutBuf::from(&mut [][..]));
        }
        // SAFETY: not null, aligned and not too long, by the checks of `new`; the rest is the promise.
        Ok(unsafe { InOutBuf::from_raw(input.start, self.start, self.len) })
    }

    /// Copies `values` into the buffer, which must have room for exactly as many.
    ///
    /// # Safety
    /// The promise of the caller in C; `values` are not part of the buffer.
    #[inline(always)]
    pub(crate) unsafe fn write(self, values: &[T]) -> Result<(), Status> {
        if values.len() != self.len {
            return Err(Status::Length);
        }
        // SAFETY: not null unless there is nothing to write, aligned and as long as `values`; the rest is the promise.
        unsafe { self.start.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_meet_where_they_share_a_byte() {
        let at = Region::new;
        for (a, b, meets) in [
            (at(8, 8), at(16, 8), false),
            (at(8, 9), at(16, 8), true),
            (at(16, 8), at(8, 9), true),
            (at(8, 8), at(8, 8), true),
            (at(8, 100), at(20, 1), true),
            (at(8, 100), at(20, 0), false),
        ] {
            assert_eq!(a.meets(b), meets);
            assert_eq!(apart(b, &[at(1000, 5), a]).is_err(), meets);
        }
    }

    #[test]
    fn bad_buffers_are_refused() {
        let words = [1_u64; 3];
        let start = words.as_ptr();
        assert_eq!(Input::<u64>::new(std::ptr::null(), 1).err(), Some(Status::Null));
        assert!(Input::<u64>::new(std::ptr::null(), 0).is_ok());
        assert_eq!(Input::new(start.wrapping_byte_add(4), 1).err(), Some(Status::Alignment));
        assert_eq!(Input::new(start, usize::MAX).err(), Some(Status::Length));
        assert_eq!(Input::new(start, 1 << 60).err(), Some(Status::Length));
        assert_eq!(Input::exact(start, 3, 2).err(), Some(Status::Length));
        assert_eq!(Output::<u8>::one(std::ptr::null_mut()).err(), Some(Status::Null));
    }
}
