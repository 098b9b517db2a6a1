//! The bytes of a message in pieces that wait for a kernel.
use crate::base::wipe::wipe;
#[cfg(feature = "alloc")]
use crate::choose::STREAM_PREPARES_AFTER;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;

/// Bytes of the buffer within a stream, so that small pieces do not cost a kernel call each. A larger one takes longer to
/// clear, to move and to wipe than it saves.
const SHORT: usize = 64;

/// Bytes of the buffer of a long message in small pieces: with powers that are ready, a piece of this length takes little
/// longer for each byte than any other.
#[cfg(feature = "alloc")]
const LONG: usize = 1024;

/// Bytes after which a message in small pieces gets the long buffer: the allocation takes as long as hashing some 500.
#[cfg(feature = "alloc")]
const LONG_AFTER: u64 = 2 * STREAM_PREPARES_AFTER;

/// Bytes that follow those a stream has absorbed.
#[derive(Clone)]
pub(crate) struct Pending {
    short: [u8; SHORT],
    /// Serves instead of `short` if it is there.
    #[cfg(feature = "alloc")]
    long: Option<Box<[u8; LONG]>>,
    filled: usize,
}

impl Pending {
    pub(crate) const EMPTY: Pending = Pending {
        short: [0; SHORT],
        #[cfg(feature = "alloc")]
        long: None,
        filled: 0,
    };

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.filled
    }

    /// What [`push`](Pending::push) appended since the last [`clear`](Pending::clear).
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        #[cfg(feature = "alloc")]
        if let Some(long) = &self.long {
            return &long[..self.filled];
        }
        &self.short[..self.filled]
    }

    /// Bytes of the whole blocks of `block` bytes that fit: for the short buffer 64 for 16, 60 for 15.
    #[inline(always)]
    pub(crate) fn room(&self, block: usize) -> usize {
        #[cfg(feature = "alloc")]
        if self.long.is_some() {
            return LONG / block * block;
        }
        SHORT / block * block
    }

    /// Appends bytes that fit.
    #[inline(always)]
    pub(crate) fn push(&mut self, msg: &[u8]) {
        let to = self.filled..self.filled + msg.len();
        self.filled = to.end;
        #[cfg(feature = "alloc")]
        if let Some(long) = &mut self.long {
            let to = &mut long[to];
            // Without a call of `memcpy`, which takes as long as hashing a block.
            if msg.len() <= SHORT {
                copy_short(to, msg)
            } else {
                to.copy_from_slice(msg)
            }
            return;
        }
        copy_short(&mut self.short[to], msg);
    }

    /// Forgets the bytes.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
    }

    /// Gets the long buffer for a piece that fits, if the message has absorbed enough. No bytes may wait.
    #[inline(always)]
    pub(crate) fn grow(&mut self, absorbed: u64, piece: usize) {
        #[cfg(feature = "alloc")]
        if absorbed >= LONG_AFTER && piece < LONG && self.long.is_none() {
            self.allocate();
        }
        #[cfg(not(feature = "alloc"))]
        let _ = (absorbed, piece);
    }

    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    fn allocate(&mut self) {
        self.long = Some(Box::new([0; LONG]));
    }

    /// Overwrites all bytes, and waits for a new message.
    pub(crate) fn wipe(&mut self) {
        wipe(&mut self.short, 0);
        #[cfg(feature = "alloc")]
        if let Some(long) = &mut self.long {
            wipe(&mut long[..], 0);
        }
        self.filled = 0;
    }

    /// Frees the long buffer, after [`wipe`](Pending::wipe).
    pub(crate) fn free(&mut self) {
        #[cfg(feature = "alloc")]
        if self.long.is_some() {
            self.long = None;
        }
    }
}

/// Copies up to 64 bytes by two loads that may overlap.
#[inline(always)]
fn copy_short(to: &mut [u8], from: &[u8]) {
    let _ = copy_ends::<32>(to, from)
        || copy_ends::<16>(to, from)
        || copy_ends::<8>(to, from)
        || copy_ends::<4>(to, from)
        || copy_ends::<2>(to, from)
        || copy_ends::<1>(to, from);
}

/// Copies the first and the last N bytes of `from`; false if there are fewer than N.
#[inline(always)]
fn copy_ends<const N: usize>(to: &mut [u8], from: &[u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else { return false };
    // Both are read before either is written, and both slices have one length.
    let (first, last) = (*first, *last);
    if let Some(to) = to.first_chunk_mut() {
        *to = first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = last;
    }
    true
}
