//! Scratch for one product, wiped when the product is done.
use std::cell::Cell;
use zeroize::optimization_barrier;

/// The most words that a thread keeps from call to call: half a megabyte.
const KEPT: usize = 1 << 16;

thread_local! {
    /// Scratch of this thread between calls, all zeros. Allocating and clearing it anew would cost a product
    /// of 300 words a tenth of its time.
    static ZEROS: Cell<Vec<u64>> = const { Cell::new(Vec::new()) };
}

/// Runs `work` on `words` zeros, and wipes them. `None` if there is no memory for them.
pub(crate) fn with(words: usize, work: impl FnOnce(&mut [u64])) -> Option<()> {
    if words == 0 {
        work(&mut []);
        return Some(());
    }
    // While a thread ends, destructors may multiply, and its scratch is gone already.
    let mut scratch = ZEROS.try_with(Cell::take).unwrap_or_default();
    if scratch.len() < words {
        scratch = zeros(words)?;
    }
    work(&mut scratch[..words]);
    wipe(&mut scratch[..words]);
    if scratch.len() <= KEPT {
        // As above: scratch that cannot be kept is freed. It is wiped already.
        let _ = ZEROS.try_with(|kept| kept.set(scratch));
    }
    Some(())
}

/// Allocates `words` zeros. `None` if there is no memory, where `vec!` would end the process.
pub(crate) fn zeros(words: usize) -> Option<Vec<u64>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(words).ok()?;
    zeros.resize(words, 0);
    Some(zeros)
}

/// Wipes words by one `memset`, which the barrier keeps the optimiser from dropping.
#[inline]
pub(crate) fn wipe(words: &mut [u64]) {
    words.fill(0);
    optimization_barrier(words);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer and shorter ones in turn, each left full of ones, some of them too long to be kept.
    #[test]
    fn scratch_is_as_long_as_asked_for_and_zero() {
        for words in [1, 64, 0, 65, 3, 1024, KEPT, 5, KEPT + 1, 1025, 7] {
            let mut seen = None;
            with(words, |scratch| {
                seen = Some((scratch.len(), scratch.iter().all(|&word| word == 0)));
                scratch.fill(!0);
            })
            .expect("there is memory");
            assert_eq!(seen, Some((words, true)));
        }
    }

    #[test]
    fn too_much_is_no_panic() {
        assert!(zeros(usize::MAX / 8).is_none() && zeros(usize::MAX).is_none());
        assert!(with(usize::MAX / 16, |_| panic!("there is no such memory")).is_none());
    }

    #[test]
    fn wiping_leaves_zeros() {
        let mut words = [1, 2, 3];
        wipe(&mut words);
        assert_eq!(words, [0; 3]);
    }
}
