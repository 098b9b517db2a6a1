//! Parts of a long product on several threads, with the feature `rayon`. Without it, and for short parts, one after the
//! other. Results are the same.
use super::construct::add_to;
use carryless_lanes::ClmulCpu;
#[cfg(feature = "rayon")]
use {alloc::vec, zeroize::Zeroizing};

/// The fewest words that are worth a thread of their own: 5 to 50 microseconds of work. Waking a thread takes up to 10
/// microseconds.
pub(super) const LEAST_WORDS: usize = 1 << 13;

/// Whether parts of this many words run on threads of their own.
fn is_long(words: usize) -> bool {
    cfg!(feature = "rayon") && words >= LEAST_WORDS
}

/// Runs a computation on that many words, whose parts run on the threads of a pool if it is long. It runs on one of these
/// itself: from another thread, each part would wait until one of them wakes.
pub(super) fn enter(words: usize, computation: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    if is_long(words / 2) {
        return rayon::scope(|_| computation());
    }
    let _ = words;
    computation();
}

/// Runs both, at the same time if each works on at least [`LEAST_WORDS`].
pub(super) fn join(words: usize, a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    if is_long(words) {
        rayon::join(a, b);
        return;
    }
    let _ = words;
    a();
    b();
}

/// Calls `f` for each block of `len` words, and the last, which may be shorter, with the number of the block.
pub(super) fn each(blocks: &mut [u64], len: usize, f: &(impl Fn(usize, &mut [u64]) + Sync)) {
    from(0, blocks, len, f);
}

/// [`each`], with numbers from `first` on.
fn from(first: usize, blocks: &mut [u64], len: usize, f: &(impl Fn(usize, &mut [u64]) + Sync)) {
    // Cut between blocks, so that every block is passed on whole and under its own number.
    let before = blocks.len() / len / 2;
    if before == 0 || !is_long(blocks.len() / 2) {
        return blocks.chunks_mut(len).zip(first..).for_each(|(block, i)| f(i, block));
    }
    let (low, high) = blocks.split_at_mut(before * len);
    join(low.len(), || from(first, low, len, f), || from(first + before, high, len, f));
}

/// `out += a`, for as many words as the shorter of the two has.
pub(super) fn add(cpu: ClmulCpu, out: &mut [u64], a: &[u64]) {
    let half = out.len().min(a.len()) / 2;
    if !is_long(half) {
        return add_to(cpu, out, a);
    }
    let ((low, high), (a, b)) = (out.split_at_mut(half), a.split_at(half));
    join(half, || add(cpu, low, a), || add(cpu, high, b));
}

/// Calls `f` with `a`, `b` and `scratch`, or with parts of a and b of whole blocks of `len` words. Each part has scratch of
/// its own, which is wiped.
pub(super) fn zip(
    a: &mut [u64],
    b: &[u64],
    len: usize,
    scratch: &mut [u64],
    f: &(impl Fn(&mut [u64], &[u64], &mut [u64]) + Sync),
) {
    #[cfg(feature = "rayon")]
    if is_long(a.len() / 2) && a.len() >= 2 * len {
        let half = a.len() / len / 2 * len;
        let ((a, c), (b, d)) = (a.split_at_mut(half), b.split_at(half));
        // Two threads cannot share scratch. This one is wiped here: products leave parts of the operands in it, and
        // the caller never sees it.
        let mut other = Zeroizing::new(vec![0_u64; scratch.len()]);
        return join(half, || zip(a, b, len, scratch, f), || zip(c, d, len, &mut other, f));
    }
    let _ = len;
    f(a, b, scratch);
}
