//! A product as C asks for it, by pointers and sizes.
use crate::plans::plan;
use crate::scratch::wipe;
use carryless_gf2::poly::{Plan, Short};
use std::ffi::c_ulong;
use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::sync::OnceLock;

const _: () =
    assert!(size_of::<c_ulong>() == 8, "gf2x's words are unsigned long, this library's have 64 bits");

/// The kernels of short products, chosen once for all threads.
static KERNELS: OnceLock<Short> = OnceLock::new();

/// The most words of a product that is computed on the stack first, because it overlaps an operand.
const ON_STACK: usize = 2 * Short::MAX_WORDS;

/// The most words of a product: 16 GiB. Plans reach further, but not to everything that an `unsigned long` can say.
pub(crate) const MAX_WORDS: c_ulong = 1 << 31;

/// The product `c = a b`, as pointers and numbers of words. Pointers are not used before it is run.
#[derive(Clone, Copy)]
pub(crate) struct Job {
    c: *mut u64,
    a: *const u64,
    an: usize,
    b: *const u64,
    bn: usize,
}

impl Job {
    /// `None` if the product has more than [`MAX_WORDS`] words.
    pub(crate) fn new(
        c: *mut c_ulong,
        (a, an): (*const c_ulong, c_ulong),
        (b, bn): (*const c_ulong, c_ulong),
    ) -> Option<Job> {
        let fits = an.checked_add(bn).is_some_and(|words| words <= MAX_WORDS);
        fits.then_some(Job { c: c.cast(), a: a.cast(), an: an as usize, b: b.cast(), bn: bn as usize })
    }

    /// Whether [`run_short`](Job::run_short) can do it: one kernel suffices, and an overlapping
    /// product fits on the stack.
    #[inline]
    pub(crate) fn is_short(&self) -> bool {
        let kernel = Short::takes(self.an, self.bn) && (self.an + self.bn <= ON_STACK || !self.overlaps());
        kernel || self.an == 0 || self.bn == 0
    }

    /// The plan for these sizes, for [`run`](Job::run).
    pub(crate) fn plan(&self) -> Plan {
        plan(self.an, self.bn)
    }

    /// Words of scratch that [`run`](Job::run) needs. An overlapping product is computed there, before it is copied.
    pub(crate) fn scratch_words(&self, plan: &Plan) -> usize {
        plan.scratch_words() + if self.overlaps() { self.an + self.bn } else { 0 }
    }

    /// Whether the product overlaps an operand.
    fn overlaps(&self) -> bool {
        let from = |start: usize, words: usize| start..start + 8 * words;
        let product = from(self.c.addr(), self.an + self.bn);
        let meets =
            |operand: std::ops::Range<usize>| product.start < operand.end && operand.start < product.end;
        meets(from(self.a.addr(), self.an)) || meets(from(self.b.addr(), self.bn))
    }

    /// The operands as slices; one without words may have a null pointer.
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

    /// The product as a slice to be written.
    ///
    /// # Safety
    /// As of [`run`](Job::run), and `c` overlaps no operand. Products write every word before they read it, so that it does not
    /// matter what C left there: it is some integer.
    #[inline]
    unsafe fn product<'a>(&self) -> &'a mut [u64] {
        // SAFETY: the promise to this function.
        unsafe { from_raw_parts_mut(self.c, self.an + self.bn) }
    }

    /// Multiplies by [`plan`](Job::plan), in scratch of [`scratch_words`](Job::scratch_words).
    ///
    /// # Safety
    /// `a` and `b` can be read for `an` and `bn` words, `c` can be written for `an + bn`, nobody else writes to these, and
    /// `scratch` overlaps none of them.
    pub(crate) unsafe fn run(&self, plan: &Plan, scratch: &mut [u64]) {
        let words = self.an + self.bn;
        // SAFETY: the caller's promise; `c` is a slice only where it overlaps no operand, else it is written when the operands are
        // done with.
        unsafe {
            let [a, b] = self.operands();
            if self.overlaps() {
                let (product, scratch) = scratch.split_at_mut(words);
                plan.mul(a, b, product, scratch);
                self.c.copy_from_nonoverlapping(product.as_ptr(), words);
            } else {
                plan.mul(a, b, self.product(), scratch);
            }
        }
    }

    /// Computes a product for which [`is_short`](Job::is_short) holds, without a plan or scratch.
    ///
    /// # Safety
    /// `a` and `b` can be read for `an` and `bn` words, `c` can be written for `an + bn`. No other thread writes to these
    /// words, or reads those of `c`.
    #[inline]
    pub(crate) unsafe fn run_short(&self) {
        let words = self.an + self.bn;
        // SAFETY: as in `run`.
        unsafe {
            if self.an == 0 || self.bn == 0 {
                self.c.write_bytes(0, words);
                return;
            }
            let (kernels, [a, b]) = (KERNELS.get_or_init(Short::new), self.operands());
            if self.overlaps() {
                let mut product = [0; ON_STACK];
                kernels.mul(a, b, &mut product[..words]);
                self.c.copy_from_nonoverlapping(product.as_ptr(), words);
                wipe(&mut product);
            } else {
                kernels.mul(a, b, self.product());
            }
        }
    }
}
