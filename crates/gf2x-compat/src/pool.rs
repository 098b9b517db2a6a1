//! Scratch that the caller keeps from call to call.
use crate::scratch::{wipe, zeros};
use std::ffi::c_ulong;

/// `struct gf2x_mul_pool_s`; gf2x's `gf2x_mul_pool_t` is an array of one of these. All bytes zero is an empty pool.
#[derive(Debug)]
#[repr(C)]
pub struct gf2x_mul_pool_s {
    /// Null, or `stk_size` words that this library allocated as a box.
    stk: *mut c_ulong,
    stk_size: usize,
}

impl gf2x_mul_pool_s {
    /// A pool that holds nothing.
    pub const EMPTY: gf2x_mul_pool_s = gf2x_mul_pool_s { stk: std::ptr::null_mut(), stk_size: 0 };

    /// Returns `words` words with arbitrary contents. If the pool holds fewer, they are wiped and freed
    /// first. `None` if there is no memory.
    pub(crate) fn scratch(&mut self, words: usize) -> Option<&mut [u64]> {
        if self.stk_size < words {
            let longer = zeros(words)?.into_boxed_slice();
            self.clear();
            *self = gf2x_mul_pool_s { stk: Box::into_raw(longer).cast(), stk_size: words };
        }
        Some(&mut self.held()[..words])
    }

    /// Wipes and frees the words of the pool, which is empty afterwards.
    pub(crate) fn clear(&mut self) {
        let held = self.held();
        wipe(held);
        if !held.is_empty() {
            let held: *mut [u64] = held;
            // SAFETY: `scratch` took these words from a box, and the next line forgets them.
            drop(unsafe { Box::from_raw(held) });
        }
        *self = gf2x_mul_pool_s::EMPTY;
    }

    /// The words of the pool, with the contents that the last product left.
    fn held(&mut self) -> &mut [u64] {
        if self.stk.is_null() {
            return &mut [];
        }
        // SAFETY: only `scratch` and `clear` write the fields (C is told to leave them alone), and they keep what the fields
        // promise.
        unsafe { std::slice::from_raw_parts_mut(self.stk.cast(), self.stk_size) }
    }
}
