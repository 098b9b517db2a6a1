//! A product that C asks for.
use crate::plans::plan;
use crate::scratch::wipe;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Kernel, Plan};
use std::ffi::c_ulong;
use std::slice::from_raw_parts;

const _: () =
    assert!(size_of::<c_ulong>() == 8, "gf2x's words are unsigned long, this library's have 64 bits");

/// Operands of at most so many words take a kernel, without a plan and without scratch.
pub(crate) const SHORT: usize = 8;

/// The most words of a product: 16 GiB. Plans reach further, but not to everything that an `unsigned long` can say.
pub(crate) const MOST: c_ulong = 1 << 31;

/// `c = a b`, in pointers and words. Nothing is read before it is run.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    c: *mut u64,
    a: *const u64,
    an: usize,
    b: *const u64,
    bn: usize,
}

impl Job {
    /// `None` if the product has more than [`MOST`] words.
    pub(crate) fn new(
        c: *mut c_ulong,
        (a, an): (*const c_ulong, c_ulong),
        (b, bn): (*const c_ulong, c_ulong),
    ) -> Option<Job> {
        let fits = an.checked_add(bn).is_some_and(|words| words <= MOST);
        fits.then_some(Job { c: c.cast(), a: a.cast(), an: an as usize, b: b.cast(), bn: bn as usize })
    }

    /// Whether [`run_short`](Job::run_short) does it.
    #[inline]
    pub(crate) fn is_short(&self) -> bool {
        self.an.max(self.bn) <= SHORT || self.an == 0 || self.bn == 0
    }

    fn plan(&self) -> Plan {
        plan(self.an, self.bn)
    }

    /// The words of scratch that [`run`](Job::run) takes.
    pub(crate) fn scratch_words(&self) -> usize {
        self.plan().scratch_words() + if self.overlaps() { self.an + self.bn } else { 0 }
    }

    /// Whether the product overlaps an operand.
    fn overlaps(&self) -> bool {
        let from = |start: usize, words: usize| start..start + 8 * words;
        let product = from(self.c.addr(), self.an + self.bn);
        let meets =
            |operand: std::ops::Range<usize>| product.start < operand.end && operand.start < product.end;
        meets(from(self.a.addr(), self.an)) || meets(from(self.b.addr(), self.bn))
    }

    /// The operands.
    ///
    /// # Safety
    /// As of [`run`](Job::run); `c` is not written while the slices live.
    unsafe fn operands<'a>(&self) -> [&'a [u64]; 2] {
        let operand = |start: *const u64, words: usize| match words {
            0 => &[][..],
            // SAFETY: the words are there, and unchanged, by the promise to this function.
            _ => unsafe { from_raw_parts(start, words) },
        };
        [operand(self.a, self.an), operand(self.b, self.bn)]
    }

    /// Multiplies, in scratch of [`scratch_words`](Job::scratch_words).
    ///
    /// # Safety
    /// `a` and `b` can be read for `an` and `bn` words, `c` can be written for `an + bn`, nobody else writes to these, and
    /// `scratch` overlaps none of them.
    pub(crate) unsafe fn run(&self, scratch: &mut [u64]) {
        let words = self.an + self.bn;
        if self.overlaps() {
            let (product, scratch) = scratch.split_at_mut(words);
            // SAFETY: the caller's promise; `c` is written when the operands are done with.
            unsafe {
                let [a, b] = self.operands();
                self.plan().mul(a, b, product, scratch);
                self.c.copy_from_nonoverlapping(product.as_ptr(), words);
            }
        } else {
            // SAFETY: the caller's promise; `c` overlaps no operand, and is written before it becomes a slice.
            unsafe {
                self.c.write_bytes(0, words);
                let product = std::slice::from_raw_parts_mut(self.c, words);
                let [a, b] = self.operands();
                self.plan().mul(a, b, product, scratch);
            }
        }
    }

    /// Multiplies what [`is_short`](Job::is_short), by one kernel and by way of the stack.
    ///
    /// # Safety
    /// As of [`run`](Job::run).
    #[inline]
    pub(crate) unsafe fn run_short(&self) {
        // SAFETY: the promise to this function.
        unsafe {
            match self.an.max(self.bn) {
                _ if self.an == 0 || self.bn == 0 => self.c.write_bytes(0, self.an + self.bn),
                1 => self.run_kernel::<1, 2>(Kernel::Mul64),
                2 => self.run_kernel::<2, 4>(Kernel::Karat128),
                3 | 4 => self.run_kernel::<4, 8>(Kernel::KaratKarat256),
                5 | 6 => self.run_kernel::<6, 12>(Kernel::Karat384),
                _ => self.run_kernel::<8, 16>(Kernel::Mul512),
            }
        }
    }

    /// Multiplies by a kernel of N words, of which the operands have no more.
    ///
    /// # Safety
    /// As of [`run`](Job::run).
    #[inline]
    unsafe fn run_kernel<const N: usize, const M: usize>(&self, kernel: Kernel) {
        // SAFETY: the promise to this function; `c` is written when the operands are done with.
        let [a, b] = unsafe { self.operands() };
        let (mut left, mut right, mut product) = ([0; N], [0; N], [0; M]);
        copy(&mut left, a);
        copy(&mut right, b);
        kernel.mul(ClmulCpu::detect(), &left, &right, &mut product);
        // SAFETY: `c` has room for the product, of which no more words are copied than there are.
        unsafe { self.c.copy_from_nonoverlapping(product.as_ptr(), (self.an + self.bn).min(M)) };
        wipe(&mut left);
        wipe(&mut right);
        wipe(&mut product);
    }
}

/// `a` at the beginning of `out`.
#[inline]
fn copy<const N: usize>(out: &mut [u64; N], a: &[u64]) {
    match a.first_chunk::<N>() {
        Some(whole) => *out = *whole,
        None => out[..a.len()].copy_from_slice(a),
    }
}
