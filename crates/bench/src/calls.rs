//! Calls of an operation, timed in one of two shapes. The digest of the first result is taken outside the timing.
use crate::f2x::digest;
use crate::subject::Runner;
use std::hint::black_box;
use std::mem::take;

/// Calls that wait for each other: latency.
#[cfg(feature = "fields")]
pub(crate) fn chain<'a, T: Clone + 'a>(
    x: T,
    call: impl Fn(&T) -> T + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    chain_in_place(x, move |x| *x = call(x), words)
}

/// The same of calls that overwrite their operand.
#[cfg(feature = "fields")]
pub(crate) fn chain_in_place<'a, T: Clone + 'a>(
    mut x: T,
    call: impl Fn(&mut T) + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut fresh = true;
    Box::new(move |tags, times| {
        if take(&mut fresh) {
            let mut first = x.clone();
            call(&mut first);
            tags[0] = digest(&words(&first));
        }
        for _ in 0..times {
            call(&mut x);
        }
        black_box(&x);
    })
}

/// Calls that do not.
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
            black_box(call());
        }
    })
}

/// Calls that write where they are told.
pub(crate) fn repeat_in_place<'a, T: 'a>(
    mut space: T,
    call: impl Fn(&mut T) + 'a,
    words: impl Fn(&T) -> Vec<u64> + 'a,
) -> Runner<'a> {
    let mut fresh = true;
    Box::new(move |tags, times| {
        for _ in 0..times {
            call(black_box(&mut space));
        }
        if take(&mut fresh) {
            tags[0] = digest(&words(&space));
        }
    })
}

/// Calls that take slices.
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
            tags[0] = digest(&out.iter().flat_map(&words).collect::<Vec<u64>>());
        }
        for _ in 0..times {
            call(black_box(&a), black_box(&b), black_box(&mut out));
        }
    })
}
