//! Runners for a call on ready operands. They differ in whether calls wait for each other.
//!
//! The first call of a runner gives the digest, by which results are verified; later calls are only timed.
use crate::f2x::digest;
use crate::subject::Runner;
use std::hint::black_box;
use std::mem::take;

/// Repeats calls of which each takes the result of the one before, so that their latency is measured.
#[cfg(feature = "fields")]
pub(crate) fn chain<'a, T: Clone + 'a>(
    x: T,
    call: impl Fn(&T) -> T + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    chain_in_place(x, move |x| *x = call(x), words)
}

/// Repeats calls that overwrite their operand: each takes the result of the one before, as in `chain`.
#[cfg(feature = "fields")]
pub(crate) fn chain_in_place<'a, T: Clone + 'a>(
    mut x: T,
    call: impl Fn(&mut T) + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut fresh = true;
    Box::new(move |tags, times| {
        // The digest is of the first call alone: `x` goes on changing with every timed call.
        if take(&mut fresh) {
            // Every library's chain must begin with the operand itself, so the digest is computed on a copy.
            let mut first = x.clone();
            call(&mut first);
            tags[0] = digest(&words(&first));
        }
        for _ in 0..times {
            // No black_box in the loop: the compiler may keep the element where it likes, for other libraries
            // as for ours.
            call(&mut x);
        }
        // Without a use of the result the whole chain would be dead code.
        black_box(&x);
    })
}

/// Repeats calls on the same operands, which may overlap: their throughput is measured.
pub(crate) fn repeat<'a, T: 'a>(
    call: impl Fn() -> T + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut fresh = true;
    Box::new(move |tags, times| {
        if take(&mut fresh) {
            tags[0] = digest(&words(&call()));
        }
        for _ in 0..times {
            // Callers make their operands opaque inside `call`. The result needs it here, or the call could
            // be dropped.
            black_box(call());
        }
    })
}

/// Repeats calls that write their result to `space`, where later ones overwrite earlier ones.
pub(crate) fn repeat_in_place<'a, T: 'a>(
    mut space: T,
    call: impl Fn(&mut T) + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut fresh = true;
    Box::new(move |tags, times| {
        for _ in 0..times {
            // black_box, because otherwise only the last write to `space` would have to happen.
            call(black_box(&mut space));
        }
        // The digest may follow the loop: operands do not change, so every call leaves the same result.
        if take(&mut fresh) {
            tags[0] = digest(&words(&space));
        }
    })
}

/// Repeats calls on slices of operands, whose results go to a third slice.
#[cfg(feature = "fields")]
pub(crate) fn slice<'a, T: Clone + Default + 'a>(
    a: Vec<T>,
    b: Vec<T>,
    call: impl Fn(&[T], &[T], &mut [T]) + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut out = vec![T::default(); a.len()];
    let mut fresh = true;
    Box::new(move |tags, times| {
        if take(&mut fresh) {
            call(&a, &b, &mut out);
            // All results count, because a defect may be in a single lane.
            tags[0] = digest(&out.iter().flat_map(&words).collect::<Vec<u64>>());
        }
        for _ in 0..times {
            call(black_box(&a), black_box(&b), black_box(&mut out));
        }
    })
}
